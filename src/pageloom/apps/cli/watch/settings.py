"""Flags become the settings of a watch."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.watch.flags import Wishes
from pageloom.flows.watch.edit import find_watches
from pageloom.flows.watch.schedule import read_length
from pageloom.model.watch import Watch, WatchSettings

if TYPE_CHECKING:
    from pageloom.context import Context
    from pageloom.model.watch import Watch
    from pageloom.settings import Settings

_LISTS = ("scope", "ignore", "ignore_text", "only_if")


def apply_wishes(wishes: Wishes, settings: WatchSettings) -> WatchSettings:
    """The settings with what was said; an empty value takes a wish back."""
    if wishes.every and wishes.cron:
        raise UsageTrouble("A watch is checked either --every so often or by --cron.")
    lists: dict[str, list[str] | None] = {name: getattr(wishes, name) for name in _LISTS}
    changed: dict[str, Any] = {
        name: tuple(filter(None, value)) for name, value in lists.items() if value is not None
    }
    if wishes.every:
        changed |= {"every": read_length(wishes.every), "cron": ""}
    if wishes.cron:
        changed |= {"cron": wishes.cron, "every": 0}
    plain = {
        "zone": wishes.zone,
        "hours": wishes.hours,
        "jitter": wishes.jitter,
        "stock_back": wishes.stock_back,
        "min_importance": wishes.min_importance,
        "render": wishes.render and str(wishes.render),
        "wait_for": wishes.wait_for,
        "digest_minutes": wishes.digest,
        "template": wishes.template,
        "respect_robots": wishes.robots,
        "targets": None if wishes.to is None else tuple(filter(None, wishes.to)),
        "price_below": _price(wishes.price_below),
    }
    changed |= {name: value for name, value in plain.items() if value is not None}
    if wishes.price_below == 0:
        changed["price_below"] = None
    return replace(settings, **changed)


def _price(given: float | None) -> Decimal | None:
    return None if not given else Decimal(str(given))


def default_settings(settings: Settings) -> WatchSettings:
    """The settings of a watch for which no flag was given."""
    return WatchSettings(every=read_length(settings.watch.every), zone=settings.watch.timezone)


def all_watches(library: Context, names: list[str]) -> list[Watch]:
    """The watches that a user named, each once."""
    found = [watch for name in names for watch in find_watches(library.store, library.owner, name)]
    return list({watch.id: watch for watch in found}.values())
