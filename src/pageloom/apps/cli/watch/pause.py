"""``pageloom watch pause`` and ``pageloom watch resume``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.watch.describe import say_done
from pageloom.apps.cli.watch.settings import all_watches
from pageloom.edges.store.watches import pause_watch

if TYPE_CHECKING:
    pass
from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.watch.flags import WatchNames


def pause(names: WatchNames, *, user: User = None, as_json: Json = False) -> None:
    """Pause watches."""
    run_pause(user, names, paused=True, as_json=as_json)


def resume(names: WatchNames, *, user: User = None, as_json: Json = False) -> None:
    """Resume paused watches; they are due at once."""
    run_pause(user, names, paused=False, as_json=as_json)


def run_pause(user: str | None, names: list[str], *, paused: bool, as_json: bool) -> None:
    """Let watches rest, or take them up again."""
    with open_library(user) as library:
        found = all_watches(library, names)
        for watch in found:
            pause_watch(library.store, watch, paused=paused)
        say_done(found, "paused" if paused else "resumed", as_json=as_json)
