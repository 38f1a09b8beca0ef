"""Flags that say what a watch compares, when, and whom it notifies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.flags import Render

if TYPE_CHECKING:
    from pageloom.flows.watch.edit import WatchChoices

WatchName = Annotated[
    str, typer.Argument(metavar="WATCH", help="A watch: w7, or the URL of its page.")
]
WatchNames = Annotated[
    list[str], typer.Argument(metavar="WATCH…", help="Watches: w7 w9, or URLs of their pages.")
]
Every = Annotated[
    str | None,
    typer.Option("--every", metavar="DURATION", help="How often to check: 30m, 6h, 1d, 2w."),
]
Cron = Annotated[
    str | None,
    typer.Option(
        "--cron", metavar="LINE", help="When to check, as cron: minute hour day month weekday."
    ),
]
Zone = Annotated[
    str | None,
    typer.Option("--zone", help="Time zone of --cron and --hours, such as Europe/Vienna."),
]
Hours = Annotated[
    str | None,
    typer.Option("--hours", help="Check only within 08:00-18:00, or mon-fri 08:00-18:00."),
]
Jitter = Annotated[
    int | None,
    typer.Option("--jitter", metavar="SECONDS", help="Delay checks by up to this many seconds."),
]
Scope = Annotated[
    list[str] | None,
    typer.Option(
        "--scope",
        metavar="SELECTOR",
        help="Compare only these parts: CSS, or xpath:… May be repeated.",
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option("--ignore", metavar="SELECTOR", help="Ignore these parts. May be repeated."),
]
IgnoreText = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore-text", metavar="REGEX", help="Ignore text that matches. May be repeated."
    ),
]
OnlyIf = Annotated[
    list[str] | None,
    typer.Option(
        "--only-if", metavar="REGEX", help="Notify only if new text matches. May be repeated."
    ),
]
PriceBelow = Annotated[
    float | None,
    typer.Option("--price-below", help="Notify only if the price falls below this."),
]
StockBack = Annotated[
    bool | None,
    typer.Option(
        "--stock-back/--no-stock-back", help="Notify only if the product is back in stock."
    ),
]
Importance = Annotated[
    float | None,
    typer.Option(
        "--min-importance", help="Notify only of changes at least this important (0 to 1)."
    ),
]
WaitFor = Annotated[
    str | None,
    typer.Option(
        "--wait-for", metavar="SELECTOR", help="In the browser, wait until this element appears."
    ),
]
Visual = Annotated[
    bool | None,
    typer.Option("--visual/--no-visual", help="Compare screenshots too. Off by default."),
]
VisualThreshold = Annotated[
    float | None,
    typer.Option(
        "--visual-threshold",
        metavar="PERCENT",
        help="Report a visual change if at least this percentage of the page differs;"
        " default: 0.1.",
    ),
]
VisualIgnore = Annotated[
    list[str] | None,
    typer.Option(
        "--visual-ignore",
        metavar="X,Y,W,H",
        help="Ignore this region of the screenshot, in pixels. May be repeated.",
    ),
]
Targets = Annotated[
    list[str] | None,
    typer.Option(
        "--to",
        metavar="TARGET",
        help="Target: https://…, mailto:…, feed:NAME … May be repeated. Default: notify.targets.",
    ),
]
Digest = Annotated[
    float | None,
    typer.Option(
        "--digest", metavar="MINUTES", help="Collect changes for this long, then send one message."
    ),
]
Subject = Annotated[
    str | None,
    typer.Option("--subject", help="A template for the subject of messages, as for --template."),
]
Template = Annotated[
    str | None,
    typer.Option(
        "--template", help="A template for the text of messages, with {{ title }}, {{ summary }} …"
    ),
]
Robots = Annotated[
    bool | None, typer.Option("--robots/--no-robots", help="Obey robots.txt. On by default.")
]
Name = Annotated[str | None, typer.Option("--name", help="A name for the watch.")]


@dataclass(frozen=True, kw_only=True)
class ScopeFlags:
    """Which part of a page is compared, and how it is fetched; None where not given."""

    scope: Scope = None
    ignore: Ignore = None
    ignore_text: IgnoreText = None
    render: Render = None
    wait_for: WaitFor = None
    robots: Robots = None

    def choices(self) -> WatchChoices:
        """These flags as the library takes them."""
        return {
            "scope": self.scope,
            "ignore": self.ignore,
            "ignore_text": self.ignore_text,
            "render": self.render,
            "wait_for": self.wait_for,
            "respect_robots": self.robots,
        }


@dataclass(frozen=True, kw_only=True)
class WatchFlags(ScopeFlags):
    """All settings of a watch; None where not given."""

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
    visual: Visual = None
    visual_threshold: VisualThreshold = None
    visual_ignore: VisualIgnore = None
    to: Targets = None
    digest: Digest = None
    subject: Subject = None
    template: Template = None

    def choices(self) -> WatchChoices:
        """These flags as the library takes them."""
        return {
            **super().choices(),
            "every": self.every,
            "cron": self.cron,
            "zone": self.zone,
            "hours": self.hours,
            "jitter": self.jitter,
            "only_if": self.only_if,
            "price_below": self.price_below,
            "stock_back": self.stock_back,
            "min_importance": self.min_importance,
            "visual": self.visual,
            "visual_threshold": self.visual_threshold,
            "visual_ignore": self.visual_ignore,
            "targets": self.to,
            "digest_minutes": self.digest,
            "subject": self.subject,
            "template": self.template,
        }
