"""What became of the URLs of saved pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LinkState = Literal[
    "alive", "changed", "moved", "dead", "soft_404", "parked", "blocked", "unreachable"
]
ROTTEN: frozenset[LinkState] = frozenset(("dead", "soft_404", "parked"))
"""What an archive may still have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkCheck:
    """The last look at the URL of a page."""

    page_id: int
    url: str
    state: LinkState
    reason: str = ""
    """Why, in words; for ``changed``, what changed."""
    status: int | None = None
    """The HTTP status, if there was an answer."""
    new_url: str = ""
    """Where a page has moved to."""
    importance: float = 0.0
    """How much a change matters, 0 to 1."""
    archive_url: str = ""
    """The nearest capture of an archive, if one was asked for."""
    since: str = ""
    """When this state was first seen."""
    checked_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveCapture:
    """A capture of a page in an archive."""

    url: str
    """Of the page."""
    timestamp: str
    """As archives write it: 20260305083000."""
    replay_url: str
    """Where it is shown."""

    @property
    def taken_at(self) -> str:
        """The instant in ISO 8601."""
        digits = (self.timestamp + "0101000000"[len(self.timestamp) - 4 :])[:14]
        date, time = digits[:8], digits[8:]
        return f"{date[:4]}-{date[4:6]}-{date[6:]}T{time[:2]}:{time[2:4]}:{time[4:]}Z"
