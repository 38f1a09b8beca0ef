"""``pageloom note``: notes on pages."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from pageloom.apps.cli.output import print_json, print_lines, time_of
from pageloom.apps.cli.pages import open_library, require_page
from pageloom.apps.cli.safe import safe
from pageloom.edges.store.tags import (
    add_note,
    notes_of,
    remove_note,
)
from pageloom.errors import NotInLibrary

if TYPE_CHECKING:
    from pageloom.model.library import Note
from typing import Annotated

import typer

from pageloom.apps.cli.flags import LARGEST, Json, User
from pageloom.apps.cli.page_flags import PageName


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
            number = remove
            if not library.store.transact(lambda tx: remove_note(tx, found, number)):
                raise NotInLibrary(f"Page {found.id} has no note {number}.", suggestions=())
        if text:
            library.store.transact(lambda tx: add_note(tx, found, " ".join(text)))
        notes = notes_of(library.store, found)
    if as_json:
        print_json({"id": found.id, "notes": [asdict(note) for note in notes]})
        return
    print_lines([_note(note) for note in notes] or [f"No notes on {found.id}."])


def _note(note: Note) -> str:
    head = f"{note.id:>4}  {time_of(note.created_at)}  "
    return head + safe(note.text).replace("\n", "\n" + " " * len(head))
