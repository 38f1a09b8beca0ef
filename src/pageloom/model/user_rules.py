"""A site rule that a user keeps in the library, with the page that proves it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRule:
    """A rule that applies to the pages of one user."""

    name: str
    """Its id."""
    text: str
    """The rule as YAML."""
    url: str
    """Of the page that it was made on."""
    expected: str
    """What that page must give with the rule, and does not give without it, as JSON."""
    page: bytes = b""
    """The page; left out of lists."""
    updated_at: str = ""
