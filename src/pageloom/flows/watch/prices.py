"""The price of a page now, judged by its series."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

import msgspec

from pageloom.core.prices import PriceEvent, PricePoint, judge_price, price_point
from pageloom.edges.store.times import read_time

if TYPE_CHECKING:
    from pageloom.flows.watch.history import PageHistory
    from pageloom.model import Availability, Document
    from pageloom.model.library import StoredPrice

_SEEN_AGAIN = timedelta(hours=20)
"""A price that stays is written down once a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceVerdict:
    """What becomes of the price of a page."""

    accepted: tuple[PricePoint, ...] = ()
    held: dict[str, Any] | None = None
    events: tuple[PriceEvent, ...] = ()


def judge_prices(
    history: PageHistory, document: Document, *, similarity: float, at: str
) -> PriceVerdict:
    """Believe the price of a page, or hold it, and say what happened."""
    point = price_point(document, at)
    if point is None:
        return PriceVerdict()
    series = [as_point(stored) for stored in history.series]
    held = history.state.held
    verdict = judge_price(
        series,
        point,
        similarity=similarity,
        held=read_held(held) if held else None,
    )
    if verdict.held is not None:
        return PriceVerdict(held=msgspec.to_builtins(verdict.held))
    accepted = verdict.accepted if _is_worth_keeping(series, point) else ()
    return PriceVerdict(accepted=accepted, events=verdict.events)


def read_held(held: dict[str, Any]) -> PricePoint:
    """The price that was held, from the state of its track."""
    amount = held.get("amount")
    return PricePoint(
        amount=None if amount is None else Decimal(amount),
        currency=held.get("currency", ""),
        availability=held.get("availability", "unknown"),
        at=held.get("at", ""),
        raw=held.get("raw", ""),
        kind=held.get("kind", "current"),
    )


def as_point(stored: StoredPrice) -> PricePoint:
    """A stored price as the core knows prices."""
    return PricePoint(
        amount=stored.amount,
        currency=stored.currency,
        availability=cast("Availability", stored.availability),
        at=stored.at,
    )


def _is_worth_keeping(series: list[PricePoint], now: PricePoint) -> bool:
    if not series:
        return True
    last = series[-1]
    if (last.amount, last.currency, last.availability) != (
        now.amount,
        now.currency,
        now.availability,
    ):
        return True
    before, today = read_time(last.at), read_time(now.at)
    return before is None or today is None or today - before >= _SEEN_AGAIN
