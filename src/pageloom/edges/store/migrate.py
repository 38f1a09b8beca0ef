"""From nothing, and from every older version, to the present schema.

Each step is one transaction with its version number in it, under a lock that one process at a time
can hold: whoever is killed, or comes second, finds a whole number of steps done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.schema import LATEST, statements
from pageloom.edges.store.times import now
from pageloom.errors import StorageError

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx

FIRST_USER = "local"
_VERSIONS = "CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)"


def migrate(store: Store, target: int = LATEST) -> int:
    """Bring the schema to the target; the number of steps that were done.

    Raises:
        StorageError: the library was written by a newer Pageloom.
    """
    done = 0
    while not _is_at(store, target) and _version_of(store) < target:
        done += store.transact(lambda tx: _do_next(tx, target))
    return done


def _is_at(store: Store, target: int) -> bool:
    """Whether the schema is the target's: one question, for it is asked whenever one is opened."""
    with store.connection() as bare:
        try:
            [row] = bare.rows("SELECT max(version) AS version FROM schema_version", ())
        except StorageError:  # nothing is there yet; if it is worse, the next question will tell
            return False
    return row["version"] == target


def _version_of(store: Store) -> int:
    with store.read() as tx:
        version = schema_version(tx)
    if version > LATEST:
        raise StorageError(
            f"A newer Pageloom wrote this library (schema {version}; this one reads {LATEST}).",
            suggestions=("Update Pageloom.",),
            retryable=False,
        )
    return version


def schema_version(tx: Tx) -> int:
    """The version of the schema: 0 for an empty database."""
    if not tx.has_relation("schema_version"):
        return 0
    return tx.value("SELECT max(version) AS version FROM schema_version") or 0


def _do_next(tx: Tx, target: int) -> int:
    tx.lock_migrations()
    step = schema_version(tx) + 1  # again, under the lock: another process may have been quicker
    if step > target:
        return 0
    _do_step(tx, step)
    return 1


def apply_steps(tx: Tx, target: int) -> None:
    """Bring the schema to the target, in a transaction of the caller's."""
    for step in range(schema_version(tx) + 1, target + 1):
        _do_step(tx, step)


def _do_step(tx: Tx, step: int) -> None:
    from pageloom.edges.store.backfill import REFILLS  # few runs have a step to do

    if step == 1:
        tx.run(_VERSIONS)
    for statement in statements(step, tx.dialect):
        # The table that our view stands for may be in this very database.
        if not statement.startswith("CREATE VIEW websites") or not tx.has_relation("websites"):
            tx.run(statement)
    if refill := REFILLS.get(step):
        refill(tx)
    if step == 1:
        tx.run("INSERT INTO users (name, created_at) VALUES (?, ?)", FIRST_USER, now())
    tx.run("INSERT INTO schema_version (version, applied_at) VALUES (?, ?)", step, now())
