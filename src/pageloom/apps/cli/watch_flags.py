"""The flags that say what a watch looks at and what it wants to hear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from pageloom.apps.cli.flags import RenderChoice

WatchName = Annotated[
    str, typer.Argument(metavar="ID|URL", help="A watch: its number, or the page's address.")
]
WatchNames = Annotated[
    list[str], typer.Argument(metavar="ID|URL…", help="Watches: numbers, or addresses of pages.")
]
Every = Annotated[
    str | None, typer.Option("--every", metavar="TIME", help="How often: 30m, 6h, 1d, 2w.")
]
Cron = Annotated[
    str | None,
    typer.Option("--cron", metavar="LINE", help="Or when: minute hour day month weekday."),
]
Zone = Annotated[
    str | None, typer.Option("--zone", help="Time zone of --cron and --hours: Europe/Vienna.")
]
Hours = Annotated[
    str | None, typer.Option("--hours", help="Only then: 08:00-18:00, or mon-fri 08:00-18:00.")
]
Jitter = Annotated[
    int | None,
    typer.Option("--jitter", metavar="SECONDS", help="How late a cron time may be, at most."),
]
Scope = Annotated[
    list[str] | None,
    typer.Option("--scope", metavar="SELECTOR", help="Look only there: CSS, or xpath:… (again)."),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option("--ignore", metavar="SELECTOR", help="Pass over these parts (again for more)."),
]
IgnoreText = Annotated[
    list[str] | None,
    typer.Option("--ignore-text", metavar="REGEX", help="Pass over text like this (again)."),
]
OnlyIf = Annotated[
    list[str] | None,
    typer.Option("--only-if", metavar="REGEX", help="Tell only if new text matches (again)."),
]
PriceBelow = Annotated[
    float | None, typer.Option("--price-below", help="Tell only if the price falls under it.")
]
StockBack = Annotated[
    bool | None,
    typer.Option("--stock-back/--no-stock-back", help="Tell only if it can be had again."),
]
Importance = Annotated[
    float | None, typer.Option("--min-importance", help="Tell only what is so important (0 to 1).")
]
Rendering = Annotated[
    RenderChoice | None, typer.Option("--render", help="Whether a browser draws it.")
]
WaitFor = Annotated[
    str | None, typer.Option("--wait-for", metavar="SELECTOR", help="Drawn when this is there.")
]
Targets = Annotated[
    list[str] | None,
    typer.Option("--to", metavar="TARGET", help="Whom to tell; notify.targets unless given."),
]
Digest = Annotated[
    float | None,
    typer.Option("--digest", metavar="MINUTES", help="Collect so long, then tell all at once."),
]
Template = Annotated[
    str | None, typer.Option("--template", help="The message, with {{ title }}, {{ summary }} …")
]
Robots = Annotated[
    bool | None, typer.Option("--robots/--no-robots", help="Obey robots.txt; on unless said.")
]
Name = Annotated[str | None, typer.Option("--name", help="What you call it.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Views:
    """Which part of a page is looked at, and how it is had; None where nothing was said."""

    scope: Scope = None
    ignore: Ignore = None
    ignore_text: IgnoreText = None
    render: Rendering = None
    wait_for: WaitFor = None
    robots: Robots = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes(Views):
    """All that may be said of a watch; None where nothing was."""

    name: Name = None
    every: Every = None
    cron: Cron = None
    zone: Zone = None
    hours: Hours = None
    jitter: Jitter = None
    only_if: OnlyIf = None
    price_below: PriceBelow = None
    stock_back: StockBack = None
    min_importance: Importance = None
    to: Targets = None
    digest: Digest = None
    template: Template = None
