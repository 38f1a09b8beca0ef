"""Changes that were found, each with its report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.cursors import list_mark, read_cursor, slice_of
from pageloom.edges.store.events import record_event
from pageloom.model.library import Change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model.library import ChangeSort
    from pageloom.model.pages import Slice


def insert_change(tx: Tx, change: Change) -> bool:
    """Store a change; False when it was stored before."""
    is_new = bool(
        tx.run(
            "INSERT INTO changes (id, owner, page_id, track, from_version, to_version,"
            " baseline_version, importance, summary, report, created_at, notified_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
            change.id,
            change.owner,
            change.page_id,
            change.track,
            change.from_version,
            change.to_version,
            change.baseline_version,
            change.importance,
            change.summary,
            write_json(change.report),
            change.created_at,
            change.notified_at,
        )
    )
    if is_new:
        record_event(
            tx,
            change.owner,
            "change.found",
            page_id=change.page_id,
            change=change.id,
            importance=change.importance,
        )
    return is_new


_FROM = "FROM changes c JOIN pages p ON p.id = c.page_id AND p.owner = c.owner"
_UNREAD = (
    "(coalesce(p.read_at, '') < c.created_at AND coalesce(p.last_opened_at, '') < c.created_at)"
)
_COLUMNS = {
    "rank": "CAST(c.importance * 1000 AS INTEGER)",
    "created_at": "c.created_at",
    "id": "c.id",
}
_SELECT = (
    "SELECT c.id, c.owner, c.page_id, c.track, c.from_version, c.to_version, c.baseline_version,"
    " c.importance, c.summary, c.report, c.created_at, c.notified_at, p.url_full AS url, p.title,"
    f" {_UNREAD} AS unread, {_COLUMNS['rank']} AS rank {_FROM}"
)


def list_changes(  # noqa: PLR0913  each one narrows the list
    store: Store,
    owner: str,
    *,
    page_id: int | None = None,
    track: str | None = None,
    since: str = "",
    notified: bool | None = None,
    least: float = 0.0,
    unread: bool = False,
    sort: ChangeSort = "newest",
    limit: int = 50,
    cursor: str = "",
) -> Slice[Change]:
    """The changes of an owner's pages, newest first, or the most important first.

    Raises:
        InvalidQuery: the cursor is not one of this list.
    """
    mark = list_mark("changes", owner, page_id, track, since, notified, least, unread, sort)
    keys = ("created_at", "id") if sort == "newest" else ("rank", "created_at", "id")
    after = read_cursor(cursor, mark, *(int if key == "rank" else str for key in keys))
    wanted = ["c.owner = ?", "c.created_at >= ?", "c.importance >= ?"]
    values: list[Any] = [owner, since, least]
    if page_id is not None:
        wanted.append("c.page_id = ?")
        values.append(page_id)
    if track is not None:
        wanted.append("c.track = ?")
        values.append(track)
    if notified is not None:
        wanted.append(f"c.notified_at IS {'NOT ' if notified else ''}NULL")
    if unread:
        wanted.append(_UNREAD)
    where = " AND ".join(wanted)
    columns = [_COLUMNS[key] for key in keys]
    behind = f" AND ({', '.join(columns)}) < ({', '.join('?' * len(keys))})" if after else ""
    order = ", ".join(f"{column} DESC" for column in columns)
    with store.read() as tx:
        total = tx.value(f"SELECT count(*) {_FROM} WHERE {where}", *values)
        rows = tx.all(
            f"{_SELECT} WHERE {where}{behind} ORDER BY {order} LIMIT ?",
            *(*values, *after, limit + 1),
        )
    return slice_of(rows, limit, mark, keys, _as_change, total=total)


def count_changes(store: Store, owner: str, page_ids: Sequence[int]) -> dict[int, int]:
    """How many changes were found of each of these pages; those without any are left out."""
    if not page_ids:
        return {}
    marks = ", ".join("?" * len(page_ids))
    with store.read() as tx:
        rows = tx.all(
            "SELECT page_id, count(*) AS changes FROM changes WHERE owner = ?"
            f" AND page_id IN ({marks}) GROUP BY page_id",
            *(owner, *page_ids),
        )
    return {row["page_id"]: row["changes"] for row in rows}


def get_change(store: Store, owner: str, change_id: str) -> Change | None:
    """One change."""
    with store.read() as tx:
        row = tx.one(f"{_SELECT} WHERE c.id = ? AND c.owner = ?", change_id, owner)
    return _as_change(row) if row else None


def _as_change(row: Row) -> Change:
    known: Row = {**row, "report": read_json(row["report"]), "unread": bool(row["unread"])}
    del known["rank"]
    return Change(**known)
