"""``pageloom watch list``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.output import print_json, print_lines, print_table, time_of
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line
from pageloom.apps.cli.watch.describe import describe_schedule, watch_data
from pageloom.edges.store.watches import list_watches

if TYPE_CHECKING:
    from pageloom.model.watch import Watch
from pageloom.apps.cli.flags import Json, User


def list_(*, user: User = None, as_json: Json = False) -> None:
    """List watches."""
    with open_library(user) as library:
        found = list_watches(library.store, library.owner)
    if as_json:
        print_json({"success": True, "watches": [watch_data(watch) for watch in found]})
        return
    if not found:
        print_lines(["No watches yet. Add one: pageloom watch add URL"])
        return
    rows = [_row(watch) for watch in found]
    print_table((">id", "page", "when", "last check", "came to", "next"), rows, flexible=1)


def _row(watch: Watch) -> tuple[str, ...]:
    name = watch.name or watch.url_full
    scope = f" [{', '.join(watch.settings.scope)}]" if watch.settings.scope else ""
    return (
        str(watch.id),
        one_line(f"{name}{scope}", 90),
        describe_schedule(watch),
        time_of(watch.last_checked_at) or "never",
        watch.state.health or watch.state.outcome or "–",
        "paused" if watch.paused else time_of(watch.next_due),
    )
