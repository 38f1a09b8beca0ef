"""Parse prices: amount, ISO 4217 currency, ranges."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import TYPE_CHECKING, Literal, cast

from pageloom.core.lazy_regex import lazy_regex
from pageloom.core.normalize.calendars import find_numbers, to_western_digits
from pageloom.model import Price

if TYPE_CHECKING:
    from collections.abc import Iterator

SYMBOLS: dict[str, str] = {
    "US$": "USD",
    "CA$": "CAD",
    "CAN$": "CAD",
    "C$": "CAD",
    "AU$": "AUD",
    "A$": "AUD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "S$": "SGD",
    "SG$": "SGD",
    "NT$": "TWD",
    "R$": "BRL",
    "MX$": "MXN",
    "Mex$": "MXN",
    "AR$": "ARS",
    "CLP$": "CLP",
    "COL$": "COP",
    "U$S": "USD",
    "RD$": "DOP",
    "J$": "JMD",
    "TT$": "TTD",
    "B/.": "PAB",
    "S/": "PEN",
    "S/.": "PEN",
    "Bs": "BOB",
    "₡": "CRC",
    "₲": "PYG",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "￥": "JPY",
    "₹": "INR",
    "₽": "RUB",
    "₺": "TRY",
    "₴": "UAH",
    "₩": "KRW",
    "₪": "ILS",
    "₫": "VND",
    "₱": "PHP",
    "₦": "NGN",
    "₵": "GHS",
    "₸": "KZT",
    "₼": "AZN",
    "₾": "GEL",
    "֏": "AMD",
    "៛": "KHR",
    "₭": "LAK",
    "₮": "MNT",
    "฿": "THB",
    "৳": "BDT",
    "﷼": "IRR",
    "₿": "BTC",
    "د.إ": "AED",
    "ر.س": "SAR",
    "円": "JPY",
    "元": "CNY",
    "원": "KRW",
    "บาท": "THB",
    "تومان": "IRT",
    "ريال": "SAR",
    "درهم": "AED",
    "Rs.": "INR",
    "Rs": "INR",
    "₨": "INR",
    "рублей": "RUB",
    "рубля": "RUB",
    "рубль": "RUB",
    "euro": "EUR",
    "euros": "EUR",
    "Euro": "EUR",
    "Euros": "EUR",
    "EURO": "EUR",
    "złotych": "PLN",
    "руб.": "RUB",
    "руб": "RUB",
    "р.": "RUB",
    "грн": "UAH",
    "zł": "PLN",
    "Kč": "CZK",
    "Ft": "HUF",
    "lei": "RON",
    "лв": "BGN",
    "лв.": "BGN",
    "kr": "SEK",
    "kr.": "DKK",
    "Fr.": "CHF",
    "SFr.": "CHF",
    "sFr.": "CHF",
    "TL": "TRY",
    "Rp": "IDR",
    "RM": "MYR",
    "Dh": "AED",
    "Dhs": "AED",
    "din.": "RSD",
    "₫̲": "VND",
    "đ": "VND",
    "KM": "BAM",
    "QR": "QAR",
    "SR": "SAR",
    "KSh": "KES",
    "Ksh": "KES",
    "R": "ZAR",
    "p.": "GBP",
}
"""Currency signs as printed; a sign several countries share has its commonest owner."""

CODES = frozenset(
    "AED AFN ALL AMD ARS AUD AZN BAM BDT BGN BHD BIF BND BOB BRL BWP BYN CAD CDF CHF CLP CNY COP"
    " CRC CUP CZK DKK DOP DZD EGP ETB"
    " EUR FJD GBP GEL GHS GTQ HKD HNL HRK HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KRW"
    " KWD KZT LAK LBP LKR LYD MAD MDL"
    " MGA MKD MMK MNT MOP MUR MVR MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PHP PKR PLN PYG"
    " QAR RON RSD RUB RWF SAR SDG SEK"
    " SGD SYP THB TJS TMT TND TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND XAF XCD XOF XPF YER ZAR"
    " ZMW".split()
)
_BY_COUNTRY: dict[str, dict[str, str]] = {
    "$": {
        "ca": "CAD",
        "au": "AUD",
        "nz": "NZD",
        "mx": "MXN",
        "sg": "SGD",
        "hk": "HKD",
        "ar": "ARS",
        "cl": "CLP",
        "co": "COP",
        "tw": "TWD",
        "br": "BRL",
    },
    "kr": {"no": "NOK", "dk": "DKK", "is": "ISK", "nb": "NOK", "da": "DKK", "nn": "NOK"},
    "kr.": {"no": "NOK", "dk": "DKK", "is": "ISK", "nb": "NOK", "da": "DKK", "sv": "SEK"},
    "¥": {"cn": "CNY", "zh": "CNY"},
    "￥": {"cn": "CNY", "zh": "CNY"},
    "元": {"tw": "TWD", "hk": "HKD"},
    "Rs": {"pk": "PKR", "lk": "LKR", "np": "NPR", "mu": "MUR"},
    "Rs.": {"pk": "PKR", "lk": "LKR", "np": "NPR", "mu": "MUR"},
    "£": {"eg": "EGP"},
}
_WEAK = frozenset(
    (
        "R",
        "p.",
        "KM",
        "Bs",
        "SR",
        "QR",
        "Dh",
        "J$",
        "Ft",
        "TL",
        "Fr.",
        "p",
        "din.",
        "kr",
        "kr.",
        "lei",
        "RM",
        "Rp",
        "р.",
    )
)
"""Signs that are also words or letters: they count only right beside a number."""

_DIGITS = (
    r"\d{1,3}(?:[ \u00a0\u202f\u2009'\u2019]\d{3})+(?:[.,]\d{1,2})?"
    r"|\d{1,3}(?:,\d{2})*,\d{3}(?:\.\d{1,2})?(?!\d)"
    r"|\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?(?!\d)"
    r"|\d{1,9}(?:[.,]\d{1,3}(?!\d)|\.\d{4,6}(?!\d))?"
)
_DASH = r"(?:[.,]?[-\u2013\u2014]{1,2}(?!\s?[$€£¥]?\s?\d))?"


def _any_of(marks: list[str]) -> str:
    """A pattern for marks, the first that fits: one branch for each first letter is soon left."""
    by_first: dict[str, list[str]] = {}
    for mark in marks:
        by_first.setdefault(mark[0], []).append(re.escape(mark[1:]))
    branches = (f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in by_first.items())
    return "|".join(branches)


_CODE_OR_SIGN = _any_of([*sorted(CODES), *sorted(SYMBOLS, key=len, reverse=True)])
_PLAIN = "$€£¥￥₹₽₺₴₩₪₫₱₦₵₸₼₾฿৳円元원"
_CODE_AND_SIGN = rf"(?<![^\W\d_])(?:{_any_of(sorted(CODES))})\s?[$€£¥]"
"""Both, as shops of many countries write it: ``NZD $100``. The code is the currency."""
_MARK = rf"{_CODE_AND_SIGN}|(?<![^\W\d_])(?:{_CODE_OR_SIGN})(?![^\W\d_])|[{_PLAIN}]"
_PRICE = lazy_regex(
    rf"(?:(?P<before>{_MARK})\s?\.?\s?(?P<first>{_DIGITS}){_DASH}|(?P<second>{_DIGITS}){_DASH}\s?(?P<after>{_MARK}))"
)
_MARKS = lazy_regex(_MARK)
_NUMBER = re.compile(_DIGITS)
_NOT_AMOUNT = re.compile(r"[^\d.,]")
_RANGE = re.compile(r"^\s?(?:[-\u2013\u2014~\uff5e]|to|bis|à|a|до|t/m)\s?$", re.IGNORECASE)
_FROM = re.compile(
    r"\b(?:from|starting at|as low as|ab|à partir de|dès|desde|da|a partire da|vanaf|från|fra|od"
    r"|от|från|alkaen)\s*:?\s*$",
    re.IGNORECASE,
)
_LARGE = re.compile(
    r"^\s?(?:million|billion|trillion|thousand|mln|mld|mio|mrd|bn|crore|lakh|m\b|b\b|k\b|tn\b|mill|milli|млн|млрд)",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\d[\d.,]*\s?%")
_LEADING_POINT = re.compile(r"(?<![\d.,\w])[.,](\d{1,2})(?![\d.,])")
_PARTED = re.compile(r"(\d)([.,])\s(\d\d)(?![\d.,])")
_RAISED = re.compile(r"^(\D{0,8}[$€£]\s?\d{1,6}) (\d\d)$")
"""Cents that stand raised behind the amount, without a point."""
_CENTS = re.compile(r"(?<=\d[€£$])\d\d(?!\d|[.,]\d)")
_ARABIC_SIGNS = str.maketrans("٫٬", ".,")
_SIGN_INSIDE = re.compile(r"(?<![\d.,])(\d{1,6})\s?([€£$])\s?(\d\d)(?![\d.,]|\s?[€£$%])")
_SMALL_CODE = re.compile(
    r"(?:(?<=\d)|(?<=\d\s))(?:usd|eur|gbp|chf|aud|cad|nzd|pln|czk|sek|nok|dkk|inr|jpy)\b"
    r"|\b(?:usd|eur|gbp|chf|aud|cad|nzd|pln|czk|sek|nok|dkk|inr|jpy)(?=\s?\d)"
)
_RUN = re.compile(r"\d[\d.,'\u2019\u00a0\u202f]*")
_LAST_WORD = re.compile(r"([^\W\d_]{1,5}\.?\$?|[^\w\s]\.?)\s?$|(?<=\s)$")
_FIRST_WORD = re.compile(r"[-\u2013\u2014]{0,2}\s?([^\W\d_]{1,8}\.?|[^\w\s])")
_KNOWN_MARKS = (
    frozenset(SYMBOLS) | CODES | frozenset(_PLAIN) | frozenset(f"{code}$" for code in CODES)
)
_ALONE = frozenset(mark for mark in _PLAIN if not mark.isalnum())
"""Signs that are no letters: before a number, they need no closer look."""
_BEGINNINGS = frozenset(mark[:2] for mark in _KNOWN_MARKS)
_ENDINGS = frozenset(mark[-2:] for mark in _KNOWN_MARKS)
_NEVER_IN_TEXT = frozenset(("R", "p.", "KM", "SR", "QR", "р.", "Bs", "Dh", "TL", "din."))
"""Signs too short to be looked for in running text."""
MAX_PRICES = 40


def parse_price(
    raw: str, currency: str = "", *, country: str = "", kind: str = "current", source: str = ""
) -> Price:
    """The price a short text states; the amount is None when there is none to be found.

    Example:
        >>> parse_price("CHF 1'299.–").amount, parse_price("₹1,29,999.00").currency
        (Decimal('1299'), 'INR')
    """
    text = respell(_prepare(raw))
    stated = read_currency(currency, country)
    found = list(_find(text, country))
    if found:
        return _from_matches(text, found, raw, stated, kind, source)
    numbers = [number[0] for number in _NUMBER.finditer(_PERCENT.sub(" ", text))]
    amount = read_amount(numbers[0]) if len(numbers) == 1 and not _is_large(text) else None
    sign = _MARKS.search(text)
    return Price(
        raw=_short(raw),
        amount=amount,
        currency=stated or (read_currency(sign[0], country) if sign else ""),
        kind=_kind(kind),
        source=source,
    )


def respell(text: str) -> str:
    """A short text with its prices as they are usually written.

    Example:
        >>> respell(".75 €"), respell("$119. 95"), respell("35€ 99"), respell("12 usd")
        ('0.75 €', '$119.95', '35.99€', '12 USD')
    """
    text = _LEADING_POINT.sub(r"0.\1", text)
    text = _RAISED.sub(r"\1.\2", _PARTED.sub(r"\1\2\3", text))
    text = _SIGN_INSIDE.sub(r"\1.\3\2", text)
    return _SMALL_CODE.sub(lambda found: found[0].upper(), text)


def _is_large(text: str) -> bool:
    """Whether a number goes on in words or letters: ``$1.2k``."""
    number = _NUMBER.search(text)
    return number is not None and _LARGE.match(text[number.end() : number.end() + 12]) is not None


def _short(raw: str) -> str:
    return " ".join(raw.split())[:80]


def _kind(kind: str) -> Literal["current", "old", "from", "range"]:
    return cast("Literal['current', 'old', 'from', 'range']", kind)


def _prepare(raw: str) -> str:
    text = to_western_digits(" ".join(raw.split())[:400]).translate(_ARABIC_SIGNS)
    return text.replace("\u2019", "'").replace("'", "'")


_Match = tuple[int, int, Decimal, str]


def _find(text: str, country: str) -> Iterator[_Match]:
    """Start, end, amount and currency of every price in a text."""
    for found in _PRICE.finditer(text):
        mark, number = found["before"] or found["after"], found["first"] or found["second"]
        if mark in _WEAK and _is_loose(text, found, mark):
            continue
        amount = read_amount(number)
        if amount is not None and not _LARGE.match(text[found.end() : found.end() + 12]):
            yield found.start(), found.end(), amount, read_currency(mark, country)


def _is_loose(text: str, found: re.Match[str], mark: str) -> bool:
    """Whether a weak sign is a letter of something else."""
    edge = (
        text[found.start() - 1 : found.start()]
        if found["before"]
        else text[found.end() : found.end() + 1]
    )
    return edge.isalnum() or (mark in ("R", "p.", "Bs") and " " in found[0].strip() and mark != "R")


def _from_matches(
    text: str, found: list[_Match], raw: str, stated: str, kind: str, source: str
) -> Price:
    start, end, amount, currency = found[0]
    high = None
    if len(found) > 1 and found[1][2] > amount and _RANGE.match(text[end : found[1][0]]):
        high, kind = found[1][2], "range"
    elif lower := _bare_before(text, start):
        high, amount, kind = amount, lower, "range"
    elif upper := _bare_after(text, end, amount):
        high, kind = upper, "range"
    elif kind == "current" and _FROM.search(text[:start]):
        kind = "from"
    return Price(
        raw=_short(raw),
        amount=amount,
        high=high,
        currency=stated or currency,
        kind=_kind(kind),
        source=source,
    )


@cache
def _range_ends() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A number before a dash, and one after it; compiled for the first price."""
    return (
        re.compile(rf"({_DIGITS})\s?(?:[-\u2013\u2014]|\b(?:to|bis|à|до|al?|till?)\b)\s?$"),
        re.compile(rf"\s?[-\u2013\u2014]\s?({_DIGITS})(?!\s?%)"),
    )


def _bare_before(text: str, start: int) -> Decimal | None:
    """The lower end of ``10 - 20 €``, where only the upper one bears the sign."""
    found = _range_ends()[0].search(text[:start])
    return read_amount(found[1]) if found else None


def _bare_after(text: str, end: int, amount: Decimal) -> Decimal | None:
    """The upper end of ``$10-20``, where only the lower one bears the sign."""
    found = _range_ends()[1].match(text[end:])
    upper = read_amount(found[1]) if found else None
    return upper if upper is not None and upper > amount else None


def find_prices(text: str, *, country: str = "", limit: int = MAX_PRICES) -> list[Price]:
    """Every price printed in running text, in order, each spelling once."""
    prices: dict[str, Price] = {}
    done = 0
    for number in find_numbers(_RUN, text):
        if len(prices) >= limit:
            break
        if number.start() < done or not _near_mark(text, number):
            continue
        sign = _PRICE.search(text, max(done, number.start() - 8), number.end() + 9)
        if sign is not None:
            cents = _CENTS.match(text, sign.end())
            done = cents.end() if cents else sign.end()
            price = _at(text, sign, country, done)
            if price is not None:
                prices.setdefault(price.raw, price)
    return list(prices.values())


def _near_mark(text: str, number: re.Match[str]) -> bool:
    """Whether a currency may stand beside a number: a cheap look before the full pattern."""
    start, end = number.span()
    before, after = text[max(0, start - 6) : start], text[end : end + 10]
    if before[-2:-1] in _ALONE:
        before = before.removesuffix(".")
    last = before.rstrip()[-2:]
    if before[-1:] in _ALONE and last[0] != "." and not last[0].isalnum():
        return True
    if last in _ENDINGS or last[-1:] in _ENDINGS:
        tail = _LAST_WORD.search(before)
        if tail is not None and tail[1] in _KNOWN_MARKS:
            return True
    first = after.lstrip("-\u2013\u2014").lstrip()[:2]
    if first in _BEGINNINGS or first[:1] in _BEGINNINGS:
        head = _FIRST_WORD.match(after)
        return head is not None and head[1] in _KNOWN_MARKS
    return False


def _at(text: str, sign: re.Match[str], country: str, end: int) -> Price | None:
    """The price of a match, with the cents that go on to an end: ``12€50``."""
    mark = sign["before"] or sign["after"]
    if mark in _WEAK and (_is_loose(text, sign, mark) or mark in _NEVER_IN_TEXT):
        return None
    if _LARGE.match(text[end : end + 12]):
        return None
    start, number = _number_of(text, sign)
    amount = read_amount(number + "." + text[sign.end() : end] if end > sign.end() else number)
    if amount is None:
        return None
    return Price(
        raw=_short(text[start:end]),
        amount=amount,
        currency=read_currency(mark, country),
        source="text",
    )


def _number_of(text: str, sign: re.Match[str]) -> tuple[int, str]:
    """Where a price begins, and its number, which may begin with a point: ``.75 €``."""
    number = sign["first"] or sign["second"]
    at = sign.start("first" if sign["first"] else "second")
    before = text[max(0, at - 2) : at]
    inside = before[:-1].isalnum() or before[:-1] == "."
    if before[-1:] in (".", ",") and not inside and len(number) <= len("99"):
        return min(sign.start(), at - 1), f"0.{number}"
    return sign.start(), number


def read_currency(mark: str, country: str = "") -> str:
    """The ISO code of a sign or a code; a shared sign by country or language."""
    mark = mark.strip()
    if mark.upper() in CODES:
        return mark.upper()
    if mark[:3] in CODES:
        return mark[:3]
    shared = _BY_COUNTRY.get(mark, {})
    return shared.get(country.lower()) or SYMBOLS.get(mark, "") or SYMBOLS.get(mark.rstrip("."), "")


def read_amount(text: str) -> Decimal | None:
    """The number in a spelling of any country.

    Example:
        >>> [str(read_amount(text)) for text in ("1.249,50", "12,99", "1,29,999.00", "1.249")]
        ['1249.50', '12.99', '129999.00', '1249']
    """
    bare = _NOT_AMOUNT.sub("", text).strip(".,")
    if not bare:
        return None
    last = max(bare.rfind("."), bare.rfind(","))
    if last >= 0 and _is_decimal(bare, last):
        bare = _ungrouped(bare[:last]) + "." + bare[last + 1 :]
    else:
        bare = _ungrouped(bare)
    try:
        return Decimal(bare)
    except InvalidOperation:
        return None


def _ungrouped(number: str) -> str:
    return number.replace(".", "").replace(",", "")


def _is_decimal(bare: str, last: int) -> bool:
    """Whether the last separator divides whole from part, and does not group thousands."""
    sign, places = bare[last], len(bare) - last - 1
    both = "." in bare and "," in bare
    if bare.count(sign) > 1:
        return False
    grouped = places == 3 and 1 <= last <= 3 and bare[:last] != "0"
    return both or not grouped
