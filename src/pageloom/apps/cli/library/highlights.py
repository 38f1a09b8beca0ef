"""``pageloom highlight`` and ``pageloom highlights``: marked passages of pages."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.flags import LARGEST, Json, User
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.page_flags import PageName
from pageloom.apps.cli.pages import open_library, require_page
from pageloom.apps.cli.safe import safe
from pageloom.views.highlights import STATES, write_highlights
from pageloom.views.highlights import highlight as as_data

if TYPE_CHECKING:
    from pageloom.model.highlights import Highlight


class Colour(StrEnum):
    """The colours of marks."""

    yellow = "yellow"
    green = "green"
    blue = "blue"
    pink = "pink"


class Format(StrEnum):
    """The formats that highlights are written in."""

    md = "md"
    json = "json"
    csv = "csv"


def highlight(  # noqa: PLR0913  a command and its flags
    page: PageName,
    quote: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORDS…]", help="Words of the page; without them, show marks."),
    ] = None,
    *,
    note: Annotated[str, typer.Option("--note", help="A note on the passage.")] = "",
    colour: Annotated[Colour, typer.Option("--colour", help="The colour.")] = Colour.yellow,
    remove: Annotated[
        int | None,
        typer.Option(
            "--remove", min=1, max=LARGEST, metavar="NUMBER", help="Remove this highlight."
        ),
    ] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Mark a passage of a page, or show its highlights.

    Later versions of the page are searched for the passage: it is the same, moved, edited or gone.
    """
    with open_library(user) as library:
        found = require_page(library, page)
        if remove is not None:
            library.remove_highlight(found, remove)
        if quote:
            library.highlight(found, " ".join(quote), note=note, colour=colour.value)
        marks = library.highlights(found)
    if as_json:
        print_json({"success": True, "id": found.id, "items": list(map(as_data, marks))})
        return
    print_lines([_shown(each) for each in marks] or [f"Page {found.id} has no highlights."])


def highlights(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORDS…]", help="Only those that contain all of these."),
    ] = None,
    *,
    form: Annotated[Format, typer.Option("--format", help="The format.")] = Format.md,
    user: User = None,
) -> None:
    """Write the highlights of all pages, as Markdown, JSON or CSV."""
    with open_library(user) as library:
        found = library.all_highlights(" ".join(words or []), limit=LARGEST)
    print_lines([safe(write_highlights(found, form.value).rstrip("\n")) or "No highlights."])


def _shown(each: Highlight) -> str:
    head = f"{each.id:>4}  {each.colour:<7} {each.state:<7} "
    lines = [each.quote]
    if each.state in STATES:
        lines.append(STATES[each.state] + (f" {each.text}" if each.state == "edited" else ""))
    lines += [each.note] if each.note else []
    return head + safe("\n".join(lines)).replace("\n", "\n" + " " * len(head))
