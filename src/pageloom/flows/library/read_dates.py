"""Filters of page lists as users write them: dates, ages, hosts."""

from __future__ import annotations

import re

from pageloom.edges.store.times import later, now, stamp
from pageloom.errors import InvalidArgument

_AGO = re.compile(r"(\d{1,4})([hdwmy])")
_UNITS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}


def read_date(text: str | None, name: str) -> str:
    """A date, an instant, or an age (7d, 3w), as the store writes instants; empty for nothing.

    Args:
        text: what the user wrote.
        name: of the flag or field, for the error.

    Raises:
        InvalidArgument: it is none of them.
    """
    if not text:
        return ""
    ago = _AGO.fullmatch(text.strip())
    if ago:
        days = int(ago[1]) * _UNITS[ago[2]]
        return later(now(), -days * 86_400)
    found = stamp(text)
    if not found:
        raise InvalidArgument(
            f"{name} takes a date such as 2026-03-05, or an age such as 7d, not {text[:40]!r}."
        )
    return found
