"""Users, and the tokens by which programs speak for them.

Of a token only its hash is kept: a copy of the database opens no door.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.times import now
from pageloom.errors import SettingsError
from pageloom.model.library import Token

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx

PREFIX = "plm_"
_LONGEST = 200


def require_name(name: str) -> None:
    """Refuse what can be nobody's name.

    Raises:
        SettingsError: it is empty, too long, or cannot be printed.
    """
    if not name.strip() or not name.isprintable() or len(name) > _LONGEST:
        raise SettingsError(
            f"{name[:40]!r} cannot be the name of a user.",
            suggestions=(f"Give --user a name that can be printed, up to {_LONGEST} characters.",),
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
    """All users, each with the numbers of their pages and of their tokens that are still good."""
    with store.read() as tx:
        return tx.all(
            "SELECT u.name, u.created_at, (SELECT count(*) FROM pages p WHERE p.owner = u.name"
            " AND p.deleted_at IS NULL) AS pages, (SELECT count(*) FROM tokens t"
            " WHERE t.owner = u.name AND t.revoked_at IS NULL"
            " AND (t.expires_at IS NULL OR t.expires_at > ?)) AS tokens"
            " FROM users u ORDER BY u.name",
            now(),
        )


def make_token(store: Store, owner: str, *, label: str = "", expires_at: str = "") -> str:
    """A new token for a user: shown once, here, and never again."""
    token = PREFIX + secrets.token_urlsafe(32)

    def add(tx: Tx) -> None:
        ensure_user(tx, owner)
        tx.run(
            "INSERT INTO tokens (owner, label, hash, created_at, expires_at)"
            " VALUES (?, ?, ?, ?, ?)",
            owner,
            label,
            _hash(token),
            now(),
            expires_at or None,
        )

    store.transact(add)
    return token


def token_owner(store: Store, token: str) -> str | None:
    """Whom a token speaks for; None for one that is wrong, revoked or past its time.

    The hash of what was given is looked up, so the time this takes tells nothing about tokens.
    """
    if not token.startswith(PREFIX) or len(token) > _LONGEST:
        return None
    at, hash_ = now(), _hash(token)

    def use(tx: Tx) -> str | None:
        return tx.value(
            "UPDATE tokens SET last_used_at = ? WHERE hash = ? AND revoked_at IS NULL"
            " AND (expires_at IS NULL OR expires_at > ?) RETURNING owner",
            at,
            hash_,
            at,
        )

    return store.transact(use)


def list_tokens(store: Store, owner: str) -> list[Token]:
    """The tokens of a user that are still good."""
    with store.read() as tx:
        rows = tx.all(
            "SELECT id, owner, label, created_at, last_used_at, expires_at FROM tokens"
            " WHERE owner = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"
            " ORDER BY id",
            owner,
            now(),
        )
    return [Token(**row) for row in rows]


def revoke_token(store: Store, owner: str, token_id: int) -> bool:
    """End a token; whether there was one."""
    at = now()
    sql = "UPDATE tokens SET revoked_at = ? WHERE id = ? AND owner = ? AND revoked_at IS NULL"
    return store.transact(lambda tx: tx.run(sql, at, token_id, owner) == 1)


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()
