"""UTC instants as they are written in messages."""

from __future__ import annotations

from datetime import UTC, datetime


def read_instant(text: str) -> datetime:
    """The moment that 2026-03-05T08:30:00Z means; the epoch for what cannot be read."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
