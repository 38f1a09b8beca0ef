"""JSON Feed, and the answers of many kinds of API."""

from __future__ import annotations

import json

import pytest

from pageloom.core.decode.source import decode

URL = "https://a.example/api/posts"


def read(value: object, url: str = URL):
    content = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return decode(content, url=url).feed


def test_json_feed():
    facts = read(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "title": "Trees & birds",
            "home_page_url": "https://a.example/",
            "description": "All about them",
            "language": "en",
            "authors": [{"name": "Ann Lee"}],
            "icon": "/icon.png",
            "items": [
                {
                    "id": "1",
                    "url": "/1",
                    "title": "One",
                    "content_html": "<p>Full</p>",
                    "summary": "Short",
                    "date_published": "2026-01-05T10:00:00Z",
                    "date_modified": "2026-01-06T10:00:00Z",
                    "tags": ["oak", "owl"],
                    "image": "/1.jpg",
                },
                {"id": 2, "content_text": "Only text", "author": {"name": "Bo Ek"}},
            ],
        }
    )
    assert (facts.kind, facts.title, facts.link) == (
        "jsonfeed",
        "Trees & birds",
        "https://a.example/",
    )
    assert (facts.description, facts.language) == ("All about them", "en")
    assert facts.image == "https://a.example/icon.png"
    one, two = facts.items
    assert (one.title, one.link, one.html, one.summary) == (
        "One",
        "https://a.example/1",
        "<p>Full</p>",
        "Short",
    )
    assert (one.published, one.modified) == ("2026-01-05T10:00:00Z", "2026-01-06T10:00:00Z")
    assert (one.categories, one.authors) == (("oak", "owl"), ("Ann Lee",))
    assert one.image == "https://a.example/1.jpg"
    assert (two.id, two.text, two.authors) == ("2", "Only text", ("Bo Ek",))


ARTICLE = {
    "headline": "The oak",
    "publishedAt": "2026-01-05",
    "author": {"name": "Ann Lee"},
    "tags": "oak, owl",
    "body": "<p>An old tree.</p>",
    "canonical_url": "/oak",
}


@pytest.mark.parametrize(
    "answer",
    [
        ARTICLE,
        {"data": ARTICLE},
        {"status": "ok", "response": {"article": ARTICLE}},
        {"post": {**ARTICLE, "related": [ARTICLE, ARTICLE]}},
    ],
    ids=["bare", "data", "response", "with related ones"],
)
def test_one_article(answer):
    facts = read(answer)
    assert not facts.is_list
    (item,) = facts.items
    assert (item.title, item.link) == ("The oak", "https://a.example/oak")
    assert (item.published, item.authors) == ("2026-01-05", ("Ann Lee",))
    assert (item.categories, item.html) == (("oak", "owl"), "<p>An old tree.</p>")


@pytest.mark.parametrize(
    "answer",
    [
        [ARTICLE, ARTICLE],
        {"items": [ARTICLE, ARTICLE]},
        {"meta": {"count": 2}, "results": [ARTICLE, ARTICLE]},
        {"response": {"status": "ok", "results": [ARTICLE, ARTICLE]}},
        {"data": {"posts": {"edges": [{"node": ARTICLE}, {"node": ARTICLE}]}}},
        {"data": [{"type": "post", "id": "1", "attributes": ARTICLE}] * 2},
        {"hits": {"total": 2, "hits": [{"_id": "1", "_source": ARTICLE}] * 2}},
        {"data": {"children": [{"kind": "t3", "data": ARTICLE}] * 2}},
        {"weird": {"names": {"here": [ARTICLE, ARTICLE]}}},
    ],
    ids=["list", "items", "results", "guarded", "graphql", "json:api", "search", "children", "odd"],
)
def test_lists_are_found_wherever_they_are(answer):
    facts = read(answer)
    assert facts.is_list
    assert [item.title for item in facts.items] == ["The oak", "The oak"]
    assert all(item.html == "<p>An old tree.</p>" for item in facts.items)


def test_values_inside_objects():
    facts = read(
        [
            {
                "id": 7,
                "date": "2026-01-05T10:00:00",
                "link": "https://a.example/7",
                "title": {"rendered": "Oak &#8211; old"},
                "content": {"rendered": "<p>Text</p>"},
                "excerpt": {"rendered": "<p>Short</p>"},
                "author": 3,
                "tags": [1, 2],
                "categories": [{"name": "Trees"}],
            }
        ]
    )
    (item,) = facts.items
    assert (item.title, item.html, item.summary) == ("Oak – old", "<p>Text</p>", "Short")
    assert (item.authors, item.categories, item.id) == ((), ("Trees",), "7")


def test_fields_one_level_down():
    (item,) = read(
        {
            "results": [
                {
                    "webTitle": "The oak",
                    "webUrl": "https://a.example/oak",
                    "webPublicationDate": "2026-01-05",
                    "fields": {"byline": "By Ann Lee", "bodyText": "An old tree."},
                }
            ]
        }
    ).items
    assert (item.title, item.text) == ("The oak", "An old tree.")


@pytest.mark.parametrize(
    "answer", [{"count": 3}, [1, 2, 3], {"users": [{"name": "Ann"}]}, [], {}, "[]", '{"a": 1}']
)
def test_other_json_has_no_items(answer):
    assert read(answer) is None


@pytest.mark.parametrize(
    "text",
    [
        ')]}\',\n{"title": "T", "body": "words"}',
        '{"title": "T", "body": "words",}',
        '{"title": "T", "body": "two\nlines"}',
        '\ufeff{"title": "T", "body": "words"}',
        '{"title": "old", "title": "T", "body": "words"}',
    ],
    ids=["guard", "comma", "line break", "mark", "twice"],
)
def test_slightly_broken_json(text):
    facts = decode(text, url=URL, content_type="application/json").feed
    assert facts.items[0].title == "T"


def test_the_tree_shows_the_article():
    tree = decode(json.dumps(ARTICLE), url=URL).tree
    assert tree.select_one("article h1").text == "The oak"
    assert tree.select_one("article p").text == "An old tree."


def test_the_tree_of_a_list_links_its_items():
    tree = decode(json.dumps([ARTICLE]), url=URL).tree
    assert tree.select_one("article h2 a").attr("href") == "https://a.example/oak"


@pytest.mark.parametrize(
    "text",
    [
        '{"items":' * 30_000 + "1" + "}" * 30_000,
        "[" + '{"title":"x","url":"/x"},' * 12_000 + '{"title":"x","url":"/x"}]',
        '{"a":[' * 400 + "1" + "]}" * 400,
        '{"items":[' + "[]," * 30_000 + "1]}",
    ],
    ids=["deep", "long", "nested", "empty lists"],
)
def test_hostile_json_is_bounded(text):
    facts = read(text)
    assert facts is None or len(facts.items) <= 10_000
