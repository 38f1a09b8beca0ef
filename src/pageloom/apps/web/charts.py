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
class AxisMark:
    """A line of the grid, or a mark of an axis, with its words."""

    place: float
    words: str


@dataclass(frozen=True, slots=True)
class Line:
    """The prices of one page."""

    name: str
    path: str
    """Steps: a price holds until the next one."""
    points: tuple[Point, ...]
    held: tuple[Point, ...]
    """What was too strange to be believed."""
    lowest: StoredPrice
    highest: StoredPrice
    last: StoredPrice


@dataclass(frozen=True, slots=True)
class Chart:
    """The prices of some pages in one currency."""

    currency: str
    lines: tuple[Line, ...]
    grid: tuple[AxisMark, ...]
    days: tuple[AxisMark, ...]
    low: float


@dataclass(frozen=True, slots=True)
class _Axes:
    across: Callable[[str], float]
    up: Callable[[Decimal], float]


_Series = list[tuple[str, list[StoredPrice]]]


def draw_prices(pages: Sequence[tuple[str, Sequence[StoredPrice]]]) -> list[Chart]:
    """A chart for each currency that has prices: different ones never share an axis.

    Args:
        pages: the name of each, and its prices.
    """
    priced = [
        (name, [price for price in prices if price.amount is not None]) for name, prices in pages
    ]
    currencies = dict.fromkeys(price.currency for _, prices in priced for price in prices)
    charts = (_draw(currency, _in_currency(priced, currency)) for currency in currencies)
    return [chart for chart in charts if chart is not None]


def _in_currency(priced: _Series, currency: str) -> _Series:
    found = [
        (name, [price for price in prices if price.currency == currency]) for name, prices in priced
    ]
    return [(name, prices) for name, prices in found if prices]


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


def _draw(currency: str, named: _Series) -> Chart | None:
    believed = [
        thinned([price for price in prices if not price.held], _MOST // len(named))
        for _, prices in named
    ]
    all_prices = [price for prices in believed for price in prices]
    if not all_prices:
        return None
    times = sorted(_seconds(price.at) for price in all_prices)
    amounts = [float(_amount(price)) for price in all_prices]
    bottom, top = min(amounts), max(amounts)
    room = (top - bottom) * 0.1 or max(top * 0.1, 1.0)
    low, bottom, top = bottom, max(0.0, bottom - room), top + room
    axes = _axes(times, bottom, top)
    values = [bottom + (top - bottom) * step / _GRID for step in range(_GRID + 1)]
    return Chart(
        currency=currency,
        lines=tuple(
            _line(name, kept, prices, axes)
            for (name, prices), kept in zip(named, believed, strict=True)
            if kept
        ),
        grid=tuple(AxisMark(axes.up(Decimal(value)), f"{value:,.2f}") for value in values),
        days=_days(times, axes),
        low=axes.up(Decimal(low)),
    )


def _axes(times: list[float], bottom: float, top: float) -> _Axes:
    span = (times[-1] - times[0]) or 1.0

    def across(at: str) -> float:
        share = min(1.0, max(0.0, (_seconds(at) - times[0]) / span))
        return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 1)

    def up(amount: Decimal) -> float:
        share = min(1.0, max(0.0, (float(amount) - bottom) / (top - bottom)))
        return round(HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM), 1)

    return _Axes(across, up)


def _line(name: str, prices: list[StoredPrice], everything: list[StoredPrice], axes: _Axes) -> Line:
    def point(price: StoredPrice) -> Point:
        return Point(axes.across(price.at), axes.up(_amount(price)), price)

    points = tuple(map(point, prices))
    return Line(
        name=name,
        path=_steps(points),
        points=points,
        held=tuple(point(price) for price in everything if price.held),
        lowest=min(prices, key=_amount),
        highest=max(prices, key=_amount),
        last=prices[-1],
    )


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def _steps(points: tuple[Point, ...]) -> str:
    first, *others = points
    steps = "".join(f" H{point.x} V{point.y}" for point in others)
    return f"M{first.x} {first.y}{steps} H{WIDTH - _RIGHT}"


def _days(times: list[float], axes: _Axes) -> tuple[AxisMark, ...]:
    span = times[-1] - times[0]
    count = _LABELS if span > 86_400 * _LABELS else 1
    marks = [times[0] + span * step / max(count - 1, 1) for step in range(count)]
    shown = [datetime.fromtimestamp(mark).astimezone() for mark in marks]
    return tuple(AxisMark(axes.across(day.isoformat()), f"{day.day} {day:%b %Y}") for day in shown)
