"""Full-text search, with the same answer from both databases.

Pages with all the words in the title come first, then those that have them in title, description,
tags, notes, author and address, then all others; in each of these the page saved last is first.
That can be said in both databases, and read off their indexes; their own ranks cannot be compared.

How it is done depends on how much there is. Where few pages pass the filters, or the index of
words names few, these are looked into one by one. Otherwise the index is asked tier by tier, and
its answers are held against the filters only until there are enough; or, where another order is
asked for, the pages are walked through in that order until there are. PostgreSQL has no order in
its index of words: where a tier has many pages, the newest ones are looked into before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import unpack_text
from pageloom.edges.store.listing import (
    SHELF,
    Filters,
    Sort,
    among,
    by_number,
    conditions,
    few_in_order,
    few_of,
    in_order,
    order_of,
)
from pageloom.edges.store.pages import PAGE_COLUMNS, Page, as_page
from pageloom.edges.store.query import Query, Term, in_fts5, in_tsquery, read_query, shorten, thin
from pageloom.edges.store.snippets import Snippet, make_snippet
from pageloom.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store, Tx

MANY = 1_000
"""Where the index names more pages than these, they are not counted, sorted and looked into."""
_LOOKED_INTO = 100
"""So many of them are, to tell how many are hits at least, where the index cannot."""
_LAST, _NEWEST = 2_000, 200
"""So far below the last number pages are new; so many of them are looked into."""
_SCOPES = (("title",), ("title", "about", "own"), ("title", "about", "own", "body"))
"""Where the words are, for each tier."""
_PLACES = ("t", "ta", "")
"""The same as PostgreSQL's index knows them."""

Sql = tuple[str, list[Any]]


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


@dataclass(frozen=True, slots=True)
class _Ask:
    """A search: what for, and among which pages."""

    query: Query
    where: str
    values: list[Any]
    sort: Sort | None
    limit: int
    offset: int
    between: tuple[int, int] | tuple[()] = ()
    """The numbers between which all pages are that the filters leave, where that is known."""


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
    where, values = conditions(owner, filters)
    ask = _Ask(query, where, values, sort, limit + 1, offset)
    with store.read() as tx:
        few = few_of(tx, owner, filters)
        _steer(tx, "seqscan", "hashjoin", "mergejoin")
        is_vague = sort is None and _is_vague(tx, query)
        named = {} if few is not None or is_vague else _named(tx, query)
        if few is None and (is_vague or len(named) > _many(tx, query)):
            ask = replace(ask, between=_numbers(tx, owner, filters))
            pages = _walk(tx, ask, sort) if sort else _best(tx, ask, named)
            is_exact = len(pages) <= limit and (bool(pages) or not offset)  # these are the last
            counted = 0 if is_exact or is_vague else _count(tx, ask, list(named))
            total = max(counted, offset + len(pages) if pages else 0)
        else:
            found = _look_into(tx, ask, few, named)
            pages, total, is_exact = _part(tx, ask, found), len(found), True
        hits = _hits(tx, pages[:limit], query)
    return Hits(hits=tuple(hits), total=total, is_exact=is_exact, more=len(pages) > limit)


def _is_vague(tx: Tx, query: Query) -> bool:
    """Whether the index of words says little of how many hits there are.

    That is so of a word beside one of which only the beginning is known: PostgreSQL knows who has
    both, and to tell how many do takes it as long as to find the best hits among them.
    """
    return tx.dialect == "postgres" and query.has_open_pairs and not query.has_pairs


def _many(tx: Tx, query: Query) -> int:
    """Above how many pages there are many; for each of several phrases SQLite looks longer."""
    phrases = sum(any(term.is_phrase for term in group) for group in query.groups)
    return MANY // max(1, phrases) if tx.dialect == "sqlite" else MANY


def _steer(tx: Tx, *ways: str) -> None:
    """Keep PostgreSQL from ways that are not good here.

    It takes a word that it has no figures on for a frequent one, and would read whole tables.
    """
    if tx.dialect == "postgres":
        tx.run("; ".join(f"SET LOCAL enable_{way} = off" for way in ways))


def _numbers(tx: Tx, owner: str, filters: Filters) -> tuple[int, int] | tuple[()]:
    """Between which numbers the pages saved in the time that is asked for are."""
    if not (filters.since or filters.until):
        return ()
    # The sums keep both databases from looking for the numbers in the order of numbers.
    row = tx.one(
        "SELECT min(p.id + 0) AS first, max(p.id + 0) AS last FROM pages p"
        " WHERE p.owner = ? AND p.saved_at >= ? AND p.saved_at < ?",
        owner,
        filters.since,
        filters.until or "9",
    )
    return (row["first"], row["last"]) if row and row["last"] else (0, 0)


def _named(tx: Tx, query: Query) -> dict[int, int]:
    """The pages that the index of words names, with their tiers; not all where they are many."""
    if tx.dialect == "sqlite":
        return dict.fromkeys(_in_fts5(tx, query), 2)  # their text will tell
    sql = "SELECT page_id FROM search WHERE words @@ CAST(? AS tsquery) LIMIT ?"
    tiers: dict[int, int] = {}
    # PostgreSQL gathers all that the index has before it tells the first. Of titles that is less,
    # except where there are pairs of words: then it is little in any case.
    for tier in range(2 if query.has_pairs else 0, 3):
        match = in_tsquery(query, _PLACES[tier])
        tiers = dict.fromkeys(tx.column(sql, match, MANY + 1), tier) | tiers
        if len(tiers) > MANY:
            break
    return tiers


def _in_fts5(tx: Tx, query: Query) -> list[int]:
    # Each further word of a phrase takes as long as the first, in vain where a part of it is in few
    # pages: these are looked into in any case.
    short = shorten(query)
    named = _in_index(tx, short)
    if len(named) <= _many(tx, short) or short == query:
        return named
    # Now the whole phrases: in the text of those, and in the index of what is behind them.
    test, runs = _test(tx, query, 2)
    where, values = among(tx, named)
    sql = f"SELECT p.id FROM {by_number(tx)} JOIN search s ON s.page_id = p.id WHERE {where}"
    return [*tx.column(f"{sql} AND {test}", *values, *runs), *_in_index(tx, query, named[-1])]


def _in_index(tx: Tx, query: Query, after: int = 0) -> list[int]:
    sql = "SELECT rowid FROM search_index WHERE search_index MATCH ? AND rowid > ? LIMIT ?"
    return tx.column(sql, in_fts5(query), after, _many(tx, query) + 1)


def _count(tx: Tx, ask: _Ask, named: list[int]) -> int:
    """How many of the pages that the index names are hits, at least."""
    phrases, runs = _phrases(tx, ask.query, 2)
    where, values = among(tx, named[:_LOOKED_INTO] if phrases else named)
    source = by_number(tx) + (" JOIN search s ON s.page_id = p.id" if phrases else "")
    return tx.value(
        f"SELECT count(*) FROM {source} WHERE {where} AND {ask.where}{phrases}",
        *values,
        *ask.values,
        *runs,
    )


def _look_into(
    tx: Tx, ask: _Ask, few: list[int] | None, named: dict[int, int]
) -> list[tuple[int, int]]:
    """The hits among few pages, which pass the filters, or among those that the index names.

    Returns:
        The tier and the number below zero of each, the best first.
    """
    _steer(tx, "bitmapscan")
    if few is None and tx.dialect == "postgres" and not ask.query.has_phrases:
        where, values = among(tx, list(named))
        sql = f"SELECT p.id FROM {by_number(tx)} WHERE {where} AND {ask.where}"
        return sorted((named[number], -number) for number in tx.column(sql, *values, *ask.values))
    best, good, any_ = (_test(tx, ask.query, tier) for tier in range(3))
    if few is None:
        phrases, runs = _phrases(tx, ask.query, 2)
        if tx.dialect == "sqlite" and ask.query != shorten(ask.query):
            phrases, runs = f" AND {any_[0]}", any_[1]
        any_ = ask.where + phrases, [*ask.values, *runs]
    where, values = among(tx, list(named) if few is None else few)
    rows = tx.all(
        f"SELECT p.id, CASE WHEN {best[0]} THEN 0 WHEN {good[0]} THEN 1 ELSE 2 END AS tier"
        f" FROM {by_number(tx)} JOIN search s ON s.page_id = p.id WHERE {where} AND {any_[0]}",
        *best[1],
        *good[1],
        *values,
        *any_[1],
    )
    return sorted((row["tier"], -row["id"]) for row in rows)


def _part(tx: Tx, ask: _Ask, found: list[tuple[int, int]]) -> Sequence[Page]:
    """The part of the hits that is asked for, in the order that is asked for."""
    ids = [-number for _, number in found]
    if ask.sort:
        return few_in_order(tx, ids, ask.sort, limit=ask.limit, offset=ask.offset)
    best = ids[ask.offset :][: ask.limit]
    place = {number: at for at, number in enumerate(best)}
    pages = few_in_order(tx, best, "saved", limit=len(best))
    return sorted(pages, key=lambda page: place[page.id])


def _test(tx: Tx, query: Query, tier: int) -> Sql:
    """Whether a row of ``search s`` belongs to a tier or a better one."""
    if tx.dialect == "sqlite":
        return _stand(query.groups, query.excluded, tier, "instr")
    # The phrases first: they are in the text, and all the words are a longer read.
    sql, values = _phrases(tx, query, tier)
    words = "s.words @@ CAST(? AS tsquery)"
    return f"(TRUE{sql} AND {words})", [*values, in_tsquery(query, _PLACES[tier])]


def _phrases(tx: Tx, query: Query, tier: int) -> Sql:
    """What the index of words cannot say: that words of a row stand side by side."""
    if tx.dialect == "sqlite" or not query.has_phrases:
        return "", []
    groups = [group for group in query.groups if any(term.is_phrase for term in group)]
    sql, values = _stand(
        groups, [term for term in query.excluded if term.is_phrase], tier, "strpos"
    )
    return f" AND {sql}", values


def _stand(groups: Sequence[Sequence[Term]], excluded: Sequence[Term], tier: int, find: str) -> Sql:
    """That a term of each group stands in the text of a row, and no excluded one."""
    here, anywhere = (
        " OR ".join(f"{find}(s.{column}, ?) > 0" for column in _SCOPES[number])
        for number in (tier, 2)
    )
    parts = ["(" + " OR ".join(here for _ in group) + ")" for group in groups]
    parts += [f"NOT ({anywhere})" for _ in excluded]
    values = [term.run for group in groups for term in group for _ in _SCOPES[tier]]
    values += [term.run for term in excluded for _ in _SCOPES[2]]
    return f"({' AND '.join(parts)})", values


def _matches(tx: Tx, query: Query) -> list[str]:
    """What the index is asked for each tier, with all better ones."""
    if tx.dialect == "sqlite":
        return [in_fts5(query, columns) for columns in ("title", "title about own", "")]
    return [in_tsquery(query, places) for places in _PLACES]


def _walk(tx: Tx, ask: _Ask, sort: Sort) -> Sequence[Page]:
    """Pages in another order, until enough of them are hits."""
    _steer(tx, "bitmapscan")
    test, runs = _test(tx, ask.query, 2)
    rows = tx.all(
        f"SELECT {PAGE_COLUMNS} FROM {in_order(tx, sort)} CROSS JOIN search s"
        f" WHERE s.page_id = p.id AND {ask.where} AND {test}"
        f" ORDER BY {order_of(sort)} LIMIT ? OFFSET ?",
        *ask.values,
        *runs,
        ask.limit,
        ask.offset,
    )
    return list(map(as_page, rows))


def _best(tx: Tx, ask: _Ask, named: dict[int, int]) -> list[Page]:
    """Tier after tier, until there are enough."""
    found: list[Page] = []
    offset = ask.offset
    whole = _whole_tiers(tx, ask.query, named)
    for tier in range(3):
        if tx.dialect == "postgres" and tier == whole == max(named.values(), default=None):
            left = replace(ask, limit=ask.limit - len(found), offset=offset)
            newest = _newest(tx, left, tier)
            if len(newest) == left.limit:
                return found + newest
        sql, values = _known(ask, named, tier) if tier < whole else _tier(tx, ask, tier)
        rows = tx.all(
            f"SELECT {PAGE_COLUMNS}{sql} ORDER BY c.id DESC LIMIT ? OFFSET ?",
            *values,
            ask.limit - len(found),
            offset,
        )
        found += map(as_page, rows)
        if len(found) >= ask.limit:
            break
        if offset:
            offset = 0 if rows else max(0, offset - tx.value("SELECT count(*)" + sql, *values))
    return found


def _whole_tiers(tx: Tx, query: Query, named: dict[int, int]) -> int:
    """Of how many tiers all pages are named: PostgreSQL is asked for one after the other."""
    if tx.dialect == "sqlite" or query.has_phrases:
        return 0
    return max(named.values(), default=0)


def _known(ask: _Ask, named: dict[int, int], tier: int) -> Sql:
    """The hits of a tier of which all pages are named."""
    sql = " FROM unnest(CAST(? AS bigint[])) AS c (id) JOIN pages p ON p.id = c.id WHERE "
    return sql + ask.where, [[id_ for id_, at in named.items() if at == tier], *ask.values]


def _newest(tx: Tx, ask: _Ask, tier: int) -> list[Page]:
    """Hits of a tier among the last pages: where many pages are in it, enough.

    To tell the last of them PostgreSQL would gather and sort them all.
    """
    last = ask.between[1] if ask.between else tx.value("SELECT max(id) FROM pages")
    test, runs = _stand(ask.query.groups, ask.query.excluded, tier, "strpos")
    if tier:
        better, more = _stand(ask.query.groups, (), tier - 1, "strpos")
        test, runs = f"{test} AND NOT {better}", [*runs, *more]
    rows = tx.all(
        f"SELECT {PAGE_COLUMNS} FROM (SELECT p.* FROM pages p WHERE p.id BETWEEN ? AND ?"
        f" AND {ask.where} ORDER BY p.id DESC LIMIT {_NEWEST}) AS p"
        f" JOIN search s ON s.page_id = p.id WHERE {test} ORDER BY p.id DESC LIMIT ? OFFSET ?",
        last - _LAST,
        last,
        *ask.values,
        *runs,
        ask.limit,
        ask.offset,
    )
    return list(map(as_page, rows))


def _tier(tx: Tx, ask: _Ask, tier: int) -> Sql:
    """The hits of one tier: those that the index names for it, but not for a better one."""
    if tx.dialect == "sqlite" and tier < 2 and thin(ask.query) != ask.query:
        return _thin_tier(tx, ask, tier)
    matches = _matches(tx, ask.query)
    match = matches[tier]
    if tx.dialect == "sqlite":
        if tier:
            match = f"({match}) NOT ({matches[tier - 1]})"
        sql = (
            " FROM (SELECT rowid AS id FROM search_index WHERE search_index MATCH ?"
            + (" AND rowid BETWEEN ? AND ?" if ask.between else "")
            + " ORDER BY rowid DESC) AS c"
            " CROSS JOIN pages p ON p.id = c.id WHERE "
        )
        return sql + ask.where, [match, *ask.between, *ask.values]
    phrases, runs = _phrases(tx, ask.query, tier)
    if tier and not phrases:
        match = f"{match} & !({matches[tier - 1]})"
    elif tier:
        better, more = _test(tx, ask.query, tier - 1)
        phrases, runs = f"{phrases} AND NOT {better}", [*runs, *more]
    # The sum keeps PostgreSQL from walking backwards through all pages to spare itself the sorting.
    sql = (
        " FROM (SELECT page_id + 0 AS id FROM search WHERE words @@ CAST(? AS tsquery)"
        + (" AND page_id + 0 BETWEEN ? AND ?" if ask.between else "")
        + " ORDER BY 1 DESC) AS c JOIN pages p ON p.id = c.id"
        + (" JOIN search s ON s.page_id = c.id" if phrases else "")
    )
    return f"{sql} WHERE {ask.where}{phrases}", [match, *ask.between, *ask.values, *runs]


def _thin_tier(tx: Tx, ask: _Ask, tier: int) -> Sql:
    """The same for many words: few pages have even the rarest of them in title or description.

    Each further word takes SQLite as long as the first, the text of those pages less.
    """
    test, runs = _test(tx, ask.query, tier)
    if tier:
        better, more = _test(tx, ask.query, tier - 1)
        test, runs = f"{test} AND NOT {better}", [*runs, *more]
    sql = (
        " FROM (SELECT rowid AS id FROM search_index WHERE search_index MATCH ?"
        + (" AND rowid BETWEEN ? AND ?" if ask.between else "")
        + " ORDER BY rowid DESC) AS c CROSS JOIN search s ON s.page_id = c.id"
        f" CROSS JOIN pages p ON p.id = c.id WHERE {test} AND {ask.where}"
    )
    match = _matches(tx, thin(ask.query))[tier]
    return sql, [match, *ask.between, *runs, *ask.values]


def _hits(tx: Tx, pages: Sequence[Page], query: Query) -> list[Hit]:
    """The pages, each with the place in its last version that shows why it was found."""
    where, values = among(tx, [page.id for page in pages])
    rows = tx.all(
        f"SELECT p.id, v.document FROM {by_number(tx)} CROSS JOIN versions v"
        f" WHERE {where} AND v.page_id = p.id AND v.line = '' AND v.number = p.version",
        *values,
    )
    documents = {row["id"]: row["document"] for row in rows}
    return [
        Hit(page=page, snippet=_snippet(tx, page, documents.get(page.id), query)) for page in pages
    ]


def _snippet(tx: Tx, page: Page, data: bytes | None, query: Query) -> Snippet:
    try:
        text = unpack_text(bytes(data)) if data else ""
    except StorageError:  # the page is found all the same
        text = ""
    words = [word for group in query.groups for term in group for word in term.words]
    shown = make_snippet(text, words)
    if shown.marks:
        return shown
    notes = tx.all("SELECT text FROM notes WHERE page_id = ? ORDER BY id", page.id)
    noted = make_snippet("\n".join(note["text"] for note in notes), words)
    return noted if noted.marks else shown
