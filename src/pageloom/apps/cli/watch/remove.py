"""``pageloom watch remove``."""

from __future__ import annotations

from pageloom.apps.cli.flags import Json, User, Yes
from pageloom.apps.cli.output import confirm
from pageloom.apps.cli.pages import hinted, open_library, watch_name
from pageloom.apps.cli.watch.flags import WatchNames
from pageloom.apps.cli.watch.pause import print_done
from pageloom.views import records


def remove(
    names: WatchNames, *, yes: Yes = False, user: User = None, as_json: Json = False
) -> None:
    """Remove watches; their pages stay in the library."""
    with open_library(user) as library, hinted(library, *names):
        found = library.get_watches(map(watch_name, names))
        refs = ", ".join(records.watch_ref(watch.id) for watch in found)
        confirm(f"Remove {refs}", yes=yes)
        print_done(library.remove_watch(*found), "removed", as_json=as_json)
