"""The history of runs: of every check of an address, when it was, how it ended, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.cursors import list_mark, read_cursor, slice_of
from pageloom.edges.store.times import now
from pageloom.edges.store.users import ensure_user
from pageloom.model.library import Run

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model.pages import Slice

_COLUMNS = "url, track, at, outcome, duration_ms, version, path, reason, key"


def record_run(tx: Tx, owner: str, run: Run) -> bool:
    """Write down a run, unless one of that key is written down already.

    Returns:
        False when it was.
    """
    ensure_user(tx, owner)
    done = tx.run(
        "INSERT INTO runs (owner, url, track, at, outcome, duration_ms, version, path, reason, key)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
        owner,
        run.url,
        run.track,
        run.at or now(),
        run.outcome,
        run.duration_ms,
        run.version,
        run.path,
        run.reason,
        run.key,
    )
    return done == 1


def delete_run(tx: Tx, owner: str, key: str) -> None:
    """Delete a run, as when a job that had failed succeeds after all."""
    tx.run("DELETE FROM runs WHERE key = ? AND owner = ?", key, owner)


def runs_of_job(store: Store, owner: str, job: str) -> list[Run]:
    """The runs whose key is that of the job, or begins with it and a colon; newest first."""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT {_COLUMNS} FROM runs"
            " WHERE owner = ? AND (key = ? OR (key >= ? AND key < ?)) ORDER BY at DESC, id DESC",
            owner,
            job,
            f"{job}:",
            f"{job};",
        )
    return [Run(**row) for row in rows]


def runs_of(
    store: Store,
    owner: str,
    url: str,
    *,
    track: str | None = "",
    limit: int = 100,
    cursor: str = "",
) -> Slice[Run]:
    """The runs of a URL (its ``url_key``), newest first; of all tracks with None.

    Raises:
        InvalidQuery: the cursor is not one of this list.
    """
    mark = list_mark("runs", owner, url, track)
    after = read_cursor(cursor, mark, str, int)
    chosen = "" if track is None else " AND track = ?"
    with store.read() as tx:
        rows = tx.all(
            f"SELECT id, {_COLUMNS} FROM runs WHERE owner = ? AND url = ?{chosen}"
            f"{' AND (at, id) < (?, ?)' if after else ''} ORDER BY at DESC, id DESC LIMIT ?",
            owner,
            url,
            *(() if track is None else (track,)),
            *after,
            limit + 1,
        )
    return slice_of(rows, limit, mark, ("at", "id"), _as_run)


def _as_run(row: Row) -> Run:
    return Run(**{name: value for name, value in row.items() if name != "id"})


def prune_runs(tx: Tx, before: str) -> int:
    """Delete the runs before an instant; how many there were."""
    return tx.run("DELETE FROM runs WHERE at < ?", before)
