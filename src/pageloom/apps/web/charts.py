"""Prices over time as numbers of a drawing: the template writes them as SVG, beside a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from pageloom.model.library import StoredPrice

WIDTH, HEIGHT = 960, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 20, 40
_MOST = 2_000
_GRID = 4
_LABELS = 5


@dataclass(frozen=True, slots=True)
class Point:
    """A price in the drawing."""

    x: float
    y: float
    price: StoredPrice


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the grid, or a mark of an axis, with its words."""

    place: float
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The prices of a page in one currency."""

    currency: str
    path: str
    """Steps: a price holds until the next one."""
    points: tuple[Point, ...]
    grid: tuple[Line, ...]
    days: tuple[Line, ...]
    low: float
    lowest: StoredPrice
    highest: StoredPrice
    last: StoredPrice


def draw_prices(series: Sequence[StoredPrice]) -> list[Chart]:
    """A chart for each currency that has prices: different ones never share an axis."""
    by_currency: dict[str, list[StoredPrice]] = {}
    for price in series:
        if price.amount is not None and not price.held:
            by_currency.setdefault(price.currency, []).append(price)
    return [_draw(currency, thinned(prices)) for currency, prices in by_currency.items()]


def thinned(prices: list[StoredPrice], most: int = _MOST) -> list[StoredPrice]:
    """At most so many prices: of each stretch the lowest and the highest, in their order."""
    if len(prices) <= most:
        return prices
    length = -(-len(prices) // (most // 2 - 1))
    kept = {0, len(prices) - 1}
    for start in range(0, len(prices), length):
        stretch = range(start, min(start + length, len(prices)))
        kept |= {min(stretch, key=lambda at: _amount(prices[at]))}
        kept |= {max(stretch, key=lambda at: _amount(prices[at]))}
    return [prices[place] for place in sorted(kept)]


def _amount(price: StoredPrice) -> Decimal:
    return price.amount if price.amount is not None else Decimal(0)


def _draw(currency: str, prices: list[StoredPrice]) -> Chart:
    times = [datetime.fromisoformat(price.at).timestamp() for price in prices]
    lowest, highest = min(prices, key=_amount), max(prices, key=_amount)
    bottom, top = float(_amount(lowest)), float(_amount(highest))
    room = (top - bottom) * 0.1 or max(top * 0.1, 1.0)
    bottom, top = max(0.0, bottom - room), top + room
    span = (times[-1] - times[0]) or 1.0

    def across(time: float) -> float:
        return round(_LEFT + (time - times[0]) / span * (WIDTH - _LEFT - _RIGHT), 1)

    def up(amount: float) -> float:
        return round(HEIGHT - _BOTTOM - (amount - bottom) / (top - bottom) * _room(), 1)

    points = tuple(
        Point(across(time), up(float(_amount(price))), price)
        for time, price in zip(times, prices, strict=True)
    )
    values = [bottom + (top - bottom) * step / _GRID for step in range(_GRID + 1)]
    return Chart(
        currency=currency,
        path=_steps(points),
        points=points,
        grid=tuple(Line(up(value), f"{value:,.2f}") for value in values),
        days=_days(times, across),
        low=up(float(_amount(lowest))),
        lowest=lowest,
        highest=highest,
        last=prices[-1],
    )


def _room() -> int:
    return HEIGHT - _TOP - _BOTTOM


def _steps(points: tuple[Point, ...]) -> str:
    first, *others = points
    steps = "".join(f" H{point.x} V{point.y}" for point in others)
    return f"M{first.x} {first.y}{steps} H{WIDTH - _RIGHT}"


def _days(times: list[float], across: Callable[[float], float]) -> tuple[Line, ...]:
    span = times[-1] - times[0]
    count = _LABELS if span > 86_400 * _LABELS else 1
    marks = [times[0] + span * step / max(count - 1, 1) for step in range(count)]
    shown = [datetime.fromtimestamp(mark).astimezone() for mark in marks]
    return tuple(
        Line(across(mark), f"{day.day} {day:%b %Y}") for mark, day in zip(marks, shown, strict=True)
    )
