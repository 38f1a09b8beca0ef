"""``pageloom list``: pages of the library."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.flags import (
    Limit,
    takes,
)
from pageloom.apps.cli.output import count, date_of, print_json, print_lines, print_table
from pageloom.apps.cli.page_flags import ChosenAnywhere, Offset
from pageloom.apps.cli.pages import open_library, page_data
from pageloom.apps.cli.safe import one_line
from pageloom.edges.store.listing import list_pages
from pageloom.model.library import Filters

if TYPE_CHECKING:
    from pageloom.model.library import Page
from dataclasses import dataclass

from pageloom.apps.cli.flags import CommonStream


class Order(StrEnum):
    """How lists are sorted."""

    saved = "saved"
    published = "published"
    updated = "updated"
    opened = "opened"
    by_title = "title"
    words = "words"
    quality = "quality"
    domain = "domain"


@dataclass(frozen=True, kw_only=True)
class ListFlags(ChosenAnywhere, CommonStream):
    """The flags of ``list``."""

    sort: Annotated[Order, typer.Option("--sort", help="The order.")] = Order.saved
    limit: Limit = 50
    offset: Offset = 0


@takes(ListFlags)
def list_(*, flags: ListFlags) -> None:
    """List pages, pinned ones first, then the newest.

    Marks: P pinned, A archived, D deleted, · unread.
    """
    filters = flags.filters()
    with open_library(flags.user) as library:
        found = list_pages(
            library.store,
            library.owner,
            filters,
            sort=flags.sort.value,
            limit=flags.limit,
            offset=flags.offset,
        )
    if flags.as_json:
        exact = {"total": found.total, "total_is_exact": found.is_exact}
        print_json({"pages": [page_data(page) for page in found.pages], **exact})
        return
    if not found.pages:
        print_lines(["No pages." if filters == Filters() else "No pages match."])
        return
    print_table(
        (">id", "saved", "", "title", "site"),
        [_row(page) for page in found.pages],
        flexible=3,
        drop=(4, 1),
    )
    shown = len(found.pages)
    if flags.offset + shown < found.total or not found.is_exact:
        total = ("" if found.is_exact else "at least ") + count(found.total, "page")
        print_lines([f"{shown:,} of {total}; more with --offset {flags.offset + shown}"])


def _row(page: Page) -> tuple[str, ...]:
    return (
        str(page.id),
        date_of(page.saved_at),
        _signs(page),
        one_line(page.title or page.url, 200),
        one_line(page.domain, 40),
    )


def _signs(page: Page) -> str:
    """One letter for each thing worth knowing: pinned, archived, new, deleted."""
    signs = (
        ("P", page.pinned),
        ("A", page.archived),
        ("D", bool(page.deleted_at)),
        ("·", page.read_at is None),
    )
    return "".join(sign for sign, shown in signs if shown)
