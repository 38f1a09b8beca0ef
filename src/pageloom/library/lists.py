"""Lists of pages: all, some, or those with certain words.

A class of its own, because ``list`` means the method here and the type everywhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.errors import InvalidArgument
from pageloom.library.base import LibraryPart
from pageloom.model.pages import DEFAULT_FILTERS, SORTS, Hit, Hits, Snippet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.model.pages import Filters, Listing, Page, Sort


class Lists(LibraryPart):
    """The methods of a Library that list and search pages."""

    def list(
        self,
        filters: Filters = DEFAULT_FILTERS,
        *,
        sort: Sort = "saved",
        limit: int = 50,
        offset: int = 0,
        cursor: str = "",
    ) -> Listing:
        """Pages, newest first unless another order is asked for, and how many there are.

        Args:
            filters: which pages; archived and deleted ones are left out by default.
            sort: the order.
            limit: at most so many.
            offset: how many to skip.
            cursor: ``next_cursor`` of the part before, with the same filters (dates, not ages):
                goes on behind it, whatever was added meanwhile.

        Raises:
            InvalidArgument: an order that is not known, or a date that cannot be read.
            InvalidQuery: a cursor of another list.
        """
        from pageloom.edges.store.listing import list_pages

        _require_part(sort, limit, offset)
        wanted = self._checked(filters)
        part = {"limit": limit, "offset": offset}
        return list_pages(self._store, self.owner, wanted, sort=sort, cursor=cursor, **part)

    def pages(self, filters: Filters = DEFAULT_FILTERS) -> Iterator[Page]:
        """All pages, by number, read in batches: as many as there are."""
        from pageloom.edges.store.listing import walk_pages

        return iter(walk_pages(self._store, self.owner, self._checked(filters)))

    def count(self, filters: Filters = DEFAULT_FILTERS) -> int:
        """How many pages match."""
        from pageloom.edges.store.listing import count_pages

        return count_pages(self._store, self.owner, self._checked(filters))

    def search(
        self,
        query: str,
        filters: Filters = DEFAULT_FILTERS,
        *,
        sort: Sort | None = None,
        limit: int = 20,
        offset: int = 0,
        cursor: str = "",
    ) -> Hits:
        """Pages with these words, best first, each with the piece of text that shows why.

        Args:
            query: words in any form, ``"a phrase"`` or word as it is, ``-excluded``, ``begin*``,
                ``one OR other``; and filters such as ``tag:birds is:unread changed:<7d``. With
                filters alone, the pages that pass them, newest first.
            filters: which pages.
            sort: another order than by rank.
            limit: at most so many.
            offset: how many to skip.
            cursor: as in ``list``.

        Raises:
            InvalidQuery: a query without a word, or a cursor of another list.
        """
        from pageloom.edges.store.search import search
        from pageloom.flows.library.search_language import read_search

        _require_part(sort or "saved", limit, offset)
        asked = read_search(query, self._checked(filters))
        part: dict[str, Any] = {"limit": limit, "offset": offset, "cursor": cursor}
        if asked.said and not asked.words:
            return _as_hits(self.list(asked.filters, sort=sort or "saved", **part))
        wanted = asked.filters
        return search(self._store, self.owner, asked.words, wanted, sort=sort, **part)

    def suggest(self, query: str, filters: Filters = DEFAULT_FILTERS) -> str:
        """A search with beginnings of the same words that finds pages; empty where none does.

        Args:
            query: a search that found nothing.
            filters: which pages.
        """
        from pageloom.edges.store.search import suggest
        from pageloom.flows.library.search_language import read_search

        asked = read_search(query, self._checked(filters))
        if asked.said and not asked.words:
            return ""
        looser = suggest(self._store, self.owner, asked.words, asked.filters)
        return f"{asked.said} {looser}".strip() if looser else ""


def _as_hits(listed: Listing) -> Hits:
    """Pages that were found by filters alone, with their beginnings."""
    hits = [
        Hit(page=page, snippet=Snippet(text=str(page.metadata.get("lead", ""))))
        for page in listed.pages
    ]
    return Hits(
        hits=tuple(hits),
        total=listed.total,
        is_exact=listed.is_exact,
        more=listed.next_cursor is not None,
        next_cursor=listed.next_cursor,
    )


def _require_part(sort: str, limit: int, offset: int) -> None:
    if sort not in SORTS:
        raise InvalidArgument(
            f"Pages cannot be sorted by {sort[:40]}.",
            suggestions=(f"Choose one of {', '.join(SORTS)}.",),
        )
    if limit < 0 or offset < 0:
        raise InvalidArgument("limit and offset cannot be negative.")
