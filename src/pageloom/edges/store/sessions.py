"""Sessions of browsers, the links that open one, and the keys of a server.

Of a session only the hash of its secret is kept, as of a token.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from pageloom.edges.store.times import later, now
from pageloom.edges.store.users import ensure_user, hash_secret
from pageloom.errors import StorageError
from pageloom.model.library import Session

if TYPE_CHECKING:
    from typing import Literal

    from pageloom.edges.store.base import Store, Tx

_COLUMNS = "id, owner, kind, label, created_at, last_seen_at, expires_at"
_SEEN_SECONDS = 300
"""How exactly it is known when a session was last used."""
_LONGEST = 200


def add_session(
    store: Store,
    owner: str,
    *,
    seconds: float,
    kind: Literal["session", "link"] = "session",
    label: str = "",
) -> str:
    """A new session, or a link that opens one: the secret, which is never shown again."""
    secret, at = secrets.token_urlsafe(32), now()

    def add(tx: Tx) -> None:
        ensure_user(tx, owner)
        tx.run("DELETE FROM sessions WHERE expires_at <= ?", at)
        tx.run(
            "INSERT INTO sessions (owner, kind, label, hash, created_at, last_seen_at, expires_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            *(owner, kind, label[:_LONGEST], hash_secret(secret), at, at, later(at, seconds)),
        )

    store.transact(add)
    return secret


def find_session(store: Store, secret: str, *, seconds: float) -> Session | None:
    """A session by its secret; None for one that is wrong, ended or expired.

    Args:
        store: the library.
        secret: from the cookie.
        seconds: how long it lives on from now; written every few minutes.
    """
    if not 0 < len(secret) <= _LONGEST:
        return None
    at = now()
    with store.read() as tx:
        row = tx.one(
            f"SELECT {_COLUMNS} FROM sessions WHERE hash = ? AND kind = 'session'"
            " AND expires_at > ?",
            *(hash_secret(secret), at),
        )
    if row is None:
        return None
    if row["last_seen_at"] < later(at, -_SEEN_SECONDS):
        _note_seen(store, row["id"], at, later(at, seconds))
    return Session(**row)


def _note_seen(store: Store, session_id: int, at: str, until: str) -> None:
    """Let a session live on, unless somebody is writing: then a later request does."""
    try:
        with store.for_requests(0).write() as tx:
            sql = "UPDATE sessions SET last_seen_at = ?, expires_at = ? WHERE id = ?"
            tx.run(sql, at, until, session_id)
    except StorageError:
        return


def use_link(store: Store, secret: str) -> str | None:
    """Whom a link signs in; it is used up. None for one that is wrong, used or expired."""

    def use(tx: Tx) -> str | None:
        return tx.value(
            "DELETE FROM sessions WHERE hash = ? AND kind = 'link' AND expires_at > ?"
            " RETURNING owner",
            *(hash_secret(secret[:_LONGEST]), now()),
        )

    return store.transact(use)


def list_sessions(store: Store, owner: str) -> list[Session]:
    """The sessions of a user, the last used first."""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT {_COLUMNS} FROM sessions WHERE owner = ? AND kind = 'session'"
            " AND expires_at > ? ORDER BY last_seen_at DESC, id DESC",
            *(owner, now()),
        )
    return [Session(**row) for row in rows]


def end_session(store: Store, owner: str, session_id: int) -> bool:
    """End a session; whether there was one."""
    sql = "DELETE FROM sessions WHERE id = ? AND owner = ?"
    return store.transact(lambda tx: tx.run(sql, session_id, owner) == 1)


def end_sessions(store: Store, owner: str) -> int:
    """End all sessions and links of a user; how many there were."""
    return store.transact(lambda tx: tx.run("DELETE FROM sessions WHERE owner = ?", owner))


def server_key(store: Store, name: str) -> bytes:
    """A key of the server's own, the same for all servers of a library; made when first needed."""
    with store.read() as tx:
        known = tx.value("SELECT value FROM server_keys WHERE name = ?", name)
    return bytes.fromhex(known or store.transact(lambda tx: _make_key(tx, name)))


def _make_key(tx: Tx, name: str) -> str:
    sql = "INSERT INTO server_keys (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING"
    tx.run(sql, name, secrets.token_hex(32))
    return tx.value("SELECT value FROM server_keys WHERE name = ?", name)
