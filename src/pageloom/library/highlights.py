"""Highlights: passages that a user marks, with a note if wanted, and finds again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.errors import InvalidArgument, NotInLibrary
from pageloom.library.pages import Pages
from pageloom.model.highlights import COLOURS

if TYPE_CHECKING:
    from pageloom.library.base import PageName
    from pageloom.model.highlights import Colour, Highlight
    from pageloom.model.pages import Slice

_LONGEST = 20_000


class Highlights(Pages):
    """The methods of a Library that are about marked passages."""

    def highlight(  # noqa: PLR0913  what a mark has
        self,
        page: PageName,
        quote: str,
        *,
        before: str = "",
        after: str = "",
        colour: Colour = "yellow",
        note: str = "",
        version: int | None = None,
    ) -> Highlight:
        """Mark a passage of a page; later versions are searched for it as they come.

        Args:
            page: the page.
            quote: the words, as the page has them.
            before: what stands before them, where the page has the same words several times.
            after: what stands behind them.
            colour: ``yellow``, ``green``, ``blue`` or ``pink``.
            note: what you think of it.
            version: the version in which they stand; the last when left out.

        Raises:
            NotInLibrary: the page does not have these words.
            InvalidArgument: no words, too many, or a colour that is not known.
        """
        from pageloom.flows.library.highlights import mark_passage

        _require_colour(colour)
        if not quote.strip() or len(quote) > _LONGEST:
            raise InvalidArgument(
                "A highlight needs some words of the page.",
                suggestions=(f"Mark up to {_LONGEST:,} characters.",),
            )
        found = self.get(page)
        at = self.version(found, version)
        made = mark_passage(
            self._store, found, at, quote, (before, after), colour=colour, note=note.strip()
        )
        return self.get_highlight(found, made)

    def highlights(self, page: PageName) -> list[Highlight]:
        """The highlights of a page, in the order of its text."""
        from pageloom.edges.store.highlights import highlights_of

        return highlights_of(self._store, self.get(page))

    def all_highlights(
        self, words: str = "", *, limit: int = 50, cursor: str = ""
    ) -> Slice[Highlight]:
        """The highlights of all pages, newest first; with words, those that contain all of them.

        Args:
            words: in the passage, in the note or in the title of the page.
            limit: at most so many.
            cursor: ``next_cursor`` of the part before.
        """
        from pageloom.edges.store.highlights import list_highlights

        return list_highlights(self._store, self.owner, words=words, limit=limit, cursor=cursor)

    def get_highlight(self, page: PageName, number: int) -> Highlight:
        """One highlight of a page.

        Raises:
            NotInLibrary: the page has no such highlight.
        """
        found = self.get(page)
        known = next((each for each in self.highlights(found) if each.id == number), None)
        if known is None:
            raise NotInLibrary(f"Page {found.id} has no highlight {number}.", suggestions=())
        return known

    def change_highlight(
        self,
        page: PageName,
        number: int,
        *,
        colour: Colour | None = None,
        note: str | None = None,
    ) -> Highlight:
        """Give a highlight another colour or note; what is left out stays.

        Raises:
            NotInLibrary: the page has no such highlight.
            InvalidArgument: a colour that is not known.
        """
        from pageloom.edges.store.highlights import change_highlight

        found = self.get(page)
        known = self.get_highlight(found, number)
        _require_colour(colour or known.colour)
        new = replace(
            known,
            colour=colour or known.colour,
            note=known.note if note is None else note.strip(),
        )
        self._store.transact(lambda tx: change_highlight(tx, found, new))
        return self.get_highlight(found, number)

    def remove_highlight(self, page: PageName, number: int) -> None:
        """Remove a highlight with its note.

        Raises:
            NotInLibrary: the page has no such highlight.
        """
        from pageloom.edges.store.highlights import remove_highlight

        found = self.get(page)
        if not self._store.transact(lambda tx: remove_highlight(tx, found, number)):
            raise NotInLibrary(f"Page {found.id} has no highlight {number}.", suggestions=())


def _require_colour(colour: str) -> None:
    if colour not in COLOURS:
        raise InvalidArgument(
            f"There is no colour {colour[:40]}.",
            suggestions=(f"Choose one of {', '.join(COLOURS)}.",),
        )
