"""Saved searches: a query with a name, and whom to notify of pages that it newly finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSearch:
    """A search with a name."""

    id: int
    owner: str
    name: str
    query: str
    targets: tuple[str, ...] = ()
    """Where notices of pages that it newly finds are sent; nowhere when empty."""
    known: tuple[int, ...] = ()
    """The pages that it found last, so that each is notified once."""
    checked_at: str
    created_at: str
