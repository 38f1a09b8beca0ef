from __future__ import annotations

import re
from decimal import Decimal

import pytest

from pageloom.core.normalize.calendars import find_numbers
from pageloom.core.normalize.money import find_prices, parse_price, read_amount, read_currency


@pytest.mark.parametrize(
    ("raw", "amount", "currency"),
    [
        ("1.249,50", "1249.50", ""),
        ("12,99", "12.99", ""),
        ("₹1,29,999.00", "129999.00", "INR"),
        ("Rs. 499", "499", "INR"),
        ("Rs 1,29,999/-", "129999", "INR"),
        ("CHF 1'299.–", "1299", "CHF"),
        ("CHF 1’299.-", "1299", "CHF"),
        ("3 × 14,85 EUR", "14.85", "EUR"),
        ("1 299,00 €", "1299.00", "EUR"),
        ("1.299 €", "1299", "EUR"),
        ("EUR 25,—", "25", "EUR"),
        ("￥1,980", "1980", "JPY"),
        ("1980円", "1980", "JPY"),
        ("CAN$ 12.50", "12.50", "CAD"),
        ("US$1,299.00", "1299.00", "USD"),
        ("R$ 1.299,90", "1299.90", "BRL"),
        ("12,99 zł", "12.99", "PLN"),
        ("1 299 Kč", "1299", "CZK"),
        ("5.000.000 ₫", "5000000", "VND"),
        ("499 р.", "499", "RUB"),
        ("2 for $5", "5", "USD"),
        ("0.99", "0.99", ""),
        ("$0.0025", "0.0025", "USD"),
        ("USD 1.2711", "1.2711", "USD"),
        ("1299.000", "1299.000", ""),
        ("٤٩٩ ﷼", "499", "IRR"),
    ],
)
def test_prices_of_every_country(raw, amount, currency):
    price = parse_price(raw)
    assert (price.amount, price.currency) == (Decimal(amount), currency)


@pytest.mark.parametrize("raw", ["$10 - $20", "10 – 20 $", "$10-20", "$10 to $20"])
def test_ranges_have_two_ends(raw):
    price = parse_price(raw)
    assert (price.amount, price.high, price.kind) == (Decimal(10), Decimal(20), "range")


def test_from_prices_are_marked():
    assert parse_price("from $5").kind == "from"
    assert parse_price("ab 5 €").kind == "from"


def test_an_old_price_stays_old():
    assert parse_price("$15", kind="old").kind == "old"


def test_a_stated_currency_wins_over_the_sign():
    assert parse_price("$15", "AUD").currency == "AUD"


def test_a_shared_sign_belongs_to_the_page_s_country():
    assert parse_price("$15", country="ca").currency == "CAD"
    assert parse_price("199 kr", country="no").currency == "NOK"
    assert parse_price("¥20", country="cn").currency == "CNY"


@pytest.mark.parametrize("raw", ["free", "", "call us", "Рублей пять"])
def test_no_price_no_amount(raw):
    assert parse_price(raw).amount is None


def test_letters_inside_words_are_no_currency():
    assert parse_price("5 Рублей").currency == ""


def test_running_text_is_searched_without_counting_fortunes():
    found = find_prices(
        "It cost $5 million; you pay ₹499 or 12,99 € (was 15,99 €), or USD 30. In 2020, 20%."
    )
    assert [price.raw for price in found] == ["₹499", "12,99 €", "15,99 €", "USD 30"]


def test_the_same_spelling_counts_once():
    assert len(find_prices("$5 and $5 and again $5")) == 1


def test_amounts():
    assert read_amount("€1.234.567,89") == Decimal("1234567.89")
    assert read_amount("no digits") is None


def test_currencies_by_code_and_sign():
    assert (read_currency("usd"), read_currency("€"), read_currency("??")) == ("USD", "EUR", "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no number",
        "5",
        "a 12.5, b 3/4\nc",
        "٣٫٥ ሺ ² ½ 7",
        "\ud800 1 \U0001f600 22.",
        "1.2.3,,4 5",
    ],
)
def test_numbers_are_found_where_the_pattern_finds_them(text):
    pattern = re.compile(r"\d[\d.,]*")
    found = [number.span() for number in find_numbers(pattern, text)]
    assert found == [number.span() for number in pattern.finditer(text)]


@pytest.mark.parametrize(
    ("text", "amount", "raw"),
    [
        ("It is .75 € a piece.", "0.75", ".75 €"),
        ("Only $.99 today!", "0.99", "$.99"),
        ("It was 12€50.", "12.50", "12€50"),
        ("We paid 5 złotych for it.", "5", "5 złotych"),
        ("Rs.50 a kilo", "50", "Rs.50"),
        ("about...75 €", "75", "75 €"),
        ("in 10€2024 terms", "10", "10€"),
    ],
)
def test_cents_in_running_text(text: str, amount: str, raw: str):
    assert [(str(price.amount), price.raw) for price in find_prices(text)] == [(amount, raw)]


def test_a_sign_at_both_ends_of_a_range():
    price = parse_price("$26–$50")
    assert (price.amount, price.high) == (26, 50)


def test_raised_cents_and_arabic_points():
    assert str(parse_price("£1 99").amount) == "1.99"
    assert str(parse_price("١٢٫٥٠ ر.س").amount) == "12.50"


@pytest.mark.parametrize("raw", ["$1.2k", "1.5M €", "1,2 Mio. €"])
def test_a_round_figure_is_no_price(raw: str):
    assert parse_price(raw).amount is None
