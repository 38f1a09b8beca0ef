"""Hand-written feeds with the diseases people meet: everything that every item says is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pageloom

FEEDS = Path(__file__).parent / "feeds"
EXPECTED = json.loads((FEEDS / "expected.json").read_text(encoding="utf-8"))
URL = "https://tidewatch.example/feeds/all.xml"


def facts_of(document: pageloom.Document) -> dict[str, object]:
    moment = document.published
    published = ""
    if moment is not None:
        time = f"T{moment.time}{moment.zone}" if moment.time else ""
        published = moment.date + time
    return {
        "title": document.title,
        "link": document.final_url,
        "published": published,
        "authors": list(document.authors),
        "tags": list(document.tags),
    }


@pytest.mark.parametrize("name", EXPECTED)
def test_every_item_keeps_title_link_date_authors_and_categories(name: str) -> None:
    documents = pageloom.extract_all((FEEDS / name).read_bytes(), URL)
    assert [facts_of(document) for document in documents] == EXPECTED[name]


def test_there_are_enough_feeds() -> None:
    assert len(EXPECTED) >= 30
