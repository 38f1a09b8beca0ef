"""``pageloom users``: who has pages in the library."""

from __future__ import annotations

from pageloom.apps.cli.flags import Json
from pageloom.apps.cli.output import date_of, print_json, print_table
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line
from pageloom.edges.store.users import user_figures


def users(*, as_json: Json = False) -> None:
    """List users with their pages and tokens."""
    with open_library(None) as library:
        figures = user_figures(library.store)
    if as_json:
        print_json({"users": figures})
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
