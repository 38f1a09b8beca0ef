"""``pageloom watch edit``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.watch.describe import describe_schedule, watch_data
from pageloom.apps.cli.watch.flags import Wishes
from pageloom.apps.cli.watch.settings import apply_wishes
from pageloom.edges.store.times import now
from pageloom.flows.watch.edit import edit_watch, find_watch

if TYPE_CHECKING:
    pass
from pageloom.apps.cli.flags import Json, User, takes
from pageloom.apps.cli.watch.flags import WatchName


@takes(Wishes, "wishes")
def edit(
    name_or_id: WatchName, *, wishes: Wishes, user: User = None, as_json: Json = False
) -> None:
    """Change the settings of a watch.

    An empty value removes a setting: --scope ''.
    """
    with open_library(user) as library:
        watch = find_watch(library.store, library.owner, name_or_id)
        changed = edit_watch(
            library.store,
            watch,
            apply_wishes(wishes, watch.settings),
            library.notify_context(),
            name=watch.name if wishes.name is None else wishes.name,
            at=now(),
        )
        if as_json:
            print_json({"success": True} | watch_data(changed))
        else:
            print_lines([f"Watch {watch.id} changed: {describe_schedule(changed)}."])
