"""Prices over time as a drawing."""

from __future__ import annotations

from decimal import Decimal

from pageloom.apps.web.charts import HEIGHT, WIDTH, draw_prices, thinned
from pageloom.model.library import StoredPrice


def price(
    day: int, amount: str | None, currency: str = "EUR", *, held: bool = False
) -> StoredPrice:
    number = None if amount is None else Decimal(amount)
    at = f"2026-03-{day:02d}T08:00:00.000Z"
    return StoredPrice(page_id=1, at=at, amount=number, currency=currency, held=held)


def test_a_price_holds_until_the_next_one():
    [chart] = draw_prices([("Kettle", [price(1, "40"), price(11, "30"), price(21, "35")])])
    [line] = chart.lines
    assert line.path.count("H") == 3
    assert line.path.count("V") == 2
    assert (line.lowest.amount, line.highest.amount, line.last.amount) == (30, 40, 35)
    xs, ys = [point.x for point in line.points], [point.y for point in line.points]
    assert xs == sorted(xs)
    assert ys[1] > ys[2] > ys[0]  # lower prices are further down
    assert all(0 <= x <= WIDTH for x in xs)
    assert all(0 <= y <= HEIGHT for y in ys)
    assert chart.days[0].words == "1 Mar 2026"


def test_currencies_never_share_an_axis_and_strange_prices_are_left_out():
    prices = [price(1, "40"), price(2, "44", "USD"), price(3, "9000", held=True)]
    charts = draw_prices([("Kettle", prices)])
    assert [(chart.currency, len(chart.lines[0].points)) for chart in charts] == [
        ("EUR", 1),
        ("USD", 1),
    ]
    [held] = charts[0].lines[0].held
    assert 0 <= held.y <= HEIGHT


def test_several_pages_share_a_chart():
    [chart] = draw_prices(
        [("Pot", [price(1, "40"), price(11, "30")]), ("Pot", [price(6, "35")]), ("None", [])]
    )
    assert [line.name for line in chart.lines] == ["Pot", "Pot"]
    kettle, pot = (line.points for line in chart.lines)
    assert kettle[0].x < pot[0].x < kettle[1].x
    assert kettle[0].y < pot[0].y < kettle[1].y


def test_a_single_price_and_none_at_all_can_be_drawn():
    assert draw_prices([]) == draw_prices([("Kettle", [price(1, None)])]) == []
    [chart] = draw_prices([("Kettle", [price(1, "0")])])
    assert chart.lines[0].points[0].x < WIDTH


def test_thinning_keeps_the_lows_the_highs_and_the_ends():
    prices = [price(1 + at % 28, str(100 + at % 7)) for at in range(5_000)]
    prices[2_500] = price(5, "1")
    prices[3_333] = price(6, "999")
    kept = thinned(prices)
    assert len(kept) <= 2_000
    assert (kept[0], kept[-1]) == (prices[0], prices[-1])
    assert {prices[2_500], prices[3_333]} <= {*kept}
