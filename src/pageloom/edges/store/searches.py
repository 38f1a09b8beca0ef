"""Saved searches of users, and which pages each of them has found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.users import ensure_user
from pageloom.model.searches import SavedSearch

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row

_COLUMNS = "id, owner, name, query, targets, known, checked_at, created_at"


def put_search(tx: Tx, search: SavedSearch) -> int:
    """Keep a search, new or changed; its number."""
    values = (search.name, search.query, write_json(search.targets), write_json(search.known))
    if search.id:
        tx.run(
            "UPDATE searches SET name = ?, query = ?, targets = ?, known = ?, checked_at = ?"
            " WHERE id = ? AND owner = ?",
            *(*values, search.checked_at, search.id, search.owner),
        )
        return search.id
    ensure_user(tx, search.owner)
    return tx.value(
        "INSERT INTO searches (name, query, targets, known, checked_at, created_at, owner)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
        *(*values, search.checked_at, search.created_at, search.owner),
    )


def remove_search(tx: Tx, owner: str, number: int) -> bool:
    """Remove a search; whether it was there."""
    return bool(tx.run("DELETE FROM searches WHERE id = ? AND owner = ?", number, owner))


def search_in(tx: Tx, owner: str, number: int, *, lock: bool = False) -> SavedSearch | None:
    """A search by its number; locked until the end of the transaction, if asked for."""
    sql = f"SELECT {_COLUMNS} FROM searches WHERE id = ? AND owner = ?"
    row = tx.one(sql + (tx.for_update() if lock else ""), number, owner)
    return _search(row) if row else None


def list_searches(store: Store, owner: str) -> list[SavedSearch]:
    """The searches of an owner, by name."""
    with store.read() as tx:
        rows = tx.all(f"SELECT {_COLUMNS} FROM searches WHERE owner = ? ORDER BY name, id", owner)
    return list(map(_search, rows))


def due_searches(store: Store, before: str) -> list[SavedSearch]:
    """The searches of all owners that notify somebody and were not asked since then."""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT {_COLUMNS} FROM searches WHERE checked_at < ? ORDER BY checked_at LIMIT 100",
            before,
        )
    return [search for search in map(_search, rows) if search.targets]


def _search(row: Row) -> SavedSearch:
    lists = {name: tuple(read_json(row[name]) or ()) for name in ("targets", "known")}
    known: dict[str, Any] = dict(row) | lists
    return SavedSearch(**known)
