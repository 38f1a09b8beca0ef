"""``pageloom prices``: a page's prices over time, drawn in the terminal."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.output import print_json, print_lines, time_of
from pageloom.apps.cli.page_flags import PageName
from pageloom.apps.cli.pages import open_library, require_page, require_watch, watch_number
from pageloom.apps.cli.safe import one_line, safe
from pageloom.apps.cli.table_layout import terminal_width
from pageloom.views import records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.model.library import StoredPrice, StoredPriceEvent


HEIGHT = 9


_WIDEST = 72


_WORDS = {
    "drop": "fell",
    "rise": "rose",
    "all_time_low": "all-time low",
    "back_in_stock": "back in stock",
    "out_of_stock": "out of stock",
    "currency": "currency changed",
}


def prices(
    page: PageName,
    *,
    scope_of: Annotated[
        str | None,
        typer.Option(
            "--watch", metavar="WATCH", help="Only prices within the scope of this watch."
        ),
    ] = None,
    held: Annotated[
        bool, typer.Option("--held", help="Also prices that were held back as unlikely.")
    ] = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Show the prices of a page over time."""
    with open_library(user) as library:
        number = watch_number(page)
        chosen = scope_of or (page if number is not None else None)
        watch = require_watch(library, chosen) if chosen else None
        found = require_page(library, page)
        series = library.prices(found, watch=watch, held=held)
        events = library.price_events(found, watch=watch)
    if as_json:
        head = {"success": True, "id": found.id, "url": found.url_full}
        print_json(head | records.prices(series, events))
        return
    now = datetime.now(UTC).isoformat()
    print_lines([f"{one_line(found.title or found.url_full, 90)}", f"  {safe(found.url_full)}", ""])
    print_lines(draw_prices(series, until=now, width=min(terminal_width() - 14, _WIDEST)))
    print_lines(_event_line(event) for event in events[-12:])


def _event_line(event: StoredPriceEvent) -> str:
    detail = event.detail
    before, after, currency = (detail.get(key) for key in ("before", "after", "currency"))
    amounts = f" {before} → {after} {currency}" if before else f" {after or ''} {currency or ''}"
    percent = detail.get("percent")
    share = f" ({percent:+g} %)" if isinstance(percent, int | float) else ""
    return f"  {time_of(event.at)}  {_WORDS.get(event.kind, event.kind)}{safe(amounts)}{share}"


def draw_prices(series: Sequence[StoredPrice], *, until: str, width: int) -> Iterator[str]:
    """A plot of the series: time from left to right, amounts from bottom to top."""
    priced = [point for point in series if point.amount is not None and not point.held]
    if not priced:
        yield "  No prices yet."
        return
    currency = priced[-1].currency
    shown = [point for point in priced if point.currency == currency]
    amounts = [point.amount for point in shown if point.amount is not None]
    low, high, last = min(amounts), max(amounts), amounts[-1]
    columns = _columns(shown, until, max(width, 10))
    yield from _rows(columns, low, high)
    yield f"{'':>11} └{'─' * len(columns)}"
    first_day, last_day = time_of(shown[0].at)[:10], time_of(until)[:10]
    gap = max(len(columns) - len(first_day) - len(last_day), 1)
    yield f"{'':>12} {first_day}{' ' * gap}{last_day}"
    stock = f", {series[-1].availability.replace('_', ' ')}" if series else ""
    yield f"  now {last} {safe(currency)}{stock}; lowest {low}, highest {high}"
    yield ""


def _columns(series: Sequence[StoredPrice], until: str, width: int) -> list[Decimal]:
    """The amount at each step of time; a price holds until the next one."""
    stamps = [_seconds(point.at) for point in series]
    begin, end = stamps[0], max(_seconds(until), stamps[-1] + 1)
    columns: list[Decimal] = []
    number = 0
    for column in range(width):
        moment = begin + (end - begin) * (column + 1) / width
        while number + 1 < len(series) and stamps[number + 1] <= moment:
            number += 1
        columns.append(series[number].amount or Decimal(0))
    return columns


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _rows(columns: Sequence[Decimal], low: Decimal, high: Decimal) -> Iterator[str]:
    span = high - low
    levels = [_level(amount, low, span) for amount in columns]
    for row in range(HEIGHT - 1, -1, -1):
        label = ""
        if span and row in (0, HEIGHT // 2, HEIGHT - 1):
            label = f"{low + span * row / (HEIGHT - 1):.2f}"
        elif not span and row == HEIGHT // 2:
            label = f"{low:.2f}"
        marks = "".join("█" if level == row else " " for level in levels)
        yield f"{label:>11} │{marks}".rstrip()


def _level(amount: Decimal, low: Decimal, span: Decimal) -> int:
    if not span:
        return HEIGHT // 2
    return round(float((amount - low) / span) * (HEIGHT - 1))
