"""``pageloom watch add``."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, User, takes
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import safe
from pageloom.apps.cli.watch.flags import WatchFlags
from pageloom.views import records


@takes(WatchFlags, "chosen")
def add(
    url: Annotated[str, typer.Argument(metavar="URL", help="The URL of the page to watch.")],
    *,
    chosen: WatchFlags,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Watch a page and get notified of changes that matter.

    The first check saves the page; changes are found from the second check on.
    """
    with open_library(user) as library:
        watch, added = library.add_watch(url, name=chosen.name or "", **chosen.choices())
        targets = watch.settings.targets or library.settings.notify.targets
    if as_json:
        print_json({"success": True, "added": added} | records.watch(watch))
        return
    ref, when = records.watch_ref(watch.id), records.schedule(watch)
    done = "added" if added else "exists already"
    lines = [f"Watch {ref} {done}: {safe(watch.url_full)}, {when}."]
    if added:
        lines.append(f"Check it now with: pageloom check {ref}")
    if not targets:
        lines.append(
            "No notification target is set."
            f" Run pageloom watch edit {ref} --to TARGET, or set notify.targets."
        )
    print_lines(lines)
