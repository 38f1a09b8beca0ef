"""``pageloom watch list``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.cli.flags import CommonStream, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import print_items, print_lines, print_table, time_of
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line
from pageloom.views import records

if TYPE_CHECKING:
    from pageloom.model.watch import Watch


@takes(CommonStream)
def list_(*, flags: CommonStream) -> None:
    """List watches."""
    with open_library(flags.user) as library:
        found = library.watches()
    if current.as_json:
        print_items(map(records.watch, found))
        return
    if not found:
        print_lines(["No watches yet. Add one: pageloom watch add URL"])
        return
    rows = [_row(watch) for watch in found]
    print_table(("id", "page", "when", "last check", "result", "next"), rows, flexible=1, drop=(2,))


def _row(watch: Watch) -> tuple[str, ...]:
    name = watch.name or watch.url_full
    scope = f" [{', '.join(watch.settings.scope)}]" if watch.settings.scope else ""
    return (
        records.watch_ref(watch.id),
        one_line(f"{name}{scope}", 90),
        records.schedule(watch),
        time_of(watch.last_checked_at) or "never",
        watch.state.health or watch.state.outcome or "–",
        "paused" if watch.paused else time_of(watch.next_due),
    )
