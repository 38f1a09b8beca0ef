from __future__ import annotations

from decimal import Decimal

import msgspec

import pageloom
from pageloom.core import dom
from pageloom.core.extract.metadata import read_metadata
from pageloom.core.normalize.choose import choose_fields
from pageloom.core.parts import Content, DecodedPage

URL = "https://shop.example/p/boots"


def choose(html: str, text: str = ""):
    tree = dom.parse(html)
    root = tree.root
    assert root is not None
    facts = read_metadata(DecodedPage(tree=tree, url=URL))
    content = Content(root=root, text=text, method="body", page_type="product")
    return choose_fields(facts, content, url=URL)


def json_ld(*values: object) -> str:
    return "".join(
        f'<script type="application/ld+json">{msgspec.json.encode(value).decode()}</script>'
        for value in values
    )


def product(name: str = "Boots", **more: object) -> dict[str, object]:
    return {"@type": "Product", "name": name, **more}


def test_a_european_spelling_in_structured_data_is_read_right():
    chosen = choose(json_ld(product(offers={"price": "1.249,50", "priceCurrency": "EUR"})))
    price = chosen.price_candidates[0]
    assert (price.amount, price.currency, price.raw) == (Decimal("1249.50"), "EUR", "1.249,50")


def test_a_number_in_structured_data_is_read_right():
    chosen = choose(json_ld(product(offers={"price": 12.99, "priceCurrency": "USD"})))
    assert chosen.price_candidates[0].amount == Decimal("12.99")


def test_an_aggregate_offer_is_a_range():
    offers = {
        "@type": "AggregateOffer",
        "lowPrice": "10",
        "highPrice": "20",
        "priceCurrency": "GBP",
    }
    price = choose(json_ld(product(offers=offers))).price_candidates[0]
    assert (price.amount, price.high, price.kind) == (Decimal(10), Decimal(20), "range")


def test_variants_are_candidates_and_one_in_stock_is_enough():
    group = {
        "@type": "ProductGroup",
        "name": "Boots",
        "hasVariant": [
            product(
                "S",
                offers={
                    "price": "5",
                    "priceCurrency": "EUR",
                    "availability": "https://schema.org/OutOfStock",
                },
            ),
            product(
                "L",
                offers={
                    "price": "7",
                    "priceCurrency": "EUR",
                    "availability": "https://schema.org/InStock",
                },
            ),
        ],
    }
    chosen = choose(json_ld(group))
    assert [price.amount for price in chosen.price_candidates] == [Decimal(5), Decimal(7)]
    assert chosen.availability == "in_stock"


def test_related_items_before_the_product_do_not_count():
    related = {
        "@type": "ItemList",
        "itemListElement": [product("Socks", offers={"price": "3", "priceCurrency": "EUR"})],
    }
    chosen = choose(json_ld(related, product(offers={"price": "99", "priceCurrency": "EUR"})))
    assert [price.amount for price in chosen.price_candidates] == [Decimal(99)]


def test_a_struck_through_price_is_the_old_one():
    html = """<h1>Boots</h1>
    <span class="price"><del>$120.00</del></span> <span class="price">$80.00</span>"""
    kinds = {price.amount: price.kind for price in choose(html).price_candidates}
    assert kinds == {Decimal("120.00"): "old", Decimal("80.00"): "current"}


def test_crossed_out_prices_within_one_another():
    html = "<h1>Boots</h1><samp><ul><del>$99</del> $80</ul> <s>$70</s> $60</samp>"
    assert Decimal(80) in {price.amount for price in choose(html).price_candidates}


def test_prices_of_related_items_on_the_page_do_not_count():
    html = """<h1>Boots</h1><span class="price">$80</span>
    <div class="related-products"><span class="price">$5</span></div>"""
    assert [price.amount for price in choose(html).price_candidates] == [Decimal(80)]


def test_sale_and_list_price_of_the_meta_tags():
    html = """<meta property="product:price:amount" content="100">
    <meta property="product:price:currency" content="EUR">
    <meta property="product:sale_price:amount" content="80">
    <meta property="product:sale_price:currency" content="EUR">"""
    found = [(price.amount, price.kind) for price in choose(html).price_candidates]
    assert found == [(Decimal(80), "current"), (Decimal(100), "old")]


def test_prices_in_the_text_come_last():
    html = json_ld(product(offers={"price": "99", "priceCurrency": "EUR"}))
    found = choose(html, "Now 99 € instead of 129 €").price_candidates
    assert [(price.amount, price.source) for price in found] == [
        (Decimal(99), "json-ld"),
        (Decimal(129), "text"),
    ]


def test_microdata_says_the_same_as_json_ld():
    html = """<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Boots</h1>
    <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
    <meta itemprop="price" content="12,99"><meta itemprop="priceCurrency" content="EUR">
    <link itemprop="availability" href="https://schema.org/PreOrder"></div>
    <div itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating">
    <span itemprop="ratingValue">4.4</span>/<span itemprop="bestRating">5</span>
    <span itemprop="reviewCount">89</span></div></div>"""
    chosen = choose(html)
    assert (chosen.price_candidates[0].amount, chosen.price_candidates[0].currency) == (
        Decimal("12.99"),
        "EUR",
    )
    assert chosen.availability == "preorder"
    rating = chosen.rating_candidates[0]
    assert (rating.value, rating.scale, rating.count) == (4.4, 5.0, 89)


def test_a_price_alone_beside_the_headline_counts_where_nothing_marks_one():
    page = (
        "<title>Plain kettle</title><body><main><h1>Plain kettle</h1><div>£64.00</div>"
        f"<p>{'A kettle that does one thing, and does it well every morning. ' * 4}</p></main>"
    )
    found = pageloom.extract(page, "https://kettle.example/p").price_candidates
    assert [(str(price.amount), price.currency) for price in found][:1] == [("64.00", "GBP")]
