"""Month names, digits and calendars of many languages."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from pageloom.core.memoize import memoize
from pageloom.core.months import JALALI_MONTHS, MERGE_ORDER, MONTHS
from pageloom.core.non_ascii import beyond_ascii, passage_utf8

if TYPE_CHECKING:
    from collections.abc import Iterator

ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
"""The year before the first of an era."""

_DIGIT = re.compile(r"\d")
_ONLY_DIGITS = bytes(ord("0" if chr(code) in "0123456789" else " ") for code in range(256))
_SHORTEST = 3
_LEVEL = {ord("ı"): "i", ord("ł"): "l", ord("ي"): "ی", ord("ك"): "ک", 0x200C: None, 0x200D: None}
"""Letters that one word is spelt with in two ways; Persian is written with Arabic ones, too."""


def to_western_digits(text: str) -> str:
    """Decimal digits of every script as 0-9."""
    if text.isascii() or not _DIGIT.search(beyond_ascii(text)):
        return text
    return _DIGIT.sub(_western, text)


def _western(found: re.Match[str]) -> str:
    return str(unicodedata.decimal(found[0]))


@lru_cache(maxsize=2)
def western_passage(text: str) -> str:
    """The same for a long text, in which first one thing and then another is looked for."""
    return _DIGIT.sub(_western, text) if _DIGIT.search(passage_utf8(text)[1]) else text


@lru_cache(maxsize=2)
def _digit_mask(text: str) -> bytes:
    """A zero for each digit of a text, a space for anything else."""
    return western_passage(text).encode("latin-1", "replace").translate(_ONLY_DIGITS)


def find_numbers(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """What ``pattern.finditer(text)`` finds, for a pattern that begins with any digit.

    Most characters are none: in a mask of one byte for each of them, the next digit is found many
    times faster than by the pattern.
    """
    mask = _digit_mask(text)
    place = mask.find(b"0")
    while place >= 0:
        number = pattern.match(text, place)
        if number:
            yield number
        place = mask.find(b"0", number.end() if number else place + 1)


@memoize(4_096)
def fold(word: str) -> str:
    """A word without case and marks: ``Févr.`` becomes ``fevr``."""
    if word.isascii():
        return word.lower().strip(".")
    lowered = word.replace("İ", "i").lower()
    bare = "".join(
        char for char in unicodedata.normalize("NFD", lowered) if not "\u0300" <= char <= "\u036f"
    )
    plain = unicodedata.normalize("NFC", bare).translate(_LEVEL)
    return plain.strip(".")


def month_of(word: str, language: str = "") -> int:
    """The month a folded word names: 1-12, 13-24 for months of the Persian calendar, 0 for none."""
    own = _language_table(language).get(word, 0) if language else 0
    return own or _merged_table().get(word, 0)


@lru_cache(maxsize=64)
def _language_table(language: str) -> dict[str, int]:
    if language in ("nb", "nn"):
        language = "no"
    table = _table(MONTHS[language]) if language in MONTHS else {}
    if language == "fa":
        table |= {name: month + 12 for name, month in _table(JALALI_MONTHS).items()}
    return table


@lru_cache(maxsize=1)
def _merged_table() -> dict[str, int]:
    merged: dict[str, int] = {}
    rest = sorted(set(MONTHS) - set(MERGE_ORDER))
    for language in (*MERGE_ORDER, *rest):
        for word, month in _table(MONTHS[language]).items():
            merged.setdefault(word, month)
    for word, month in _table(JALALI_MONTHS).items():
        merged.setdefault(word, month + 12)
    return merged


def _table(names: str) -> dict[str, int]:
    """Every form of every month, then the prefixes that only one month has."""
    forms = [[fold(form.strip()) for form in month.split("|")] for month in names.split(",")]
    table = {form: number for number, month in enumerate(forms, 1) for form in month}
    owners: dict[str, set[int]] = {}
    for number, month in enumerate(forms, 1):
        for form in month:
            for size in range(_SHORTEST, min(len(form), 6)):
                owners.setdefault(form[:size], set()).add(number)
    for prefix, months in owners.items():
        if len(months) == 1 and " " not in prefix:
            table.setdefault(prefix, min(months))
    return table


def from_jalali(year: int, month: int, day: int) -> date | None:
    """The Gregorian day of a day of the Persian solar calendar (years 1206 to 1498)."""
    if not (1206 <= year <= 1498 and 1 <= month <= 12 and 1 <= day <= (31 if month <= 6 else 30)):
        return None
    passed = 31 * min(month - 1, 6) + 30 * max(month - 7, 0) + day - 1
    return _new_year(year) + timedelta(days=passed)


def _new_year(year: int) -> date:
    """1 Farvardin: the calendar has 8 leap years in 33, counted from 1 Farvardin 1206."""
    start, years = date(1827, 3, 22), year - 1206
    leaps = sum(1 for number in range(1206, year) if number % 33 in (1, 5, 9, 13, 17, 22, 26, 30))
    return start + timedelta(days=365 * years + leaps)
