"""Compare price, rating and availability."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pageloom.core.compare.report import PriceChange, RatingChange, TrivialDifference, ValueChange
from pageloom.core.prices import main_price

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from pageloom.core.compare.pairs import Difference
    from pageloom.core.compare.side import Side
    from pageloom.model import Document, Price, Rating

_LOOSE = ("text", "price class")
"""Sources that are not structured data: the visible page."""


def compare_price(
    before: Side, after: Side, told: Sequence[Difference]
) -> tuple[PriceChange, list[TrivialDifference]]:
    """Amounts and currencies; another spelling of the same amount is no other price.

    On a page that sells nothing a price is a part of the text, such as a rate of exchange: it
    counts where the text around it does.
    """
    change, trivial = _compare_price(before, after)
    if change.changed and not _sells(before, change.before) and not _sells(after, change.after):
        amounts = [price.raw for price in (change.before, change.after) if price]
        if not any(raw in each.before or raw in each.after for each in told for raw in amounts):
            return PriceChange(before=change.before, after=change.after), trivial
    return change, trivial


def _sells(side: Side, price: Price | None) -> bool:
    return side.document.page_type == "product" or bool(price and price.source != "text")


def _compare_price(before: Side, after: Side) -> tuple[PriceChange, list[TrivialDifference]]:
    one, two = _own_price(before), _own_price(after)
    change = PriceChange(before=one, after=two)
    if one is None or two is None:
        return _appearance(change, before, after), []
    if _is_same(one, two):
        if _lost(before, after) and _lost(after, before):
            return _other_move(before, after, change), []
        spelling = [_spelling(one, two)] if one.raw != two.raw else []
        return change, spelling
    if not (_is_currency(one, two) or _comparable(before, after, one, two)):
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


def _is_currency(one: Price, two: Price) -> bool:
    return bool(one.currency and two.currency) and one.currency != two.currency


def _comparable(before: Side, after: Side, one: Price, two: Price) -> bool:
    """Whether both are the price of the page, and not the first of many that moved up a list."""
    if one.source not in _LOOSE or two.source not in _LOOSE:
        return True
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
