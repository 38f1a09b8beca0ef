"""``pageloom searches``: saved searches."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import LARGEST, Json, User
from pageloom.apps.cli.output import count, print_json, print_lines, print_table
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line
from pageloom.views import records


def searches(  # noqa: PLR0913  a command and its flags
    *,
    add: Annotated[
        str | None, typer.Option("--add", metavar="NAME", help="Save a search under this name.")
    ] = None,
    query: Annotated[str, typer.Option("--query", help="What it searches for, with --add.")] = "",
    to: Annotated[
        list[str] | None,
        typer.Option("--to", help="Notify this target of pages that it newly finds."),
    ] = None,
    remove: Annotated[
        int | None,
        typer.Option("--remove", min=1, max=LARGEST, metavar="NUMBER", help="Remove this search."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Queue notices of new pages now.")] = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List saved searches, add one, or remove one."""
    new = 0
    with open_library(user) as library:
        if remove is not None:
            library.remove_search(remove)
        if add is not None:
            library.save_search(add, query, notify=to or ())
        if check:
            new = library.check_searches()
        found = library.searches()
    if as_json:
        print_json({"success": True, "items": list(map(records.saved_search, found))})
        return
    rows = [
        (str(one.id), one_line(one.name, 60), one_line(one.query, 120), ", ".join(one.targets))
        for one in found
    ]
    if check:
        print_lines([f"Queued notices of {count(new, 'page')}."])
    if rows:
        print_table((">id", "name", "query", "notifies"), rows, flexible=2)
    else:
        print_lines(["No saved searches."])
