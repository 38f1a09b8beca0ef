"""``pageloom watch add``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import safe
from pageloom.apps.cli.watch.describe import describe_schedule, watch_data
from pageloom.apps.cli.watch.flags import Wishes
from pageloom.apps.cli.watch.settings import apply_wishes, default_settings
from pageloom.flows.watch.edit import new_watch

if TYPE_CHECKING:
    pass
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, User, takes


@takes(Wishes, "wishes")
def add(
    url: Annotated[str, typer.Argument(metavar="URL", help="The page.")],
    *,
    wishes: Wishes,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Watch a page and get notified of changes that matter.

    The first check saves the page; changes are found from the second check on.
    """
    with open_library(user) as library:
        settings = apply_wishes(wishes, default_settings(library.settings))
        means = library.notify_context()
        watch, added = new_watch(
            library.store, library.owner, url, settings, means, name=wishes.name or ""
        )
        if as_json:
            print_json({"success": True, "added": added} | watch_data(watch))
            return
        done = "added" if added else "was there already"
        lines = [f"Watch {watch.id} {done}: {safe(watch.url_full)}, {describe_schedule(watch)}."]
        if added:
            lines.append(f"Check it now with: pageloom check {watch.id}")
        if not settings.targets and not library.settings.notify.targets:
            lines.append("It tells nobody yet: name somebody with --to, or in notify.targets.")
        print_lines(lines)
