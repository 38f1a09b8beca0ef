"""Snapshots of pages: what a browser showed of a version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.files import insert_file
from pageloom.edges.store.pages import OWNED, require_owned
from pageloom.edges.store.times import now
from pageloom.model.files import KeptFile, Snapshot

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.model.files import SnapshotKind
    from pageloom.model.pages import OwnedPage

_COLUMNS = (
    "s.id, s.page_id, s.version, s.kind, s.hash, s.taken_at, f.media_type, f.size, f.width,"
    " f.height"
)


def keep_snapshot(tx: Tx, page: OwnedPage, number: int, kind: SnapshotKind, file: KeptFile) -> None:
    """Keep a snapshot of a version; a newer one takes its place.

    Raises:
        NotInLibrary: the page is not its owner's.
    """
    page_id = require_owned(tx, page)
    insert_file(tx, file)
    tx.run(
        "INSERT INTO snapshots (page_id, version, kind, hash, taken_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (page_id, version, kind) DO UPDATE SET hash = excluded.hash,"
        " taken_at = excluded.taken_at",
        *(page_id, number, kind, file.hash, now()),
    )


def snapshots_of(store: Store, page: OwnedPage) -> list[Snapshot]:
    """The snapshots of a page, newest first."""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT {_COLUMNS} FROM snapshots s JOIN files f ON f.hash = s.hash"
            f" WHERE s.page_id = {OWNED} ORDER BY s.version DESC, s.kind",
            *(page.id, page.owner),
        )
    return [Snapshot(**row) for row in rows]


def read_snapshot(
    store: Store, page: OwnedPage, kind: SnapshotKind, number: int | None = None
) -> KeptFile | None:
    """The snapshot of a version, or the newest one; None where there is none."""
    chosen = "" if number is None else " AND s.version = ?"
    with store.read() as tx:
        row = tx.one(
            "SELECT f.hash, f.media_type, f.data, f.width, f.height FROM snapshots s"
            f" JOIN files f ON f.hash = s.hash WHERE s.page_id = {OWNED} AND s.kind = ?{chosen}"
            " ORDER BY s.version DESC LIMIT 1",
            *(page.id, page.owner, kind, *(() if number is None else (number,))),
        )
    if row is None:
        return None
    body = bytes(row.pop("data"))
    return KeptFile(**row, body=body)


def drop_snapshots(tx: Tx, before: str) -> int:
    """Delete snapshots that were taken before an instant, but never the newest of its kind.

    The same for screenshots that watches compared: the last one is needed for the next check.
    """
    looks = tx.run(
        "DELETE FROM visual_changes WHERE at < ? AND EXISTS (SELECT 1 FROM visual_changes n WHERE"
        " n.watch_id = visual_changes.watch_id AND n.id > visual_changes.id)",
        before,
    )
    return looks + tx.run(
        "DELETE FROM snapshots WHERE taken_at < ? AND EXISTS (SELECT 1 FROM snapshots n WHERE"
        " n.page_id = snapshots.page_id AND n.kind = snapshots.kind AND"
        " n.version > snapshots.version)",
        before,
    )
