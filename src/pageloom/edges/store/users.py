"""Users, and the tokens by which programs speak for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.times import now

if TYPE_CHECKING:
    from pageloom.edges.store.base import Tx


def ensure_user(tx: Tx, name: str) -> None:
    """Make a user of that name unless there is one."""
    if tx.one("SELECT 1 AS found FROM users WHERE name = ?", name) is None:
        tx.run(
            "INSERT INTO users (name, created_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
            name,
            now(),
        )
