"""Site rules of users: each applies to the pages of its owner alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.edges.store.codec import pack, unpack
from pageloom.edges.store.times import now
from pageloom.edges.store.users import ensure_user
from pageloom.errors import RuleError
from pageloom.model.user_rules import UserRule

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx

MOST_RULES = 500
"""Of one user; each page of theirs is read with all of them."""
_LISTED = "name, text, url, expected, updated_at"


def put_rule(store: Store, owner: str, rule: UserRule) -> None:
    """Keep a rule; an older one of that name is replaced.

    Raises:
        RuleError: the user has too many.
    """

    def put(tx: Tx) -> None:
        ensure_user(tx, owner)
        others = "SELECT count(*) FROM user_rules WHERE owner = ? AND name <> ?"
        if tx.value(others, owner, rule.name) >= MOST_RULES:
            raise RuleError(
                f"You have {MOST_RULES} rules, and there can be no more.",
                suggestions=("Remove those that you no longer need.",),
                stage="rules",
            )
        tx.run(
            "INSERT INTO user_rules (owner, name, text, url, expected, page, updated_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (owner, name) DO UPDATE SET"
            " text = excluded.text, url = excluded.url, expected = excluded.expected,"
            " page = excluded.page, updated_at = excluded.updated_at",
            owner,
            rule.name,
            rule.text,
            rule.url,
            rule.expected,
            pack(rule.page),
            now(),
        )

    store.transact(put)


def list_user_rules(store: Store, owner: str) -> list[UserRule]:
    """The rules of a user by name, without their pages."""
    with store.read() as tx:
        rows = tx.all(f"SELECT {_LISTED} FROM user_rules WHERE owner = ? ORDER BY name", owner)
    return [UserRule(**row) for row in rows]


def rule_texts(store: Store, owner: str) -> tuple[str, ...]:
    """The rules of a user as written, by name."""
    with store.read() as tx:
        found = tx.column("SELECT text FROM user_rules WHERE owner = ? ORDER BY name", owner)
    return tuple(found)


def find_user_rule(store: Store, owner: str, name: str) -> UserRule | None:
    """A rule of a user with the page that proves it; None where there is none of that name."""
    with store.read() as tx:
        row = tx.one(
            f"SELECT {_LISTED}, page FROM user_rules WHERE owner = ? AND name = ?", owner, name
        )
    return replace(UserRule(**row), page=unpack(row["page"])) if row else None


def remove_user_rule(store: Store, owner: str, name: str) -> bool:
    """Remove a rule; False where there is none of that name."""
    sql = "DELETE FROM user_rules WHERE owner = ? AND name = ?"
    return bool(store.transact(lambda tx: tx.run(sql, owner, name)))
