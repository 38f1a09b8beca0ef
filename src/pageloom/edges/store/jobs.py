"""Long work that may be interrupted: what is done of it is written down with its effect.

A job is known by what was asked for: whoever asks the same again goes on where it stopped.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.times import now
from pageloom.edges.store.users import ensure_user
from pageloom.model.library import Job

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx


def job_id(owner: str, kind: str, settings: Any) -> str:
    """The same for the same request."""
    return sha256(write_json([owner, kind, settings]).encode()).hexdigest()[:32]


def open_job(
    store: Store, owner: str, kind: str, settings: dict[str, Any], *, restart: bool = False
) -> Job:
    """Begin a job, or go on with one that was interrupted.

    Args:
        store: the library.
        owner: whose work.
        kind: save, import, reparse…
        settings: what was asked for; the same settings are the same job.
        restart: forget what was done before.
    """
    id_ = job_id(owner, kind, settings)

    def begin(tx: Tx) -> Job:
        ensure_user(tx, owner)
        state = tx.value("SELECT state FROM jobs WHERE id = ?" + tx.for_update(), id_)
        if state is not None and (restart or state != "running"):
            tx.run("DELETE FROM jobs WHERE id = ?", id_)
            state = None
        if state is None:
            tx.run(
                "INSERT INTO jobs (id, owner, kind, settings, created_at, updated_at)"
                " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                *(id_, owner, kind, write_json(settings), now(), now()),
            )
        rows = tx.all("SELECT item FROM job_items WHERE job_id = ? AND state = 'done'", id_)
        done = frozenset(row["item"] for row in rows)
        return Job(id=id_, kind=kind, resumed=state is not None, done=done)

    return store.transact(begin)


def mark_done(tx: Tx, job: Job, item: str, result: Any = None) -> None:
    """An item of the job is done; in the transaction of its effect."""
    tx.run(
        "INSERT INTO job_items (job_id, item, state, result, updated_at)"
        " VALUES (?, ?, 'done', ?, ?) ON CONFLICT (job_id, item) DO UPDATE"
        " SET state = 'done', result = excluded.result, updated_at = excluded.updated_at",
        job.id,
        item,
        None if result is None else write_json(result),
        now(),
    )


def finish_job(store: Store, job: Job) -> None:
    """The job is done; the same request later is a new one."""

    def finish(tx: Tx) -> None:
        tx.run("DELETE FROM job_items WHERE job_id = ?", job.id)
        tx.run(
            "UPDATE jobs SET state = 'done', finished_at = ?, updated_at = ? WHERE id = ?",
            now(),
            now(),
            job.id,
        )

    store.transact(finish)


def list_jobs(store: Store, owner: str) -> list[dict[str, Any]]:
    """The jobs of an owner, newest first, with how much of each is done."""
    with store.read() as tx:
        rows = tx.all(
            "SELECT j.id, j.kind, j.state, j.settings, j.created_at, j.finished_at,"
            " (SELECT count(*) FROM job_items i WHERE i.job_id = j.id) AS done"
            " FROM jobs j WHERE j.owner = ? ORDER BY j.created_at DESC LIMIT 100",
            owner,
        )
    return [row | {"settings": read_json(row["settings"])} for row in rows]
