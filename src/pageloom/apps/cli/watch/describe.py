"""Watches in words, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.apps.cli.output import print_json, print_lines, spell_length
from pageloom.apps.cli.safe import safe
from pageloom.edges.notify.target import show_target
from pageloom.model.watch import Watch

if TYPE_CHECKING:
    from pageloom.model.watch import Watch


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


def say_done(found: list[Watch], done: str, *, as_json: bool) -> None:
    """Print what was done to watches."""
    if as_json:
        print_json({"success": True, done: [watch.id for watch in found]})
    else:
        print_lines(f"Watch {watch.id} {done}: {safe(watch.url_full)}" for watch in found)
