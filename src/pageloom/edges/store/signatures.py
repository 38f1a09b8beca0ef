"""Pages by the signatures of their texts: those of the same story have nearly the same one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.listing import among, by_number
from pageloom.edges.store.pages import PAGE_COLUMNS, as_page

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store
    from pageloom.model.pages import OwnedPage, Page

_BITS = 6
"""Signatures that differ in no more bits are those of the same story."""
_LEAST_WORDS = 40
"""Shorter texts are similar by chance."""


def near_duplicates(store: Store, page: OwnedPage, *, limit: int = 20) -> list[Page]:
    """The other pages with nearly the same text."""
    with store.read() as tx:
        signature = tx.value(
            "SELECT signature FROM pages WHERE id = ? AND owner = ? AND word_count >= ?",
            *(page.id, page.owner, _LEAST_WORDS),
        )
        if not signature:
            return []
        own = int(signature, 16)
        rows = tx.all(
            "SELECT id, signature FROM pages WHERE owner = ? AND signature <> '' AND id <> ?"
            " AND deleted_at IS NULL AND word_count >= ?",
            *(page.owner, page.id, _LEAST_WORDS),
        )
        near = [row["id"] for row in rows if _differ(own, row["signature"]) <= _BITS][:limit]
        where, values = among(tx, near)
        sql = f"SELECT {PAGE_COLUMNS} FROM {by_number(tx)} WHERE {where} ORDER BY p.id"
        return [as_page(row) for row in tx.all(sql, *values)]


def _differ(own: int, signature: str) -> int:
    return (own ^ int(signature, 16)).bit_count()
