"""Passages are marked: in the text that a reader shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.compare.passages import around, find_passage
from pageloom.edges.store.highlight_places import text_of
from pageloom.edges.store.highlights import add_highlight, follow_highlights
from pageloom.edges.store.times import now
from pageloom.edges.store.versions import latest_in
from pageloom.errors import NotInLibrary
from pageloom.model.highlights import Highlight

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.model.highlights import Colour
    from pageloom.model.library import Version
    from pageloom.model.pages import Page


def mark_passage(  # noqa: PLR0913  what a mark has
    store: Store,
    page: Page,
    version: Version,
    quote: str,
    beside: tuple[str, str],
    *,
    colour: Colour,
    note: str,
) -> int:
    """Mark a passage of a version; the number of the highlight.

    Raises:
        NotInLibrary: the version does not have these words.
    """
    text, number = text_of(version.document), version.info.number
    span = find_passage(text, quote, *beside)
    if span is None:
        raise NotInLibrary(
            f"Version {number} of page {page.id} does not have these words.",
            suggestions=("Copy them from the text as the reader shows it.",),
        )
    words, at = text.flat[span.start : span.end], now()
    before, after = around(text, span)
    made = Highlight(
        id=0,
        page_id=page.id,
        quote=words,
        before=before,
        after=after,
        colour=colour,
        note=note,
        version=number,
        text=words,
        found_version=number,
        block=span.line,
        start=span.start,
        end=span.end,
        created_at=at,
        updated_at=at,
    )

    def keep(tx: Tx) -> int:
        added = add_highlight(tx, page, made)
        last = latest_in(tx, page.id)
        if last and last.info.number > number:  # marked in an older version
            follow_highlights(tx, page.id, last.document, last.info.number)
        return added

    return store.transact(keep)
