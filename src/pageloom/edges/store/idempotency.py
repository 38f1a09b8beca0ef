"""What was done already: an effect and the note of it are kept together, or neither is."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.times import now

if TYPE_CHECKING:
    from pageloom.edges.store.base import Tx


def find_result(tx: Tx, consumer: str, key: str, *, since: str = "") -> dict[str, Any] | None:
    """What came of it the first time; None when there was no first time since then."""
    row = tx.one(
        "SELECT result FROM idempotency_keys WHERE consumer = ? AND key = ? AND at >= ?",
        *(consumer, key, since),
    )
    return None if row is None else read_json(row["result"]) or {}


def store_result(tx: Tx, consumer: str, key: str, result: dict[str, Any] | None = None) -> bool:
    """Note that it is done; False when that was noted before."""
    done = tx.run(
        "INSERT INTO idempotency_keys (consumer, key, at, result) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (consumer, key) DO NOTHING",
        consumer,
        key,
        now(),
        write_json(result or {}),
    )
    return done == 1


def count_results(tx: Tx, consumer: str) -> int:
    """How many keys a consumer has noted."""
    return tx.value("SELECT count(*) AS n FROM idempotency_keys WHERE consumer = ?", consumer)


def drop_results(tx: Tx, consumer: str, before: str = "9", *, key: str = "") -> None:
    """Forget what a consumer noted before an instant; of one key only, if there is one."""
    tx.run(
        "DELETE FROM idempotency_keys WHERE consumer = ? AND at < ? AND (? = '' OR key = ?)",
        *(consumer, before, key, key),
    )


def prune_results(tx: Tx, before: str) -> int:
    """Delete what was noted before an instant; how many there were."""
    return tx.run("DELETE FROM idempotency_keys WHERE at < ?", before)


def lock_name(tx: Tx, name: str) -> None:
    """Let nobody else have this name until the end of the transaction.

    In SQLite a writing transaction is alone anyway.
    """
    if tx.dialect == "postgres":
        number = int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)
        tx.one("SELECT pg_advisory_xact_lock(?)", number)
