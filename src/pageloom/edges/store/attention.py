"""Pages that need somebody: without content, read badly, or only a part of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.pages import PAGE_COLUMNS, as_page

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store
    from pageloom.model.pages import Page

_POOR = 40
"""The index ``pages_in_need`` has this figure too."""
_SHORT = ("product", "video", "feed")
"""They have little text, and that is as it should be."""
_LAST = 2_000
"""Teasers are looked for among so many pages: no index knows them."""


def pages_in_need(store: Store, owner: str, *, limit: int = 100) -> list[Page]:
    """Pages without content or of poor quality, the last saved first."""
    with store.read() as tx:
        rows = tx.all(
            "SELECT " + PAGE_COLUMNS + " FROM pages p WHERE p.owner = ? AND p.deleted_at IS NULL"
            f" AND (p.version = 0 OR p.quality < {_POOR}) ORDER BY p.id DESC LIMIT ?",
            owner,
            limit,
        )
    return [page for page in map(as_page, rows) if not page.version or page.page_type not in _SHORT]


def teasers(store: Store, owner: str, *, limit: int = 100) -> list[Page]:
    """Pages of which only the beginning was shown, among the last that were saved."""
    with store.read() as tx:
        rows = tx.all(
            "SELECT " + PAGE_COLUMNS + " FROM pages p WHERE p.owner = ? AND p.deleted_at IS NULL"
            " AND p.archived = 0 ORDER BY p.saved_at DESC, p.id DESC LIMIT ?",
            owner,
            _LAST,
        )
    found = (page for page in map(as_page, rows) if page.metadata.get("teaser"))
    return [page for page, _ in zip(found, range(limit), strict=False)]
