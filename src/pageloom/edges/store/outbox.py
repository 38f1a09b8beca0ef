"""The outbox: notices, written together with the change they are about, so neither is lost.

A message waits, is sent, or has failed for good; one that went into a digest is bundled. Whoever
sends it leases it first: if that process is killed, another sends it, under the same id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.cursors import list_mark, read_cursor, slice_of
from pageloom.edges.store.events import record_event
from pageloom.edges.store.times import later
from pageloom.model.library import OutboxMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model.pages import Slice


_SELECT = (
    "SELECT id, owner, watch_id, change_id, target, payload, state, attempts, next_try, error,"
    " lease_owner, created_at, done_at FROM outbox"
)
_DUE = "state = 'waiting' AND next_try <= ? AND (lease_until IS NULL OR lease_until < ?)"


def queue_message(tx: Tx, message: OutboxMessage) -> bool:
    """Queue a message; False when one with its id is there already."""
    return bool(
        tx.run(
            "INSERT INTO outbox (id, owner, watch_id, change_id, target, payload, next_try,"
            " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
            message.id,
            message.owner,
            message.watch_id,
            message.change_id,
            message.target,
            write_json(message.payload),
            message.next_try or message.created_at,
            message.created_at,
        )
    )


def due_targets(store: Store, at: str) -> list[tuple[str, str]]:
    """The owners and targets that messages are due for: each user's targets are their own."""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT DISTINCT owner, target FROM outbox WHERE {_DUE} ORDER BY 1, 2", at, at
        )
    return [(row["owner"], row["target"]) for row in rows]


def take_messages(  # noqa: PLR0913  whose, for whom, by whom, when
    store: Store,
    owner: str,
    target: str,
    holder: str,
    *,
    seconds: float,
    at: str,
    limit: int = 200,
) -> list[OutboxMessage]:
    """Lease the messages of an owner that are due for one target, oldest first."""

    def take(tx: Tx) -> list[OutboxMessage]:
        rows = tx.all(
            f"{_SELECT} WHERE target = ? AND owner = ? AND {_DUE} ORDER BY created_at, id LIMIT ?"
            f"{tx.for_update()}",
            target,
            owner,
            at,
            at,
            limit,
        )
        for row in rows:
            tx.run(
                "UPDATE outbox SET lease_owner = ?, lease_until = ? WHERE id = ?",
                holder,
                later(at, seconds),
                row["id"],
            )
        return [_as_message(row | {"lease_owner": holder}) for row in rows]

    return store.transact(take)


def sent_since(store: Store, owner: str, target: str, since: str) -> list[str]:
    """When messages of an owner were sent to a target, from an instant on, oldest first."""
    with store.read() as tx:
        rows = tx.all(
            "SELECT done_at FROM outbox WHERE target = ? AND owner = ? AND state = 'sent'"
            " AND done_at > ? ORDER BY done_at",
            target,
            owner,
            since,
        )
    return [row["done_at"] for row in rows]


def mark_sent(store: Store, message: OutboxMessage, at: str) -> None:
    """The target has taken it."""

    def mark(tx: Tx) -> None:
        sent = tx.run(
            "UPDATE outbox SET state = 'sent', done_at = ?, attempts = attempts + 1, error = '',"
            " lease_owner = NULL, lease_until = NULL"
            " WHERE id = ? AND owner = ? AND state = 'waiting'",
            *(at, message.id, message.owner),
        )
        if sent:
            record_event(tx, message.owner, "notice.sent", message=message.id)

    store.transact(mark)


def mark_failed(
    store: Store, message: OutboxMessage, *, error: str, next_try: str | None, at: str
) -> None:
    """The target did not take it: try again at an instant, or wait for ``retry_failed``."""

    def mark(tx: Tx) -> None:
        failed = tx.run(
            "UPDATE outbox SET state = ?, attempts = attempts + 1, error = ?, next_try = ?,"
            " done_at = ?, lease_owner = NULL, lease_until = NULL"
            " WHERE id = ? AND owner = ? AND state = 'waiting'",
            "waiting" if next_try else "failed",
            error[:500],
            next_try,
            None if next_try else at,
            *(message.id, message.owner),
        )
        if failed and not next_try:
            record_event(tx, message.owner, "notice.failed", message=message.id)

    store.transact(mark)


def postpone(store: Store, messages: Sequence[OutboxMessage], until: str) -> None:
    """Leave messages for later, without counting an attempt."""

    def move(tx: Tx) -> None:
        for message in messages:
            tx.run(
                "UPDATE outbox SET next_try = ?, lease_owner = NULL, lease_until = NULL"
                " WHERE id = ? AND owner = ? AND state = 'waiting'",
                until,
                message.id,
                message.owner,
            )

    store.transact(move)


def bundle(
    store: Store,
    messages: Sequence[OutboxMessage],
    digest: OutboxMessage,
    *,
    at: str,
    lease_until: str,
) -> OutboxMessage:
    """Replace several messages by one, leased to whoever is about to send it; as it was stored."""

    def join(tx: Tx) -> OutboxMessage:
        queue_message(tx, digest)
        tx.run(
            "UPDATE outbox SET lease_owner = ?, lease_until = ? WHERE id = ? AND owner = ?",
            *(digest.lease_owner, lease_until, digest.id, digest.owner),
        )
        for message in messages:
            tx.run(
                "UPDATE outbox SET state = 'bundled', done_at = ?, lease_owner = NULL,"
                " lease_until = NULL WHERE id = ? AND owner = ? AND state = 'waiting'",
                at,
                message.id,
                message.owner,
            )
        # Read back: a database may order its JSON, and a second attempt has to send the same bytes.
        (stored,) = tx.all(f"{_SELECT} WHERE id = ? AND owner = ?", digest.id, digest.owner)
        return _as_message(stored)

    return store.transact(join)


def recent_messages(store: Store, owner: str, target: str, limit: int) -> list[OutboxMessage]:
    """The messages of an owner that were last sent to a target, newest first."""
    with store.read() as tx:
        rows = tx.all(
            f"{_SELECT} WHERE target = ? AND owner = ? AND state = 'sent'"
            " ORDER BY created_at DESC, id LIMIT ?",
            target,
            owner,
            limit,
        )
    return [_as_message(row) for row in rows]


def list_messages(
    store: Store, owner: str, *, state: str | None = None, limit: int = 50, cursor: str = ""
) -> Slice[OutboxMessage]:
    """The messages of an owner, sent or waiting, newest first.

    Raises:
        InvalidQuery: the cursor is not one of this list.
    """
    mark = list_mark("outbox", owner, state)
    after = read_cursor(cursor, mark, str, str)
    with store.read() as tx:
        rows = tx.all(
            f"{_SELECT} WHERE owner = ?{'' if state is None else ' AND state = ?'}"
            f"{' AND (created_at, id) < (?, ?)' if after else ''}"
            " ORDER BY created_at DESC, id DESC LIMIT ?",
            owner,
            *(() if state is None else (state,)),
            *after,
            limit + 1,
        )
    return slice_of(rows, limit, mark, ("created_at", "id"), _as_message)


def retry_failed(store: Store, owner: str, at: str) -> int:
    """Give messages that failed for good another chance; how many there are."""
    return store.transact(
        lambda tx: tx.run(
            "UPDATE outbox SET state = 'waiting', attempts = 0, next_try = ?, done_at = NULL"
            " WHERE owner = ? AND state = 'failed'",
            at,
            owner,
        )
    )


def prune_messages(tx: Tx, before: str) -> int:
    """Delete what was sent before an instant; how many there were."""
    return tx.run("DELETE FROM outbox WHERE state IN ('sent', 'bundled') AND done_at < ?", before)


def _as_message(row: Row) -> OutboxMessage:
    known: Row = {**row, "payload": read_json(row["payload"])}
    return OutboxMessage(**known)
