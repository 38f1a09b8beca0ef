"""The whole way of a page: what only the stages together can promise."""

from __future__ import annotations

import json

import pytest

import pageloom

URL = "https://bay.example/tide"
TEXT = (
    "The water in the bay went out further than anyone could remember, and everybody came down "
    "to the quay to see the boats on their sides."
)


def page(extra: str) -> str:
    paragraphs = f"<p>{TEXT}</p>" * 3
    return f"<title>The tide</title><article><h1>The tide</h1>{paragraphs}{extra}</article>"


@pytest.mark.parametrize(
    ("href", "shown"),
    [
        ("/boats?utm_source=x&id=7", "https://bay.example/boats?id=7"),
        ("https://a.example/?fbclid=1#top", "https://a.example/#top"),
        ("https://a.example/?b=2&a=1", "https://a.example/?b=2&a=1"),
        ("?page=2", "https://bay.example/tide?page=2"),
        ("https://www.youtube.com/watch?v=1&si=abc", "https://www.youtube.com/watch?v=1"),
    ],
)
def test_links_have_no_tracking_parameters_wherever_they_are_shown(href: str, shown: str):
    link = f'<p>More in <a href="{href}">the logbook of the harbour</a>, for those who care.</p>'
    document = pageloom.extract(page(link), URL)
    assert [one.url for one in document.links if one.region == "content"] == [shown]
    assert f"[the logbook of the harbour]({shown})" in document.markdown
    assert f'href="{shown.replace("&", "&amp;")}"' in document.html


def test_the_style_of_the_markdown_changes_nothing_else():
    picture = '<p><img src="/mud.jpg" alt="Mud" width="800" height="600"></p>'
    link = '<p>More in <a href="/log">the logbook of the harbour</a>, for those who care.</p>'
    plain = pageloom.extract(page(picture + link), URL)
    styled = pageloom.extract(
        page(picture + link),
        URL,
        options={"markdown_images": "none", "markdown_links": "reference", "markdown_wrap": 40},
    )
    assert styled.markdown != plain.markdown
    assert "![Mud]" not in styled.markdown
    assert "[1]: https://bay.example/log" in styled.markdown
    one, other = plain.to_dict(), styled.to_dict()
    assert {name for name in one if one[name] != other[name]} == {"markdown"}


@pytest.mark.parametrize(
    "content",
    [
        page("<p>half \ud83d a pair</p>"),
        '<meta name="a\ud800" content="b\udfff">' + page(""),
        '{"title": "x\\ud83dy", "k\\ud800": 1, "body": "' + TEXT + ' \\ud83d\\ude00 \\\\ud83d"}',
        '<script type="application/ld+json">{"@type": "Article", "headline": "\\ud83d"}</script>'
        + page(""),
    ],
)
@pytest.mark.parametrize("url", [URL, "https://bay.example/\ud800"])
def test_halves_of_surrogate_pairs_never_keep_a_document_from_being_written(content: str, url: str):
    document = pageloom.extract(content, url)
    assert pageloom.Document.from_dict(json.loads(document.to_json())) == document


def test_whole_pairs_survive():
    document = pageloom.extract('{"title": "Tide \\ud83d\\ude00", "body": "' + TEXT + '"}', URL)
    assert document.title == "Tide 😀"
