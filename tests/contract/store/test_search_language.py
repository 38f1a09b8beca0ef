"""What people type finds the same pages in both databases."""

from __future__ import annotations

import pytest

from pageloom.edges.store.prices import insert_price
from pageloom.flows.library.search_language import read_search
from pageloom.library import open_library
from pageloom.model.library import StoredPrice
from pageloom.model.pages import DEFAULT_FILTERS, Filters

PAGE = "<html lang={lang}><title>{title}</title><article><p>{words}</p></article></html>"


@pytest.fixture
def library(database):
    with open_library(database) as opened:
        for name, words in (("swift", 40), ("crane", 400), ("kettle", 60)):
            text = f"The {name} of the harbour was seen by many people. " * (words // 10)
            content = PAGE.format(lang="en", title=name.title(), words=text)
            opened.save(f"https://{name}.example/", content=content, tags=[name])
        opened.tag("https://swift.example/", "birds")
        opened.tag("https://crane.example/", "birds")
        opened.note("https://crane.example/", "Look up.")
        opened.highlight("https://kettle.example/", "seen by many")
        opened.pause(opened.watch("https://kettle.example/"))
        opened.mark_read("https://swift.example/")
        opened.archive(
            opened.save("https://old.example/", content=PAGE.replace("{words}", "x " * 9))
        )
        with opened.context.store.write() as tx:
            number = opened.get("https://kettle.example/").id
            for month, amount in ((3, 60), (4, 40)):
                at = f"2026-0{month}-01T08:00:00.000Z"
                price = StoredPrice(page_id=number, at=at, amount=amount, currency="EUR")
                insert_price(tx, price)
        yield opened


def found(library, query: str) -> str:
    return " ".join(sorted(hit.page.title for hit in library.search(query).hits))


def test_words_and_filters_are_typed_together(library):
    for query, titles in {
        "harbour": "Crane Kettle Swift",
        "tag:birds": "Crane Swift",
        "harbour tag:birds -tag:swift": "Crane",
        'tag:"birds" tag:crane': "Crane",
        "site:kettle.example": "Kettle",
        "lang:en harbour -crane": "Kettle Swift",
        "is:unread tag:birds": "Crane",
        "is:read": "Swift",
        "-is:read harbour": "Crane Kettle",
        "has:note": "Crane",
        "-has:note harbour": "Kettle Swift",
        "has:highlight": "Kettle",
        "has:price price:<50": "Kettle",
        "price:>50": "",
        "is:watched": "Kettle",
        "is:failing": "",
        "is:teaser": "",
        "words:>200": "Crane",
        "words:<200 harbour": "Kettle Swift",
        "after:7d harbour": "Crane Kettle Swift",
        "before:2020-01-01": "",
        "changed:<7d": "",
        "type:product": "",
    }.items():
        assert found(library, query) == titles, query
    assert library.search("is:archived").total == 1
    assert library.suggest("tag:birds harbou") == "tag:birds harbou*"
    assert library.search("tag:birds", limit=1).next_cursor


@pytest.mark.parametrize(
    "text",
    [
        "http://example.com/",
        "note:this",
        "is:strange",
        "words:many",
        "words:5",
        "before:tuesday",
        '"tag:birds"',
        "tag:",
        "a:b:c",
        "-has:everything",
        "price:<cheap",
        "ratio 16:9",
    ],
)
def test_what_cannot_be_read_as_a_filter_is_words(text):
    asked = read_search(text, DEFAULT_FILTERS)
    assert (asked.words, asked.filters) == (text, DEFAULT_FILTERS)


def test_filters_are_read_with_signs_and_quotes():
    asked = read_search('old tag:"two words" words:>=10 words:<=20 is:deleted crane', Filters())
    assert asked.words == "old crane"
    assert asked.filters == Filters(
        tags=("two words",), min_words=10, max_words=20, deleted="only", archived="all"
    )


def test_a_saved_search_notifies_of_each_page_that_it_newly_finds_once(library):
    saved = library.save_search("Birds", "harbour tag:birds", notify=["feed:birds"])
    assert library.check_searches() == 0  # what it finds now is known
    content = PAGE.format(lang="en", title="Heron", words="The heron of the harbour. " * 9)
    library.save("https://heron.example/", content=content, tags=["birds"])
    library.save("https://other.example/", content=content.replace("Heron", "Untagged"))
    assert [library.check_searches() for _ in range(2)] == [1, 0]
    (message,) = library.messages()
    assert message.payload["title"] == "Birds: Heron"
    assert message.payload["data"]["pages"][0]["url"] == "https://heron.example/"
    changed = library.save_search("Herons", "heron", number=saved.id)
    assert [(each.name, each.targets) for each in library.searches()] == [("Herons", ())]
    library.remove_search(changed.id)
    assert library.searches() == []
