"""Users, and the tokens by which programs speak for them.

Of a token only its hash is kept: a copy of the database opens no door.
"""

from __future__ import annotations

import secrets
import threading
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.times import later, now
from pageloom.errors import SettingsError, StorageError
from pageloom.model.library import Token, User

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model.library import Role

PREFIX = "plm_"
_LONGEST = 200
_USE_SECONDS = 60
"""How exactly it is known when a token was last used."""
_COLUMNS = "id, owner, label, created_at, last_used_at, expires_at, scopes, feed"
_noting = threading.Lock()
"""Held while the use of a token is being written: one at a time in a process."""


def require_name(name: str) -> None:
    """Refuse what can be nobody's name.

    Raises:
        SettingsError: it is empty, too long, or cannot be printed.
    """
    if not name.strip() or not name.isprintable() or len(name) > _LONGEST:
        raise SettingsError(
            f"{name[:40]!r} is not a valid user name.",
            suggestions=(f"Use printable characters, at most {_LONGEST}.",),
        )


def ensure_user(tx: Tx, name: str) -> None:
    """Make a user of that name unless there is one.

    Raises:
        SettingsError: it can be nobody's name.
    """
    require_name(name)
    if tx.one("SELECT 1 AS found FROM users WHERE name = ?", name) is None:
        tx.run(
            "INSERT INTO users (name, created_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
            name,
            now(),
        )


def user_figures(store: Store) -> list[dict[str, Any]]:
    """All users, each with the numbers of their pages and of their valid tokens."""
    with store.read() as tx:
        return tx.all(
            "SELECT u.name, u.created_at, u.role,"
            " (SELECT count(*) FROM pages p WHERE p.owner = u.name AND p.deleted_at IS NULL)"
            " AS pages,"
            " (SELECT count(*) FROM tokens t WHERE t.owner = u.name AND t.revoked_at IS NULL"
            " AND (t.expires_at IS NULL OR t.expires_at > ?)) AS tokens"
            " FROM users u ORDER BY u.name",
            now(),
        )


def find_user(store: Store, owner: str) -> User | None:
    """The user of that name."""
    with store.read() as tx:
        row = tx.one(
            "SELECT name, role, password <> '' AS has_password, preferences, created_at"
            " FROM users WHERE name = ?",
            owner,
        )
    if row is None:
        return None
    row["has_password"] = bool(row["has_password"])
    row["preferences"] = read_json(row["preferences"]) or {}
    return User(**row)


def password_hash(store: Store, owner: str) -> str:
    """The hash of a user's password; empty for somebody who has none, or is nobody."""
    with store.read() as tx:
        return tx.value("SELECT password FROM users WHERE name = ?", owner) or ""


def has_passwords(store: Store) -> bool:
    """Whether anybody can sign in with a password."""
    with store.read() as tx:
        return tx.one("SELECT 1 AS found FROM users WHERE password <> '' LIMIT 1") is not None


def set_password(store: Store, owner: str, hashed: str) -> None:
    """Give a user, who is made if needed, a password by its hash; an empty one takes it away."""

    def write(tx: Tx) -> None:
        ensure_user(tx, owner)
        tx.run("UPDATE users SET password = ? WHERE name = ?", hashed, owner)

    store.transact(write)


def set_role(store: Store, owner: str, role: Role) -> None:
    """Give a user, who is made if needed, a role."""

    def write(tx: Tx) -> None:
        ensure_user(tx, owner)
        tx.run("UPDATE users SET role = ? WHERE name = ?", role, owner)

    store.transact(write)


def set_preferences(store: Store, owner: str, preferences: dict[str, Any]) -> None:
    """Remember how a user wants to see things."""
    text = write_json(preferences)
    sql = "UPDATE users SET preferences = ? WHERE name = ?"
    store.transact(lambda tx: tx.run(sql, text, owner))


def make_token(
    store: Store,
    owner: str,
    *,
    label: str = "",
    expires_at: str = "",
    scopes: tuple[str, ...] = ("read", "save", "write", "watch"),
    feed: str = "",
) -> str:
    """A new token for a user: shown once, here, and never again."""
    token = PREFIX + secrets.token_urlsafe(32)

    def add(tx: Tx) -> None:
        ensure_user(tx, owner)
        tx.run(
            "INSERT INTO tokens (owner, label, hash, created_at, expires_at, scopes, feed)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            owner,
            label,
            hash_secret(token),
            now(),
            expires_at or None,
            " ".join(scopes),
            feed,
        )

    store.transact(add)
    return token


def find_token(store: Store, token: str) -> Token | None:
    """A token by its secret; None for one that is wrong, revoked or expired.

    The hash of what was given is looked up, so the time this takes tells nothing about tokens. The
    answer waits for no writer: that the token was used is written behind it, once a minute.
    """
    if not token.startswith(PREFIX) or len(token) > _LONGEST:
        return None
    at = now()
    with store.read() as tx:
        row = tx.one(
            f"SELECT {_COLUMNS} FROM tokens WHERE hash = ? AND revoked_at IS NULL"
            " AND (expires_at IS NULL OR expires_at > ?)",
            hash_secret(token),
            at,
        )
    if row is None:
        return None
    if (row["last_used_at"] or "") < later(at, -_USE_SECONDS):
        _note_use(store, row["id"], at)
    return _as_token(row)


def _note_use(store: Store, token_id: int, at: str) -> None:
    """Write in the background that a token was used, if nobody else is writing just now."""
    if not _noting.acquire(blocking=False):
        return  # a later use is written

    def note() -> None:
        try:
            with store.for_requests(0).write() as tx:
                tx.run(
                    "UPDATE tokens SET last_used_at = ? WHERE id = ?"
                    " AND (last_used_at IS NULL OR last_used_at < ?)",
                    at,
                    token_id,
                    later(at, -_USE_SECONDS),
                )
        except StorageError:
            pass  # it is for people to look at; a later use is written
        finally:
            _noting.release()

    threading.Thread(target=note, name="pageloom-token-use", daemon=True).start()


def list_tokens(store: Store, owner: str) -> list[Token]:
    """The valid tokens of a user."""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT {_COLUMNS} FROM tokens WHERE owner = ? AND revoked_at IS NULL"
            " AND (expires_at IS NULL OR expires_at > ?) ORDER BY id",
            owner,
            now(),
        )
    return list(map(_as_token, rows))


def _as_token(row: Row) -> Token:
    known: Row = {**row, "scopes": tuple(row["scopes"].split())}
    return Token(**known)


def revoke_token(store: Store, owner: str, token_id: int) -> bool:
    """Revoke a token; whether there was one."""
    at = now()
    sql = "UPDATE tokens SET revoked_at = ? WHERE id = ? AND owner = ? AND revoked_at IS NULL"
    return store.transact(lambda tx: tx.run(sql, at, token_id, owner) == 1)


def hash_secret(secret: str) -> str:
    """What is kept of a secret that is long and random."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()
