"""Watches: pages that are checked on a schedule, each with its settings and state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.edges.store.codec import write_json
from pageloom.edges.store.events import record_event
from pageloom.edges.store.times import later, now
from pageloom.edges.store.users import ensure_user
from pageloom.errors import StorageError
from pageloom.model.watch import NewWatch, Watch, WatchSettings, WatchState

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row


_COLUMNS = (
    "id, owner, url, url_full, track, host, name, settings, state, next_due, paused, failures,"
    " last_checked_at, lease_owner, lease_until, created_at"
)
SELECT = f"SELECT {_COLUMNS} FROM watches"
_read_settings = msgspec.json.Decoder(WatchSettings).decode
_read_state = msgspec.json.Decoder(WatchState).decode


def as_watch(row: Row) -> Watch:
    """A row of ``watches`` as a value.

    Raises:
        StorageError: it is damaged.
    """
    try:
        settings, state = _read_settings(row["settings"]), _read_state(row["state"])
    except msgspec.MsgspecError:
        raise StorageError(
            f"Watch {row['id']} cannot be read: it is damaged.",
            retryable=False,
            suggestions=("Remove it and add it again.",),
        ) from None
    known: Row = {**row, "settings": settings, "state": state, "paused": bool(row["paused"])}
    return Watch(**known)


def add_watch(store: Store, new: NewWatch) -> tuple[Watch, bool]:
    """Add a watch; the existing one, and False, where the same page and scope is watched."""
    return store.transact(lambda tx: _add(tx, new))


def _add(tx: Tx, new: NewWatch) -> tuple[Watch, bool]:
    ensure_user(tx, new.owner)
    at = now()
    added = tx.run(
        "INSERT INTO watches (owner, url, url_full, track, host, name, settings, state, next_due,"
        " created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (owner, url, track) DO NOTHING",
        new.owner,
        new.url,
        new.url_full,
        new.track,
        new.host,
        new.name,
        write_json(new.settings),
        write_json(WatchState()),
        new.next_due or at,
        at,
        at,
    )
    row = tx.one(
        f"{SELECT} WHERE owner = ? AND url = ? AND track = ?", new.owner, new.url, new.track
    )
    if row is None:
        raise RuntimeError("a watch that was just added is not there")
    if added:
        record_event(tx, new.owner, "watch.added", watch=row["id"])
    return as_watch(row), added == 1


def list_watches(store: Store, owner: str) -> list[Watch]:
    """All watches of an owner, in the order they were added."""
    with store.read() as tx:
        return [as_watch(row) for row in tx.all(f"{SELECT} WHERE owner = ? ORDER BY id", owner)]


def get_watch(store: Store, owner: str, number: int) -> Watch | None:
    """The watch of that number, if it is this owner's."""
    with store.read() as tx:
        row = tx.one(f"{SELECT} WHERE id = ? AND owner = ?", number, owner)
    return as_watch(row) if row else None


def watches_of(store: Store, owner: str, key: str) -> list[Watch]:
    """The watches of one page: the whole of it first, then its scopes."""
    with store.read() as tx:
        rows = tx.all(f"{SELECT} WHERE owner = ? AND url = ? ORDER BY track, id", owner, key)
    return [as_watch(row) for row in rows]


def change_watch(
    store: Store,
    watch: Watch,
    *,
    settings: WatchSettings,
    name: str,
    next_due: str | None,
    track: str | None = None,
) -> None:
    """Change the settings of a watch."""
    _update(
        store,
        watch,
        "changed",
        "UPDATE watches SET settings = ?, name = ?, next_due = ?, track = ?, updated_at = ?",
        *(write_json(settings), name, next_due, watch.track if track is None else track, now()),
    )


def _update(store: Store, watch: Watch, kind: str, sql: str, *values: Any) -> None:
    """Change a watch, if it is its owner's, and note that in the event log."""

    def update(tx: Tx) -> None:
        if tx.run(f"{sql} WHERE id = ? AND owner = ?", *values, watch.id, watch.owner):
            record_event(tx, watch.owner, f"watch.{kind}", watch=watch.id)

    store.transact(update)


def pause_watch(store: Store, watch: Watch, *, paused: bool) -> None:
    """Pause a watch, or resume it; then it is due at once."""
    _update(
        store,
        watch,
        "paused" if paused else "resumed",
        "UPDATE watches SET paused = ?, next_due = ?, updated_at = ?",
        *(int(paused), watch.next_due if paused else now(), now()),
    )


def remove_watch(store: Store, watch: Watch) -> None:
    """Remove a watch; the page and its versions stay in the library."""

    def remove(tx: Tx) -> None:
        tx.run(
            "DELETE FROM outbox WHERE watch_id = ? AND owner = ? AND state = 'waiting'",
            watch.id,
            watch.owner,
        )
        if tx.run("DELETE FROM watches WHERE id = ? AND owner = ?", watch.id, watch.owner):
            record_event(tx, watch.owner, "watch.removed", watch=watch.id)

    store.transact(remove)


def finish_check(
    tx: Tx, watch: Watch, *, state: WatchState, failures: int, at: str, next_due: str
) -> bool:
    """Write down what a check came to and give the watch back; False if it was no longer ours."""
    row = tx.one(
        f"{SELECT} WHERE id = ? AND owner = ? AND lease_owner = ?{tx.for_update()}",
        watch.id,
        watch.owner,
        watch.lease_owner,
    )
    if row is None:
        return False
    # Whoever edited the watch during its check set when it is due by its new settings.
    edited = as_watch(row).settings != watch.settings
    tx.run(
        "UPDATE watches SET state = ?, failures = ?, last_checked_at = ?, next_due = ?,"
        " lease_owner = NULL, lease_until = NULL, updated_at = ? WHERE id = ?",
        write_json(state),
        failures,
        at,
        row["next_due"] if edited else next_due,
        at,
        watch.id,
    )
    return True


def first_due(store: Store) -> str | None:
    """When the next watch is due."""
    with store.read() as tx:
        return tx.value("SELECT min(next_due) AS due FROM watches WHERE paused = 0")


def lease_watch(store: Store, watch: Watch, holder: str, seconds: float, at: str) -> Watch | None:
    """Take a watch for a check of our own; None while another process has it."""

    def take(tx: Tx) -> Watch | None:
        taken = tx.run(
            "UPDATE watches SET lease_owner = ?, lease_until = ?"
            " WHERE id = ? AND owner = ? AND (lease_until IS NULL OR lease_until < ?)",
            holder,
            later(at, seconds),
            watch.id,
            watch.owner,
            at,
        )
        row = tx.one(f"{SELECT} WHERE id = ?", watch.id) if taken else None
        return as_watch(row) if row else None

    return store.transact(take)


def release_watch(store: Store, watch: Watch) -> None:
    """Give a watch back without having checked it."""
    store.transact(
        lambda tx: tx.run(
            "UPDATE watches SET lease_owner = NULL, lease_until = NULL"
            " WHERE id = ? AND lease_owner = ?",
            watch.id,
            watch.lease_owner,
        )
    )
