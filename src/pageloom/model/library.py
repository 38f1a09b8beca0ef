"""What a library holds: pages, versions, changes, prices, sources, jobs, and lists of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal  # noqa: TC003  msgspec reads the annotations
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pageloom.model import SourceHint

if TYPE_CHECKING:
    from pageloom.model import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of the library, without its content."""

    id: int
    uuid: str
    owner: str
    url: str
    """The address it is known by: ``url_key``."""
    url_full: str
    """The address it was first asked for by, as it was spelt."""
    final_url: str
    document_id: str
    domain: str
    title: str
    author: str
    source: str
    source_id: str
    language: str
    page_type: str
    word_count: int
    reading_time: int
    quality: int
    signature: str
    version: int
    """The last version of the page as a whole; 0 while only a part of it was ever kept."""
    content_hash: str
    parser_version: str
    pinned: bool
    archived: bool
    discarded: bool
    saved_at: str
    published_at: str | None
    created_at: str
    updated_at: str
    last_seen_at: str | None
    last_opened_at: str | None
    read_at: str | None
    deleted_at: str | None
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


class OwnedPage(Protocol):
    """What the store takes wherever a page is meant: never a bare id, always whose page it is."""

    @property
    def owner(self) -> str:
        """Whose page it is."""
        ...

    @property
    def id(self) -> int:
        """Its number."""
        ...


@dataclass(frozen=True, slots=True)
class PageRef:
    """A page named by its owner and its id, for callers that have not loaded it."""

    owner: str
    id: int


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
    """Its Document is no longer kept: it was trivial, and is old."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A version with its Document."""

    info: VersionInfo
    document: Document


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
    """Empty when a trigger, or what is told at all, kept it back."""
    url: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPrice:
    """One point of a series; ``amount`` is None where only the stock is stated."""

    page_id: int
    track: str = ""
    at: str
    version: int | None = None
    amount: Decimal | None = None
    currency: str = ""
    availability: str = "unknown"
    source: str = ""
    held: bool = False
    """Too strange to be believed: not part of the series."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPriceEvent:
    """Something that happened to a price."""

    id: str
    page_id: int
    track: str = ""
    at: str
    kind: str
    detail: dict[str, Any] = field(default_factory=dict[str, Any])
    notified_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A remark of a user's on a page."""

    id: int
    text: str
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """What is known of a token; never the token itself."""

    id: int
    owner: str
    label: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One check of one address."""

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
    """What makes it the same run again: kept once, however often it is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source of pages."""

    id: str
    name: str = ""
    site: str = ""
    """Its host: pages from there, and from below it, are its pages."""
    feeds: tuple[str, ...] = ()
    language: str = ""
    timezone: str = ""
    hints: dict[str, Any] = field(default_factory=dict[str, Any])
    """CSS selectors by field, and ``full``: whether to fetch what its feeds only announce."""
    proxy: str = ""
    poll_every: int = 3600
    """Seconds between two looks at its feeds."""
    reliability: float = 0.5
    failures_in_row: int = 0
    successes: int = 0
    errors: int = 0
    next_poll: str | None = None
    last_polled_at: str | None = None
    state: dict[str, Any] = field(default_factory=dict[str, Any])
    """What its feeds said last: ETag and Last-Modified by address."""

    @property
    def hint(self) -> SourceHint:
        """What the parser is told of its pages."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work under way, and what of it was done before."""

    id: str
    kind: str
    resumed: bool
    done: frozenset[str] = field(default_factory=frozenset[str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What became of a Document."""

    page_id: int
    version: int
    """The number of the version that is now the last of its track."""
    is_new: bool
    """The page was not in the library, or only its address."""
    changed: bool
    """A version was added to one that was there."""
    kept_old: bool = False
    """The result was worse than what is there, and was not kept."""
    previous_version: int | None = None
    """The version before, when one was added."""


Sort = Literal["saved", "published", "updated", "opened", "title", "words", "quality", "domain"]


FilterChoice = Literal["no", "only", "all"]


SORTS: tuple[Sort, ...] = (
    "saved",
    "published",
    "updated",
    "opened",
    "title",
    "words",
    "quality",
    "domain",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which pages; what is left out does not matter."""

    domain: str = ""
    """This host, or any below it."""
    tags: tuple[str, ...] = ()
    """All of these."""
    since: str = ""
    until: str = ""
    """Saved from then, and before then: instants as the store writes them."""
    language: str = ""
    page_type: str = ""
    source_id: str = ""
    pinned: bool | None = None
    unread: bool | None = None
    archived: FilterChoice = "no"
    deleted: FilterChoice = "no"
    min_quality: int = 0
    min_reliability: float | None = None
    """Only pages of sources at least so reliable."""
    parser_version_not: str = ""
    """Only pages that another parser than this one read."""


DEFAULT_FILTERS = Filters()
"""What a user sees: neither archived nor deleted."""


WITH_ARCHIVED = Filters(archived="all")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Some pages, and how many there are."""

    pages: tuple[Page, ...]
    total: int
    is_exact: bool = True
    """Whether ``total`` is all; otherwise there are at least so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A page that was found, and the place in it that shows why."""

    page: Page
    snippet: Snippet


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """What was found."""

    hits: tuple[Hit, ...]
    total: int
    is_exact: bool
    """Whether ``total`` is all; otherwise there are at least so many."""
    more: bool
    """Whether there are hits behind these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A piece of the text on one line, and where in it the words stand."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()
