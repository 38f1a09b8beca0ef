"""What is let go after a while: old originals, and the Documents of old trivial versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.edges.store.times import later, now

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx


_DAY = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class LetGo:
    """What was let go."""

    bodies: int = 0
    versions: int = 0


def let_go(
    store: Store, *, bodies_before: str = "", trivial_before: str = "", unused_before: str = ""
) -> LetGo:
    """Let go of what is older than these instants.

    The original of the last version of every track stays, for it is what a reparse needs. A trivial
    version keeps its number and its hashes; only its Document goes.
    """

    def run(tx: Tx) -> LetGo:
        thinned = _thin(tx, trivial_before) if trivial_before else 0
        unnamed = _forget_bodies(tx, bodies_before) if bodies_before else 0
        dropped = drop_unused_bodies(tx, stored_before=unused_before)
        return LetGo(bodies=unnamed + dropped, versions=thinned)

    return store.transact(run)


def tidy(store: Store, *, originals_days: int, trivial_days: int) -> LetGo | None:
    """Let go of what the settings say, at most once a day; None when that was done today."""
    today = now()[:10]

    def is_due(tx: Tx) -> bool:
        fresh = tx.run(
            "INSERT INTO idempotency_keys (consumer, key, at) VALUES ('tidy', ?, ?)"
            " ON CONFLICT (consumer, key) DO NOTHING",
            today,
            now(),
        )
        tx.run("DELETE FROM idempotency_keys WHERE consumer = 'tidy' AND key < ?", today)
        return fresh == 1

    if not (originals_days or trivial_days) or not store.transact(is_due):
        return None
    return let_go(
        store,
        bodies_before=later(now(), -_DAY * originals_days) if originals_days else "",
        trivial_before=later(now(), -_DAY * trivial_days) if trivial_days else "",
        # A worker stores an original before there is a version that names it.
        unused_before=later(now(), -_DAY),
    )


def drop_unused_bodies(tx: Tx, *, stored_before: str = "") -> int:
    """Remove the originals that no version names any more, of those stored before an instant."""
    old = " AND created_at < ?" if stored_before else ""
    return tx.run(
        "DELETE FROM bodies WHERE NOT EXISTS"
        " (SELECT 1 FROM versions v WHERE v.body_hash = bodies.hash)" + old,
        *((stored_before,) if stored_before else ()),
    )


_NOT_LAST = (
    " AND EXISTS (SELECT 1 FROM tracks l WHERE l.page_id = versions.page_id"
    " AND l.track = versions.track AND l.last_number > versions.number)"
)


def _thin(tx: Tx, before: str) -> int:
    return tx.run(
        "UPDATE versions SET document = NULL, body_hash = NULL"
        " WHERE trivial = 1 AND document IS NOT NULL AND last_seen_at < ?" + _NOT_LAST,
        before,
    )


def _forget_bodies(tx: Tx, before: str) -> int:
    tx.run(
        "UPDATE versions SET body_hash = NULL WHERE body_hash IS NOT NULL AND last_seen_at < ?"
        + _NOT_LAST,
        before,
    )
    return 0
