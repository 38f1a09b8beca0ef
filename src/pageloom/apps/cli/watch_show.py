"""Watches on the terminal, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.apps.cli.library import open_library, print_json, print_lines, print_table, time_of
from pageloom.apps.cli.safe import one_line, safe
from pageloom.edges.notify.target import show_target
from pageloom.edges.store.changes import list_changes
from pageloom.edges.store.runs import runs_of
from pageloom.edges.store.watches import list_watches
from pageloom.flows.watch.edit import find_watches
from pageloom.flows.watch.mutes import muted_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.context import Context
    from pageloom.model.library import Run
    from pageloom.model.watch import Watch

_UNITS = (("w", 604_800), ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1))
_RUNS = 10


def spell_length(seconds: int) -> str:
    """``6h``, ``1h30m``."""
    parts: list[str] = []
    for unit, size in _UNITS:
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(f"{number}{unit}")
    return "".join(parts[:2]) or "0s"


def describe_schedule(watch: Watch) -> str:
    """When a watch is checked, in words."""
    chosen = watch.settings
    when = f"every {spell_length(chosen.every)}" if chosen.every else f"cron {chosen.cron}"
    if chosen.hours:
        when += f", {chosen.hours}"
    return f"{when} ({chosen.zone})" if chosen.cron or chosen.hours else when


def watch_data(watch: Watch) -> dict[str, Any]:
    """A watch as JSON shows it; tokens of targets stay hidden."""
    data: dict[str, Any] = msgspec.to_builtins(watch)
    data["settings"]["targets"] = [show_target(target) for target in watch.settings.targets]
    data["schedule"] = describe_schedule(watch)
    data.pop("lease_owner")
    data.pop("lease_until")
    return data


def run_list(user: str | None, *, as_json: bool) -> None:
    """List the watches."""
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


def run_show(user: str | None, name: str, *, as_json: bool) -> None:
    """Show watches in full."""
    with open_library(user) as library:
        found = find_watches(library.store, library.owner, name)
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
