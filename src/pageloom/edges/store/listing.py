"""Pages by what is known of them: filters, order, a page of a list at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pageloom.edges.store.pages import PAGE_COLUMNS, Page, as_page
from pageloom.edges.store.tags import tag_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.edges.store.base import Store, Tx

Sort = Literal["saved", "published", "updated", "opened", "title", "words", "quality", "domain"]
Choice = Literal["no", "only", "all"]

_ORDERS: dict[str, str] = {
    "saved": "p.saved_at DESC, p.id DESC",
    "published": "coalesce(p.published_at, '') DESC, p.id DESC",
    "updated": "p.updated_at DESC, p.id DESC",
    "opened": "coalesce(p.last_opened_at, '') DESC, p.id DESC",
    "title": "p.title_sort, p.id",
    "words": "p.word_count DESC, p.id DESC",
    "quality": "p.quality DESC, p.id DESC",
    "domain": "p.domain, p.saved_at DESC, p.id DESC",
}
SORTS = tuple(_ORDERS)


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
    archived: Choice = "no"
    deleted: Choice = "no"
    min_quality: int = 0
    min_reliability: float | None = None
    """Only pages of sources at least so reliable."""
    parser_version_not: str = ""
    """Only pages that another parser than this one read."""


SHELF = Filters()
"""What a user sees: neither archived nor deleted."""
ALL = Filters(archived="all")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Some pages, and how many there are in all."""

    pages: tuple[Page, ...]
    total: int


def list_pages(
    store: Store,
    owner: str,
    filters: Filters = SHELF,
    *,
    sort: Sort = "saved",
    limit: int = 50,
    offset: int = 0,
) -> Listing:
    """The pages of an owner, pinned ones first."""
    where, values = conditions(owner, filters)
    order = _ORDERS[sort] if sort != "saved" else "p.pinned DESC, " + _ORDERS[sort]
    with store.read() as tx:
        rows = tx.all(
            "SELECT "
            + PAGE_COLUMNS
            + " FROM pages p WHERE "
            + where
            + " ORDER BY "
            + order
            + " LIMIT ? OFFSET ?",
            *values,
            limit,
            offset,
        )
        total = tx.value("SELECT count(*) FROM pages p WHERE " + where, *values)
    return Listing(pages=tuple(map(as_page, rows)), total=total)


def order_of(sort: Sort) -> str:
    """An order over ``pages p`` as SQL."""
    return _ORDERS[sort]


def walk_pages(
    store: Store,
    owner: str,
    filters: Filters = SHELF,
    *,
    after: int = 0,
    batch: int = 200,
) -> Iterator[Page]:
    """All pages by their numbers; others may write meanwhile."""
    while True:
        with store.read() as tx:
            pages = _batch(tx, owner, filters, after, batch)
        yield from pages
        if len(pages) < batch:
            return
        after = pages[-1].id


def _batch(tx: Tx, owner: str, filters: Filters, after: int, batch: int) -> list[Page]:
    where, values = conditions(owner, filters)
    rows = tx.all(
        "SELECT "
        + PAGE_COLUMNS
        + " FROM pages p WHERE "
        + where
        + " AND p.id > ? ORDER BY p.id LIMIT ?",
        *values,
        after,
        batch,
    )
    return list(map(as_page, rows))


def conditions(owner: str, filters: Filters) -> tuple[str, list[Any]]:
    """The filters as SQL over ``pages p``, and its parameters."""
    found: list[tuple[str, tuple[Any, ...]]] = [("p.owner = ?", (owner,))]
    found += _choices(filters)
    found += _equalities(filters)
    if filters.domain:
        domain = filters.domain.lower().strip(".").removeprefix("www.")
        found.append(("(p.domain = ? OR p.domain LIKE ? ESCAPE '!')", (domain, _below(domain))))
    for tag in filters.tags:
        in_tags = "EXISTS (SELECT 1 FROM tags t WHERE t.page_id = p.id AND t.name = ?)"
        found.append((in_tags, (tag_name(tag),)))
    if filters.min_reliability is not None:
        reliable = (
            "EXISTS (SELECT 1 FROM sources s WHERE s.owner = p.owner AND s.id = p.source_id"
            " AND s.reliability >= ?)"
        )
        found.append((reliable, (filters.min_reliability,)))
    sql = " AND ".join(text for text, _ in found)
    return sql, [value for _, values in found for value in values]


def _choices(filters: Filters) -> Iterator[tuple[str, tuple[Any, ...]]]:
    if filters.archived != "all":
        yield "p.archived = ?", (int(filters.archived == "only"),)
    if filters.deleted != "all":
        yield (
            ("p.deleted_at IS NOT NULL" if filters.deleted == "only" else "p.deleted_at IS NULL"),
            (),
        )
    if filters.pinned is not None:
        yield "p.pinned = ?", (int(filters.pinned),)
    if filters.unread is not None:
        yield f"p.read_at IS {'' if filters.unread else 'NOT '}NULL", ()


def _equalities(filters: Filters) -> Iterator[tuple[str, tuple[Any, ...]]]:
    given: tuple[tuple[str, Any], ...] = (
        ("p.language = ?", filters.language.lower()),
        ("p.page_type = ?", filters.page_type),
        ("p.source_id = ?", filters.source_id),
        ("p.saved_at >= ?", filters.since),
        ("p.saved_at < ?", filters.until),
        ("p.quality >= ?", filters.min_quality),
        ("p.parser_version <> ?", filters.parser_version_not),
    )
    return ((sql, (value,)) for sql, value in given if value)


def _below(domain: str) -> str:
    escaped = domain.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%.{escaped}"
