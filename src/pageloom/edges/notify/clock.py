"""Read UTC instants from notices."""

from __future__ import annotations

from datetime import UTC, datetime


def read_instant(text: str) -> datetime:
    """The datetime of a text like 2026-03-05T08:30:00Z; the epoch if it is not valid."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
