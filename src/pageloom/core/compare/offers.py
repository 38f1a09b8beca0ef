"""Price, rating and stock: between two visits, and what a series of prices tells."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from pageloom.core.compare.report import PriceChange, RatingChange, TrivialDifference, ValueChange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.core.compare.side import Side
    from pageloom.model import Availability, Document, Price, Rating

_LOOSE = ("text", "price class")
"""Sources that are not structured data: the visible page."""


def main_price(document: Document) -> Price | None:
    """What the page asks today: not a former price, and the first that could be read."""
    readable = [price for price in document.price_candidates if price.amount is not None]
    return next((price for price in readable if price.kind != "old"), None)


def compare_price(before: Side, after: Side) -> tuple[PriceChange, list[TrivialDifference]]:
    """Amounts and currencies; another spelling of the same amount is no other price."""
    one, two = _own_price(before), _own_price(after)
    change = PriceChange(before=one, after=two)
    if one is None or two is None:
        return _appearance(change, before, after), []
    if _is_same(one, two):
        if _has_other_amounts(before, after):
            return _other_move(before, after, change), []
        spelling = [_spelling(one, two)] if one.raw != two.raw else []
        return change, spelling
    beside = _are_named_beside_each_other(before, after, one, two)
    if beside or not (_is_currency(one, two) or _comparable(before, after, one, two)):
        return change, [_spelling(one, two)]
    return _move(one, two), []


def _own_price(side: Side) -> Price | None:
    price = main_price(side.document)
    return price if price and _is_of_page(price, side) else None


def _is_of_page(price: Price, side: Side) -> bool:
    """Whether a price is no figure from the bars around a story, such as a rate of exchange."""
    if price.source != "text" or side.document.page_type == "product":
        return True
    return price.raw in side.main_text


def _appearance(change: PriceChange, before: Side, after: Side) -> PriceChange:
    """A price where there was none: the change of a product, not of a story that names one."""
    there, side = (change.after, after) if change.before is None else (change.before, before)
    if there is None or (there.source == "text" and side.document.page_type != "product"):
        return change
    direction = "appeared" if change.before is None else "vanished"
    return PriceChange(before=change.before, after=change.after, direction=direction, changed=True)


def _is_same(one: Price, two: Price) -> bool:
    known = one.currency and two.currency
    return (
        one.amount == two.amount
        and (one.high == two.high or None in (one.high, two.high))
        and (not known or one.currency == two.currency)
    )


def _are_named_beside_each_other(before: Side, after: Side, one: Price, two: Price) -> bool:
    """Whether a story names one of two amounts on both visits: the other came with a box."""
    if "product" in (before.document.page_type, after.document.page_type):
        return False
    loose = one.source in _LOOSE and two.source in _LOOSE
    return loose and ((two.amount, two.currency) in _amounts(before)) != (
        (one.amount, one.currency) in _amounts(after)
    )


def _is_currency(one: Price, two: Price) -> bool:
    return bool(one.currency and two.currency) and one.currency != two.currency


def _comparable(before: Side, after: Side, one: Price, two: Price) -> bool:
    """Whether both are the price of the page, and not the first of many that moved up a list."""
    if one.source not in _LOOSE or two.source not in _LOOSE:
        return True
    return bool(_lost(before, after)) and bool(_lost(after, before))


def _has_other_amounts(before: Side, after: Side) -> bool:
    """Whether one of several stated amounts took the place of another."""
    return bool(_lost(before, after)) and bool(_lost(after, before))


def _other_move(before: Side, after: Side, main: PriceChange) -> PriceChange:
    """The one of several amounts that moved; where more than one did, the main one stands."""
    one, two = _only(before, _lost(before, after)), _only(after, _lost(after, before))
    if one is None or two is None:
        one, two = main.before, main.after
    return PriceChange(before=one, after=two, direction="other", changed=True)


def _only(side: Side, amounts: Counter[tuple[Decimal, str]]) -> Price | None:
    if len(amounts) != 1:
        return None
    return next(price for price in _stated(side) if (price.amount, price.currency) in amounts)


def _lost(one: Side, two: Side) -> Counter[tuple[Decimal, str]]:
    """Amounts that one page states and the other does not."""
    return _amounts(one) - _amounts(two)


def _amounts(side: Side) -> Counter[tuple[Decimal, str]]:
    return Counter(
        (price.amount, price.currency) for price in _stated(side) if price.amount is not None
    )


def _stated(side: Side) -> list[Price]:
    """The prices that a page asks, not those that it asked before or names beside itself."""
    prices = [price for price in side.document.price_candidates if price.amount is not None]
    structured = [price for price in prices if price.source not in _LOOSE and price.kind != "old"]
    return structured or [
        price
        for price in prices
        if price.kind != "old" and price.raw in side.main_text and _is_of_page(price, side)
    ]


def _move(one: Price, two: Price) -> PriceChange:
    if _is_currency(one, two):
        return PriceChange(before=one, after=two, direction="currency", changed=True)
    if one.amount is None or two.amount is None:
        return PriceChange(before=one, after=two)
    difference = two.amount - one.amount
    percent = round(float(difference / one.amount * 100), 1) if one.amount else None
    direction = "drop" if difference < 0 else "rise" if difference > 0 else "other"
    return PriceChange(
        before=one,
        after=two,
        direction=direction,
        difference=difference,
        percent=percent,
        changed=True,
    )


def _spelling(one: Price, two: Price) -> TrivialDifference:
    return TrivialDifference(field="price", kind="spelling", before=one.raw, after=two.raw)


def compare_rating(
    before: Document, after: Document
) -> tuple[RatingChange, list[TrivialDifference]]:
    """Values on the same scale, to a tenth of five; more votes alone are a counter."""
    one, two = _main_rating(before), _main_rating(after)
    change = RatingChange(before=one, after=two)
    if one is None or two is None:
        there = one or two
        appeared = there is not None and there.source != "text"
        return RatingChange(before=one, after=two, changed=appeared), []
    if _on_five(one) != _on_five(two):
        return RatingChange(before=one, after=two, changed=True), []
    if one.count != two.count:
        counts = f"{one.count} votes", f"{two.count} votes"
        return change, [
            TrivialDifference(field="rating", kind="counter", before=counts[0], after=counts[1])
        ]
    return change, []


def _main_rating(document: Document) -> Rating | None:
    """The rating of the page; one of many in running text is a single visitor's."""
    found = [rating for rating in document.rating_candidates if rating.value is not None]
    stated = [rating for rating in found if rating.source != "text"]
    if stated:
        return stated[0]
    return found[0] if len(found) == 1 else None


def _on_five(rating: Rating) -> float:
    value, scale = rating.value or 0.0, rating.scale or 5.0
    return round(value * 5 / scale, 1) if scale > 0 else round(value, 1)


def compare_availability(
    before: Document, after: Document
) -> tuple[ValueChange, list[TrivialDifference]]:
    """Stock; a page that stops saying ``in stock`` has not said anything else."""
    one, two = before.availability, after.availability
    if one == two:
        return ValueChange(before=one, after=two), []
    if {one, two} == {"unknown", "in_stock"}:
        silent = TrivialDifference(field="availability", kind="unstated", before=one, after=two)
        return ValueChange(before=one, after=two), [silent]
    return ValueChange(before=one, after=two, changed=True), []


OUTLIER_FACTOR = Decimal(10)
BARELY_CHANGED = 0.9
"""A page whose text is at least this similar has barely changed."""

EventKind = Literal["drop", "rise", "all_time_low", "back_in_stock", "out_of_stock", "currency"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PricePoint:
    """One price of a page at one time."""

    amount: Decimal | None = None
    currency: str = ""
    availability: Availability = "unknown"
    at: str = ""
    """When, as a UTC instant; the caller's to fill."""
    raw: str = ""
    kind: Literal["current", "old", "from", "range"] = "current"


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceEvent:
    """Something a watcher of prices wants to hear."""

    kind: EventKind
    before: Decimal | None = None
    after: Decimal | None = None
    currency: str = ""
    percent: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesVerdict:
    """What becomes of a new price."""

    accepted: tuple[PricePoint, ...] = ()
    """Points to append to the series, in order."""
    held: PricePoint | None = None
    """A price too strange to be believed until the next check says the same."""
    events: tuple[PriceEvent, ...] = ()


def price_point(document: Document, at: str = "") -> PricePoint | None:
    """The price and stock of a page now; None where it states neither."""
    price = main_price(document)
    amount = price.amount if price else None
    if amount is None and document.availability == "unknown":
        return None
    return PricePoint(
        amount=amount,
        currency=price.currency if price else "",
        availability=document.availability,
        at=at,
        raw=price.raw if price else "",
        kind=price.kind if price else "current",
    )


def judge_price(
    series: Sequence[PricePoint],
    now: PricePoint,
    *,
    similarity: float,
    held: PricePoint | None = None,
) -> SeriesVerdict:
    """Believe a new price or hold it, and tell what happened.

    Args:
        series: the points so far, oldest first; empty for a new page, whose price is a baseline.
        now: the new point.
        similarity: of the page's text with that of the last point (``report.text.similarity``).
        held: what the last verdict held.
    """
    last = _last_priced(series)
    if last is not None and _is_outlier(last, now, similarity) and not _confirms(held, now):
        return SeriesVerdict(held=now)
    if not series:
        return SeriesVerdict(accepted=(now,))
    return SeriesVerdict(accepted=(now,), events=tuple(_events(series, now)))


def _last_priced(series: Sequence[PricePoint]) -> PricePoint | None:
    return next((point for point in reversed(series) if point.amount is not None), None)


def _is_outlier(last: PricePoint, now: PricePoint, similarity: float) -> bool:
    if last.amount is None or now.amount is None or similarity < BARELY_CHANGED:
        return False
    if now.currency and last.currency and now.currency != last.currency:
        return False
    low, high = sorted((last.amount, now.amount))
    return high > 0 and low * OUTLIER_FACTOR <= high


def _confirms(held: PricePoint | None, now: PricePoint) -> bool:
    """Whether the price that was held is seen again, or nearly so."""
    if held is None or held.amount is None or now.amount is None:
        return False
    return held.currency == now.currency and abs(held.amount - now.amount) <= held.amount / 10


def _events(series: Sequence[PricePoint], now: PricePoint) -> list[PriceEvent]:
    events: list[PriceEvent] = []
    last = _last_priced(series)
    if last is not None and last.amount is not None and now.amount is not None:
        events += _moves(series, last, now)
    stock = next((p.availability for p in reversed(series) if p.availability != "unknown"), "")
    if now.availability == "in_stock" and stock in ("out_of_stock", "preorder"):
        events.append(PriceEvent(kind="back_in_stock", after=now.amount, currency=now.currency))
    if now.availability == "out_of_stock" and stock in ("in_stock", "preorder"):
        events.append(PriceEvent(kind="out_of_stock", after=now.amount, currency=now.currency))
    return events


def _moves(series: Sequence[PricePoint], last: PricePoint, now: PricePoint) -> list[PriceEvent]:
    before, after = last.amount, now.amount
    if before is None or after is None:
        return []
    if last.currency and now.currency and last.currency != now.currency:
        return [PriceEvent(kind="currency", before=before, after=after, currency=now.currency)]
    if after == before:
        return []
    percent = round(float((after - before) / before * 100), 1) if before else None
    kind: EventKind = "drop" if after < before else "rise"
    events = [
        PriceEvent(kind=kind, before=before, after=after, currency=now.currency, percent=percent)
    ]
    known = [
        point.amount
        for point in series
        if point.amount is not None and point.currency in ("", now.currency)
    ]
    if after < min(known):
        low = PriceEvent(kind="all_time_low", before=min(known), after=after, currency=now.currency)
        events.append(low)
    return events
