"""``pageloom watch unmute``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.pages import open_library
from pageloom.flows.watch.edit import find_watch

if TYPE_CHECKING:
    pass
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.watch.flags import WatchName


def unmute(
    name_or_id: WatchName,
    keys: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY…", help="As watch show lists them; default: all."),
    ] = None,
    *,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Compare parts again that were muted as noise.

    Parts that differ on every check are muted.
    """
    from pageloom.flows.watch.mutes import unmute_blocks

    with open_library(user) as library:
        watch = find_watch(library.store, library.owner, name_or_id)
        unmuted = unmute_blocks(library.store, watch, keys or [])
        if as_json:
            print_json({"success": True, "unmuted": unmuted})
        else:
            print_lines([f"{len(unmuted)} parts count again from the next check on."])
