"""The versions of a page: each a Document under a number that is given once and never again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.bodies import insert_body
from pageloom.edges.store.codec import unpack_document
from pageloom.edges.store.saving import refresh_page, write_content
from pageloom.errors import StorageError
from pageloom.model.library import Version, VersionInfo

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.edges.store.saving import Prepared

COLUMNS = (
    "id, page_id, track, number, snapshot_hash, change_hash, content_hash, parser_version,"
    " rules_version, body_hash, content_type, status, used_js, trivial, origin, quality,"
    " word_count, fetched_at, last_seen_at, document IS NULL AS thinned"
)


def history(store: Store, page_id: int, *, track: str = "", limit: int = 1000) -> list[VersionInfo]:
    """The versions of a track, newest first."""
    with store.read() as tx:
        rows = tx.all(
            "SELECT " + COLUMNS + " FROM versions WHERE page_id = ? AND track = ?"
            " ORDER BY number DESC LIMIT ?",
            page_id,
            track,
            limit,
        )
    return [as_info(row) for row in rows]


def latest_version(store: Store, page_id: int, *, track: str = "") -> Version | None:
    """The newest version that can be read.

    A damaged one is passed over: the newest older one that is whole is better than none.
    """
    with store.read() as tx:
        return latest_in(tx, page_id, track=track)


def latest_in(tx: Tx, page_id: int, *, track: str = "") -> Version | None:
    """The newest version that can be read, in a transaction of the caller's."""
    rows = tx.stream(
        "SELECT " + COLUMNS + ", document FROM versions WHERE page_id = ? AND track = ?"
        " AND document IS NOT NULL ORDER BY number DESC",
        page_id,
        track,
    )
    return next((found for row in rows if (found := _readable(row))), None)


def refresh_content(tx: Tx, page_id: int) -> None:
    """Write the page's Markdown anew: its user's tags and the day it was saved stand in it too."""
    saved_at = tx.value("SELECT saved_at FROM pages WHERE id = ?", page_id)
    if last := latest_in(tx, page_id):
        write_content(tx, page_id, last.document, saved_at)


def version(store: Store, page_id: int, number: int, *, track: str = "") -> Version | None:
    """One version; None when there is none of that number, or its Document was thinned out.

    Raises:
        StorageError: it is damaged.
    """
    with store.read() as tx:
        row = tx.one(
            "SELECT " + COLUMNS + ", document FROM versions"
            " WHERE page_id = ? AND track = ? AND number = ?",
            page_id,
            track,
            number,
        )
    if row is None or row["document"] is None:
        return None
    return Version(info=as_info(row), document=unpack_document(bytes(row["document"])))


def replace_document(tx: Tx, info: VersionInfo, ready: Prepared) -> None:
    """Put another reading in a version's place: the number stays.

    It is one of the same original, unless it brings another.
    """
    document = ready.document
    tx.run(
        "UPDATE versions SET snapshot_hash = ?, change_hash = ?, content_hash = ?,"
        " parser_version = ?, rules_version = ?, document = ?, quality = ?, word_count = ?"
        " WHERE id = ?",
        document.snapshot_hash,
        document.change_hash,
        document.content_hash,
        document.provenance.parser_version,
        ready.rules_version,
        ready.packed,
        document.quality_score,
        document.word_count,
        info.id,
    )
    if ready.body is not None and ready.body_hash:
        insert_body(tx, ready.body_hash, ready.body, ready.body_size)
        tx.run(
            "UPDATE versions SET body_hash = ?, content_type = ?, status = ?, used_js = ?,"
            " fetched_at = ?, last_seen_at = ? WHERE id = ?",
            ready.body_hash,
            ready.content_type,
            ready.status,
            int(ready.used_js),
            ready.fetched_at,
            ready.fetched_at,
            info.id,
        )
    if not info.track:
        refresh_page(tx, info.page_id, info.number, ready)


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
    """The same was seen again at a moment: only ``last_seen_at`` moves."""
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
