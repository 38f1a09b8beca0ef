"""Anything at all goes in; a Document with sound fields or a PageloomError comes out."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pageloom import Document, Options, PageloomError, extract, extract_all

T = TypeVar("T")
GOLDEN = Path(__file__).parents[1] / "golden"
URL = "https://property.example/a/b.html"
NOISE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
bounded = settings(
    max_examples=60,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

TAGS = (
    "html head body div p span a b i em strong ul ol li table tbody tr td th caption h1 h2 h3 pre "
    "code br img figure figcaption picture source article section main aside header footer nav "
    "form select option button input textarea script style noscript template iframe svg math dl "
    "dt dd blockquote details summary time meta title base link video audio font center marquee"
).split()
ATTRIBUTES = (
    'class="comment nav ad"', 'id="content"', "href=/x?utm_source=y", "href='http://[::1'",
    'href="javascript:alert(1)"', "src=a.png", 'src="data:image/gif;base64,R0"', 'srcset="a 2x, b"',
    "hidden", 'style="display:none"', "role=main", 'itemprop="author"', 'datetime="2026-13-45"',
    'rel="next tag"', "lang=zz", "dir=rtl", 'itemtype="https://schema.org/Product"',
    'colspan="99999"',
    'property="og:title" content="T"', 'type="application/ld+json"',
    'data-preloaded="{&quot;a&quot;:[1]}"',
    'class="\x00\ud800"', 'start="-7"',
)  # fmt: skip
WORDS = (
    "Quiet streets are long streets, said the postman, and went on his way without another word.",
    "1.299,00 €", "By Ann Lee", "12 March 2026", "4.5 out of 5", "Comments (3)",
    "今日は良い天気です。",
    "مرحبا بالعالم", "\x00\x01\x02", "\ud83d", "&amp;&#0;&#xd800;&notin;", '{"@type":"Article"',
    "<![CDATA[x]]>", "<!-- -->", "\u202e\u200b\ufeff", "a" * 300, " \n\t ",
)  # fmt: skip
openings = st.builds(
    lambda tag, attributes: f"<{' '.join([tag, *attributes])}>",
    st.sampled_from(TAGS),
    st.lists(st.sampled_from(ATTRIBUTES), max_size=3),
)
pieces = st.one_of(
    openings,
    st.sampled_from(TAGS).map(lambda tag: f"</{tag}>"),
    st.sampled_from(WORDS),
    st.text(max_size=20),
)
soup = st.lists(pieces, max_size=80).map("".join)


@cache
def fixture_pages() -> list[bytes]:
    return [path.read_bytes() for path in sorted(GOLDEN.glob("*/page.html"))]


def cut(page: bytearray, chance: random.Random) -> bytearray:
    first, last = sorted(chance.randrange(len(page) + 1) for _ in range(2))
    return page[first:last]


def repeat(page: bytearray, chance: random.Random) -> bytearray:
    piece = cut(page, chance)[:5_000]
    place = chance.randrange(len(page) + 1)
    return page[:place] + piece * 3 + page[place:]


def flip(page: bytearray, chance: random.Random) -> bytearray:
    for _ in range(len(page) // 50):
        page[chance.randrange(len(page))] ^= 1 << chance.randrange(8)
    return page


def break_marks(page: bytearray, chance: random.Random) -> bytearray:
    """Attributes without their quotes, tags without their ends."""
    mark = chance.choice([b'"', b"=", b">", b"</", b"'", b" "])
    parts = page.split(mark)
    glue = [mark if chance.random() < 0.9 else b"" for _ in parts]
    return bytearray(b"".join(part + end for part, end in zip(parts, glue, strict=True)))


def mutated(number: int, seed: int) -> bytes:
    chance = random.Random(seed)  # noqa: S311  no secret
    pages = fixture_pages()
    page = bytearray(pages[number % len(pages)])
    for _ in range(chance.randrange(1, 4)):
        page = chance.choice([cut, repeat, flip, break_marks])(page, chance) or page
    return bytes(page)


mutants = st.builds(mutated, st.integers(0, 200), st.integers(0, 2**32))


def attempt(work: Callable[[], T]) -> T | None:
    try:
        return work()
    except PageloomError as error:
        trouble = error
    assert trouble.code != "InternalError", trouble.figures
    assert trouble.message
    return None


def try_extract(content: bytes | str, **more: Any) -> Document | None:
    return attempt(lambda: extract(content, URL, **more))


def check(document: Document) -> None:
    assert 0 <= document.quality_score <= 100
    assert 0 <= document.page_type_confidence <= 1
    assert 0 <= document.language_confidence <= 1
    for address in (
        *(link.url for link in document.links),
        *(image.url for image in document.images),
    ):
        assert address.startswith(("http://", "https://"))
    assert document.word_count >= 0
    assert document.text or not document.word_count
    assert Document.from_dict(document.to_dict()) == document
    document.to_json().encode("utf-8")


@bounded
@given(st.binary(max_size=600))
def test_random_bytes(body: bytes):
    document = try_extract(body)
    if document:
        check(document)


@bounded
@given(st.one_of(st.text(max_size=200), soup))
def test_nothing_invisible_reaches_a_reader(text: str):
    document = try_extract(text)
    if document:
        for field in (document.text, document.title, document.description, document.markdown):
            assert not NOISE.search(field), repr(NOISE.search(field))


@bounded
@given(st.text(max_size=400))
def test_random_text(text: str):
    document = try_extract(text)
    if document:
        check(document)


@bounded
@given(soup)
def test_tag_soup(markup: str):
    document = try_extract(markup, content_type="text/html")
    if document:
        check(document)


@bounded
@given(soup)
def test_tag_soup_gives_the_same_document_twice(markup: str):
    assert try_extract(markup) == try_extract(markup)


@bounded
@given(soup, st.sampled_from(["text/html", "application/xml", "application/json", "text/plain"]))
def test_every_item_of_anything_is_sound(markup: str, content_type: str):
    documents = attempt(lambda: extract_all(markup, URL, content_type=content_type)) or []
    for document in documents:
        check(document)


@bounded
@given(mutants)
def test_broken_pages(page: bytes):
    document = try_extract(page, content_type="text/html")
    if document:
        check(document)


@settings(bounded, max_examples=20)
@given(mutants)
def test_a_broken_page_gives_the_same_document_twice(page: bytes):
    assert try_extract(page) == try_extract(page)


@settings(bounded, max_examples=20)
@given(mutants)
def test_explaining_changes_nothing_but_the_trace(page: bytes):
    plain = try_extract(page)
    explained = try_extract(page, options=Options(explain=True))
    assert (plain is None) == (explained is None)
    if plain and explained:
        assert plain.text == explained.text
        assert plain.change_hash == explained.change_hash


@pytest.mark.parametrize("number", range(12))
def test_pages_cut_at_any_place(number: int):
    pages = fixture_pages()
    page = pages[number % len(pages)]
    document = try_extract(page[: len(page) * (number + 1) // 13], content_type="text/html")
    if document:
        check(document)
