"""Options of the database and the library: the ``[database]`` and ``[library]`` settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseOptions:
    """The database of the library: the ``[database]`` section of the settings."""

    url: str = ""
    """``postgresql://…``, ``sqlite:///path`` or a path; a file in the user's data directory
    when empty."""
    busy_timeout: float = 60.0
    """Seconds to wait for other writers before giving up."""
    max_connections: int = 20
    """Connections that one process opens at most; whoever needs another waits for one."""
    cache_mb: float = 16
    """Megabytes of cache for each SQLite connection; workers use 0.25."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryOptions:
    """How pages are saved and how long: the ``[library]`` section of the settings."""

    user: str = "local"
    """The user whose library is used."""
    mode: Literal["local", "external", "compare", "jina"] = "local"
    """Who extracts saved pages: ``local`` (Pageloom), ``external`` (a reader service), or
    ``compare`` (both). ``jina`` is an older name of ``external``; ``WEB_SAVE_MODE`` sets it too."""
    reader_url: str = ""
    """The URL of the reader service; the page's URL is appended to it."""
    reader_token: str = ""
    """Sent to the reader service as its bearer token."""
    fallback: Literal["none", "external"] = "none"
    """What to use when local extraction fails."""
    local_percent: int = field(default=100, metadata={"most": 100})
    """In mode ``local``: the percentage of URLs that are extracted locally; the reader service
    does the rest."""
    through_workers: bool = False
    """Let the RabbitMQ workers fetch, extract and save pages, instead of this process."""
    keep_originals: bool = True
    """Keep the original response of each page, so that ``reparse`` needs no network."""
    originals_days: int = 0
    """Delete originals after this many days, but never a page's last; 0 keeps them all."""
    keep_pictures: bool = True
    """Keep the pictures of saved pages; of watched pages only with ``watch.keep_pictures``."""
    max_pictures: int = 100
    """Pictures kept of one page, the first ones."""
    max_picture_bytes: int = 10_000_000
    """Larger pictures are not kept."""
    max_pictures_bytes: int = 60_000_000
    """Bytes that the pictures of one page may take together."""
    pictures_timeout: float = 60.0
    """Seconds in which the pictures of one page are fetched; the rest waits for another time."""
    small_pictures: int = 0
    """Make a smaller copy of pictures that are wider, so many pixels wide; 0 makes none. It is
    shown in the reader and put into e-books; needs the extra ``pictures``."""
    pictures_days: int = 0
    """Delete pictures this many days after they were fetched; 0 keeps them."""
    snapshots_days: int = 0
    """Delete snapshots after this many days, but never the newest of its kind; 0 keeps them."""
    snapshots: tuple[str, ...] = ()
    """What a browser keeps of saved pages: ``screenshot``, ``pdf``, ``html`` (one file with styles
    and pictures inside)."""
    trivial_days: int = 30
    """Delete the Documents of trivial versions after this many days; 0 keeps them."""
