"""``pageloom watch unmute``."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.pages import open_library, require_watch
from pageloom.apps.cli.watch.flags import WatchName


def unmute(
    name_or_id: WatchName,
    keys: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY…", help="Keys of muted parts, from watch show; default: all."),
    ] = None,
    *,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Compare again the parts that were muted as noise.

    Parts that differ on every check are muted.
    """
    with open_library(user) as library:
        unmuted = library.unmute(require_watch(library, name_or_id), *(keys or ()))
    if as_json:
        print_json({"success": True, "unmuted": unmuted})
    else:
        print_lines(
            [f"{count(len(unmuted), 'part')} will be compared again from the next check on."]
        )
