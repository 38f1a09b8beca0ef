"""``pageloom duplicates``: pages with the same story."""

from __future__ import annotations

from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.pages import open_library, page_data
from pageloom.apps.cli.safe import one_line


def duplicates(*, user: User = None, as_json: Json = False) -> None:
    """List pages with the same story."""
    from pageloom.edges.store.listing import walk_pages
    from pageloom.flows.library.duplicates import find_clusters
    from pageloom.model.library import WITH_ARCHIVED

    with open_library(user) as library:
        clusters = find_clusters(
            walk_pages(library.store, library.owner, WITH_ARCHIVED, batch=2000)
        )
    if as_json:
        print_json({"clusters": [[page_data(page) for page in group] for group in clusters]})
        return
    for group in clusters:
        print_lines([f"{one_line(group[0].title or group[0].url, 90)}  ({len(group)})"])
        print_lines([f"  {page.id:>6}  {one_line(page.final_url, 110)}" for page in group])
    print_lines([] if clusters else ["No two pages tell the same story."])
