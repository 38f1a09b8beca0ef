"""Values of the library beside its pages: versions, changes, prices, sources, jobs, messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal  # noqa: TC003  msgspec reads the annotations
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from pageloom.model import Document, SourceHint


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionInfo:
    """A version without its Document."""

    id: int
    page_id: int
    track: str
    number: int
    snapshot_hash: str
    change_hash: str
    content_hash: str
    parser_version: str
    rules_version: str
    body_hash: str | None
    content_type: str
    status: int | None
    used_js: bool
    trivial: bool
    origin: str
    quality: int
    word_count: int
    fetched_at: str
    last_seen_at: str
    thinned: bool
    """Whether its Document was deleted, because the version was trivial and is old."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A version with its Document."""

    info: VersionInfo
    document: Document


ChangeSort = Literal["newest", "important"]
"""How changes are listed: by time, or the most important first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of a page."""

    id: str
    owner: str
    page_id: int
    track: str = ""
    from_version: int | None = None
    to_version: int
    baseline_version: int | None = None
    importance: float = 0.0
    summary: str = ""
    report: dict[str, Any] = field(default_factory=dict[str, Any])
    created_at: str
    notified_at: str | None = None
    """Empty if no notice was sent."""
    url: str = ""
    title: str = ""
    unread: bool = True
    """Whether the page was not read since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPrice:
    """One point of a price series; ``amount`` is None where only the stock is known."""

    page_id: int
    track: str = ""
    at: str
    version: int | None = None
    amount: Decimal | None = None
    currency: str = ""
    availability: str = "unknown"
    source: str = ""
    held: bool = False
    """Whether it is an implausible value that is not part of the series."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPriceEvent:
    """A price event, such as a drop or back in stock."""

    id: str
    page_id: int
    track: str = ""
    at: str
    kind: str
    detail: dict[str, Any] = field(default_factory=dict[str, Any])
    notified_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """An API token's record; never the token itself."""

    id: int
    owner: str
    label: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    scopes: tuple[str, ...] = ()
    """What it may do: see ``SCOPES``."""
    feed: str = ""
    """The one feed that it opens, such as ``search.atom?tag=birds``; all of them when empty."""


Role = Literal["reader", "member", "admin"]
Scope = Literal["read", "save", "write", "watch", "feed", "capture", "admin"]
SCOPES: tuple[Scope, ...] = ("read", "save", "write", "watch", "feed", "capture", "admin")
"""Read; save pages; change and delete them; change watches; only feeds; have a page that its
browser hands over saved without a question; what concerns all."""
ROLE_SCOPES: dict[Role, tuple[Scope, ...]] = {
    "reader": ("read", "feed"),
    "member": ("read", "save", "write", "watch", "feed", "capture"),
    "admin": SCOPES,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """Someone with a library of their own."""

    name: str
    role: Role = "member"
    has_password: bool = False
    preferences: dict[str, Any] = field(default_factory=dict[str, Any])
    created_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A browser that is signed in, or a link that signs one in; never the secret itself."""

    id: int
    owner: str
    kind: Literal["session", "link"]
    label: str
    created_at: str
    last_seen_at: str
    expires_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One check of one URL."""

    url: str
    outcome: str
    """``new``, ``changed``, ``unchanged``, ``trivial``, ``stale``, ``dead_letter`` …"""
    at: str = ""
    duration_ms: int = 0
    version: int | None = None
    path: str = ""
    """``hash`` when the hashes decided, ``diff`` when the pages were compared."""
    reason: str = ""
    track: str = ""
    key: str | None = None
    """The idempotency key: the run is stored once, however often it is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source of pages."""

    id: str
    name: str = ""
    site: str = ""
    """Its host: pages from there and from its subdomains belong to the source."""
    feeds: tuple[str, ...] = ()
    language: str = ""
    timezone: str = ""
    hints: dict[str, Any] = field(default_factory=dict[str, Any])
    """CSS selectors by field, and ``full``: whether to fetch what its feeds only announce."""
    proxy: str = ""
    poll_every: int = 3600
    """Seconds between two polls of its feeds."""
    reliability: float = 0.5
    failures_in_row: int = 0
    successes: int = 0
    errors: int = 0
    next_poll: str | None = None
    last_polled_at: str | None = None
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    """The last ETag and Last-Modified of its feeds, by URL."""

    @property
    def hint(self) -> SourceHint:
        """The hint that extraction uses for its pages."""
        from pageloom.model import SourceHint

        selectors = {
            name: value
            for name, value in self.hints.items()
            if isinstance(value, str) and name != "full"
        }
        return SourceHint(
            id=self.id,
            name=self.name,
            language=self.language,
            timezone=self.timezone,
            selectors=selectors,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryEvent:
    """Something that happened in the library; ``id`` grows in the order of commits."""

    id: int
    owner: str
    at: str
    kind: str
    """``page.added``, ``page.pin``, ``job.done`` …"""
    page_id: int | None = None
    detail: dict[str, Any] = field(default_factory=dict[str, Any])


MessageState = Literal["waiting", "sent", "failed", "bundled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxMessage:
    """One notice for one target."""

    id: str
    owner: str
    watch_id: int | None = None
    change_id: str | None = None
    target: str
    payload: dict[str, Any] = field(default_factory=dict[str, Any])
    """The notice."""
    state: MessageState = "waiting"
    attempts: int = 0
    next_try: str | None = None
    error: str = ""
    lease_owner: str | None = None
    created_at: str
    done_at: str | None = None


JobState = Literal["queued", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job for whoever runs it, and what of it was done before."""

    id: str
    owner: str
    kind: str
    resumed: bool = False
    done: frozenset[str] = field(default_factory=frozenset[str])
    """The items that are done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobInfo:
    """A job as a list shows it."""

    id: str
    owner: str
    kind: str
    state: JobState
    settings: dict[str, Any]
    """What was asked for."""
    total: int | None = None
    """How many items it has; None while that is not known."""
    done: int = 0
    failed: int = 0
    cancel_requested_at: str | None = None
    result: Any = None
    error: str = ""
    lease_owner: str | None = None
    lease_until: str | None = None
    created_at: str
    started_at: str | None = None
    updated_at: str
    finished_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobItem:
    """One item of a job, and what came of it."""

    item: str
    state: str
    """``done`` or ``failed``."""
    result: Any = None
    updated_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """The result of saving a Document."""

    page_id: int
    version: int
    """The number of the version that is now the last of its track."""
    is_new: bool
    """Whether the page is new (or only its URL was known)."""
    changed: bool
    """Whether a version was added to an existing page."""
    kept_old: bool = False
    """Whether the new result was worse than the stored one, and was dropped."""
    previous_version: int | None = None
    """The version before, when one was added."""
