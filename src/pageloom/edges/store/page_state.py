"""What a user does with a page: pin, archive, read, delete, restore."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.events import record_event
from pageloom.edges.store.times import now

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx

_WAYS: dict[str, tuple[str, str]] = {
    "pin": ("pinned = 1", "pinned = 0"),
    "unpin": ("pinned = 0", "pinned = 1"),
    "archive": ("archived = 1", "archived = 0"),
    "unarchive": ("archived = 0", "archived = 1"),
    "unread": ("read_at = NULL", "read_at IS NOT NULL"),
    "restore": ("deleted_at = NULL", "deleted_at IS NOT NULL"),
}
_DATED: dict[str, tuple[str, str]] = {
    "read": ("read_at = ?", "read_at IS NULL"),
    "delete": ("deleted_at = ?", "deleted_at IS NULL"),
}
ACTIONS = (*_WAYS, *_DATED)


def act(tx: Tx, owner: str, action: str, page_id: int) -> bool:
    """Do one of ACTIONS to a page; whether that changed anything.

    Raises:
        KeyError: there is no such action.
    """
    change, before = (_DATED if action in _DATED else _WAYS)[action]
    values = (now(),) if action in _DATED else ()
    sql = f"UPDATE pages SET {change} WHERE id = ? AND owner = ? AND {before}"
    changed = tx.run(sql, *values, page_id, owner) == 1
    if changed:
        record_event(tx, owner, f"page.{action}", page_id=page_id)
    return changed


def mark_opened(store: Store, owner: str, page_id: int) -> None:
    """The user is reading the page now."""
    at = now()
    store.transact(
        lambda tx: tx.run(
            "UPDATE pages SET last_opened_at = ?, read_at = coalesce(read_at, ?)"
            " WHERE id = ? AND owner = ?",
            at,
            at,
            page_id,
            owner,
        )
    )


def purge(tx: Tx, owner: str, page_id: int) -> bool:
    """Remove a deleted page with everything that belongs to it, for good."""
    gone = tx.run(
        "DELETE FROM pages WHERE id = ? AND owner = ? AND deleted_at IS NOT NULL", page_id, owner
    )
    if gone:
        record_event(tx, owner, "page.purge", page_id=page_id)
    return gone == 1


def deleted_before(tx: Tx, owner: str, instant: str) -> list[int]:
    """The pages that were deleted before then."""
    rows = tx.all(
        "SELECT id FROM pages WHERE owner = ? AND deleted_at IS NOT NULL AND deleted_at <= ?"
        " ORDER BY id",
        owner,
        instant,
    )
    return [row["id"] for row in rows]
