"""Pages of a library, and lists of them: filters, orders, search results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

T = TypeVar("T")


class Slice(list[T]):
    """A part of a list, and the cursor with which the next part is asked for."""

    next_cursor: str | None = None
    """None at the end of the list."""
    total: int = 0
    """How long the whole list is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of the library, without its content."""

    id: int
    uuid: str
    owner: str
    url: str
    """The page's key: ``url_key`` of its URL."""
    url_full: str
    """The URL as it was first requested."""
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
    """The last version of the whole page; 0 if only a scope of it was ever saved."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingProgress:
    """How far a page was read."""

    version: int
    block: int
    """The block that stood at the top, counted from 0."""
    blocks: int
    """How many there are."""

    @property
    def percent(self) -> int:
        """How much of the page is behind the reader."""
        return min(100, round(100 * self.block / self.blocks)) if self.blocks else 0


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
    """Which pages to list; fields left out do not filter."""

    domain: str = ""
    """This host or any of its subdomains."""
    tags: tuple[str, ...] = ()
    """All of these."""
    since: str = ""
    until: str = ""
    """Saved at or after ``since`` and before ``until``: UTC instants."""
    language: str = ""
    page_type: str = ""
    source_id: str = ""
    pinned: bool | None = None
    unread: bool | None = None
    archived: FilterChoice = "no"
    deleted: FilterChoice = "no"
    min_quality: int = 0
    min_reliability: float | None = None
    """Only pages of sources with at least this reliability."""
    parser_version_not: str = ""
    """Only pages that another parser version extracted."""
    not_tags: tuple[str, ...] = ()
    """None of these."""
    traits: tuple[str, ...] = ()
    """``teaser``, ``failing``, ``watched``, ``note``, ``highlight``, ``price``; with a minus before
    it, pages without."""
    changed_since: str = ""
    changed_until: str = ""
    """A watch found a change at or after, or before: UTC instants."""
    min_words: int = 0
    max_words: int | None = None
    min_price: float | None = None
    max_price: float | None = None
    """The last price of the page, in whatever currency."""


DEFAULT_FILTERS = Filters()
"""The default filter: neither archived nor deleted."""

WITH_ARCHIVED = Filters(archived="all")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Some pages, and how many there are."""

    pages: tuple[Page, ...]
    total: int
    is_exact: bool = True
    """Whether ``total`` is exact; otherwise there are at least this many."""
    next_cursor: str | None = None
    """With which the next part is asked for; None at the end of the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A search hit: the page and a snippet of its text."""

    page: Page
    snippet: Snippet


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """Search results."""

    hits: tuple[Hit, ...]
    total: int
    is_exact: bool
    """Whether ``total`` is exact; otherwise there are at least this many."""
    more: bool
    """Whether there are further hits."""
    next_cursor: str | None = None
    """With which the next hits are asked for; None at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A snippet of text on one line, and where the words are in it."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A user's note on a page."""

    id: int
    text: str
    created_at: str
    updated_at: str
