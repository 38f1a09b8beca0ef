"""Retention: what is deleted after a while, and what of it always stays.

Of originals the last of every track stays, for it is what a reparse needs; of snapshots the newest
of each kind; a picture can be fetched again. A trivial version keeps
its number and its hashes; only its Document is deleted. Pages and notes are never deleted here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from pageloom.edges.store.events import prune_events
from pageloom.edges.store.files import drop_unused_files
from pageloom.edges.store.idempotency import prune_results
from pageloom.edges.store.jobs import prune_jobs
from pageloom.edges.store.outbox import prune_messages
from pageloom.edges.store.pictures import forget_pictures
from pageloom.edges.store.runs import prune_runs
from pageloom.edges.store.snapshots import drop_snapshots
from pageloom.edges.store.times import later, now

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.edges.store.base import Store, Tx

_DAY = 86_400
_MARKER = "housekeeping"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """For how many days things are kept; 0 keeps them for ever."""

    originals: int = 0
    pictures: int = 0
    snapshots: int = 0
    trivial_versions: int = 30
    runs: int = 90
    messages: int = 90
    """Those that were sent."""
    jobs: int = 30
    events: int = 30
    results: int = 30
    """Of messages that workers handled: so long one may come again and is recognised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """How much was deleted."""

    originals: int = 0
    versions: int = 0
    files: int = 0
    rows: int = 0
    """Of runs, messages, jobs, events and results."""


def prune_daily(store: Store, keep: Retention, *, at: str = "") -> Pruned | None:
    """Delete what is older than the settings keep, at most once a day; None when that is done.

    Cheap to call often: on every other call it is one question to the database.
    """
    at = at or now()
    marker = f"{at[:10]} {sha256(repr(keep).encode()).hexdigest()[:12]}"
    if _is_done(store, marker) or not store.transact(lambda tx: _begin(tx, marker, at)):
        return None
    rows = sum(store.transact(step) for step in _steps(keep, at))
    content = prune_content(
        store,
        originals_before=_before(at, keep.originals),
        pictures_before=_before(at, keep.pictures),
        snapshots_before=_before(at, keep.snapshots),
        trivial_before=_before(at, keep.trivial_versions),
        # A worker stores an original before there is a version that names it.
        unused_before=later(at, -_DAY),
    )
    return replace(content, rows=rows)


def _is_done(store: Store, marker: str) -> bool:
    sql = "SELECT 1 AS found FROM idempotency_keys WHERE consumer = ? AND key = ?"
    with store.read() as tx:
        return tx.one(sql, _MARKER, marker) is not None


def _begin(tx: Tx, marker: str, at: str) -> bool:
    """Whether nobody has begun with it today."""
    fresh = tx.run(
        "INSERT INTO idempotency_keys (consumer, key, at) VALUES (?, ?, ?)"
        " ON CONFLICT (consumer, key) DO NOTHING",
        *(_MARKER, marker, at),
    )
    tx.run("DELETE FROM idempotency_keys WHERE consumer = ? AND key < ?", _MARKER, at[:10])
    return fresh == 1


def _before(at: str, days: int) -> str:
    return later(at, -_DAY * days) if days else ""


def _steps(keep: Retention, at: str) -> list[Callable[[Tx], int]]:
    """One short transaction for each kind of rows, so that others can write between them."""
    kinds = (
        (keep.runs, prune_runs),
        (keep.messages, prune_messages),
        (keep.jobs, prune_jobs),
        (keep.events, prune_events),
        (keep.results, prune_results),
    )
    return [_step(prune, _before(at, days)) for days, prune in kinds if days]


def _step(prune: Callable[[Tx, str], int], before: str) -> Callable[[Tx], int]:
    return lambda tx: prune(tx, before)


def prune_content(
    store: Store,
    *,
    originals_before: str = "",
    pictures_before: str = "",
    snapshots_before: str = "",
    trivial_before: str = "",
    unused_before: str = "",
) -> Pruned:
    """Delete originals, pictures, snapshots and Documents of trivial versions from before these.

    Originals that no version names are deleted too, if they were stored before ``unused_before``.
    """

    def run(tx: Tx) -> Pruned:
        thinned = _drop_trivial_documents(tx, trivial_before) if trivial_before else 0
        if originals_before:
            _detach_originals(tx, originals_before)
        if pictures_before:
            forget_pictures(tx, pictures_before)
        if snapshots_before:
            drop_snapshots(tx, snapshots_before)
        dropped = drop_unused_bodies(tx, stored_before=unused_before)
        return Pruned(originals=dropped, versions=thinned, files=drop_unused_files(tx))

    return store.transact(run)


def drop_unused_bodies(tx: Tx, *, stored_before: str = "") -> int:
    """Delete the originals that no version names any more, of those stored before an instant."""
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


def _drop_trivial_documents(tx: Tx, before: str) -> int:
    return tx.run(
        "UPDATE versions SET document = NULL, body_hash = NULL"
        " WHERE trivial = 1 AND document IS NOT NULL AND last_seen_at < ?" + _NOT_LAST,
        before,
    )


def _detach_originals(tx: Tx, before: str) -> None:
    tx.run(
        "UPDATE versions SET body_hash = NULL WHERE body_hash IS NOT NULL AND last_seen_at < ?"
        + _NOT_LAST,
        before,
    )
