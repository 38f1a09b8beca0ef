"""What commands of the library share: opening it, and the pages that a user names."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.errors import UsageTrouble, warn
from pageloom.apps.cli.safe import one_line
from pageloom.context import Context, open_context
from pageloom.edges.store.base import files_of
from pageloom.edges.store.pages import find_page
from pageloom.errors import NotInLibrary

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from pathlib import Path

    from pageloom.errors import RuleError
    from pageloom.model.library import Page


@contextmanager
def open_library(user: str | None, flags: dict[str, Any] | None = None) -> Generator[Context]:
    """The library that the settings name; mistakes in rule files are warned of."""
    with open_context(user=user, flags=flags, warn_of_rules=warn_of_rules) as context:
        yield context


def warn_of_rules(trouble: RuleError) -> None:
    """Report mistakes in the user's rule files."""
    warn(trouble, "All other rules are used.")


def spare_library(library: Context, path: Path) -> None:
    """Refuse to write into the library itself, by whatever name it is called.

    Raises:
        UsageTrouble: the path leads there.
    """
    target = path.resolve()
    for file in files_of(library.settings.database):
        if target == file or (target.exists() and file.exists() and target.samefile(file)):
            raise UsageTrouble(
                f"{one_line(str(path), 80)} is the library itself.",
                suggestions=("Name another file.",),
            )


def require_page(library: Context, name: str) -> Page:
    """The page that a user named.

    Raises:
        NotInLibrary: there is none.
    """
    page = find_page(library.store, library.owner, name)
    if page is None:
        raise NotInLibrary(f"There is no page {one_line(name, 80)} in the library.")
    return page


def require_pages(library: Context, names: Iterable[str]) -> list[Page]:
    """The pages that a user named; nothing is done when one of them is missing."""
    return [require_page(library, name) for name in names]


def page_data(page: Page, **more: Any) -> dict[str, Any]:
    """A page as JSON shows it."""
    return asdict(page) | more
