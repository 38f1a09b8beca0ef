"""``pageloom list``: pages of the library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.flags import CommonStream, Limit, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import count, date_of, print_items, print_lines, print_table
from pageloom.apps.cli.page_flags import ChosenAnywhere, Offset
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line
from pageloom.model.pages import DEFAULT_FILTERS, Sort
from pageloom.views import records

if TYPE_CHECKING:
    from pageloom.model.pages import Page


@dataclass(frozen=True, kw_only=True)
class ListFlags(ChosenAnywhere, CommonStream):
    """The flags of ``list``."""

    sort: Annotated[Sort, typer.Option("--sort", help="The order.")] = "saved"
    limit: Limit = 50
    offset: Offset = 0


@takes(ListFlags)
def list_(*, flags: ListFlags) -> None:
    """List pages, pinned ones first, then the newest.

    Marks: P pinned, A archived, D deleted, · unread.
    """
    filters = flags.filters()
    with open_library(flags.user) as library:
        found = library.list(filters, sort=flags.sort, limit=flags.limit, offset=flags.offset)
    shown = len(found.pages)
    more = flags.offset + shown < found.total or not found.is_exact
    if current.as_json:
        print_items(
            map(records.page, found.pages),
            total=found.total,
            total_is_exact=found.is_exact,
            next=flags.offset + shown if more else None,
        )
        return
    if not shown:
        print_lines(
            [
                "No pages. Save one with pageloom save URL; --all lists archived ones too."
                if filters == DEFAULT_FILTERS
                else "No pages match."
            ]
        )
        return
    rows = [_row(page) for page in found.pages]
    print_table((">id", "saved", "", "title", "site"), rows, flexible=3, drop=(4, 1))
    if more:
        total = ("" if found.is_exact else "at least ") + count(found.total, "page")
        print_lines([f"{shown:,} of {total}; more with --offset {flags.offset + shown}"])


def _row(page: Page) -> tuple[str, ...]:
    return (
        str(page.id),
        date_of(page.saved_at),
        _marks(page),
        one_line(page.title or page.url, 200),
        one_line(page.domain, 40),
    )


def _marks(page: Page) -> str:
    """One character for each thing worth knowing: pinned, archived, deleted, unread."""
    marks = (
        ("P", page.pinned),
        ("A", page.archived),
        ("D", bool(page.deleted_at)),
        ("·", page.read_at is None),
    )
    return "".join(mark for mark, shown in marks if shown)
