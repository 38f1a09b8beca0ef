"""The event log: what happened in the library, in the order in which it was committed.

A reader that remembers the last id it has seen misses nothing. Numbers are given just before the
commit, and in PostgreSQL under a lock of the owner's that is held until it is done: otherwise a
transaction could commit a lower number after a reader has seen a higher one.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.times import now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model.library import LibraryEvent


class NewEvent(NamedTuple):
    """An event that its transaction has not written yet."""

    owner: str
    kind: str
    page_id: int | None
    detail: str


def record_event(
    tx: Tx, owner: str, kind: str, *, page_id: int | None = None, **detail: Any
) -> None:
    """Note that something happened; it is written when the transaction commits."""
    tx.events.append(NewEvent(owner, kind, page_id, write_json(detail)))


def write_events(tx: Tx) -> None:
    """Write the events of a transaction, as its last act before the commit."""
    # Sorted, so that two transactions with events of the same owners cannot wait for each other.
    for owner in sorted({event.owner for event in tx.events}):
        _lock(tx, owner)
        for event in tx.events:
            if event.owner == owner:
                tx.run(
                    "INSERT INTO events (owner, at, kind, page_id, detail) VALUES (?, ?, ?, ?, ?)",
                    owner,
                    now(),
                    event.kind,
                    event.page_id,
                    event.detail,
                )
    tx.events.clear()


def _lock(tx: Tx, owner: str) -> None:
    """Let nobody else number events of this owner until the transaction has ended."""
    if tx.dialect == "postgres":  # in SQLite a writing transaction is alone anyway
        digest = sha256(f"events of {owner}".encode()).digest()
        tx.one("SELECT pg_advisory_xact_lock(?)", int.from_bytes(digest[:8], signed=True))


def events_after(
    store: Store, owner: str, after: int = 0, *, limit: int = 100
) -> list[LibraryEvent]:
    """The events of an owner behind the one with this id, oldest first."""
    with store.read() as tx:
        rows = tx.all(
            "SELECT id, owner, at, kind, page_id, detail FROM events"
            " WHERE owner = ? AND id > ? ORDER BY id LIMIT ?",
            owner,
            after,
            limit,
        )
    return [_as_event(row) for row in rows]


def last_events(store: Store, owners: Sequence[str]) -> dict[str, int]:
    """The id of the last event of each of some owners; 0 where there is none."""
    with store.read() as tx:
        last = "SELECT max(id) FROM events WHERE owner = ?"
        return {owner: tx.value(last, owner) or 0 for owner in owners}


def pages_touched(store: Store, owner: str, since: str, after: int, limit: int) -> list[int]:
    """The numbers of the pages that anything happened to since an instant, in their order."""
    with store.read() as tx:
        return tx.column(
            "SELECT DISTINCT e.page_id FROM events e WHERE e.owner = ? AND e.at >= ?"
            " AND e.page_id > ? ORDER BY e.page_id LIMIT ?",
            owner,
            since,
            after,
            limit,
        )


def count_touched(store: Store, owner: str, since: str) -> int:
    """How many pages anything happened to since an instant."""
    with store.read() as tx:
        return tx.value(
            "SELECT count(DISTINCT page_id) FROM events WHERE owner = ? AND at >= ?", owner, since
        )


def prune_events(tx: Tx, before: str) -> int:
    """Delete the events before an instant; how many there were."""
    return tx.run("DELETE FROM events WHERE at < ?", before)


def _as_event(row: Row) -> LibraryEvent:
    from pageloom.model.library import LibraryEvent  # whoever writes events needs no class of them

    known: Row = {**row, "detail": read_json(row["detail"])}
    return LibraryEvent(**known)
