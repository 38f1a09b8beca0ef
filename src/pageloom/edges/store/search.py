"""Full-text search, with the same answer from both databases.

Pages with all the words in the title come first, then those that have them in title, description,
tags, notes, author and address, then all others; in each of these the page saved last is first.
That can be said in both databases, and read off their indexes; their own ranks cannot be compared.

How it is done depends on how much there is. Where few pages pass the filters, or the index of
words names few, these are looked into one by one. Otherwise the index is asked tier by tier, and
its answers are held against the filters only until there are enough; or, where another order is
asked for, the pages are walked through in that order until there are. SQLite has an index of its
own for the first two tiers. PostgreSQL has no order in its index of words: where a tier has many
pages, the newest ones are looked into before, and where its figures say that most pages have all
the words, it is not asked for them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import write_json
from pageloom.edges.store.cursors import list_mark, read_cursor, write_cursor
from pageloom.edges.store.listing import (
    among,
    by_number,
    conditions,
    few_in_order,
    few_of,
    in_order,
    order_of,
    sieve,
)
from pageloom.edges.store.pages import PAGE_COLUMNS, as_page
from pageloom.edges.store.search_hits import show_hits
from pageloom.edges.store.search_query import (
    Query,
    Term,
    in_fts5,
    in_tsquery,
    loosen,
    read_query,
    shorten,
    with_forms,
)
from pageloom.model.pages import DEFAULT_FILTERS, Filters, Hits, Page, Sort

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store, Tx

MANY = 1_000
"""Where the index names more pages than these, they are not counted, sorted and looked into."""
_FEW_WORDS, _MOST = 3, 3 * MANY
"""Where more words are asked for, and PostgreSQL takes more pages to have them all, many do."""
_LOOKED_INTO = 100
"""So many of them are, to tell how many are hits at least, where the index cannot."""
_LAST, _NEWEST = 2_000, 200
"""So far below the last number pages are new; so many of them are looked into."""
_SCOPES = (("title",), ("title", "about", "own"), ("title", "about", "own", "body"))
"""Where the words are, for each tier."""
_PLACES = ("t", "a", "")
"""The same as PostgreSQL's index knows them."""

Sql = tuple[str, list[Any]]


@dataclass(frozen=True, slots=True)
class _Named:
    """The pages that the index of words names."""

    tiers: dict[int, int]
    """The tier of each, as far as that is known; not all pages where they are many."""
    are_many: bool
    crowded: int | None = None
    """The tier that has many pages, where those of all better ones are named."""


@dataclass(frozen=True, slots=True)
class _Ask:
    """A search: what for, and among which pages."""

    query: Query
    owner: str
    filters: Filters
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
    filters: Filters = DEFAULT_FILTERS,
    *,
    sort: Sort | None = None,
    limit: int = 20,
    offset: int = 0,
    cursor: str = "",
) -> Hits:
    """The pages that a search finds.

    Args:
        store: the library.
        owner: whose pages.
        text: as ``query`` explains.
        filters: which pages only.
        sort: another order than the best first.
        limit: how many.
        offset: how many to skip.
        cursor: ``next_cursor`` of the hits before. Hits are ranked anew by every search, so it goes
            on at a place and not behind a page: what is added meanwhile may move it.

    Raises:
        InvalidQuery: the search has no words; the cursor is damaged, of another search, or comes
            with an offset.
    """
    plain = read_query(text)
    mark = list_mark("search", owner, text, filters, sort)
    if place := read_cursor(cursor, mark, int, offset=offset):
        offset = max(0, int(place[0]))
    where, values = conditions(owner, filters)
    with store.read() as tx:
        query = with_forms(plain, _languages(tx, owner, filters))
        ask = _Ask(query, owner, filters, where, values, sort, limit + 1, offset)
        few = few_of(tx, owner, filters)
        _steer(tx, "seqscan", "hashjoin", "mergejoin")
        named = _Named({}, are_many=False) if few is not None else _named(tx, query, sort)
        if named.are_many:
            ask = replace(ask, between=_numbers(tx, owner, filters))
            is_far = offset > MANY and (tx.dialect == "sqlite" or not query.has_phrases)
            find = _far if is_far else _best
            pages = _walk(tx, ask, sort) if sort else find(tx, ask, named)
            is_exact = len(pages) <= limit and (bool(pages) or not offset)  # these are the last
            counted = 0 if is_exact else _count(tx, ask, named)
            total = max(counted, offset + len(pages) if pages else 0)
        else:
            found = _look_into(tx, ask, few, named.tiers)
            pages, total, is_exact = _part(tx, ask, found), len(found), True
        hits = show_hits(tx, pages[:limit], query)
    more = len(pages) > limit
    return Hits(
        hits=tuple(hits),
        total=total,
        is_exact=is_exact,
        more=more,
        next_cursor=write_cursor(mark, [offset + limit]) if more else None,
    )


def suggest(store: Store, owner: str, text: str, filters: Filters = DEFAULT_FILTERS) -> str:
    """A search with beginnings of the same words that finds something; empty where none does."""
    for cut in (0, 2):
        looser = loosen(text, cut)
        if looser != text and search(store, owner, looser, filters, limit=1).hits:
            return looser
    return ""


_LANGUAGES = """
WITH RECURSIVE known (code) AS (
  SELECT min(substr(language, 1, 2)) FROM pages WHERE owner = ?
  UNION ALL
  SELECT (SELECT min(substr(p.language, 1, 2)) FROM pages p
    WHERE p.owner = ? AND substr(p.language, 1, 2) > known.code)
  FROM known WHERE known.code IS NOT NULL
)
SELECT code FROM known WHERE code <> ''
"""


def _languages(tx: Tx, owner: str, filters: Filters) -> list[str]:
    """The languages of the pages that may be found, by an index of them."""
    if filters.language:
        return [filters.language[:2].lower()]
    return tx.column(_LANGUAGES, owner, owner)


def _many(tx: Tx, query: Query) -> int:
    """Above how many pages there are many; for each of several phrases SQLite looks longer."""
    phrases = sum(any(term.is_phrase for term in group) for group in query.groups)
    return MANY // max(1, phrases) if tx.dialect == "sqlite" else MANY


def _steer(tx: Tx, *ways: str) -> None:
    """Keep PostgreSQL from ways that are not good here.

    It takes a word that it has no figures on for a frequent one, and would read whole tables.
    """
    if tx.dialect == "postgres":
        order = "SET LOCAL join_collapse_limit = 1"  # tables as they are written: text is read last
        tx.run("; ".join([order, *(f"SET LOCAL enable_{way} = off" for way in ways)]))


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


def _named(tx: Tx, query: Query, sort: Sort | None) -> _Named:
    """The pages that the index of words names, unless it would name too many."""
    if tx.dialect == "sqlite":
        tiers = dict.fromkeys(_in_fts5(tx, query), 2)  # their text will tell
        are_many = len(tiers) > _many(tx, query)
        heads = _in_heads(tx, query) if are_many and not sort else None
        return _Named(tiers | (heads or {}), are_many, crowded=None if heads is None else 2)
    # A word beside one of which only the beginning is known: the index knows who has both, and to
    # tell how many do takes as long as to find the best hits among them.
    is_vague = query.has_open_pairs and not query.has_pairs
    is_common = not query.has_phrases and _is_common(tx, query)
    if is_common if sort else is_vague:
        return _Named({}, are_many=True)
    sql = "SELECT page_id FROM search WHERE words @@ CAST(? AS tsquery) LIMIT ?"
    found: dict[int, int] = {}
    # PostgreSQL gathers all that the index has before it tells the first. Of titles that is less,
    # except where there are pairs of words: then it is little in any case.
    for tier in range(2 if query.has_pairs else 0, 3):
        if is_common and tier == 2:
            return _Named(found, are_many=True, crowded=2)
        match = in_tsquery(query, _PLACES[tier])
        found = dict.fromkeys(tx.column(sql, match, MANY + 1), tier) | found
        if len(found) > MANY:
            return _Named(found, are_many=True, crowded=None if query.has_phrases else tier)
    return _Named(found, are_many=False)


def _is_common(tx: Tx, query: Query) -> bool:
    """Whether PostgreSQL's figures say that many pages have all of many words.

    To name these it would take longer than for all the rest.
    """
    if len(query.groups) <= _FEW_WORDS:
        return False
    sql = "EXPLAIN SELECT page_id FROM search WHERE words @@ CAST(? AS tsquery)"
    guess = re.search(r"rows=(\d+)", tx.value(sql, in_tsquery(query)))
    return guess is not None and int(guess[1]) > _MOST


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


def _in_heads(tx: Tx, query: Query) -> dict[int, int] | None:
    """All pages of the first two tiers, where SQLite's index of these names few."""
    if query.excluded and not query.is_long:
        return None
    wanted = replace(query, excluded=())  # that may be anywhere: their text will tell
    sql = "SELECT rowid FROM search_heads WHERE search_heads MATCH ? LIMIT ?"
    ids = tx.column(sql, in_fts5(wanted), MANY + 1)
    if len(ids) > MANY:
        return None
    best, good = (_test(tx, query, tier) for tier in range(2))
    where, values = among(tx, ids)
    rows = tx.all(
        f"SELECT p.id, {best[0]} AS is_best FROM {by_number(tx)} JOIN search s ON s.page_id = p.id"
        f" WHERE {where} AND {good[0]}",
        *best[1],
        *values,
        *good[1],
    )
    return {row["id"]: 0 if row["is_best"] else 1 for row in rows}


def _count(tx: Tx, ask: _Ask, named: _Named) -> int:
    """How many of the pages that the index names, or else of the last ones, are hits, at least."""
    ids = list(named.tiers)
    test, runs = _phrases(tx, ask.query, 2)
    if len(ids) <= MANY and tx.dialect == "postgres":
        last = _last(tx, ask)
        ids = list({*ids, *range(last - _NEWEST, last + 1)})
        test, runs = _test(tx, ask.query, 2)
        test = f" AND {test}"
    elif test:
        ids = ids[:_LOOKED_INTO]
    where, values = among(tx, ids)
    source = by_number(tx) + (" JOIN search s ON s.page_id = p.id" if test else "")
    return tx.value(
        f"SELECT count(*) FROM {source} WHERE {where} AND {ask.where}{test}",
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
    return _pages(tx, ids[ask.offset :][: ask.limit])


def _pages(tx: Tx, ids: list[int]) -> list[Page]:
    """These pages, as they stand there."""
    place = {number: at for at, number in enumerate(ids)}
    pages = few_in_order(tx, ids, "saved", limit=len(ids))
    return sorted(pages, key=lambda page: place[page.id])


def _test(tx: Tx, query: Query, tier: int) -> Sql:
    """Whether a row of ``search s`` belongs to a tier or a better one."""
    if tx.dialect == "sqlite":
        return _stand(query.groups, query.excluded, tier, "instr")
    # The phrases first: they are in the text, and all the words are a longer read.
    sql, values = _phrases(tx, query, tier)
    if query.is_all_phrases:
        return f"(TRUE{sql})", values
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


def _best(tx: Tx, ask: _Ask, named: _Named) -> list[Page]:
    """Tier after tier, until there are enough."""
    found: list[Page] = []
    offset = ask.offset
    for number in range(3):
        left = replace(ask, limit=ask.limit - len(found), offset=offset)
        if number == named.crowded and tx.dialect == "postgres":
            newest = _newest(tx, left, number)
            if len(newest) == left.limit:
                return found + newest
        tier = _tier(tx, ask, named, number)
        part = _part_of_tier(tx, left, tier)
        found += part
        if len(found) >= ask.limit:
            break
        if offset:
            offset = 0 if part else max(0, offset - _size_of_tier(tx, tier))
    return found


def _far(tx: Tx, ask: _Ask, named: _Named) -> list[Page]:
    """The same far behind the first hits: by numbers alone, for all before are skipped."""
    keep = sieve(tx, ask.owner, ask.filters)
    found: list[int] = []
    offset = ask.offset
    for number in range(3):
        tier = _tier(tx, ask, named, number)
        ids = sorted(keep(tx.numbers(tier.ids, *tier.named)), reverse=True)
        found += ids[offset:][: ask.limit - len(found)]
        if len(found) >= ask.limit:
            break
        offset = max(0, offset - len(ids))
    return _pages(tx, found)


def _newest(tx: Tx, ask: _Ask, tier: int) -> list[Page]:
    """Hits of a tier among the last pages: where many pages are in it, enough.

    To tell the last of them PostgreSQL would gather and sort them all.
    """
    last, many = _last(tx, ask), min(_NEWEST + 2 * ask.offset, MANY)
    rows = tx.all(
        f"SELECT {PAGE_COLUMNS} FROM (SELECT p.* FROM pages p WHERE p.id BETWEEN ? AND ?"
        f" AND {ask.where} ORDER BY p.id DESC LIMIT {many}) AS p"
        " JOIN search s ON s.page_id = p.id WHERE s.words @@ CAST(? AS tsquery)"
        " ORDER BY p.id DESC LIMIT ? OFFSET ?",
        last - _LAST * many // _NEWEST,
        last,
        *ask.values,
        _match(ask.query, tier),
        ask.limit,
        ask.offset,
    )
    return list(map(as_page, rows))


def _last(tx: Tx, ask: _Ask) -> int:
    """The last number that a page can have."""
    return ask.between[1] if ask.between else tx.value("SELECT max(id) FROM pages") or 0


def _match(query: Query, tier: int) -> str:
    """What PostgreSQL's index is asked for a tier without the better ones."""
    match = in_tsquery(query, _PLACES[tier])
    return f"{match} & !({in_tsquery(query, _PLACES[tier - 1])})" if tier else match


@dataclass(frozen=True, slots=True)
class _Tier:
    """The hits of one tier, as SQL: the pages that the index names, and what they have to pass."""

    ids: str
    named: list[Any]
    test: str
    values: list[Any]


def _part_of_tier(tx: Tx, ask: _Ask, tier: _Tier) -> list[Page]:
    rows = tx.all(
        f"SELECT {PAGE_COLUMNS} FROM ({tier.ids} ORDER BY 1 DESC) AS c{tier.test}"
        " ORDER BY c.id DESC LIMIT ? OFFSET ?",
        *tier.named,
        *tier.values,
        ask.limit,
        ask.offset,
    )
    return list(map(as_page, rows))


def _size_of_tier(tx: Tx, tier: _Tier) -> int:
    sql = f"SELECT count(*) FROM ({tier.ids}) AS c{tier.test}"
    return tx.value(sql, *tier.named, *tier.values)


def _tier(tx: Tx, ask: _Ask, named: _Named, number: int) -> _Tier:
    """The hits of a tier: those that the index names for it, but not for a better one."""
    if named.crowded is not None and number < named.crowded:
        return _known(tx, ask, [id_ for id_, at in named.tiers.items() if at == number])
    if tx.dialect == "postgres":
        return _tier_in_gin(tx, ask, number)
    if named.crowded is None:
        return _tier_in_fts5(ask, number)
    return _rest_in_fts5(ask, [id_ for id_, at in named.tiers.items() if at < number])


def _known(tx: Tx, ask: _Ask, ids: list[int]) -> _Tier:
    """The hits of a tier of which all pages are named."""
    if tx.dialect == "sqlite":
        sql = "SELECT value AS id FROM json_each(?)"
        return _Tier(sql, [write_json(ids)], _PASSED_IN_SQLITE + ask.where, ask.values)
    sql = "SELECT unnest(CAST(? AS bigint[])) AS id"
    return _Tier(sql, [ids], _PASSED + ask.where, ask.values)


_PASSED = " JOIN pages p ON p.id = c.id WHERE "
_PASSED_IN_SQLITE = " CROSS JOIN pages p ON p.id = c.id WHERE "  # it would begin with the pages


def _tier_in_fts5(ask: _Ask, number: int) -> _Tier:
    query, columns = ask.query, ("title", "title about own", "")
    is_head = number < 2 and not query.excluded  # what must not be there may be anywhere
    match = in_fts5(query, columns[number])
    if number:
        match = f"({match}) NOT ({in_fts5(query, columns[number - 1])})"
    return _named_in_fts5(ask, "search_heads" if is_head else "search_index", match)


def _rest_in_fts5(ask: _Ask, known: list[int]) -> _Tier:
    """The hits of the last tier, where those of the others are known."""
    tier = _named_in_fts5(ask, "search_index", in_fts5(ask.query))
    but = " AND rowid NOT IN (SELECT value FROM json_each(?))"
    return replace(tier, ids=tier.ids + but, named=[*tier.named, write_json(known)])


def _named_in_fts5(ask: _Ask, index: str, match: str) -> _Tier:
    between = " AND rowid BETWEEN ? AND ?" if ask.between else ""
    ids = f"SELECT rowid AS id FROM {index} WHERE {index} MATCH ?{between}"
    return _Tier(ids, [match, *ask.between], _PASSED_IN_SQLITE + ask.where, ask.values)


def _tier_in_gin(tx: Tx, ask: _Ask, number: int) -> _Tier:
    phrases, runs = _phrases(tx, ask.query, number)
    match = in_tsquery(ask.query, _PLACES[number]) if phrases else _match(ask.query, number)
    if phrases and number:
        better, more = _test(tx, ask.query, number - 1)
        phrases, runs = f"{phrases} AND NOT {better}", [*runs, *more]
    # The sum keeps PostgreSQL from walking backwards through all pages to spare itself the sorting.
    ids = "SELECT page_id + 0 AS id FROM search WHERE words @@ CAST(? AS tsquery)"
    if ask.between:
        ids += " AND page_id + 0 BETWEEN ? AND ?"
    text = " JOIN search s ON s.page_id = c.id" if phrases else ""
    test = f" JOIN pages p ON p.id = c.id{text} WHERE {ask.where}{phrases}"
    return _Tier(ids, [match, *ask.between], test, [*ask.values, *runs])
