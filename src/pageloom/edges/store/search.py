"""Full-text search, with the same answer from both databases.

Pages with all the words in the title come first, then those that have them in title, description,
tags, author and address, then all others; in each of these the page saved last is first. That can
be said in both databases, and read off their indexes without sorting; their own ranks cannot be
compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import unpack_text
from pageloom.edges.store.listing import SHELF, Filters, Sort, conditions, order_of
from pageloom.edges.store.pages import PAGE_COLUMNS, Page, as_page
from pageloom.edges.store.query import Query, in_fts5, in_tsquery, read_query
from pageloom.edges.store.snippets import Snippet, make_snippet
from pageloom.errors import StorageError

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx

COUNTED = 1_000
"""More hits than these are not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A page that was found, and the place in it that shows why."""

    page: Page
    snippet: Snippet


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """What was found; ``total`` counts no further than 1,000."""

    hits: tuple[Hit, ...]
    total: int
    more: bool
    """Whether there are hits behind these."""


@dataclass(frozen=True, slots=True)
class _Ask:
    """A search as one database reads it."""

    tiers: tuple[str, ...]
    whole: str
    source: str
    where: str
    values: list[Any]


def search(  # noqa: PLR0913  what a search page has
    store: Store,
    owner: str,
    text: str,
    filters: Filters = SHELF,
    *,
    sort: Sort | None = None,
    limit: int = 20,
    offset: int = 0,
) -> Hits:
    """The pages that a search finds.

    Args:
        store: the library.
        owner: whose pages.
        text: as ``query`` explains.
        filters: which pages only.
        sort: another order than the best first.
        limit: how many.
        offset: how many to pass over.

    Raises:
        InvalidQuery: there is no word to look for.
    """
    query = read_query(text)
    with store.read() as tx:
        _trust_the_index(tx)
        ask = _ask(tx.dialect, query, owner, filters)
        total = _count(tx, ask)
        pages = (
            _ordered(tx, ask, sort, limit + 1, offset)
            if sort
            else _best(tx, ask, limit + 1, offset)
        )
        hits = [Hit(page=page, snippet=_snippet(tx, page, query)) for page in pages[:limit]]
    return Hits(hits=tuple(hits), total=total, more=len(pages) > limit)


def _trust_the_index(tx: Tx) -> None:
    """Let PostgreSQL begin with its index of words.

    It takes a word that it has no figures on for a frequent one, and would read the pages from the
    last backwards until it has met enough of them: all of them, where the word is rare.
    """
    if tx.dialect == "postgres":
        for way in ("enable_seqscan", "enable_indexscan", "jit"):
            tx.run(f"SET LOCAL {way} = off")


def _ask(dialect: str, query: Query, owner: str, filters: Filters) -> _Ask:
    where, values = conditions(owner, filters)
    phrases, runs = _phrases(query, "instr" if dialect == "sqlite" else "strpos")
    if dialect == "sqlite":
        whole, in_title, in_about = (
            in_fts5(query, columns) for columns in ("", "title", "title about")
        )
        tiers = (in_title, f"({in_about}) NOT ({in_title})", f"({whole}) NOT ({in_about})")
        source = (
            " FROM search_index i CROSS JOIN pages p ON p.id = i.rowid"
            + (" CROSS JOIN search s ON s.page_id = i.rowid" if runs else "")
            + " WHERE search_index MATCH ? AND "
        )
    else:
        whole, in_title, in_about = (in_tsquery(query, places) for places in ("", "t", "ta"))
        tiers = (in_title, f"{in_about} & !({in_title})", f"{whole} & !({in_about})")
        source = (
            " FROM search s JOIN pages p ON p.id = s.page_id"
            " WHERE s.words @@ CAST(? AS tsquery) AND "
        )
    return _Ask(tiers, whole, source, where + phrases, [*values, *runs])


def _phrases(query: Query, find: str) -> tuple[str, list[str]]:
    """That the words of each phrase stand side by side, somewhere."""
    places = (f"{find}(s.{column}, ?) > 0" for column in ("title", "about", "body"))
    stands = f"({' OR '.join(places)})"
    sql: list[str] = []
    runs: list[str] = []
    wanted = (group for group in query.groups if any(term.is_phrase for term in group))
    for group in wanted:
        sql.append(" AND (" + " OR ".join(stands for _ in group) + ")")
        runs += [run for term in group for run in (term.run,) * 3]
    for term in query.excluded:
        if term.is_phrase:
            sql.append(f" AND NOT {stands}")
            runs += [term.run] * 3
    return "".join(sql), runs


def _count(tx: Tx, ask: _Ask) -> int:
    sql = "SELECT count(*) FROM (SELECT 1" + ask.source + ask.where + " LIMIT ?) AS found"
    return tx.value(sql, ask.whole, *ask.values, COUNTED)


def _ordered(tx: Tx, ask: _Ask, sort: Sort, limit: int, offset: int) -> list[Page]:
    sql = (
        "SELECT "
        + PAGE_COLUMNS
        + ask.source
        + ask.where
        + " ORDER BY "
        + order_of(sort)
        + " LIMIT ? OFFSET ?"
    )
    return list(map(as_page, tx.all(sql, ask.whole, *ask.values, limit, offset)))


def _best(tx: Tx, ask: _Ask, limit: int, offset: int) -> list[Page]:
    """Tier after tier, until there are enough."""
    key = "i.rowid" if tx.dialect == "sqlite" else "s.page_id"
    sql = (
        "SELECT "
        + PAGE_COLUMNS
        + ask.source
        + ask.where
        + " ORDER BY "
        + key
        + " DESC LIMIT ? OFFSET ?"
    )
    found: list[Page] = []
    for tier in ask.tiers:
        rows = tx.all(sql, tier, *ask.values, limit - len(found), offset)
        found += map(as_page, rows)
        if len(found) >= limit:
            break
        if offset:
            offset = 0 if rows else max(0, offset - _size(tx, ask, tier))
    return found


def _size(tx: Tx, ask: _Ask, tier: str) -> int:
    return tx.value("SELECT count(*)" + ask.source + ask.where, tier, *ask.values)


def _snippet(tx: Tx, page: Page, query: Query) -> Snippet:
    data = tx.value(
        "SELECT document FROM versions WHERE page_id = ? AND line = '' AND number = ?",
        page.id,
        page.version,
    )
    try:
        text = unpack_text(bytes(data)) if data else ""
    except StorageError:  # the page is found all the same
        text = ""
    words = [word for group in query.groups for term in group for word in term.words]
    return make_snippet(text, words)
