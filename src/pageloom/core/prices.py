"""The price of a page, and what a series of prices tells: events, and values not to be believed."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003  part of the public signatures
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pageloom.model import Availability, Document, Price

OUTLIER_FACTOR = Decimal(10)
BARELY_CHANGED = 0.9
"""A page whose text is at least this similar has barely changed."""

EventKind = Literal["drop", "rise", "all_time_low", "back_in_stock", "out_of_stock", "currency"]


def main_price(document: Document) -> Price | None:
    """What the page asks today: not a former price, and the first that could be read."""
    readable = [price for price in document.price_candidates if price.amount is not None]
    return next((price for price in readable if price.kind != "old"), None)


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
