"""``pageloom watch show``: one watch in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.flags import Json, User, Utc
from pageloom.apps.cli.output import print_json, print_lines, time_of
from pageloom.apps.cli.pages import hinted, open_library, watch_name
from pageloom.apps.cli.safe import one_line, safe
from pageloom.apps.cli.watch.flags import WatchName
from pageloom.redaction import redact_target
from pageloom.views import records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.library import Library
    from pageloom.model.library import Run
    from pageloom.model.watch import Watch


_RUNS = 10


def show(
    name_or_id: WatchName, *, user: User = None, utc: Utc = False, as_json: Json = False
) -> None:
    """Show a watch: settings, health and last checks."""
    with open_library(user) as library, hinted(library, name_or_id):
        found = library.get_watches([watch_name(name_or_id)])
        if as_json:
            items = [_full(library, watch) for watch in found]
            print_json({"success": True, "items": items})
            return
        for watch in found:
            print_lines(_lines(library, watch))


def _full(library: Library, watch: Watch) -> dict[str, Any]:
    changes = library.changes(watch=watch, notified=True, limit=_RUNS)
    return records.watch(watch) | {
        "places": [records.place(each) for each in library.places(watch)],
        "pending": library.pending(watch),
        "runs": [records.run(run) for run in library.runs(watch, limit=_RUNS)],
        "changes": [
            {"id": each.id, "at": each.created_at, "summary": each.summary} for each in changes
        ],
    }


def _lines(library: Library, watch: Watch) -> Iterator[str]:
    name = one_line(watch.name or watch.url_full, 100)
    yield f"Watch {records.watch_ref(watch.id)}: {name}"
    for label, value in _facts(watch):
        if value:
            yield f"  {label:<12} {safe(value)}"
    yield from _places(library, watch)
    runs = library.runs(watch, limit=_RUNS)
    if runs:
        yield "  last checks:"
        yield from (f"    {_run(run)}" for run in runs)


def _places(library: Library, watch: Watch) -> Iterator[str]:
    """What waits for the next check, and what changes by itself."""
    pending = library.pending(watch)
    if pending:
        yield "  not notified yet; the next check sends it if it is still there:"
        yield from (f"    {one_line(text, 100)}" for text in pending)
    places = library.places(watch)[:_RUNS]
    if places:
        yield "  changes by itself, and counts less the more often it does:"
    for place in places:
        often = f"{place.moved} of {place.visits} checks"
        muted = "  muted" if place.muted else ""
        yield f"    {place.key}  {often}{muted}  {one_line(place.text, 70)}"


def _run(run: Run) -> str:
    how = f" by {run.path}" if run.path else ""
    version = f" v{run.version}" if run.version else ""
    why = f"  {one_line(run.reason, 80)}" if run.reason else ""
    return f"{time_of(run.at)}  {run.outcome}{how}{version}  {run.duration_ms} ms{why}"


def _facts(watch: Watch) -> Iterator[tuple[str, str]]:
    chosen, state = watch.settings, watch.state
    yield "page", watch.url_full
    yield "checked", records.schedule(watch)
    yield "last", f"{time_of(watch.last_checked_at)} {state.outcome}" if state.outcome else "never"
    yield "next", "paused" if watch.paused else time_of(watch.next_due)
    yield "health", f"{state.health}: {state.reason}" if state.health else ""
    yield "failures", str(watch.failures) if watch.failures else ""
    yield "scope", ", ".join(chosen.scope)
    yield "ignores", ", ".join((*chosen.ignore, *(f"/{each}/" for each in chosen.ignore_text)))
    yield "only if", ", ".join(_triggers(watch))
    yield "rendering", chosen.render if chosen.render != "auto" else ""
    yield "notifies", ", ".join(redact_target(target) for target in chosen.targets)
    yield "digest", f"{chosen.digest_minutes:g} minutes" if chosen.digest_minutes else ""
    yield "subject", one_line(chosen.subject, 80)
    yield "template", one_line(chosen.template, 80)


def _triggers(watch: Watch) -> Iterator[str]:
    chosen = watch.settings
    yield from (f"text matches /{each}/" for each in chosen.only_if)
    if chosen.price_below is not None:
        yield f"price below {chosen.price_below}"
    if chosen.stock_back:
        yield "back in stock"
    if chosen.min_importance:
        yield f"importance at least {chosen.min_importance:g}"
