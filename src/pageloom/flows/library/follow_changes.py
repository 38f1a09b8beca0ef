"""Pages by what happened to them: for copies of the library that are kept up to date."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.edges.store.cursors import list_mark, read_cursor, write_cursor
from pageloom.edges.store.events import count_touched, pages_touched
from pageloom.edges.store.pages import page_in

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store
    from pageloom.model.pages import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchedPages:
    """A part of the pages that something happened to."""

    pages: tuple[Page, ...]
    """As they are now, deleted ones too."""
    gone: tuple[int, ...]
    """The numbers of those that were purged."""
    next_cursor: str | None = None
    total: int = 0


def touched_pages(store: Store, owner: str, since: str, *, limit: int, cursor: str) -> TouchedPages:
    """The pages that anything happened to since an instant, by their numbers.

    Raises:
        InvalidQuery: the cursor is not one of this list.
    """
    mark = list_mark("touched", owner, since)
    place = read_cursor(cursor, mark, int)
    touched = pages_touched(store, owner, since, int(place[0]) if place else 0, limit + 1)
    numbers = touched[:limit]
    with store.read() as tx:
        found = {number: page_in(tx, owner, number) for number in numbers}
    return TouchedPages(
        pages=tuple(page for page in found.values() if page is not None),
        gone=tuple(number for number, page in found.items() if page is None),
        total=count_touched(store, owner, since),
        next_cursor=write_cursor(mark, [numbers[-1]]) if len(touched) > limit else None,
    )
