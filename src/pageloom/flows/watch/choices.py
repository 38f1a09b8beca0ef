"""What an owner says of a watch, by name, becomes its settings."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from pageloom.errors import SettingsError
from pageloom.flows.watch.schedule import read_length
from pageloom.model.watch import WatchSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.flows.watch.options import WatchOptions

_LISTS = {"scope", "ignore", "ignore_text", "only_if", "targets"}


class WatchChoices(TypedDict, total=False):
    """The settings of a watch; those that are left out, or None, stay as they are."""

    every: str | int | None
    """How often: ``6h``, ``1d``, or seconds."""
    cron: str | None
    """Or when: minute, hour, day, month, weekday."""
    zone: str | None
    """The time zone of ``cron`` and ``hours``, such as ``Europe/Vienna``."""
    hours: str | None
    """Only then: ``08:00-18:00``, ``mon-fri 08:00-18:00``."""
    jitter: int | None
    """Seconds by which a cron time may be late, at most."""
    scope: Sequence[str] | None
    """Selectors (CSS, or ``xpath:…``) of the parts to compare."""
    ignore: Sequence[str] | None
    """Selectors of parts to ignore."""
    ignore_text: Sequence[str] | None
    """Regular expressions of text to ignore."""
    only_if: Sequence[str] | None
    """Notify only when new text matches one of these regular expressions."""
    price_below: Decimal | float | None
    """Notify only when the price falls below it; 0 takes the condition back."""
    stock_back: bool | None
    """Notify only when the product is back in stock."""
    min_importance: float | None
    """Notify only of changes at least so important, from 0 to 1."""
    render: Literal["auto", "force", "never"] | None
    """Whether the page is shown in a browser."""
    wait_for: str | None
    """A selector that the browser waits for."""
    targets: Sequence[str] | None
    """Where notices go: ``console``, ``mailto:…``, ``feed:NAME``, a webhook's URL …"""
    digest_minutes: float | None
    """Collect notices for so long and send them as one."""
    template: str | None
    """The text of notices."""
    respect_robots: bool | None
    """Whether robots.txt is obeyed."""


def default_settings(options: WatchOptions) -> WatchSettings:
    """The settings of a watch whose owner says nothing."""
    return WatchSettings(every=read_length(options.every), zone=options.timezone)


def choose(settings: WatchSettings, choices: WatchChoices) -> WatchSettings:
    """The settings with these choices made; an empty value takes an earlier choice back.

    Raises:
        SettingsError: choices that contradict each other, or a name that no setting has.
    """
    given: dict[str, Any] = {name: value for name, value in choices.items() if value is not None}
    if unknown := given.keys() - WatchSettings.__dataclass_fields__.keys():
        raise SettingsError(f"A watch has no setting {min(unknown)}.")
    if given.get("every") and given.get("cron"):
        raise SettingsError(
            "A watch has either an interval (every) or a cron expression, not both."
        )
    every, cron = given.pop("every", None), given.pop("cron", None)
    if every:
        given |= {"every": every if isinstance(every, int) else read_length(every), "cron": ""}
    elif cron:
        given |= {"every": 0, "cron": cron}
    for name in given.keys() & _LISTS:
        value = given[name]
        given[name] = tuple(filter(None, (value,) if isinstance(value, str) else value))
    if "price_below" in given:
        price = given["price_below"]
        given["price_below"] = Decimal(str(price)) if price else None
    return replace(settings, **given)
