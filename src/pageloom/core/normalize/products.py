"""What identifies a product: article number, GTIN, brand, condition, each with its source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.normalize.text import clean_text
from pageloom.model import FieldSource, Product

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pageloom.core.parts import Claim
    from pageloom.model import Availability, Condition, Price

_LONGEST = 80
_NO_BRAND = frozenset(("n/a", "none", "null", "unknown", "-", "generic", "no brand"))
_GTIN_LENGTHS = (8, 12, 13, 14)
_ISBN_LENGTH = 10
_CONDITIONS: dict[str, Condition] = {
    "new": "new",
    "newcondition": "new",
    "used": "used",
    "usedcondition": "used",
    "refurbished": "refurbished",
    "refurbishedcondition": "refurbished",
    "damaged": "damaged",
    "damagedcondition": "damaged",
}


def describe_product(
    claims: dict[str, list[Claim]], prices: Iterable[Price], availability: Availability
) -> tuple[Product, dict[str, FieldSource]]:
    """The product of a page, and where each of its fields came from.

    The main offer is the first price that is no former one.
    """
    sources: dict[str, FieldSource] = {}

    def first(field: str, read: Callable[[str], str]) -> str:
        for claim in claims.get(field, ()):
            if value := read(claim.value):
                sources[f"product.{field}"] = FieldSource(
                    source=claim.source, raw=claim.value[:300]
                )
                return value
        return ""

    price = next((one for one in prices if one.amount is not None and one.kind != "old"), None)
    if price is not None:
        sources["product.amount"] = FieldSource(source=price.source or "text", raw=price.raw)
    product = Product(
        sku=first("sku", _read_sku),
        gtin=first("gtin", read_gtin),
        brand=first("brand", _read_brand),
        amount=price.amount if price else None,
        currency=price.currency if price else "",
        availability=availability,
        condition=_CONDITIONS.get(first("condition", _read_condition), ""),
    )
    return product, sources


def _read_sku(raw: str) -> str:
    text = clean_text(raw)
    return text if 0 < len(text) <= _LONGEST and "://" not in text else ""


def _read_brand(raw: str) -> str:
    text = clean_text(raw)
    named = 0 < len(text) <= _LONGEST and text.lower() not in _NO_BRAND and "://" not in text
    return text if named else ""


def _read_condition(raw: str) -> str:
    word = re.sub(r"[^a-z]", "", raw.rsplit("/", 1)[-1].lower())
    return word if word in _CONDITIONS else ""


def read_gtin(raw: str) -> str:
    """The digits of a GTIN, EAN, UPC or ISBN whose check digit is right; else nothing.

    Example:
        >>> read_gtin("4006381-33393 1"), read_gtin("0-306-40615-2"), read_gtin("4006381333932")
        ('4006381333931', '9780306406157', '')
    """
    digits = re.sub(r"[\s-]", "", raw).upper()
    if len(digits) == _ISBN_LENGTH and re.fullmatch(r"\d{9}[\dX]", digits):
        return _from_isbn(digits)
    if len(digits) not in _GTIN_LENGTHS or not digits.isascii() or not digits.isdigit():
        return ""
    if not int(digits):
        return ""
    return digits if _check_digit(digits[:-1]) == digits[-1] else ""


def _from_isbn(digits: str) -> str:
    """The thirteen digits of an ISBN of ten."""
    values = [10 if digit == "X" else int(digit) for digit in digits]
    if sum((10 - place) * value for place, value in enumerate(values)) % 11:
        return ""
    body = f"978{digits[:9]}"
    return body + _check_digit(body)


def _check_digit(body: str) -> str:
    total = sum(int(digit) * (3 - 2 * (place % 2)) for place, digit in enumerate(reversed(body)))
    return str(-total % 10)
