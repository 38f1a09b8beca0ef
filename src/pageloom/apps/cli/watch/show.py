"""``pageloom watch show``: one watch in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.apps.cli.output import print_json, print_lines, time_of
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line, safe
from pageloom.apps.cli.watch.describe import describe_schedule, watch_data
from pageloom.edges.notify.target import show_target
from pageloom.edges.store.changes import list_changes
from pageloom.edges.store.runs import runs_of
from pageloom.flows.watch.edit import find_watches
from pageloom.flows.watch.mutes import muted_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.context import Context
    from pageloom.model.library import Run
    from pageloom.model.watch import Watch
from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.watch.flags import WatchName

_RUNS = 10


def show(name_or_id: WatchName, *, user: User = None, as_json: Json = False) -> None:
    """Show a watch: settings, health and last checks."""
    with open_library(user) as library:
        found = find_watches(library.store, library.owner, name_or_id)
        if as_json:
            shown = [_full(library, watch) for watch in found]
            print_json({"success": True, "watches": shown})
            return
        for watch in found:
            print_lines(_lines(library, watch))


def _full(library: Context, watch: Watch) -> dict[str, Any]:
    runs = runs_of(library.store, library.owner, watch.url, track=watch.track, limit=_RUNS)
    return watch_data(watch) | {
        "muted": muted_blocks(library.store, watch),
        "runs": msgspec.to_builtins(runs),
        "changes": [
            {"id": each.id, "at": each.created_at, "summary": each.summary}
            for each in _changes(library, watch)
        ],
    }


def _changes(library: Context, watch: Watch) -> list[Any]:
    if watch.state.page_id is None:
        return []
    return list_changes(
        library.store, library.owner, page_id=watch.state.page_id, track=watch.track, limit=_RUNS
    )


def _lines(library: Context, watch: Watch) -> Iterator[str]:
    yield f"Watch {watch.id}: {one_line(watch.name or watch.url_full, 100)}"
    for label, value in _facts(watch):
        if value:
            yield f"  {label:<12} {safe(value)}"
    muted = muted_blocks(library.store, watch)
    if muted:
        yield "  passed over because it differs on every check:"
        for key, text in muted.items():
            yield f"    {key}  {one_line(text, 80)}"
    runs = runs_of(library.store, library.owner, watch.url, track=watch.track, limit=_RUNS)
    if runs:
        yield "  last checks:"
        yield from (f"    {_run(run)}" for run in runs)


def _run(run: Run) -> str:
    how = f" by {run.path}" if run.path else ""
    version = f" v{run.version}" if run.version else ""
    why = f"  {one_line(run.reason, 80)}" if run.reason else ""
    return f"{time_of(run.at)}  {run.outcome}{how}{version}  {run.duration_ms} ms{why}"


def _facts(watch: Watch) -> Iterator[tuple[str, str]]:
    chosen, state = watch.settings, watch.state
    yield "page", watch.url_full
    yield "checked", describe_schedule(watch)
    yield "last", f"{time_of(watch.last_checked_at)} {state.outcome}" if state.outcome else "never"
    yield "next", "paused" if watch.paused else time_of(watch.next_due)
    yield "health", f"{state.health}: {state.reason}" if state.health else ""
    yield "failures", str(watch.failures) if watch.failures else ""
    yield "scope", ", ".join(chosen.scope)
    yield "ignores", ", ".join((*chosen.ignore, *(f"/{each}/" for each in chosen.ignore_text)))
    yield "only if", ", ".join(_triggers(watch))
    yield "rendering", chosen.render if chosen.render != "auto" else ""
    yield "tells", ", ".join(show_target(target) for target in chosen.targets)
    yield "collects", f"{chosen.digest_minutes:g} minutes" if chosen.digest_minutes else ""
    yield "template", one_line(chosen.template, 80)


def _triggers(watch: Watch) -> Iterator[str]:
    chosen = watch.settings
    yield from (f"text matches /{each}/" for each in chosen.only_if)
    if chosen.price_below is not None:
        yield f"price below {chosen.price_below}"
    if chosen.stock_back:
        yield "back in stock"
    if chosen.min_importance:
        yield f"importance {chosen.min_importance:g}"
