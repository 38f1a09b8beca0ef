"""``pageloom users``: who has pages in the library."""

from __future__ import annotations

from pageloom.apps.cli.flags import Json
from pageloom.apps.cli.output import date_of, print_items, print_table
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line


def users(*, as_json: Json = False) -> None:
    """List users with their pages and tokens."""
    with open_library(None) as library:
        figures = library.users()
    if as_json:
        print_items(figures)
        return
    rows = [
        (
            one_line(one["name"], 80),
            date_of(one["created_at"]),
            str(one["pages"]),
            str(one["tokens"]),
        )
        for one in figures
    ]
    print_table(("name", "since", ">pages", ">tokens"), rows, flexible=0)
