"""``pageloom duplicates``: pages with the same story."""

from __future__ import annotations

from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line
from pageloom.views import records


def duplicates(*, user: User = None, as_json: Json = False) -> None:
    """List groups of pages with nearly the same text."""
    with open_library(user) as library:
        clusters = library.duplicates()
    if as_json:
        items = [{"pages": [records.page(page) for page in group]} for group in clusters]
        print_json({"success": True, "items": items})
        return
    for group in clusters:
        print_lines([f"{one_line(group[0].title or group[0].url, 90)}  ({len(group)})"])
        print_lines([f"  {page.id:>6}  {one_line(page.final_url, 110)}" for page in group])
    print_lines([] if clusters else ["No two pages have nearly the same text."])
