"""Whole pages, written by us, and what a reader would want of them.

Each directory ``area--case`` holds ``page.html``, ``meta.json`` (how the page was asked for and
what a reader wants of its Document) and ``expected.md``, the whole Markdown as it is today, so that
a change of it is seen in review. ``known_wrong`` lists the beginnings of complaints that are right
but not yet answered; all else about such a page must hold, and one that is answered fails until it
is taken off the list. accept.py writes these lists and every ``expected.md``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pageloom import Document, PageloomError, extract

HERE = Path(__file__).parent
CASES = sorted(path.parent.name for path in HERE.glob("*/meta.json"))
EQUAL = (
    "title",
    "description",
    "page_type",
    "language",
    "direction",
    "site_name",
    "canonical_url",
    "hero_image",
    "availability",
    "accessible_for_free",
)
ASKED = {"url", "content_type", "fetched_at", "known_wrong", "error"}


def read_meta(case: str) -> dict[str, Any]:
    return json.loads((HERE / case / "meta.json").read_text(encoding="utf-8"))


def run(case: str, meta: dict[str, Any]) -> Document:
    page = (HERE / case / "page.html").read_bytes()
    return extract(
        page,
        meta["url"],
        content_type=meta.get("content_type", "text/html"),
        fetched_at=meta.get("fetched_at"),
    )


def squeeze(text: str) -> str:
    return " ".join(text.split())


def missing(wanted: list[str], have: Any) -> list[str]:
    return [item for item in wanted if item not in have]


def text_troubles(document: Document, meta: dict[str, Any]) -> list[str]:
    text = squeeze(document.text)
    places = [text.find(squeeze(part)) for part in meta.get("order", [])]
    troubles = [
        f"text lacks {part!r}" for part in meta.get("contains", []) if squeeze(part) not in text
    ]
    troubles += [f"text has {part!r}" for part in meta.get("lacks", []) if squeeze(part) in text]
    if -1 in places or places != sorted(places):
        troubles.append(f"order is {places}")
    for part in missing(meta.get("markdown_contains", []), document.markdown):
        troubles.append(f"markdown lacks {part!r}")
    for part in meta.get("once", []):
        if text.count(squeeze(part)) != 1:
            troubles.append(f"{part!r} stands {text.count(squeeze(part))} times in text")
    return troubles


def field_troubles(document: Document, meta: dict[str, Any]) -> list[str]:
    troubles = [
        f"{name} is {getattr(document, name)!r}, not {meta[name]!r}"
        for name in EQUAL
        if name in meta and getattr(document, name) != meta[name]
    ]
    stated = {
        "authors": list(document.authors),
        "published": document.published.date if document.published else None,
        "modified": document.modified.date if document.modified else None,
    }
    for name, value in stated.items():
        if name in meta and value != meta[name]:
            troubles.append(f"{name} is {value!r}, not {meta[name]!r}")
    if "strategy" in meta and document.provenance.strategy not in meta["strategy"]:
        troubles.append(f"strategy is {document.provenance.strategy}")
    return troubles


def list_troubles(document: Document, meta: dict[str, Any]) -> list[str]:
    have = {
        "images": [image.url for image in document.images],
        "media": [media.url for media in document.media],
        "prices": [price.raw for price in document.price_candidates],
        "ratings": [rating.raw for rating in document.rating_candidates],
        "tags": list(document.tags),
        "categories": list(document.categories),
        "warnings": list(document.provenance.warnings),
    }
    troubles = [
        f"{name} lacks {item!r}: {have[name]}"
        for name in have
        for item in missing(meta.get(name, []), have[name])
    ]
    unwanted = [image for image in meta.get("lacks_images", []) if image in have["images"]]
    troubles += [f"images has {image!r}" for image in unwanted]
    for region, urls in meta.get("links", {}).items():
        there = [link.url for link in document.links if link.region == region]
        troubles += [f"{region} links lack {url!r}" for url in missing(urls, there)]
    return troubles


def troubles_of(case: str, meta: dict[str, Any]) -> list[str]:
    if "error" in meta:
        with pytest.raises(PageloomError) as caught:
            run(case, meta)
        return [] if caught.value.code == meta["error"] else [f"error is {caught.value.code}"]
    document = run(case, meta)
    checks = (text_troubles, field_troubles, list_troubles)
    return [trouble for check in checks for trouble in check(document, meta)]


def unknown(troubles: list[str], meta: dict[str, Any]) -> list[str]:
    known = tuple(meta.get("known_wrong", ()))
    return [trouble for trouble in troubles if not trouble.startswith(known)] if known else troubles


@pytest.mark.parametrize("case", CASES)
def test_a_page_comes_out_as_its_reader_wants(case: str):
    meta = read_meta(case)
    troubles = unknown(troubles_of(case, meta), meta)
    assert not troubles, "\n".join(troubles)


WANTED = [
    pytest.param(case, complaint, id=f"{case}: {complaint}")
    for case in CASES
    for complaint in read_meta(case).get("known_wrong", ())
]


@pytest.mark.xfail(reason="known_wrong in meta.json: wanted, not yet reached", strict=True)
@pytest.mark.parametrize(("case", "complaint"), WANTED)
def test_nothing_is_left_to_be_wanted_of_a_page(case: str, complaint: str):
    troubles = troubles_of(case, read_meta(case))
    assert not [trouble for trouble in troubles if trouble.startswith(complaint)]


@pytest.mark.parametrize("case", CASES)
def test_the_markdown_is_what_was_reviewed(case: str):
    meta = read_meta(case)
    expected = HERE / case / "expected.md"
    assert expected.exists() == ("error" not in meta)
    if "error" not in meta:
        assert run(case, meta).markdown == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_a_document_survives_the_way_to_json_and_back(case: str):
    meta = read_meta(case)
    if "error" in meta:
        return
    document = run(case, meta)
    assert Document.from_dict(document.to_dict()) == document
    assert Document.from_dict(json.loads(document.to_json())) == document


@pytest.mark.parametrize("case", CASES)
def test_meta_knows_only_words_that_are_checked(case: str):
    lists = (
        "contains lacks order once markdown_contains images lacks_images media prices ratings tags"
    )
    known = {
        *EQUAL,
        *ASKED,
        *lists.split(),
        "categories",
        "warnings",
        "links",
        "authors",
        "published",
    }
    assert set(read_meta(case)) <= known | {"modified", "strategy"}
