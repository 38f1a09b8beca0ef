"""A library of pages, as one user: every act of the command line, the web app and your program.

    import pageloom

    with pageloom.open_library() as library:
        library.save("https://example.com/walks/harbour")
        for hit in library.search("harbour").hits:
            print(hit.page.title)

Methods block until they are done. They may be called from any thread, and where an event loop is
running; there, keep the loop free with ``await asyncio.to_thread(library.save, url)``.
"""

from __future__ import annotations

import copy
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from pageloom.context import open_context
from pageloom.library.access import Access
from pageloom.library.captures import Captures
from pageloom.library.links import Links
from pageloom.library.lists import Lists
from pageloom.library.rules import Rules
from pageloom.library.watches import Watches
from pageloom.library.work import ServerWork
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from pageloom.settings import Settings


class Library(Lists, Captures, Rules, Links, Watches, Access, ServerWork):
    """The pages, watches and sources of one user; made by ``open_library``."""

    def for_user(self, user: str) -> Library:
        """The library of another user of the same database, over the same connections.

        For servers: it is closed by closing the library that it was made from.

        Raises:
            SettingsError: not a name that a user can have.
        """
        return Library(self.context.for_user(user))

    def for_requests(self, user: str) -> Library:
        """As ``for_user``, for somebody who waits for an answer: a busy database is an error."""
        return Library(self.context.for_requests(user))

    def reading(self) -> AbstractContextManager[None]:
        """A block in which this thread reads one state of the library, until it writes.

        For what belongs together, and faster where much is read.
        """
        return self._store.reading()

    def close(self) -> None:
        """Close the connections to the database; afterwards every method raises StorageError."""
        if self._close is not None:
            self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Library of {self.owner}>"


def open_library(
    url: str | Path | None = None, user: str | None = None, *, settings: Settings | None = None
) -> Library:
    """Open a library; use it in a ``with`` block, or close it when you are done.

    Args:
        url: the path of a SQLite file, ``sqlite:///path`` or ``postgresql://…``; the library that
            the settings name when left out. A file that is not there yet is made.
        user: whose library; the settings' when left out. A new user starts with an empty one.
        settings: those of the files and the environment when left out.

    Raises:
        StorageError: the database cannot be opened.
        SettingsError: a setting that cannot be used.
        MissingExtra: PostgreSQL without its driver.
    """
    known = copy.copy(settings) if settings else load_settings()
    if url is not None:
        known.database = replace(known.database, url=str(url))
    stack = ExitStack()
    context = stack.enter_context(open_context(settings=known, user=user))
    return Library(context, close=stack.close)
