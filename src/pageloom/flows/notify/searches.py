"""Saved searches that notify: of each page that they find, once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.edges.notify.notice import Notice, delivery_id, one_line
from pageloom.edges.store.events import record_event
from pageloom.edges.store.listing import list_pages
from pageloom.edges.store.search import search
from pageloom.edges.store.searches import put_search, search_in
from pageloom.edges.store.times import now
from pageloom.errors import InvalidQuery
from pageloom.flows.library.search_language import read_search
from pageloom.flows.notify.notices import queue_notice
from pageloom.model.pages import DEFAULT_FILTERS
from pageloom.views import records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store, Tx
    from pageloom.model.pages import Page
    from pageloom.model.searches import SavedSearch

_LOOKED_AT = 200
"""So many of the pages that changed last are looked at each time."""
_REMEMBERED = 2_000


def matching_pages(store: Store, owner: str, query: str) -> tuple[Page, ...]:
    """The pages that a search finds, those updated last."""
    asked = read_search(query, DEFAULT_FILTERS)
    if asked.said and not asked.words:
        found = list_pages(store, owner, asked.filters, sort="updated", limit=_LOOKED_AT)
        return found.pages
    try:
        hits = search(store, owner, asked.words, asked.filters, sort="updated", limit=_LOOKED_AT)
    except InvalidQuery:
        return ()
    return tuple(hit.page for hit in hits.hits)


def check_search(store: Store, saved: SavedSearch) -> int:
    """Notify of the pages that a search has found since the last time; how many these are."""
    found = matching_pages(store, saved.owner, saved.query)

    def note(tx: Tx) -> int:
        known = search_in(tx, saved.owner, saved.id, lock=True)
        if known is None:  # removed meanwhile
            return 0
        old = set(known.known)
        new = [page for page in found if page.id not in old and page.updated_at >= known.checked_at]
        remembered = (*(page.id for page in found), *known.known)
        kept = tuple(dict.fromkeys(remembered))[:_REMEMBERED]
        put_search(tx, replace(known, known=kept, checked_at=now()))
        if new:
            queue_notice(tx, saved.owner, _notice(known, new), known.targets)
            record_event(tx, saved.owner, "search.found", search=saved.id, pages=len(new))
        return len(new)

    return store.transact(note)


def _notice(saved: SavedSearch, new: Sequence[Page]) -> Notice:
    """The notice of the pages that a search has newly found."""
    numbers = " ".join(str(page.id) for page in new)
    what = one_line(new[0].title or new[0].url_full, 90)
    if len(new) > 1:
        what += f" and {len(new) - 1} more"
    return Notice(
        id=delivery_id(f"search {saved.id} {numbers} {saved.checked_at}", ""),
        kind="search",
        title=f"{one_line(saved.name, 60)}: {what}",
        text="\n".join(f"{one_line(page.title, 200)}\n{page.url_full}" for page in new),
        url=new[0].url_full,
        at=now(),
        importance=0.5,
        data={"search": saved.id, "query": saved.query, "pages": [records.page(p) for p in new]},
    )
