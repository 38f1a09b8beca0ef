"""Pages written to hurt: an answer comes, whatever they hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pageloom.core import dom
from pageloom.core.extract.links import gather_links
from pageloom.core.extract.media import read_images, read_media
from pageloom.core.extract.metadata import read_metadata
from pageloom.core.normalize.choose import choose_fields
from pageloom.core.normalize.links import finish_links
from pageloom.core.normalize.money import find_prices, parse_price
from pageloom.core.normalize.names import read_names
from pageloom.core.normalize.parse_dates import DateContext, parse_date
from pageloom.core.normalize.ratings import find_ratings
from pageloom.core.normalize.titles import choose_title
from pageloom.core.parts import Claim, Content, DecodedPage

MANY = 20_000
URL = "https://x.example/a"


def go_through(html: str, text: str = "x") -> None:
    tree = dom.parse(html)
    root = tree.root
    assert root is not None
    facts = read_metadata(DecodedPage(tree=tree, url=URL))
    sites = gather_links(tree)
    chosen = choose_fields(facts, Content(root=root, text=text, method="body"), url=URL)
    finish_links(sites, root, facts.base, URL)
    read_images(root, facts.base, chosen.images)
    read_media(root, facts.base)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<div class=author>" * MANY,
        "<nav>" * MANY + "<a href=x>y</a>" * 50,
        "<div itemscope itemprop=author>" * MANY,
        "<h1>" * MANY + "x",
        "<a href='x'>" * MANY,
        "<meta name=author content=x>" * MANY,
        "<p class='" + "author " * MANY + "'>By X</p>",
        "<time datetime='" + "9" * MANY + "'>",
        "<title>" + "a | " * MANY + "</title><h1>a</h1>",
        "<meta name=keywords content='" + "a," * MANY + "'>",
        "<script type=application/ld+json>" + "{" * MANY + "</script>",
        "<script type=application/ld+json>" + '{"@graph":[' * MANY + "</script>",
        "<script type=application/ld+json>[" + '{"@type":"Product"},' * MANY + "1]</script>",
        '<script type=application/ld+json>{"@type":"Article","author":[[[[]]]]}</script>',
        "<base href='http://['><a href='http://[::1'>x</a><link rel=canonical href='//['>",
        "<html lang='" + "x" * MANY + "'>",
    ],
)
def test_hostile_pages_are_gone_through(html):
    go_through(html)


@pytest.mark.parametrize(
    "text",
    [
        "1 " * MANY,
        "$" * MANY,
        "1.1." * MANY,
        "1/1/" * MANY,
        "jan " * MANY,
        "★" * MANY,
        "4.5/5 " * MANY,
        " by" * MANY,
        "a, " * MANY,
        "1 000 " * MANY,
        "- " * MANY,
    ],
)
def test_hostile_texts_are_read_in_linear_time(text):
    parse_date(text)
    find_prices(text)
    parse_price(text)
    find_ratings(text)
    read_names(text)
    choose_title([Claim(field="title", value=text, source="title")], [], ("x",))


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_is_read_without_an_error(text):
    parse_date(text, DateContext(language="en", fetched_at="2026-03-05T10:00:00+00:00"))
    parse_price(text)
    find_prices(text)
    find_ratings(text)
    read_names(text)
    read_names(text, strict=True)
    choose_title([Claim(field="title", value=text, source="title")], [], ("x",))


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="<>/=\"'ahreflinkmetascrpt1jsond+{}[]:,@ \n\ud800", max_size=300))
def test_any_markup_is_gone_through(html):
    go_through(html.encode("utf-8", "replace").decode())
