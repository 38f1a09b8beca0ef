"""``pageloom purge``: remove deleted pages permanently."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import Json, User, Yes
from pageloom.apps.cli.output import confirm, count, print_json, print_lines
from pageloom.apps.cli.pages import open_library, require_pages
from pageloom.model.pages import Filters

if TYPE_CHECKING:
    from pageloom.library import Library
    from pageloom.model.pages import Page


def purge(
    pages: Annotated[
        list[str] | None, typer.Argument(metavar="PAGE…", help="Deleted pages.")
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Every deleted page.")] = False,
    yes: Yes = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Remove deleted pages permanently.

    All their versions, notes and originals are removed with them.
    """
    if bool(pages) == everything:
        raise UsageTrouble("Name the pages to remove, or give --all; not both.")
    with open_library(user) as library:
        named = require_pages(library, pages or [])
        wanted = [page for page in named if page.deleted_at]
        number = len(wanted) if named else library.count(_DELETED)
        gone = _purge(library, wanted, number, yes=yes, everything=everything)
    kept = [page.id for page in named if page.id not in gone]
    if as_json:
        print_json({"success": True, "purged": gone, "kept": kept})
        return
    print_lines([f"Removed {count(len(gone), 'page')} permanently."])
    for id_ in kept:
        print_lines(
            [f"Kept {id_}: it is not deleted. To remove it, first run pageloom delete {id_}"]
        )


_DELETED = Filters(archived="all", deleted="only")


def _purge(
    library: Library, wanted: list[Page], number: int, *, yes: bool, everything: bool
) -> list[int]:
    if not number:
        return []
    confirm(f"Remove {count(number, 'page')} permanently", yes=yes)
    return library.purge_deleted() if everything else library.purge(*wanted)
