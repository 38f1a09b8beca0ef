"""A clock that was ahead, and was set right: what it put off is due, what it leased is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.times import later

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx

TOLERANCE = 60.0
"""Seconds by which the clocks of several machines may differ."""
_LONGEST_LEASE = 24 * 3600.0
"""No process leases anything for longer."""


def forget_future(store: Store, at: str) -> int:
    """Make due what a clock that was ahead has put off; the number of watches it had checked.

    A machine that starts with a wrong date checks its watches, and puts off the next check to years
    from now. What was done later than now was done by such a clock.

    Args:
        store: the library.
        at: the present instant.
    """
    return store.transact(lambda tx: _forget(tx, at))


def _forget(tx: Tx, at: str) -> int:
    soon, far = later(at, TOLERANCE), later(at, _LONGEST_LEASE)
    checked = tx.run("UPDATE watches SET next_due = ? WHERE last_checked_at > ?", at, soon)
    for table in ("watches", "outbox"):
        tx.run(
            f"UPDATE {table} SET lease_owner = NULL, lease_until = NULL WHERE lease_until > ?", far
        )
    tx.run(
        "UPDATE host_leases SET lease_owner = NULL, lease_until = '', free_at = ''"
        " WHERE lease_until > ? OR free_at > ?",
        far,
        far,
    )
    tx.run("UPDATE jobs SET lease_until = ? WHERE lease_until > ?", at, far)
    tx.run(
        "UPDATE outbox SET next_try = ?"
        " WHERE state = 'waiting' AND created_at > ? AND next_try > ?",
        *(at, soon, at),
    )
    tx.run("UPDATE sources SET next_poll = ? WHERE last_polled_at > ?", at, soon)
    return checked
