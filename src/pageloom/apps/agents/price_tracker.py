"""The price tracker: sees to it that every price is in its series, once.

Our own change detector has kept the price together with its version, so that the series and the
versions never differ. What comes from elsewhere is judged and kept here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.apps.agents.history import address_key
from pageloom.apps.agents.messages import PriceUpdate, given_or, read_message
from pageloom.apps.agents.pages import read_price
from pageloom.apps.agents.work import Agent, NotYet, Waves, World
from pageloom.core.compare.price_series import judge_price, price_point
from pageloom.edges.store.identity import row_at
from pageloom.edges.store.prices import StoredPrice, insert_price, series_in
from pageloom.edges.store.seen import recall, remember
from pageloom.edges.store.times import now, stamp
from pageloom.flows.checking import recall_check
from pageloom.flows.observing import tell
from pageloom.flows.pricing import as_point
from pageloom.model import Document, Price

if TYPE_CHECKING:
    from pageloom.core.compare.price_series import PricePoint
    from pageloom.edges.broker.letters import Letter
    from pageloom.edges.store.base import Store, Tx

CONSUMER = "price-tracker"


async def track_price(letter: Letter, world: World) -> Waves:
    """``price.update`` ends in the series of the page."""
    message, given = read_message(letter.body, PriceUpdate)
    kept = await world.with_store(lambda store: _track(store, world, message, given))
    if kept is not None:
        tell("price.kept", url=message.url, amount=str(kept.amount), currency=kept.currency)
    return []


AGENT = Agent(name="price-tracker", handle=track_price)


def _track(
    store: Store, world: World, message: PriceUpdate, given: dict[str, Any]
) -> PricePoint | None:
    """The point that was added to the series; None when it was there before."""
    key = f"{message.job_id}:{message.snapshot_hash}"

    def work(tx: Tx) -> PricePoint | None:
        if recall(tx, CONSUMER, key) is not None:
            return None
        check = recall_check(tx, key)
        point = None if check and check.has_price else _point(message, given)
        if point is not None:
            _add(tx, world.owner_of(given), message, point)
        remember(tx, CONSUMER, key)
        return point

    return store.transact(work)


def _point(message: PriceUpdate, given: dict[str, Any]) -> PricePoint | None:
    """The price that a message states, as the page's own."""
    prices = _prices(given.get("prices")) or tuple(read_price(p) for p in message.price_candidates)
    stock = given.get("availability")
    known = stock if stock in ("in_stock", "out_of_stock", "preorder") else "unknown"
    document = Document(url=message.url, price_candidates=prices, availability=known)
    return price_point(document, stamp(given_or(message.fetched_at, "")) or now())


def _prices(given: object) -> tuple[Price, ...]:
    try:
        return msgspec.convert(given, tuple[Price, ...])
    except msgspec.ValidationError:
        return ()


def _add(tx: Tx, owner: str, message: PriceUpdate, point: PricePoint) -> None:
    found = row_at(tx, owner, address_key(message.url))
    if found is None:
        raise NotYet("The page of this price is not kept yet.", url=message.url)
    page = found["id"]
    series = [as_point(stored) for stored in series_in(tx, page)]
    verdict = judge_price(series, point, similarity=0.0)
    for accepted in verdict.accepted:
        insert_price(tx, _stored(page, message, accepted, held=False))
    if verdict.held is not None:
        insert_price(tx, _stored(page, message, verdict.held, held=True))


def _stored(page: int, message: PriceUpdate, point: PricePoint, *, held: bool) -> StoredPrice:
    at = replace(point, at=point.at or now()).at
    return StoredPrice(
        page_id=page,
        at=at,
        version=message.current_version,
        amount=point.amount,
        currency=point.currency,
        availability=point.availability,
        source=point.raw[:200],
        held=held,
    )
