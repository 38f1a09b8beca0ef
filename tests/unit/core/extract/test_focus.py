"""A chosen part of a page, and parts that are passed over."""

from __future__ import annotations

import pytest

import pageloom
from pageloom.errors import NoContentFound, SettingsError

PAGE = """<!doctype html><html><head><title>Kettle K2 | Shop</title>
<meta name="description" content="A kettle.">
<script type="application/ld+json">{"@type": "Product", "name": "Kettle", "offers":
{"price": "99.00", "priceCurrency": "EUR"}}</script></head><body>
<nav><a href="/">Home</a> <a href="/sale">Sale</a></nav>
<div id="offer"><h1>Kettle K2</h1><p class="price">39,90 €</p><p>In stock</p>
<p class="visits">1,204 people looked at this today</p></div>
<div id="reviews"><p>A fine kettle, which has been boiling water for us since spring.</p></div>
<table id="sizes"><tr><th>Size</th><td>1.7 l</td></tr></table>
<footer>© Shop</footer></body></html>"""


def read(**options):
    return pageloom.extract(PAGE, "https://shop.example/k2", options=options)


def test_only_the_chosen_part_is_read():
    document = read(scope=["#offer"])
    assert document.text.split("\n\n") == [
        "Kettle K2",
        "39,90 €",
        "In stock",
        "1,204 people looked at this today",
    ]
    assert document.title == "Kettle K2"
    assert [str(price.amount) for price in document.price_candidates] == ["39.90"]
    assert document.links == ()


def test_several_parts_come_in_the_order_of_the_page_and_each_once():
    document = read(scope=["#sizes", "#offer .price", "#offer", "xpath://div[@id='reviews']"])
    assert (
        document.text.index("39,90") < document.text.index("A fine") < document.text.index("1.7 l")
    )
    assert document.text.count("39,90") == 1


def test_what_is_ignored_is_passed_over():
    document = read(scope=["#offer"], ignore=[".visits", "xpath://h1"])
    assert document.text == "39,90 €\n\nIn stock"
    assert "1,204" not in read(ignore=[".visits"]).html


def test_a_scope_that_is_not_there_is_no_empty_page():
    with pytest.raises(NoContentFound):
        read(scope=["#nothing"])


@pytest.mark.parametrize("selector", ["div[", "", "xpath://div["])
def test_what_is_no_selector_is_said_so(selector):
    with pytest.raises(SettingsError):
        read(scope=[selector])


def test_the_whole_body_may_be_chosen():
    assert "Sale" in read(scope=["body"]).text
    assert "© Shop" in read(scope=["html"]).text
