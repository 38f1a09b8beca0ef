"""How far a user has read a page: by blocks of a version, so that every device can go on there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.pages import OWNED, require_owned
from pageloom.edges.store.times import now
from pageloom.model.pages import ReadingProgress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store, Tx
    from pageloom.model.pages import OwnedPage


def note_progress(tx: Tx, page: OwnedPage, progress: ReadingProgress) -> None:
    """Remember the place in a page; the last word counts, also when it is nearer to the start.

    Raises:
        NotInLibrary: the page is not its owner's.
    """
    tx.run(
        "INSERT INTO progress (page_id, version, block, blocks, at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (page_id) DO UPDATE SET version = excluded.version, block = excluded.block,"
        " blocks = excluded.blocks, at = excluded.at",
        require_owned(tx, page),
        progress.version,
        progress.block,
        progress.blocks,
        now(),
    )


def progress_of(store: Store, page: OwnedPage) -> ReadingProgress | None:
    """How far a page was read; None before that."""
    with store.read() as tx:
        row = tx.one(
            f"SELECT version, block, blocks FROM progress WHERE page_id = {OWNED}",
            page.id,
            page.owner,
        )
    return ReadingProgress(**row) if row else None


def progress_of_pages(
    store: Store, owner: str, page_ids: Sequence[int]
) -> dict[int, ReadingProgress]:
    """How far each of several pages was read; those never begun are left out."""
    if not page_ids:
        return {}
    marks = ", ".join("?" * len(page_ids))
    with store.read() as tx:
        rows = tx.all(
            "SELECT r.page_id, r.version, r.block, r.blocks FROM progress r"
            f" JOIN pages p ON p.id = r.page_id WHERE p.owner = ? AND r.page_id IN ({marks})",
            *(owner, *page_ids),
        )
    return {row.pop("page_id"): ReadingProgress(**row) for row in rows}
