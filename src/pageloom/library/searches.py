"""Saved searches: kept under a name, with a feed, and with notices of what they newly find."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.errors import InvalidArgument, NotInLibrary
from pageloom.library.base import LibraryPart

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.model.searches import SavedSearch

_DUE_SECONDS = 60


class Searches(LibraryPart):
    """The methods of a Library that are about saved searches."""

    def save_search(
        self, name: str, query: str, *, notify: Iterable[str] = (), number: int = 0
    ) -> SavedSearch:
        """Keep a search under a name; pages that it finds now are not notified.

        Args:
            name: what it is called.
            query: as in ``search``.
            notify: targets of notices, as those of watches: ``feed:birds``, ``mailto:…``.
            number: of the search that this one replaces.

        Raises:
            InvalidArgument: it has no name or no query.
            SettingsError: not a target.
            NotInLibrary: there is no search with this number.
        """
        from pageloom.edges.notify.target import read_target
        from pageloom.edges.store.searches import put_search
        from pageloom.edges.store.times import now
        from pageloom.flows.notify.searches import matching_pages
        from pageloom.model.searches import SavedSearch

        if not name.strip() or not query.strip():
            raise InvalidArgument("A saved search needs a name and a query.")
        targets = tuple(dict.fromkeys(target.strip() for target in notify if target.strip()))
        for target in targets:
            read_target(target)
        at = now()
        before = self.get_search(number) if number else None
        known = tuple(page.id for page in matching_pages(self._store, self.owner, query))
        saved = SavedSearch(
            id=number,
            owner=self.owner,
            name=" ".join(name.split())[:200],
            query=query.strip()[:1000],
            targets=targets,
            known=known,
            checked_at=at,
            created_at=before.created_at if before else at,
        )
        return replace(saved, id=self._store.transact(lambda tx: put_search(tx, saved)))

    def searches(self) -> list[SavedSearch]:
        """The saved searches, by name."""
        from pageloom.edges.store.searches import list_searches

        return list_searches(self._store, self.owner)

    def get_search(self, number: int) -> SavedSearch:
        """The saved search with this number.

        Raises:
            NotInLibrary: there is none.
        """
        from pageloom.edges.store.searches import search_in

        with self._store.read() as tx:
            found = search_in(tx, self.owner, number)
        if found is None:
            raise NotInLibrary(f"There is no saved search {number}.", suggestions=())
        return found

    def remove_search(self, number: int) -> None:
        """Remove a saved search.

        Raises:
            NotInLibrary: there is none.
        """
        from pageloom.edges.store.searches import remove_search

        if not self._store.transact(lambda tx: remove_search(tx, self.owner, number)):
            raise NotInLibrary(f"There is no saved search {number}.", suggestions=())

    def check_searches(self) -> int:
        """Queue notices of pages that saved searches have newly found; how many pages these are."""
        from pageloom.flows.notify.searches import check_search

        return sum(check_search(self._store, saved) for saved in self.searches() if saved.targets)

    def check_due_searches(self) -> int:
        """The same for all users: of searches that were not asked for a minute."""
        from pageloom.edges.store.searches import due_searches
        from pageloom.edges.store.times import later, now
        from pageloom.flows.notify.searches import check_search

        due = due_searches(self._store, later(now(), -_DUE_SECONDS))
        return sum(check_search(self._store, saved) for saved in due)
