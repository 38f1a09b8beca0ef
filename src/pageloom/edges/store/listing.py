"""Pages by what is known of them: filters, order, a page of a list at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pageloom.edges.store.codec import write_json
from pageloom.edges.store.cursors import list_mark, read_cursor, write_cursor
from pageloom.edges.store.pages import PAGE_COLUMNS, as_page, host_key
from pageloom.edges.store.tags import tag_name
from pageloom.model.pages import DEFAULT_FILTERS, Filters, Listing, Page, Sort

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row


_ORDERS: dict[str, tuple[str, ...]] = {
    "shelf": ("p.pinned DESC", "p.saved_at DESC", "p.id DESC"),
    "saved": ("p.saved_at DESC", "p.id DESC"),
    "published": ("coalesce(p.published_at, '') DESC", "p.id DESC"),
    "updated": ("p.updated_at DESC", "p.id DESC"),
    "opened": ("coalesce(p.last_opened_at, '') DESC", "p.id DESC"),
    "title": ("p.title_sort", "p.id"),
    "words": ("p.word_count DESC", "p.id DESC"),
    "quality": ("p.quality DESC", "p.id DESC"),
    "domain": ("p.domain", "p.saved_at DESC", "p.id DESC"),
}
_INDEXES: dict[str, str] = {
    "shelf": "pages_on_shelf",
    "saved": "pages_by_saving",
    "published": "pages_by_publishing",
    "updated": "pages_by_updating",
    "opened": "pages_by_opening",
    "title": "pages_by_title",
    "words": "pages_by_length",
    "quality": "pages_by_quality",
    "domain": "pages_by_domain",
    "state": "pages_by_state",
}
_KINDS: dict[str, tuple[type[int | str], ...]] = {
    "shelf": (int, str, int),
    "saved": (str, int),
    "published": (str, int),
    "updated": (str, int),
    "opened": (str, int),
    "title": (str, int),
    "words": (int, int),
    "quality": (int, int),
    "domain": (str, str, int),
}
"""The kinds of values that each order sorts by: what a cursor of it holds."""
FEW = 1_000
"""So many pages are sorted, and looked into, one by one."""


def list_pages(  # noqa: PLR0913  what a list of pages has
    store: Store,
    owner: str,
    filters: Filters = DEFAULT_FILTERS,
    *,
    sort: Sort = "saved",
    limit: int = 50,
    offset: int = 0,
    cursor: str = "",
) -> Listing:
    """The pages of an owner, pinned ones first where the order is that of saving.

    Args:
        store: the library.
        owner: whose pages.
        filters: which of them.
        sort: in which order.
        limit: how many.
        offset: how many to skip; the way of people who count pages.
        cursor: ``next_cursor`` of the part before: goes on behind it, whatever was added meanwhile.

    Raises:
        InvalidQuery: the cursor is damaged, of another list, or comes with an offset.
    """
    order = "shelf" if sort == "saved" else sort
    mark = list_mark("pages", owner, sort, filters)
    part = _Part(limit + 1, offset, None, read_cursor(cursor, mark, *_KINDS[order], offset=offset))
    with store.read() as tx:
        few = few_of(tx, owner, filters)
        if few is not None:
            rows = _few_rows(tx, few, order, part)
            total, is_exact = len(few), True
        else:
            rows, total, is_exact = _many_rows(tx, owner, filters, order, part)
    shown = rows[:limit]
    return Listing(
        pages=tuple(map(as_page, shown)),
        total=total,
        is_exact=is_exact,
        next_cursor=write_cursor(mark, _key_of(shown[-1])) if shown and rows[limit:] else None,
    )


class _Part(NamedTuple):
    """A page of a list, and one row more if there are more."""

    limit: int
    offset: int
    total: int | None
    after: list[int | str]
    """The sort values of the row behind which it begins; none at the beginning."""


def _many_rows(
    tx: Tx, owner: str, filters: Filters, order: str, part: _Part
) -> tuple[list[Row], int, bool]:
    """A part of a long list; how many there are, or at least; whether that is exact."""
    # What a filter leaves is counted only where that is little: counting takes longer than all
    # the rest.
    counted = _count(tx, owner, filters) if _is_plain(filters) else None
    ids = _part_ids(tx, owner, filters, order, part._replace(total=counted))
    rows = _few_rows(tx, ids, order, _Part(part.limit, 0, None, []))
    if counted is not None:
        return rows, counted, True
    seen = part.offset + len(rows)
    if 0 < len(rows) < part.limit and not part.after:  # this is their end
        return rows, seen, True
    return rows, max(FEW + 1, seen if rows else 0), False


def _part_ids(tx: Tx, owner: str, filters: Filters, order: str, part: _Part) -> list[int]:
    """The ids of some pages of a long list, which is walked through from the nearer end."""
    limit, offset, total, after = part
    sorting = order_of(order)
    if total is not None and offset > total // 2:
        limit = max(0, min(limit, total - offset))
        offset = max(0, total - offset - limit)
        sorting = order_of(order, backwards=True)
    where, values = conditions(owner, filters)
    behind, last = _behind(order, after)
    return tx.column(
        f"SELECT p.id FROM {in_order(tx, order)} WHERE {where}{behind} ORDER BY {sorting}"
        " LIMIT ? OFFSET ?",
        *values,
        *last,
        limit,
        offset,
    )


def _few_rows(tx: Tx, ids: list[int], order: str, part: _Part) -> list[Row]:
    """A part of these pages, in an order, with the values that they are sorted by."""
    where, values = among(tx, ids)
    behind, last = _behind(order, part.after)
    keys = ", ".join(f"{key} AS key_{number}" for number, key in enumerate(_keys(order)))
    return tx.all(
        f"SELECT {PAGE_COLUMNS}, {keys} FROM {by_number(tx)} WHERE {where}{behind}"
        f" ORDER BY {order_of(order)} LIMIT ? OFFSET ?",
        *values,
        *last,
        part.limit,
        part.offset,
    )


def _key_of(row: Row) -> list[int | str]:
    return [value for name, value in row.items() if name.startswith("key_")]


def _keys(order: str) -> list[str]:
    return [part.removesuffix(" DESC") for part in _ORDERS[order]]


def _behind(order: str, after: list[int | str]) -> tuple[str, list[int | str]]:
    """That a page stands behind a row with these sort values, as SQL, and its parameters."""
    if not after:
        return "", []
    keys = _keys(order)
    if order == "domain":  # it goes up, and what is sorted within it goes down
        return (
            " AND p.domain >= ? AND (p.domain > ? OR (p.saved_at, p.id) < (?, ?))",
            [after[0], *after],
        )
    sign = "<" if _ORDERS[order][0].endswith(" DESC") else ">"
    sql = f" AND ({', '.join(keys)}) {sign} ({', '.join('?' * len(keys))})"
    if "(" not in keys[0]:
        return sql, after
    return f" AND {keys[0]} {sign}= ?{sql}", [after[0], *after]  # SQLite needs it bare


def few_of(tx: Tx, owner: str, filters: Filters) -> list[int] | None:
    """The pages that pass the filters when they are few; None when they are many.

    Many are walked through in the order that is asked for, until there are enough; to meet few
    that way one would walk through the whole library.
    """
    if tx.dialect == "postgres":  # rows are wide: the index with all that filters ask for is not
        tx.run("SET LOCAL enable_seqscan = off")
    where, values = conditions(owner, filters)
    sql = f"SELECT p.id FROM {_anyhow(tx, filters)} WHERE {where} LIMIT ?"
    ids = tx.column(sql, *values, FEW + 1)
    return ids if len(ids) <= FEW else None


def sieve(tx: Tx, owner: str, filters: Filters) -> Callable[[list[int]], list[int]]:
    """What leaves those of many pages that pass the filters; by numbers, and no page is read."""
    if filters == DEFAULT_FILTERS and not tx.numbers(f"{_OF_OTHERS} LIMIT 1", owner, owner):
        hidden = set(tx.numbers(_PUT_AWAY))
        return lambda ids: [id_ for id_ in ids if id_ not in hidden]
    where, values = conditions(owner, filters)
    shown = set(tx.numbers(f"SELECT p.id FROM {_anyhow(tx, filters)} WHERE {where}", *values))
    return lambda ids: [id_ for id_ in ids if id_ in shown]


_OF_OTHERS = "SELECT p.id FROM pages p WHERE p.owner < ? OR p.owner > ?"
_PUT_AWAY = "SELECT p.id FROM pages p WHERE p.archived = 1 OR p.deleted_at IS NOT NULL"


def few_in_order(
    tx: Tx, ids: list[int], order: str, *, limit: int, offset: int = 0
) -> tuple[Page, ...]:
    """A part of these pages, in an order."""
    return tuple(map(as_page, _few_rows(tx, ids, order, _Part(limit, offset, None, []))))


def among(tx: Tx, ids: list[int]) -> tuple[str, list[Any]]:
    """That a page is one of these, as SQL over ``pages p``, and its parameters."""
    if tx.dialect == "postgres":
        return "p.id = ANY (?)", [ids]
    return "p.id IN (SELECT value FROM json_each(?))", [write_json(ids)]


def by_number(tx: Tx) -> str:
    """The pages, for who names them by their numbers.

    Left to itself, SQLite would go through all pages of their owner.
    """
    return "pages p" + (" NOT INDEXED" if tx.dialect == "sqlite" else "")


def in_order(tx: Tx, order: str) -> str:
    """The pages as they are walked through in an order.

    PostgreSQL finds the way by the figures it has; SQLite has none, and is told.
    """
    return "pages p" + (f" INDEXED BY {_INDEXES[order]}" if tx.dialect == "sqlite" else "")


def _anyhow(tx: Tx, filters: Filters) -> str:
    """The pages in no order: from an index that knows all filters, or from the tag's."""
    if filters.tags:
        return by_number(tx)
    is_of_time = bool(filters.since or filters.until) and not filters.parser_version_not
    return in_order(tx, "saved" if is_of_time else "shelf")


def count_pages(store: Store, owner: str, filters: Filters = DEFAULT_FILTERS) -> int:
    """How many pages pass the filters."""
    with store.read() as tx:
        return _count(tx, owner, filters)


def _is_plain(filters: Filters) -> bool:
    """Whether they ask only for what every index of pages knows."""
    return filters == replace(DEFAULT_FILTERS, archived=filters.archived, deleted=filters.deleted)


def _count(tx: Tx, owner: str, filters: Filters) -> int:
    where, values = conditions(owner, filters)
    # The index of nothing else is by far the smallest.
    source = in_order(tx, "state") if _is_plain(filters) else _anyhow(tx, filters)
    return tx.value(f"SELECT count(*) FROM {source} WHERE {where}", *values)


def order_of(order: str, *, backwards: bool = False) -> str:
    """An order over ``pages p`` as SQL: one of SORTS, or ``shelf``."""
    return ", ".join(map(_turn_round, _ORDERS[order]) if backwards else _ORDERS[order])


def _turn_round(part: str) -> str:
    return part.removesuffix(" DESC") if part.endswith(" DESC") else f"{part} DESC"


def walk_pages(
    store: Store,
    owner: str,
    filters: Filters = DEFAULT_FILTERS,
    *,
    batch: int = 200,
) -> Iterator[Page]:
    """All pages by their numbers; others may write meanwhile."""
    after = 0
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
        f"SELECT {PAGE_COLUMNS} FROM {by_number(tx)} WHERE {where} AND p.id > ?"
        " ORDER BY p.id LIMIT ?",
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
        key = host_key(filters.domain.lower().strip(".").removeprefix("www."))
        found.append(("p.host_key >= ? AND p.host_key < ?", (key, key[:-1] + "/")))
    for tag in filters.tags:
        in_tags = "p.id IN (SELECT t.page_id FROM tags t WHERE t.name = ?)"
        found.append((in_tags, (tag_name(tag),)))
    for tag in filters.not_tags:
        not_in_tags = "p.id NOT IN (SELECT t.page_id FROM tags t WHERE t.name = ?)"
        found.append((not_in_tags, (tag_name(tag),)))
    found += _of_others(filters)
    if filters.min_reliability is not None:
        reliable = (
            "p.source_id IN (SELECT s.id FROM sources s WHERE s.owner = ? AND s.reliability >= ?)"
        )
        found.append((reliable, (owner, filters.min_reliability)))
    sql = " AND ".join(text for text, _ in found)
    return sql, [value for _, values in found for value in values]


_TRAITS = {
    "teaser": """CAST(p.metadata AS TEXT) LIKE '%"teaser":%'""",
    "watched": "EXISTS (SELECT 1 FROM watches w WHERE w.owner = p.owner AND w.url = p.url)",
    "failing": "EXISTS (SELECT 1 FROM watches w WHERE w.owner = p.owner AND w.url = p.url"
    " AND w.failures > 0)",
    "note": "EXISTS (SELECT 1 FROM notes n WHERE n.page_id = p.id)",
    "highlight": "EXISTS (SELECT 1 FROM highlights h WHERE h.page_id = p.id)",
    "price": "EXISTS (SELECT 1 FROM prices r WHERE r.page_id = p.id)",
}
_LAST_PRICE = (
    "EXISTS (SELECT 1 FROM prices r WHERE r.page_id = p.id AND r.held = 0 AND r.at = (SELECT"
    " max(o.at) FROM prices o WHERE o.page_id = p.id AND o.held = 0)"
    " AND CAST(r.amount AS DOUBLE PRECISION) {} ?)"
)


def _of_others(filters: Filters) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """What other tables know of a page."""
    for trait in filters.traits:
        sql = _TRAITS[trait.removeprefix("-")]
        yield f"NOT {sql}" if trait.startswith("-") else sql, ()
    for name, sign in (("changed_since", ">="), ("changed_until", "<")):
        if value := getattr(filters, name):
            changed = f"SELECT 1 FROM changes c WHERE c.page_id = p.id AND c.created_at {sign} ?"
            yield f"EXISTS ({changed})", (value,)
    for name, sign in (("min_price", ">="), ("max_price", "<=")):
        value = getattr(filters, name)
        if value is not None:
            yield _LAST_PRICE.format(sign), (value,)


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
        ("p.word_count >= ?", filters.min_words),
        ("p.parser_version <> ?", filters.parser_version_not),
    )
    found = [(sql, (value,)) for sql, value in given if value]
    if filters.max_words is not None:
        found.append(("p.word_count <= ?", (filters.max_words,)))
    return iter(found)
