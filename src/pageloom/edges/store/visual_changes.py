"""How watched pages looked: the screenshot that others are compared with, and what differed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.files import insert_file
from pageloom.edges.store.pages import OWNED, require_owned
from pageloom.model.files import VisualChange

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model.files import KeptFile
    from pageloom.model.pages import OwnedPage

_COLUMNS = (
    "v.id, v.page_id, v.watch_id, v.version, v.share, v.regions, v.before_hash, v.after_hash,"
    " v.outlined_hash, v.at"
)


def keep_look(tx: Tx, page: OwnedPage, look: VisualChange, files: Iterable[KeptFile]) -> None:
    """Keep how a page looks now, and what differs from before; the first look differs in nothing.

    Raises:
        NotInLibrary: the page is not its owner's.
    """
    page_id = require_owned(tx, page)
    for file in files:
        insert_file(tx, file)
    tx.run(
        "INSERT INTO visual_changes (page_id, watch_id, version, share, regions, before_hash,"
        " after_hash, outlined_hash, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        page_id,
        look.watch_id,
        look.version,
        look.share,
        write_json(look.regions),
        look.before_hash,
        look.after_hash,
        look.outlined_hash,
        look.at,
    )


def last_look(store: Store, page: OwnedPage, watch_id: int) -> VisualChange | None:
    """How a page looked when a watch last found a difference, or first saw it."""
    with store.read() as tx:
        row = tx.one(
            f"SELECT {_COLUMNS} FROM visual_changes v WHERE v.page_id = {OWNED}"
            " AND v.watch_id = ? ORDER BY v.id DESC LIMIT 1",
            *(page.id, page.owner, watch_id),
        )
    return _as_change(row) if row else None


def list_visual_changes(store: Store, page: OwnedPage, limit: int = 50) -> list[VisualChange]:
    """What looked different, newest first."""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT {_COLUMNS} FROM visual_changes v WHERE v.page_id = {OWNED} AND v.share > 0"
            " ORDER BY v.id DESC LIMIT ?",
            *(page.id, page.owner, limit),
        )
    return [_as_change(row) for row in rows]


def _as_change(row: Row) -> VisualChange:
    known: dict[str, Any] = dict(row)
    known["regions"] = tuple(tuple(each) for each in read_json(row["regions"]) or ())
    return VisualChange(**known)
