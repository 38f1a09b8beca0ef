"""Where the library is, and how it keeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseOptions:
    """Where the library is: the ``[database]`` section of the settings."""

    url: str = ""
    """``postgresql://…``, ``sqlite:///path`` or a path; a file in the user's data directory
    when empty."""
    busy_timeout: float = 60.0
    """Seconds to wait for other writers before giving up."""
    cache_mb: float = 16
    """Megabytes of a SQLite library that each connection to it may hold; workers hold 0.25."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryOptions:
    """How the library keeps: the ``[library]`` section of the settings."""

    user: str = "local"
    """Whose library is meant."""
    mode: Literal["local", "external", "compare", "jina"] = "local"
    """Which engine reads what is saved: ours, a reader service, or ours with the service beside
    it. ``jina`` is an older name of ``external``; ``WEB_SAVE_MODE`` sets it too."""
    reader_url: str = ""
    """The reader service: the page's address is put behind it."""
    reader_token: str = ""
    """Sent to the reader service as its bearer token."""
    fallback: Literal["none", "external"] = "none"
    """What to ask when our engine fails."""
    local_share: int = field(default=100, metadata={"most": 100})
    """In mode ``local``: for how many of 100 addresses our engine is used; the service for the
    others."""
    through_workers: bool = False
    """Have the workers of RabbitMQ fetch, read and keep what is saved from the web."""
    keep_originals: bool = True
    """Keep what servers answered with, so that a reparse needs no network."""
    originals_days: int = 0
    """Let go of originals after so many days, but never of a page's last; 0 keeps them."""
    trivial_days: int = 30
    """Let go of the Documents of trivial versions after so many days; 0 keeps them."""
