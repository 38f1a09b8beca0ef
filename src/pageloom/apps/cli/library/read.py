"""``pageloom read``: one page of the library."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pageloom import views
from pageloom.apps.cli.flags import LARGEST, Common, takes
from pageloom.apps.cli.invocation import current, note_format
from pageloom.apps.cli.output import print_json, print_lines, time_of
from pageloom.apps.cli.page_flags import PageName
from pageloom.apps.cli.pager import paged
from pageloom.apps.cli.pages import open_library, require_page
from pageloom.apps.cli.safe import one_line, safe
from pageloom.views import records

if TYPE_CHECKING:
    from pageloom.model import Document
    from pageloom.model.pages import Note


Form = Literal["pretty", "markdown", "text", "html", "json"]


@dataclass(frozen=True, kw_only=True)
class ReadFlags(Common):
    """The flags of ``read``."""

    page: PageName
    version: Annotated[
        int | None,
        typer.Option("--version", "-v", min=1, max=LARGEST, help="Read this older version."),
    ] = None
    form: Annotated[
        Form | None,
        typer.Option(
            "--format",
            "-f",
            callback=note_format,
            help="Output format; default: pretty on a terminal, otherwise markdown.",
        ),
    ] = None
    pager: Annotated[
        bool, typer.Option("--pager/--no-pager", help="On a terminal, show it in $PAGER.")
    ] = True


@takes(ReadFlags)
def read(*, flags: ReadFlags) -> None:
    """Read a page; it is then marked as read."""
    with open_library(flags.user) as library:
        page = require_page(library, flags.page)
        document = library.read(page, flags.version)
        tags, notes = library.tags(page), library.notes(page)
    if current.as_json:
        data = records.page(page) | {"tags": tags, "notes": [records.note(one) for one in notes]}
        print_json({"success": True} | data | {"document": document.to_dict()})
        return
    if page.deleted_at:
        when, name = time_of(page.deleted_at), page.id
        print(f"Deleted {when}. Bring it back with: pageloom restore {name}", file=sys.stderr)
    form = flags.form or ("pretty" if sys.stdout.isatty() else "markdown")
    with paged(wanted=flags.pager):
        if form == "pretty":
            _show(document, notes)
        elif form == "markdown":
            print_lines([safe(views.frontmatter(document, page.saved_at, tags)).rstrip("\n")])
        else:
            print_lines([safe(document.text if form == "text" else document.html)])


def _show(document: Document, notes: list[Note]) -> None:
    from pageloom.apps.cli.show import show_document

    show_document(document)
    print_lines([f"note {note.id}: {one_line(note.text, 200)}" for note in notes])
