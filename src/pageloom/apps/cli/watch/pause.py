"""``pageloom watch pause`` and ``pageloom watch resume``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.pages import hinted, open_library, watch_name
from pageloom.apps.cli.safe import safe
from pageloom.apps.cli.watch.flags import WatchNames
from pageloom.views import records

if TYPE_CHECKING:
    from pageloom.model.watch import Watch


def pause(names: WatchNames, *, user: User = None, as_json: Json = False) -> None:
    """Pause watches."""
    with open_library(user) as library, hinted(library, *names):
        print_done(library.pause(*map(watch_name, names)), "paused", as_json=as_json)


def resume(names: WatchNames, *, user: User = None, as_json: Json = False) -> None:
    """Resume paused watches; they are due immediately."""
    with open_library(user) as library, hinted(library, *names):
        print_done(library.resume(*map(watch_name, names)), "resumed", as_json=as_json)


def print_done(found: list[Watch], done: str, *, as_json: bool) -> None:
    """Say what was done to watches."""
    if as_json:
        print_json({"success": True, "items": [records.watch(watch) for watch in found]})
        return
    for watch in found:
        print_lines([f"Watch {records.watch_ref(watch.id)} {done}: {safe(watch.url_full)}"])
