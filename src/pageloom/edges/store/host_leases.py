"""Leases of hosts: one check at a time for each host, whatever process it runs in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.times import later, now
from pageloom.edges.store.watches import SELECT, as_watch

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.model.watch import Watch

_FREE_HOSTS = """
SELECT w.host AS host, min(w.next_due) AS due FROM watches w
LEFT JOIN host_leases t ON t.host = w.host
WHERE w.paused = 0 AND w.next_due <= ? AND (w.lease_until IS NULL OR w.lease_until < ?)
AND (t.host IS NULL OR (t.lease_until < ? AND t.free_at <= ?))
GROUP BY w.host ORDER BY 2, 1 LIMIT ?
"""


def claim_due(store: Store, holder: str, *, limit: int, seconds: float, at: str) -> list[Watch]:
    """Lease watches that are due, at most one of each host, the longest waiting first."""
    return store.transact(lambda tx: _claim(tx, holder, limit, seconds, at))


def _claim(tx: Tx, holder: str, limit: int, seconds: float, at: str) -> list[Watch]:
    until = later(at, seconds)
    claimed: list[Watch] = []
    for host in [row["host"] for row in tx.all(_FREE_HOSTS, at, at, at, at, limit)]:
        if _lease(tx, host, holder, until, at):
            watch = _take_watch(tx, host, holder, until, at)
            if watch is not None:
                claimed.append(watch)
    return claimed


def lease_host(store: Store, host: str, holder: str, *, seconds: float, at: str) -> bool:
    """Lease a host for a check outside of the schedule."""
    return store.transact(lambda tx: _lease(tx, host, holder, later(at, seconds), at))


def _lease(tx: Tx, host: str, holder: str, until: str, at: str) -> bool:
    tx.run("INSERT INTO host_leases (host) VALUES (?) ON CONFLICT (host) DO NOTHING", host)
    taken = tx.run(
        "UPDATE host_leases SET lease_owner = ?, lease_until = ?"
        " WHERE host = ? AND lease_until < ? AND free_at <= ?",
        holder,
        until,
        host,
        at,
        at,
    )
    return taken == 1


def _take_watch(tx: Tx, host: str, holder: str, until: str, at: str) -> Watch | None:
    row = tx.one(
        f"{SELECT} WHERE host = ? AND paused = 0 AND next_due <= ?"
        f" AND (lease_until IS NULL OR lease_until < ?) ORDER BY next_due, id LIMIT 1"
        f"{tx.for_update()}",
        host,
        at,
        at,
    )
    if row is None:
        _free(tx, host, holder, at)
        return None
    tx.run(
        "UPDATE watches SET lease_owner = ?, lease_until = ? WHERE id = ?", holder, until, row["id"]
    )
    return as_watch(row | {"lease_owner": holder, "lease_until": until})


def release_host(store: Store, host: str, holder: str, *, free_at: str) -> None:
    """Release a host: others may fetch from it from an instant on."""
    store.transact(lambda tx: _free(tx, host, holder, free_at))


def _free(tx: Tx, host: str, holder: str, free_at: str) -> None:
    tx.run(
        "UPDATE host_leases SET lease_owner = NULL, lease_until = '', free_at = ?"
        " WHERE host = ? AND lease_owner = ?",
        free_at,
        host,
        holder,
    )


def free_all(store: Store, holder: str) -> None:
    """Release all leases of a process that ends in order."""

    def free(tx: Tx) -> None:
        tx.run(
            "UPDATE host_leases SET lease_owner = NULL, lease_until = '' WHERE lease_owner = ?",
            holder,
        )
        tx.run(
            "UPDATE watches SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = ?",
            holder,
        )

    store.transact(free)


def claimable(watch: Watch) -> bool:
    """Whether a watch is due and nobody has it."""
    at = now()
    due = watch.next_due is not None and watch.next_due <= at
    return due and not watch.paused and (watch.lease_until is None or watch.lease_until < at)
