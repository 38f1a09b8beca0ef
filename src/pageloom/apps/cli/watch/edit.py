"""``pageloom watch edit``."""

from __future__ import annotations

from pageloom.apps.cli.flags import Json, User, takes
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.pages import open_library, require_watch
from pageloom.apps.cli.safe import safe
from pageloom.apps.cli.watch.flags import WatchFlags, WatchName
from pageloom.views import records
from pageloom.views.records import watch_differences


@takes(WatchFlags, "chosen")
def edit(
    name_or_id: WatchName, *, chosen: WatchFlags, user: User = None, as_json: Json = False
) -> None:
    """Change the settings of a watch.

    An empty value removes a setting: --scope ''.
    """
    with open_library(user) as library:
        watch = require_watch(library, name_or_id)
        changed = library.edit_watch(watch, name=chosen.name, **chosen.choices())
    different = watch_differences(watch, changed)
    if as_json:
        changes = [each._asdict() for each in different]
        print_json({"success": True} | records.watch(changed) | {"changed": changes})
        return
    ref = records.watch_ref(changed.id)
    if not different:
        print_lines([f"Watch {ref} has these settings already: nothing changed."])
        return
    print_lines([f"Watch {ref} changed, and due now:"])
    print_lines(f"  {safe(str(each))}" for each in different)
