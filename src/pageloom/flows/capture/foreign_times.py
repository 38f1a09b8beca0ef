"""Read times in import files: ISO 8601 variants, mail dates, Unix time."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pageloom.edges.store.times import later, now, read_time, write_time

_UNIX = re.compile(r"(\d{9,17})(?:\.\d+)?", re.ASCII)
_SPACED_ZONE = re.compile(r" (?=[+-]\d\d)| ?(?:UTC|GMT|Z)$", re.IGNORECASE)
_FIRST = "1990"
"""The earliest plausible time: no page is older than the web."""
_TWO_DAYS = 2 * 86_400.0


def read_instant(text: str) -> datetime | None:
    """Read a time as UTC; None if the text is not a time."""
    cleaned = text.strip()
    unix = _UNIX.fullmatch(cleaned)
    if unix:
        return _of_unix(int(unix[1]))
    spaced = _SPACED_ZONE.search(cleaned)
    if spaced:
        zone = cleaned[spaced.end() :] or "+00:00"
        return read_time(cleaned[: spaced.start()] + zone) or _of_mail(cleaned)
    return read_time(cleaned) or _of_mail(cleaned)


def known_instant(text: str) -> str:
    """A time as a UTC instant; empty if it is unknown.

    Programs write zero, negative or absurd times when they do not know the time.
    """
    moment = read_instant(text) if text else None
    instant = write_time(moment) if moment else ""
    return instant if _FIRST <= instant <= later(now(), _TWO_DAYS) else ""


def _of_unix(number: int) -> datetime:
    """Seconds, milliseconds or microseconds since 1970."""
    while number > 10**11:
        number //= 1000
    return datetime.fromtimestamp(number, UTC)


def _of_mail(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
