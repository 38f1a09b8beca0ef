"""Pages that a browser hands over as it shows them, some of them held until somebody confirms."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pageloom.errors import InvalidArgument, NotInLibrary
from pageloom.library.highlights import Highlights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.flows.library.save import SaveResult
    from pageloom.model.library import Token


class Captures(Highlights):
    """The methods of a Library that are about pages as browsers show them."""

    def capture(
        self, url: str, html: str, *, selection: str = "", tags: Iterable[str] = ()
    ) -> SaveResult:
        """Save a page as a browser shows it; nothing is fetched, and nothing that runs is kept.

        Args:
            url: the page.
            html: its DOM.
            selection: what was selected on it, which becomes a highlight.
            tags: added to the page.

        Raises:
            PageloomError: it cannot be read; the library keeps what it has of it.
        """
        from pageloom.flows.library.captures import save_capture

        context = self.context.save_context(tags=tuple(tags), origin="capture")
        saved = save_capture(context, url, html)
        if selection.strip():
            with suppress(NotInLibrary, InvalidArgument):  # it may be of a menu
                self.highlight(saved, selection)
        return saved

    def capture_key(self, secret: str) -> Token | None:
        """The capture key with this secret: a token that opens nothing else."""
        from pageloom.edges.store.users import find_token

        found = find_token(self._store, secret) if secret else None
        return found if found and found.scopes == ("capture",) else None

    def hold_capture(self, capture: dict[str, Any]) -> str:
        """Hold a page for ten minutes, until whoever is signed in keeps it; its one-time name.

        Raises:
            StorageError: too many are held.
        """
        from pageloom.flows.library.captures import hold_capture

        return hold_capture(self._store, capture)

    def find_held(self, name: str) -> dict[str, Any]:
        """A page that is held.

        Raises:
            NotInLibrary: nothing is held under this name, or not any more.
        """
        from pageloom.flows.library.captures import find_held

        return find_held(self._store, name)

    def take_held(self, name: str) -> dict[str, Any]:
        """A page that is held, which then is no longer.

        Raises:
            NotInLibrary: nothing is held under this name, or not any more.
        """
        from pageloom.flows.library.captures import take_held

        return take_held(self._store, name)
