"""Instants as text: of one width, so that they sort as they follow each other."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def now() -> str:
    """This instant, such as 2026-03-05T08:30:00.000Z."""
    return write_time(datetime.now(UTC))


def write_time(moment: datetime) -> str:
    """An instant as the store keeps it; one without a zone is taken as UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_time(text: str) -> datetime | None:
    """The instant that a text means: a date, a time with or without a zone; None for others."""
    cleaned = text.strip()
    if len(cleaned) in {4, 7}:  # a year, a month
        cleaned = f"{cleaned}-01-01"[:10]
    try:
        moment = datetime.fromisoformat(cleaned)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def stamp(text: str) -> str:
    """A text that means an instant, as the store keeps it; empty for one that means none."""
    moment = read_time(text) if text else None
    return write_time(moment) if moment else ""


def stamp_past(text: str) -> str:
    """The same, but not later than this instant: what is kept was fetched before."""
    return min(stamp(text), now())


def later(text: str, seconds: float) -> str:
    """An instant of the store, so many seconds later."""
    moment = read_time(text) or datetime.now(UTC)
    return write_time(moment + timedelta(seconds=seconds))
