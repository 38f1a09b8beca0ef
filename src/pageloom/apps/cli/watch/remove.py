"""``pageloom watch remove``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.watch.describe import say_done
from pageloom.apps.cli.watch.settings import all_watches
from pageloom.edges.store.watches import remove_watch

if TYPE_CHECKING:
    pass
from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.watch.flags import WatchNames


def remove(names: WatchNames, *, user: User = None, as_json: Json = False) -> None:
    """Remove watches; their pages stay in the library."""
    with open_library(user) as library:
        found = all_watches(library, names)
        for watch in found:
            remove_watch(library.store, watch)
        say_done(found, "removed", as_json=as_json)
