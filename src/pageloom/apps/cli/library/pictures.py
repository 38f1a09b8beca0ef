"""``pageloom pictures``: the pictures that are kept with pages."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.output import count, print_json, print_lines, size_of
from pageloom.apps.cli.page_flags import PageName
from pageloom.apps.cli.pages import open_library, require_page
from pageloom.apps.cli.safe import one_line

if TYPE_CHECKING:
    from pageloom.model.files import PagePicture


def list_(page: PageName, *, user: User = None, as_json: Json = False) -> None:
    """List the pictures of a page: kept, waiting, or failed and why."""
    with open_library(user) as library:
        found = require_page(library, page)
        pictures = library.pictures(found)
    if as_json:
        items = [asdict(picture) for picture in pictures]
        print_json({"success": True, "id": found.id, "items": items})
        return
    print_lines([_line(each) for each in pictures] or [f"Page {found.id} has no pictures."])


def fetch(
    pages: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PAGE…]", help="These pages; default: all that have some waiting."),
    ] = None,
    *,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Fetch the pictures of pages that are not kept yet.

    Of pages that you name, those that could not be fetched before are tried again too.
    """
    with open_library(user) as library:
        found = [require_page(library, name) for name in pages or ()]
        done = library.fetch_pictures(*found)
    if as_json:
        print_json({"success": True, "kept": done.kept, "missing": done.missing})
        return
    missing = f", {done.missing:,} could not be fetched" if done.missing else ""
    print_lines([f"{count(done.kept, 'picture')} kept{missing}."])


def _line(picture: PagePicture) -> str:
    if picture.state != "kept":
        why = f" ({one_line(picture.reason, 100)})" if picture.reason else ""
        return f"{picture.state:<8} {one_line(picture.url, 200)}{why}"
    size = f"{picture.width} × {picture.height}, " if picture.width else ""
    return f"kept     {one_line(picture.url, 200)} ({size}{size_of(picture.size)})"
