"""Spellings of prices, encodings that only a label tells, and feeds with foreign elements."""

from decimal import Decimal

import pytest

from pageloom import extract, extract_all
from pageloom.core.normalize.money import parse_price


@pytest.mark.parametrize(
    ("text", "amount", "currency", "high"),
    [
        (".75 €", "0.75", "EUR", None),
        ("NZD $100.70", "100.70", "NZD", None),
        ("SGD$4.90", "4.90", "SGD", None),
        ("$119. 95", "119.95", "USD", None),
        ("35€ 99", "35.99", "EUR", None),
        ("From 26 to 50 €", "26", "EUR", "50"),
        ("1 200 рублей", "1200", "RUB", None),
        ("49,99 zł", "49.99", "PLN", None),
        ("99 lei", "99", "RON", None),
        ("12 euro", "12", "EUR", None),
        ("usd 12", "12", "USD", None),
    ],
)
def test_spellings_of_prices(text: str, amount: str, currency: str, high: str | None):
    price = parse_price(text)
    assert (price.amount, price.currency) == (Decimal(amount), currency)
    assert price.high == (Decimal(high) if high else None)


def test_a_share_is_no_price():
    assert parse_price("40% OFF").amount is None


@pytest.mark.parametrize(
    ("label", "codec"),
    [("x-mac-cyrillic", "mac-cyrillic"), ("IBM855", "cp855"), ("koi8-r", "koi8-r")],
)
def test_a_rare_encoding_is_what_its_label_says(label: str, codec: str):
    declared = f'<?xml version="1.0" encoding="{label}"?>'
    feed = f"{declared}<rss><channel><title>Как дела</title></channel></rss>"
    assert extract(feed.encode(codec), "https://x.example/feed").title == "Как дела"


@pytest.mark.parametrize(
    "text",
    [
        "открыты, однако",
        "не было с тех пор, как",
        "деревни вышли на улицу, чтобы посмотреть",
        "вышли на улицу, чтобы посмотреть на вершины. Дороги пока открыты, однако водителей просят",
    ],
)
def test_a_short_text_is_in_the_declared_encoding(text: str):
    page = f"<meta charset=koi8-r><title>{text}</title><p>{text}</p>"
    assert extract(page.encode("koi8-r"), "https://x.example/").title == text


def test_an_encoding_of_old_computers():
    page = "<meta charset=x-mac-ce><title>Zażółć gęślą jaźń</title><p>Zażółć gęślą jaźń.</p>"
    assert extract(page.encode("mac-latin2"), "https://x.example/").title == "Zażółć gęślą jaźń"


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("johab", "johab", "항구의 오래된 등대"),
        ("iso-2022-kr", "iso2022_kr", "항구의 오래된 등대"),
        ("hz-gb-2312", "hz", "港口的老灯塔"),
        ("hp-roman8", "hp-roman8", "Près des écueils"),
    ],
)
def test_an_encoding_that_browsers_have_given_up(label: str, codec: str, text: str):
    page = f"<title>{text}</title><p>{text}.</p>"
    declared = f"<meta charset={label}>{page}".encode(codec)
    assert extract(declared, "https://x.example/").title == text
    header = f"text/html; charset={label}"
    assert extract(page.encode(codec), "https://x.example/", content_type=header).title == text


def test_a_tilde_and_a_brace_are_no_encoding():
    assert extract("<title>a ~{ b ~}</title><p>a ~{ b ~}</p>").title == "a ~{ b ~}"


@pytest.mark.parametrize("codec", ["utf-32-le", "utf-32-be"])
def test_utf_32_with_its_mark(codec: str):
    page = "\ufeff<title>Как дела</title><p>It rained in the hills.</p>"
    assert extract(page.encode(codec), "https://x.example/").title == "Как дела"


def items(item: str):
    return extract_all(
        "<rss version='2.0' xmlns:g='http://shop.example/ns'><channel><title>Cloud</title>"
        f"<link>https://cloud.example/</link><item>{item}</item></channel></rss>",
        "https://cloud.example/feed",
    )


def test_foreign_elements_do_not_win_over_the_feeds_own():
    one = items(
        "<g:published>2001-01-01</g:published><g:content>of the shop</g:content>"
        "<title>Rain</title><link>https://cloud.example/1</link>"
        "<pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate><description>It rained.</description>"
    )[0]
    assert one.published is not None
    assert (one.published.date, one.text) == ("2026-03-02", "It rained.")


def test_an_item_without_a_title_has_none():
    assert (
        items("<link>https://cloud.example/1</link><description>It rained.</description>")[0].title
        == ""
    )


def test_a_feed_tells_which_page_it_belongs_to():
    feed = (
        "<rss version='2.0'><channel><title>Cloud</title><link>https://cloud.example/</link>"
        "<item><title>Rain</title></item></channel></rss>"
    )
    assert extract(feed, "https://cloud.example/feed").canonical_url == "https://cloud.example/"
