"""The versions of a page: each a Document under a number that is given once and never again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.bodies import insert_body
from pageloom.edges.store.codec import read_json, unpack_document
from pageloom.edges.store.cursors import list_mark, read_cursor, slice_of
from pageloom.edges.store.highlights import follow_highlights
from pageloom.edges.store.pages import OWNED, owned_id
from pageloom.edges.store.saving import refresh_page, write_content
from pageloom.errors import StorageError
from pageloom.model.library import Version, VersionInfo

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.edges.store.saving import Prepared
    from pageloom.model.pages import OwnedPage, Slice

COLUMNS = (
    "id, page_id, track, number, snapshot_hash, change_hash, content_hash, parser_version,"
    " rules_version, body_hash, content_type, status, used_js, trivial, origin, quality,"
    " word_count, fetched_at, last_seen_at, document IS NULL AS thinned"
)


def history(
    store: Store, page: OwnedPage, *, track: str = "", limit: int = 1000, cursor: str = ""
) -> Slice[VersionInfo]:
    """The versions of a track, newest first.

    Raises:
        InvalidQuery: the cursor is not one of this list.
    """
    mark = list_mark("versions", page.owner, page.id, track)
    after = read_cursor(cursor, mark, int)
    with store.read() as tx:
        rows = tx.all(
            f"SELECT {COLUMNS} FROM versions WHERE page_id = {OWNED} AND track = ?"
            f"{' AND number < ?' if after else ''} ORDER BY number DESC LIMIT ?",
            page.id,
            page.owner,
            track,
            *after,
            limit + 1,
        )
        total = tx.value(
            f"SELECT count(*) FROM versions WHERE page_id = {OWNED} AND track = ?",
            *(page.id, page.owner, track),
        )
    return slice_of(rows, limit, mark, ("number",), as_info, total=total)


def latest_version(store: Store, page: OwnedPage, *, track: str = "") -> Version | None:
    """The newest version that can be read.

    A damaged one is skipped: the newest older one that is whole is better than none.
    """
    with store.read() as tx:
        return latest_in(tx, owned_id(tx, page), track=track)


def latest_in(tx: Tx, page_id: int, *, track: str = "") -> Version | None:
    """The newest version that can be read; internal: the caller has checked whose page it is."""
    rows = tx.stream(
        "SELECT " + COLUMNS + ", document FROM versions WHERE page_id = ? AND track = ?"
        " AND document IS NOT NULL ORDER BY number DESC",
        page_id,
        track,
    )
    return next((found for row in rows if (found := _readable(row))), None)


def refresh_content(tx: Tx, page: OwnedPage) -> None:
    """Write the page's Markdown again: its user's tags and the day it was saved are part of it."""
    saved_at = tx.value(
        "SELECT saved_at FROM pages WHERE id = ? AND owner = ?", page.id, page.owner
    )
    if saved_at and (last := latest_in(tx, page.id)):
        write_content(tx, page.id, last.document, saved_at)


def version(store: Store, page: OwnedPage, number: int, *, track: str = "") -> Version | None:
    """One version; None when there is none of that number, or its Document was thinned out.

    Raises:
        StorageError: it is damaged.
    """
    with store.read() as tx:
        row = tx.one(
            f"SELECT {COLUMNS}, document FROM versions"
            f" WHERE page_id = {OWNED} AND track = ? AND number = ?",
            page.id,
            page.owner,
            track,
            number,
        )
    if row is None or row["document"] is None:
        return None
    return Version(info=as_info(row), document=unpack_document(bytes(row["document"])))


def headers_of(store: Store, page: OwnedPage, number: int) -> dict[str, str]:
    """What the server sent with a version, without cookies; empty where that was not kept."""
    with store.read() as tx:
        text = tx.value(
            f"SELECT headers FROM versions WHERE page_id = {OWNED} AND track = '' AND number = ?",
            *(page.id, page.owner, number),
        )
    return read_json(text) or {}


def probable_number(store: Store, owner: str, key: str, snapshot_hash: str) -> int:
    """The number that a snapshot of the page at a URL gets, if nobody else is quicker."""
    with store.read() as tx:
        row = tx.one(
            "SELECT v.number, v.snapshot_hash FROM pages p JOIN tracks t ON t.page_id = p.id AND"
            " t.track = '' JOIN versions v ON v.page_id = p.id AND v.track = '' AND"
            " v.number = t.last_number WHERE p.owner = ? AND p.url = ?",
            owner,
            key,
        )
    return 1 if row is None else row["number"] + int(row["snapshot_hash"] != snapshot_hash)


def replace_document(tx: Tx, page: OwnedPage, info: VersionInfo, ready: Prepared) -> None:
    """Replace the Document of a version by another reading of its original; the number stays.

    A reading that brings an original of its own replaces that too.
    """
    document, page_id = ready.document, owned_id(tx, page)
    if page_id and not info.track and info.number == _last_number(tx, page_id):
        follow_highlights(tx, page_id, document, info.number)
    tx.run(
        "UPDATE versions SET snapshot_hash = ?, change_hash = ?, content_hash = ?,"
        " parser_version = ?, rules_version = ?, document = ?, quality = ?, word_count = ?"
        " WHERE id = ? AND page_id = ?",
        document.snapshot_hash,
        document.change_hash,
        document.content_hash,
        document.provenance.parser_version,
        ready.rules_version,
        ready.packed,
        document.quality_score,
        document.word_count,
        info.id,
        page_id,
    )
    if page_id and ready.body is not None and ready.body_hash:
        insert_body(tx, ready.body_hash, ready.body, ready.body_size)
        tx.run(
            "UPDATE versions SET body_hash = ?, content_type = ?, status = ?, used_js = ?,"
            " fetched_at = ?, last_seen_at = ? WHERE id = ? AND page_id = ?",
            ready.body_hash,
            ready.content_type,
            ready.status,
            int(ready.used_js),
            ready.fetched_at,
            ready.fetched_at,
            info.id,
            page_id,
        )
    if page_id and not info.track:
        refresh_page(tx, page_id, info.number, ready)


def _last_number(tx: Tx, page_id: int) -> int:
    return tx.value("SELECT version FROM pages WHERE id = ?", page_id)


def as_info(row: Row) -> VersionInfo:
    """A row of COLUMNS as a value."""
    known = {name: value for name, value in row.items() if name != "document"}
    for flag in ("used_js", "trivial", "thinned"):
        known[flag] = bool(known[flag])
    return VersionInfo(**known)


def _readable(row: Row) -> Version | None:
    try:
        return Version(info=as_info(row), document=unpack_document(bytes(row["document"])))
    except StorageError:
        return None


def see_version_again(tx: Tx, page_id: int, track: str, number: int, at: str) -> None:
    """The same content was seen again: only ``last_seen_at`` moves."""
    tx.run(
        "UPDATE versions SET last_seen_at = ? WHERE page_id = ? AND track = ? AND number = ?"
        " AND last_seen_at < ?",
        at,
        page_id,
        track,
        number,
        at,
    )
    if not track:
        tx.run("UPDATE pages SET last_seen_at = ? WHERE id = ?", at, page_id)
