"""What the commands of the library share: opening it, naming pages, showing and printing them."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO

from pageloom.apps.cli.safe import escape_json, one_line
from pageloom.apps.cli.trouble import UsageTrouble, warn
from pageloom.context import Context, open_context
from pageloom.edges.store.base import files_of
from pageloom.edges.store.pages import find_page
from pageloom.errors import NotInLibrary

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence
    from pathlib import Path

    from pageloom.errors import RuleError
    from pageloom.model.library import Page


@contextmanager
def open_library(user: str | None, flags: dict[str, Any] | None = None) -> Generator[Context]:
    """The library that the settings name; mistakes in rule files are told on standard error."""
    with open_context(user=user, flags=flags, warn_of_rules=warn_of_rules) as context:
        yield context


def warn_of_rules(trouble: RuleError) -> None:
    """Say which mistakes there are in the user's rule files."""
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


@contextmanager
def going_on_later() -> Generator[None]:
    """Work that Ctrl-C only interrupts; whoever presses it is told so."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted: the same command goes on where it stopped.\n")
        raise


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


def print_json(value: Any, file: TextIO | None = None) -> None:
    """Plain data as JSON on standard output, or where it is told to go."""
    import msgspec

    encoded = msgspec.json.format(msgspec.json.encode(value), indent=2)
    (file or sys.stdout).write(escape_json(encoded.decode()) + "\n")


def print_lines(lines: Iterable[str]) -> None:
    """Lines of ours, in which text of pages was made safe already."""
    for line in lines:
        sys.stdout.write(line + "\n")


def print_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    flexible: int,
    drop: Sequence[int] = (),
) -> None:
    """A table that fits the terminal: wide columns give way to the others.

    Args:
        headers: the names of the columns; one that starts with ``>`` is set to the right.
        rows: cells of safe text on one line.
        flexible: the column that may be cut shortest where the terminal is too narrow.
        drop: the columns that are left out first where that is not enough.
    """
    from pageloom.apps.cli.columns import set_table

    print_lines(set_table(headers, rows, flexible=flexible, drop=drop))


def date_of(instant: str | None) -> str:
    """The day of an instant of the store."""
    return instant[:10] if instant else ""


def time_of(instant: str | None) -> str:
    """An instant of the store to the minute."""
    return instant[:16].replace("T", " ") if instant else ""


def count(number: int, what: str) -> str:
    """``1 page``, ``2,000 pages``."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
