"""Values that matter anywhere on a page: money, stock, measures, hours, telephone numbers.

Beside the content of a page nearly everything else that differs is of the visit, not of the page.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from pageloom.core.compare import lexicon as group
from pageloom.core.compare.spans import has_group
from pageloom.core.compare.tokens import CURRENCY_CODES, CURRENCY_SIGNS

if TYPE_CHECKING:
    from pageloom.core.compare.masks import Masked

_TIME = r"\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\.?|uhr|h)?"
_FIGURES = {
    "measure": re.compile(
        r"(\d[\d.,]*)\s?([mck]m|m²|m2|ha|sq\.? ?(?:ft|m)|[kmµ]?g|lbs?|oz|ft|inch(?:es)?"
        r"|[mc]?l|litres?|liters?|[km]?wh?|hp|ps|kva|[gmt]i?b|gb/s|mbit/s|mah|°[cf])(?!\w)",
        re.IGNORECASE,
    ),
    "telephone": re.compile(r"(?<!\d)(?:\+\d|\(?0)\d{0,4}[\d ()/.-]{5,16}\d(?!\d)"),
    "email": re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}"),
    "hours": re.compile(
        rf"({_TIME})\s?(?:[-–—]|to|bis|à|a|alle|tot|do|до)\s?({_TIME})(?!\w)", re.IGNORECASE
    ),
}
"""What people go by, and how it is written."""


def firm_kinds(before: str, after: str, masked: Masked | None, other: Masked | None) -> list[str]:
    """In what that people go by two texts differ: money, measures, telephone numbers, hours."""
    found = [
        name
        for name, pattern in _FIGURES.items()
        if _figures(pattern, before) != _figures(pattern, after)
    ]
    if _amounts(masked) != _amounts(other):
        found.append("money")
    if _states(masked) != _states(other):
        found.append("state")
    return found


def _states(masked: Masked | None) -> set[str]:
    """The words that tell of a state, or make a date matter."""
    return {
        token.fold
        for token in (masked.tokens if masked else ())
        if has_group([token], group.BINDING) or has_group([token], group.STATE)
    }


def _amounts(masked: Masked | None) -> set[tuple[str, str]]:
    """The numbers beside the name or the sign of a currency."""
    tokens = masked.tokens if masked else ()
    pairs = [pair for one, two in pairwise(tokens) for pair in ((one, two), (two, one))]
    return {
        (number.fold, money.fold)
        for number, money in pairs
        if number.kind == "number"
        and (money.fold in CURRENCY_CODES or money.text in CURRENCY_SIGNS)
    }


def _figures(kind: re.Pattern[str], text: str) -> set[str]:
    return {found[0] for found in kind.finditer(text)}
