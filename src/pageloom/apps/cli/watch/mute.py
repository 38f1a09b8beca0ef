"""``pageloom watch mute`` and ``pageloom watch unmute``."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.pages import open_library, require_watch
from pageloom.apps.cli.watch.flags import WatchName


def mute(
    name_or_id: WatchName,
    keys: Annotated[
        list[str], typer.Argument(metavar="KEY…", help="Keys of parts, from watch show.")
    ],
    *,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Ignore parts of a page that change by themselves.

    They count less the more often they change; muted, they do not count at all.
    """
    with open_library(user) as library:
        muted = library.mute(require_watch(library, name_or_id), *keys)
    if as_json:
        print_json({"success": True, "muted": muted})
    else:
        print_lines([f"{count(len(muted), 'part')} will be ignored from the next check on."])


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
    """Compare again the parts that were muted."""
    with open_library(user) as library:
        unmuted = library.unmute(require_watch(library, name_or_id), *(keys or ()))
    if as_json:
        print_json({"success": True, "unmuted": unmuted})
    else:
        print_lines(
            [f"{count(len(unmuted), 'part')} will be compared again from the next check on."]
        )
