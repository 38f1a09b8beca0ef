"""A user's highlights: kept with the words they mark, and followed from version to version."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.edges.store.codec import unpack_document
from pageloom.edges.store.cursors import list_mark, read_cursor, slice_of
from pageloom.edges.store.events import record_event
from pageloom.edges.store.pages import OWNED, owned_id, require_owned
from pageloom.edges.store.search_terms import refresh_own
from pageloom.edges.store.times import now
from pageloom.model.highlights import Highlight

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.core.compare.passages import PageText
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model import Document
    from pageloom.model.pages import OwnedPage, Slice

_COLUMNS = (
    "h.id, h.page_id, h.quote, h.text_before, h.text_after, h.colour, h.note, h.version, h.state,"
    " h.text_now, h.found_version, h.block, h.text_start, h.text_end, h.created_at, h.updated_at,"
    " p.title AS page_title, p.url_full AS page_url"
)
_FROM = "FROM highlights h JOIN pages p ON p.id = h.page_id"
_NAMES = {
    "before": "text_before",
    "after": "text_after",
    "text": "text_now",
    "start": "text_start",
    "end": "text_end",
}
"""Fields that SQL has other words for."""


def add_highlight(tx: Tx, page: OwnedPage, highlight: Highlight) -> int:
    """Keep a highlight; its number.

    Raises:
        NotInLibrary: the page is not its owner's.
    """
    page_id = require_owned(tx, page)
    known = _row(replace(highlight, page_id=page_id))
    marks = ", ".join("?" * len(known))
    sql = f"INSERT INTO highlights ({', '.join(known)}) VALUES ({marks}) RETURNING id"
    number = tx.value(sql, *known.values())
    _find_by_it(tx, page)
    return number


def change_highlight(tx: Tx, page: OwnedPage, highlight: Highlight) -> None:
    """Keep another colour or note of a highlight."""
    changed = tx.run(
        f"UPDATE highlights SET colour = ?, note = ?, updated_at = ? WHERE page_id = {OWNED}"
        " AND id = ?",
        *(highlight.colour, highlight.note, now(), page.id, page.owner, highlight.id),
    )
    if changed:
        _find_by_it(tx, page)


def remove_highlight(tx: Tx, page: OwnedPage, number: int) -> bool:
    """Remove a highlight from a page; whether it was there."""
    sql = f"DELETE FROM highlights WHERE page_id = {OWNED} AND id = ?"
    removed = bool(tx.run(sql, page.id, page.owner, number))
    if removed:
        _find_by_it(tx, page)
    return removed


def _find_by_it(tx: Tx, page: OwnedPage) -> None:
    refresh_own(tx, page.id)
    record_event(tx, page.owner, "page.noted", page_id=page.id)


def highlights_of(store: Store, page: OwnedPage) -> list[Highlight]:
    """The highlights of a page, in the order in which they stand there."""
    with store.read() as tx:
        return highlights_in(tx, owned_id(tx, page))


def highlights_in(tx: Tx, page_id: int) -> list[Highlight]:
    """The same; internal: the caller has checked whose page it is."""
    sql = f"SELECT {_COLUMNS} {_FROM} WHERE h.page_id = ? ORDER BY h.text_start, h.id"
    return list(map(_highlight, tx.all(sql, page_id)))


def list_highlights(
    store: Store, owner: str, *, words: str = "", limit: int = 50, cursor: str = ""
) -> Slice[Highlight]:
    """All highlights of an owner, newest first: those that have all of some words.

    Raises:
        InvalidQuery: the cursor is not one of this list.
    """
    mark = list_mark("highlights", owner, words)
    after = read_cursor(cursor, mark, int)
    wanted = words.casefold().split()
    where = "WHERE p.owner = ? AND p.deleted_at IS NULL"
    with store.read() as tx:
        rows = tx.stream(
            f"SELECT {_COLUMNS} {_FROM} {where}{' AND h.id < ?' if after else ''}"
            " ORDER BY h.id DESC",
            *(owner, *after),
        )
        found = _first(rows, wanted, limit + 1)
        total = tx.value(f"SELECT count(*) {_FROM} {where}", owner)
    return slice_of(found, limit, mark, ("id",), _highlight, total=total)


def _first(rows: Iterator[Row], wanted: list[str], most: int) -> list[Row]:
    """The first rows with these words, in any case that either database would not know."""
    found: list[Row] = []
    for row in rows:
        if len(found) == most:
            break
        said = f"{row['quote']} {row['text_now']} {row['note']} {row['page_title']}".casefold()
        if all(word in said for word in wanted):
            found.append(row)
    return found


def follow_highlights(tx: Tx, page_id: int, document: Document, number: int) -> None:
    """Find the highlights of a page in its new version; what is not there any more is gone.

    Called before the version replaces another one of the same number.
    """
    known = highlights_in(tx, page_id)
    if not known:
        return
    from pageloom.edges.store.highlight_places import followed, text_in, text_of  # few pages do

    new = text_of(document)
    texts: dict[int, PageText | None] = {}
    for each in known:
        if each.found_version not in texts:
            texts[each.found_version] = text_in(tx, page_id, each.found_version)
        _keep(tx, followed(each, texts[each.found_version], new, number))


def move_highlights(tx: Tx, page: OwnedPage, to: OwnedPage, number: int, new: Document) -> None:
    """Give the highlights of a page to another page of the same owner, and find them there."""
    from pageloom.edges.store.highlight_places import followed, text_of

    target, text = require_owned(tx, to), text_of(new)
    known = highlights_in(tx, owned_id(tx, page))
    for each in known:
        tx.run("UPDATE highlights SET page_id = ? WHERE id = ?", target, each.id)
        _keep(tx, replace(followed(each, None, text, number), version=number))
    if known:
        _find_by_it(tx, page)
        _find_by_it(tx, to)


def import_highlights(tx: Tx, page: OwnedPage, given: Iterable[Highlight]) -> None:
    """Add highlights of another library to a page, and find them there by their words.

    Raises:
        NotInLibrary: the page is not its owner's.
    """
    require_owned(tx, page)
    known = {(each.quote, each.before) for each in highlights_in(tx, page.id)}
    new = [each for each in given if (each.quote, each.before) not in known]
    for each in new:
        add_highlight(tx, page, replace(each, found_version=0, state="gone"))
    packed = tx.one(
        "SELECT number, document FROM versions WHERE page_id = ? AND track = ''"
        " AND document IS NOT NULL ORDER BY number DESC LIMIT 1",
        page.id,
    )
    if new and packed:
        document = unpack_document(bytes(packed["document"]))
        follow_highlights(tx, page.id, document, packed["number"])


def _keep(tx: Tx, highlight: Highlight) -> None:
    tx.run(
        "UPDATE highlights SET version = ?, state = ?, text_now = ?, found_version = ?, block = ?,"
        " text_start = ?, text_end = ? WHERE id = ?",
        highlight.version,
        highlight.state,
        highlight.text,
        highlight.found_version,
        highlight.block,
        highlight.start,
        highlight.end,
        highlight.id,
    )


def _row(highlight: Highlight) -> Row:
    fields = (name for name in highlight.__dataclass_fields__ if name[:5] not in ("id", "page_"))
    known = {_NAMES.get(name, name): getattr(highlight, name) for name in fields}
    return known | {"page_id": highlight.page_id}


def _highlight(row: Row) -> Highlight:
    names = {column: name for name, column in _NAMES.items()}
    return Highlight(**{names.get(name, name): value for name, value in row.items()})
