"""Pages that sell something: type, price, stock and what identifies the product."""

import json
from decimal import Decimal

import pytest

from pageloom import extract
from pageloom.core.normalize.products import read_gtin
from pageloom.model import Document

URL = "https://kettlerow.example/kettle"
ABOUT = (
    "<p>A kettle that does one thing: cold water in, boiling water out, and a lid that stays on"
    " when the last cup is poured.</p>"
)


def page(offer: str, *, head: str = "", rows: str = "", url: str = URL) -> Document:
    return extract(
        f"<html lang=en><head><title>Brass kettle</title>{head}</head><body><main>"
        f"<h1>Brass kettle</h1>{offer}{ABOUT}{rows}</main></body></html>",
        url,
    )


def test_a_plain_shop_page_is_a_product_with_price_and_stock():
    document = page("<p>£24.50</p><form><button>Add to cart</button></form>")
    assert document.page_type == "product"
    product = document.product
    assert product is not None
    assert (product.amount, product.currency) == (Decimal("24.50"), "GBP")
    assert product.availability == document.availability == "in_stock"
    assert document.provenance.fields["availability"].source == "buy button"
    assert Document.from_dict(document.to_dict()) == document


@pytest.mark.parametrize(
    ("button", "stock"),
    [
        ("<button>Sold out</button>", "out_of_stock"),
        ("<button>Sold out - notify me</button><button>Add to cart</button>", "out_of_stock"),
        ("<button disabled>Add to cart</button>", "unknown"),
        ("<input type=submit value='In den Warenkorb'>", "in_stock"),
    ],
)
def test_what_buttons_say_about_stock(button: str, stock: str):
    data = {"@type": "Product", "offers": {"price": "24.50", "priceCurrency": "GBP"}}
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    assert page(f"<p>£24.50</p>{button}", head=head).availability == stock


def test_structured_data_goes_before_buttons():
    data = {
        "@type": "Product",
        "name": "Brass kettle",
        "offers": {"price": "24.50", "priceCurrency": "GBP", "availability": "OutOfStock"},
    }
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    assert page("<button>Add to cart</button>", head=head).availability == "out_of_stock"


@pytest.mark.parametrize(
    "offer",
    [
        "<p>£24.50</p><a class=btn href=/cart?add=3>Add to basket</a>",
        "<p>£24.50</p><input type=button value='Add to cart'>",
        "<p>3,900円</p><button>カートに入れる</button>",
        (
            "<p>£24.50</p><button>Add to cart</button><h2>You may also like</h2><ul>"
            + 4 * "<li><a href=/pan>Pan</a> <b>£9.00</b> <button>Add to cart</button></li>"
            + "</ul>"
        ),
    ],
)
def test_ways_to_sell_one_thing(offer: str):
    document = page(offer)
    assert (document.page_type, document.availability) == ("product", "in_stock")


def test_a_price_that_is_crossed_out_is_the_former_one():
    document = page("<p><del>£99.00</del> <ins>£24.50</ins></p><button>Add to cart</button>")
    assert [(str(price.amount), price.kind) for price in document.price_candidates] == [
        ("24.50", "current"),
        ("99.00", "old"),
    ]


def test_a_list_with_a_button_for_each_item_is_no_product():
    cards = "".join(
        f"<li><h2>Kettle {n}</h2><p>£{n}4.50</p><button>Add to cart</button></li>"
        for n in range(1, 9)
    )
    assert page(f"<ul>{cards}</ul>").page_type != "product"


def test_what_identifies_a_product_and_where_it_stands():
    data = {
        "@type": "Product",
        "name": "Brass kettle",
        "sku": "KR-12",
        "brand": {"@type": "Brand", "name": "Kettlerow"},
        "offers": {"price": "24.50", "itemCondition": "https://schema.org/NewCondition"},
    }
    document = page(
        "<button>Add to cart</button>",
        head=f'<script type="application/ld+json">{json.dumps(data)}</script>',
        rows="<table><tr><th>EAN</th><td>4006381333931</td></tr></table>",
    )
    product = document.product
    assert product is not None
    assert (product.sku, product.brand, product.gtin) == ("KR-12", "Kettlerow", "4006381333931")
    assert product.condition == "new"
    found = {name: one.source for name, one in document.provenance.fields.items()}
    assert found["product.sku"] == found["product.brand"] == "json-ld"
    assert found["product.gtin"] == "labelled row"


def test_an_article_has_no_product():
    assert (
        extract(
            f"<title>Kettles</title><article><h1>Kettles</h1>{ABOUT * 9}</article>", URL
        ).product
        is None
    )


@pytest.mark.parametrize(
    ("raw", "gtin"),
    [
        ("4006381333931", "4006381333931"),
        ("978-0-306-40615-7", "9780306406157"),
        ("0-306-40615-2", "9780306406157"),
        ("4006381333932", ""),
        ("00000000", ""),
        ("KR-12", ""),
    ],
)
def test_identifiers_have_the_right_check_digit(raw: str, gtin: str):
    assert read_gtin(raw) == gtin
