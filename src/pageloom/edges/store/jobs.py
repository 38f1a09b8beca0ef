"""Jobs: long work that may be interrupted, watched, cancelled, and taken up by another process.

    queued ──claim──▶ running ──▶ done | failed | cancelled
                        ▲               │
                        └─ asked again ─┘

An item of a job is marked done in the transaction of its effect. A job is known by what was asked
for: who asks the same again, before it is done or cancelled, goes on where it stopped. Who runs it
holds a lease; when that has expired, another takes it up. Jobs and their items are kept for 30 days
(``prune_jobs``).
"""

from __future__ import annotations

from hashlib import sha256
from secrets import token_hex
from time import time_ns
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.cursors import list_mark, read_cursor, slice_of
from pageloom.edges.store.events import record_event
from pageloom.edges.store.times import later, now
from pageloom.edges.store.users import ensure_user
from pageloom.model.library import Job, JobInfo, JobItem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model.library import JobState
    from pageloom.model.pages import Slice

_COLUMNS = (
    "id, owner, kind, state, settings, total, done, failed, cancel_requested_at, result, error,"
    " lease_owner, lease_until, created_at, started_at, updated_at, finished_at"
)
_ACTIVE = "state IN ('queued', 'running')"


def open_job(  # noqa: PLR0913  what is asked for, and who does it
    store: Store,
    owner: str,
    kind: str,
    settings: dict[str, Any],
    *,
    restart: bool = False,
    queued: bool = False,
    total: int | None = None,
) -> Job:
    """Begin a job, or go on with one that was interrupted or failed.

    Args:
        store: the library.
        owner: whose work.
        kind: save, import, reparse…
        settings: what was asked for; the same settings are the same job until it is done.
        restart: cancel what is active, and begin anew.
        queued: leave it to whoever claims it, instead of running it here.
        total: how many items it has, where that is known.
    """
    request = sha256(write_json([owner, kind, settings]).encode()).hexdigest()[:32]

    def begin(tx: Tx) -> Job:
        ensure_user(tx, owner)
        if not restart:
            _reopen_failed(tx, owner, request, queued=queued)
        active = _active(tx, owner, request)
        if active and restart:
            _end(tx, Job(id=active, owner=owner, kind=kind), "cancelled")
        fresh = Job(id=_new_id(), owner=owner, kind=kind)
        is_new = (not active or restart) and _insert(tx, fresh, request, settings, queued=queued)
        id_ = fresh.id if is_new else _active(tx, owner, request)
        if total is not None:
            tx.run("UPDATE jobs SET total = ? WHERE id = ? AND owner = ?", total, id_, owner)
        return _with_items(tx, Job(id=id_, owner=owner, kind=kind, resumed=not is_new))

    return store.transact(begin)


def _new_id() -> str:
    """An id that sorts by time, because two jobs may be added within one tick of ``now()``."""
    return f"{time_ns():016x}{token_hex(8)}"


def _active(tx: Tx, owner: str, request: str) -> str:
    """The job that is active for a request; empty for none."""
    sql = f"SELECT id FROM jobs WHERE owner = ? AND request = ? AND {_ACTIVE}{tx.for_update()}"
    return tx.value(sql, owner, request) or ""


def _reopen_failed(tx: Tx, owner: str, request: str, *, queued: bool) -> None:
    """Go on with the last job for a request, if that failed."""
    state, at = "queued" if queued else "running", now()
    last = tx.one(
        "SELECT id, owner, kind, state FROM jobs WHERE owner = ? AND request = ?"
        " ORDER BY created_at DESC, id DESC LIMIT 1",
        *(owner, request),
    )
    if last is None or last.pop("state") != "failed":
        return
    reopened = tx.run(
        "UPDATE jobs SET state = ?, error = '', finished_at = NULL, cancel_requested_at = NULL,"
        " updated_at = ? WHERE id = ? AND state = 'failed' AND NOT EXISTS"
        f" (SELECT 1 FROM jobs j WHERE j.owner = ? AND j.request = ? AND j.{_ACTIVE})",
        *(state, at, last["id"], owner, request),
    )
    if reopened:
        record_event(tx, owner, f"job.{state}", job=last["id"], job_kind=last["kind"])


def _insert(tx: Tx, job: Job, request: str, settings: dict[str, Any], *, queued: bool) -> bool:
    """Add a job; False when another process has just added one for the same request."""
    state, at = "queued" if queued else "running", now()
    added = tx.run(
        "INSERT INTO jobs (id, owner, kind, state, request, settings, created_at, started_at,"
        " updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        job.id,
        job.owner,
        job.kind,
        state,
        request,
        write_json(settings),
        at,
        None if queued else at,
        at,
    )
    if added:
        record_event(tx, job.owner, f"job.{state}", job=job.id, job_kind=job.kind)
    return added == 1


def _with_items(tx: Tx, job: Job) -> Job:
    rows = tx.column("SELECT item FROM job_items WHERE job_id = ? AND state = 'done'", job.id)
    return Job(id=job.id, owner=job.owner, kind=job.kind, resumed=job.resumed, done=frozenset(rows))


def claim_next(
    store: Store, holder: str, *, seconds: float, kinds: Sequence[str] = ()
) -> Job | None:
    """Lease the oldest job that waits, or whose runner has not been heard of; None for none.

    A job that was opened without a lease is left to whoever opens it again.

    Args:
        store: the library.
        holder: who runs it.
        seconds: for how long, unless ``heartbeat`` renews the lease.
        kinds: only jobs of these kinds.
    """
    chosen = f" AND kind IN ({', '.join('?' * len(kinds))})" if kinds else ""

    def claim(tx: Tx) -> Job | None:
        at = now()
        skip = " FOR UPDATE SKIP LOCKED" if tx.dialect == "postgres" else ""
        row = tx.one(
            "SELECT id, owner, kind, started_at FROM jobs WHERE (state = 'queued' OR"
            f" (state = 'running' AND lease_until < ?)){chosen}"
            f" ORDER BY created_at, id LIMIT 1{skip}",
            at,
            *kinds,
        )
        if row is None:
            return None
        tx.run(
            "UPDATE jobs SET state = 'running', lease_owner = ?, lease_until = ?,"
            " started_at = coalesce(started_at, ?), updated_at = ? WHERE id = ?",
            *(holder, later(at, seconds), at, at, row["id"]),
        )
        is_resumed = row.pop("started_at") is not None
        job = _with_items(tx, Job(**row, resumed=is_resumed))
        record_event(tx, job.owner, "job.running", job=job.id, job_kind=job.kind)
        return job

    return store.transact(claim)


def heartbeat(store: Store, job: Job, holder: str, *, seconds: float) -> bool:
    """Renew a lease; False when the job is no longer ours, or is to be cancelled."""
    at = now()
    return store.transact(
        lambda tx: bool(
            tx.run(
                "UPDATE jobs SET lease_until = ?, updated_at = ? WHERE id = ? AND owner = ?"
                " AND lease_owner = ? AND state = 'running' AND cancel_requested_at IS NULL",
                *(later(at, seconds), at, job.id, job.owner, holder),
            )
        )
    )


def release_job(store: Store, job: Job, holder: str) -> None:
    """Leave a job to others, when its runner ends in order."""
    store.transact(
        lambda tx: tx.run(
            "UPDATE jobs SET state = 'queued', lease_owner = NULL, lease_until = NULL"
            " WHERE id = ? AND owner = ? AND lease_owner = ? AND state = 'running'",
            *(job.id, job.owner, holder),
        )
    )


def mark_done(tx: Tx, job: Job, item: str, result: Any = None) -> None:
    """An item of the job is done; in the transaction of its effect."""
    _mark(tx, job, item, "done", result)


def mark_item_failed(tx: Tx, job: Job, item: str, error: str, **facts: Any) -> None:
    """An item of the job failed; it is tried again when the job is resumed."""
    _mark(tx, job, item, "failed", {"error": error[:500], **facts})


def _mark(tx: Tx, job: Job, item: str, state: str, result: Any) -> None:
    # Locked first: two who mark the same item must not both read that it is new.
    lock = f"SELECT id FROM jobs WHERE id = ? AND owner = ?{tx.for_update()}"
    if tx.one(lock, job.id, job.owner) is None:
        return
    before = tx.value("SELECT state FROM job_items WHERE job_id = ? AND item = ?", job.id, item)
    tx.run(
        "INSERT INTO job_items (job_id, item, state, result, updated_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (job_id, item) DO UPDATE"
        " SET state = excluded.state, result = excluded.result, updated_at = excluded.updated_at",
        *(job.id, item, state, None if result is None else write_json(result), now()),
    )
    if before != state:
        tx.run(
            "UPDATE jobs SET done = done + ?, failed = failed + ?, updated_at = ?"
            " WHERE id = ? AND owner = ?",
            (state == "done") - (before == "done"),
            (state == "failed") - (before == "failed"),
            *(now(), job.id, job.owner),
        )


def request_cancel(store: Store, owner: str, job_id: str) -> bool:
    """Ask for the end of a job; whether it is active.

    One that nobody runs under a valid lease is cancelled at once; whoever runs one notices by
    ``heartbeat`` or ``is_cancel_requested``, and ends it with ``cancel_job``.
    """

    def ask(tx: Tx) -> bool:
        at = now()
        row = tx.one(
            f"SELECT id, owner, kind, lease_until FROM jobs WHERE id = ? AND owner = ?"
            f" AND {_ACTIVE}{tx.for_update()}",
            *(job_id, owner),
        )
        if row is None:
            return False
        until = row.pop("lease_until") or ""
        tx.run("UPDATE jobs SET cancel_requested_at = ? WHERE id = ?", at, job_id)
        if until < at:
            _end(tx, Job(**row), "cancelled")
        return True

    return store.transact(ask)


def is_cancel_requested(store: Store, job: Job) -> bool:
    """Whether a job is to be ended, or has been cancelled or pruned already."""
    with store.read() as tx:
        return not tx.value(
            f"SELECT 1 AS found FROM jobs WHERE id = ? AND owner = ? AND {_ACTIVE}"
            " AND cancel_requested_at IS NULL",
            *(job.id, job.owner),
        )


def stop_if_cancelled(store: Store, job: Job | None) -> bool:
    """Whether whoever works on a job has to stop; then it is cancelled."""
    if job is None or not is_cancel_requested(store, job):
        return False
    cancel_job(store, job)
    return True


def finish_job(store: Store, job: Job, result: Any = None) -> None:
    """The job is done; the same request later is a new one."""
    store.transact(lambda tx: _end(tx, job, "done", result=result))


def end_job(store: Store, job: Job, failed: int) -> None:
    """All items were tried; with failures the job has failed, and the same request goes on."""
    if failed:
        fail_job(store, job, f"{failed} {'item' if failed == 1 else 'items'} failed")
    else:
        finish_job(store, job)


def fail_job(store: Store, job: Job, error: str) -> None:
    """The job cannot go on; who asks the same again tries what failed, and skips what is done."""
    store.transact(lambda tx: _end(tx, job, "failed", error=error))


def cancel_job(store: Store, job: Job) -> None:
    """The job has ended because that was asked for."""
    store.transact(lambda tx: _end(tx, job, "cancelled"))


def _end(tx: Tx, job: Job, state: JobState, *, result: Any = None, error: str = "") -> None:
    ended = tx.run(
        "UPDATE jobs SET state = ?, result = ?, error = ?, finished_at = ?, updated_at = ?,"
        f" lease_owner = NULL, lease_until = NULL WHERE id = ? AND owner = ? AND {_ACTIVE}",
        state,
        None if result is None else write_json(result),
        error[:2_000],
        *(now(), now(), job.id, job.owner),
    )
    if ended:
        record_event(tx, job.owner, f"job.{state}", job=job.id, job_kind=job.kind)


def get_job(store: Store, owner: str, job_id: str) -> JobInfo | None:
    """The job with that id, if it is this owner's."""
    with store.read() as tx:
        row = tx.one(f"SELECT {_COLUMNS} FROM jobs WHERE id = ? AND owner = ?", job_id, owner)
    return _as_info(row) if row else None


def list_jobs(
    store: Store,
    owner: str,
    *,
    state: JobState | None = None,
    limit: int = 100,
    cursor: str = "",
) -> Slice[JobInfo]:
    """The jobs of an owner, newest first.

    Raises:
        InvalidQuery: the cursor is not one of this list.
    """
    mark = list_mark("jobs", owner, state)
    after = read_cursor(cursor, mark, str, str)
    narrowed = " AND state = ?" if state else ""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT {_COLUMNS} FROM jobs WHERE owner = ?{narrowed}"
            f"{' AND (created_at, id) < (?, ?)' if after else ''}"
            " ORDER BY created_at DESC, id DESC LIMIT ?",
            *(owner, *([state] if state else []), *after, limit + 1),
        )
        counted = f"SELECT count(*) FROM jobs WHERE owner = ?{narrowed}"
        total = tx.value(counted, owner, *([state] if state else []))
    return slice_of(rows, limit, mark, ("created_at", "id"), _as_info, total=total)


def list_items(
    store: Store,
    owner: str,
    job_id: str,
    *,
    state: str | None = None,
    limit: int = 100,
    cursor: str = "",
) -> Slice[JobItem]:
    """The items of a job, by name.

    Raises:
        InvalidQuery: the cursor is not one of this list.
    """
    mark = list_mark("job items", owner, job_id, state)
    after = read_cursor(cursor, mark, str)
    narrowed = " AND i.state = ?" if state else ""
    with store.read() as tx:
        rows = tx.all(
            "SELECT i.item, i.state, i.result, i.updated_at FROM job_items i"
            f" JOIN jobs j ON j.id = i.job_id WHERE j.id = ? AND j.owner = ?{narrowed}"
            f"{' AND i.item > ?' if after else ''} ORDER BY i.item LIMIT ?",
            *(job_id, owner, *([state] if state else []), *after, limit + 1),
        )
    return slice_of(rows, limit, mark, ("item",), _as_item)


def prune_jobs(tx: Tx, before: str) -> int:
    """Delete jobs that nothing has happened to since an instant; how many there were."""
    return tx.run(
        "DELETE FROM jobs WHERE updated_at < ? AND state <> 'queued'"
        " AND (lease_until IS NULL OR lease_until < ?)",
        before,
        now(),
    )


def _as_info(row: Row) -> JobInfo:
    known: Row = {**row, "settings": read_json(row["settings"]), "result": read_json(row["result"])}
    return JobInfo(**known)


def _as_item(row: Row) -> JobItem:
    return JobItem(**{**row, "result": read_json(row["result"])})
