"""``pageloom note``: notes on pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.flags import LARGEST, Json, User
from pageloom.apps.cli.output import print_json, print_lines, time_of
from pageloom.apps.cli.page_flags import PageName
from pageloom.apps.cli.pages import open_library, require_page
from pageloom.apps.cli.safe import safe
from pageloom.views import records

if TYPE_CHECKING:
    from pageloom.model.pages import Note


def note(
    page: PageName,
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT…]", help="The text of a new note; without it, show notes."),
    ] = None,
    *,
    remove: Annotated[
        int | None,
        typer.Option("--remove", min=1, max=LARGEST, metavar="NUMBER", help="Remove this note."),
    ] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Add a note to a page, or show its notes."""
    with open_library(user) as library:
        found = require_page(library, page)
        if remove is not None:
            library.remove_note(found, remove)
        if text:
            library.note(found, " ".join(text))
        notes = library.notes(found)
    if as_json:
        items = [records.note(one) for one in notes]
        print_json({"success": True, "id": found.id, "items": items})
        return
    print_lines([_note(note) for note in notes] or [f"Page {found.id} has no notes."])


def _note(note: Note) -> str:
    head = f"{note.id:>4}  {time_of(note.created_at)}  "
    return head + safe(note.text).replace("\n", "\n" + " " * len(head))
