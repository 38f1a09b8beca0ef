"""What commands of the library share: opening it, and the pages and watches a user names."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.errors import warn
from pageloom.apps.cli.safe import one_line
from pageloom.context import open_context
from pageloom.errors import NotInLibrary
from pageloom.library import Library
from pageloom.views.records import watch_ref

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from pageloom.errors import RuleError
    from pageloom.model.pages import Page
    from pageloom.model.watch import Watch

_WATCH = re.compile(r"[wW](\d{1,15})")


@contextmanager
def open_library(user: str | None, flags: dict[str, Any] | None = None) -> Generator[Library]:
    """The library that the settings name; mistakes in rule files are warned of."""
    with open_context(user=user, flags=flags, warn_of_rules=warn_of_rules) as context:
        yield Library(context)


def warn_of_rules(trouble: RuleError) -> None:
    """Report mistakes in the user's rule files."""
    warn(trouble, "All other rules are used.")


def watch_number(name: str) -> int | None:
    """The number of a watch that is named as ``w7``; None for another name."""
    found = _WATCH.fullmatch(name)
    return int(found[1]) if found else None


def require_page(library: Library, name: str) -> Page:
    """The page that a user named by its number, its URL, or a watch (``w7``).

    Raises:
        NotInLibrary: there is none.
    """
    number = watch_number(name)
    if number is not None:
        return _page_of(library, library.get_watch(number))
    page = library.find(name)
    if page is None:
        advice = None
        if name.isdigit() and any(watch.id == int(name) for watch in library.watches()):
            advice = (f"For the page of watch {name}, write {watch_ref(int(name))}.",)
        raise NotInLibrary(
            f"There is no page {one_line(name, 80)} in the library.", suggestions=advice
        )
    return page


def _page_of(library: Library, watch: Watch) -> Page:
    ref = watch_ref(watch.id)
    page = library.find(watch.state.page_id) if watch.state.page_id else None
    if page is None:
        raise NotInLibrary(
            f"Watch {ref} has not saved its page yet.",
            suggestions=(f"Check it with: pageloom check {ref}",),
        )
    return page


def require_pages(library: Library, names: Iterable[str]) -> list[Page]:
    """The pages that a user named, each once; nothing is done when one of them is missing."""
    return list(
        {page.id: page for page in (require_page(library, name) for name in names)}.values()
    )


def watch_name(name: str) -> str:
    """A watch as the library takes it: ``w7`` and ``7`` are the same where only watches can be."""
    number = watch_number(name)
    return str(number) if number is not None else name


def require_watch(library: Library, name: str) -> Watch:
    """The one watch that a user named."""
    with hinted(library, name):
        return library.get_watch(watch_name(name))


@contextmanager
def hinted(library: Library, *names: str) -> Generator[None]:
    """Where a plain number is no watch but a page that is watched, say which watch that is."""
    try:
        yield
    except NotInLibrary as error:
        for name in names:
            page = library.find(int(name)) if name.isascii() and name.isdigit() else None
            own = [each for each in library.watches() if page and each.state.page_id == page.id]
            if own:
                refs = ", ".join(watch_ref(each.id) for each in own)
                raise NotInLibrary(
                    error.message, suggestions=(f"Page {name} is watched by {refs}.",)
                ) from None
        raise
