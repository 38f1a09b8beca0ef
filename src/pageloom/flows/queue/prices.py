"""Every price is in its series, once.

Our own change detector has stored the price together with its version, so that the series and the
versions never differ. What comes from elsewhere is judged and stored here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.core.prices import judge_price, price_point
from pageloom.edges.store.idempotency import find_result, store_result
from pageloom.edges.store.identity import row_at
from pageloom.edges.store.prices import insert_price, series_in
from pageloom.edges.store.times import now
from pageloom.flows.events import emit
from pageloom.flows.queue.documents import fetched_at_of, read_price, url_or_key
from pageloom.flows.queue.foreign import NothingToKeep, NotYet, page_in
from pageloom.flows.queue.messages import Parsed
from pageloom.flows.queue.runs import check_key
from pageloom.flows.watch.idempotent_check import recall_check
from pageloom.flows.watch.prices import as_point
from pageloom.model import Document, Price
from pageloom.model.library import StoredPrice

if TYPE_CHECKING:
    from pageloom.core.prices import PricePoint
    from pageloom.edges.store.base import Store, Tx
    from pageloom.flows.queue.messages import PriceUpdate
    from pageloom.flows.watch.idempotent_check import QueuedCheck

CONSUMER = "price-tracker"


def track_price(store: Store, message: PriceUpdate, given: dict[str, Any], owner: str) -> None:
    """Add the price that a message tells of to the series of its page, once."""
    key = check_key(owner, message)

    def work(tx: Tx) -> PricePoint | None:
        if find_result(tx, CONSUMER, key) is not None:
            return None
        check = recall_check(tx, key)
        point = None if check and check.has_price else _point(message, given)
        if point is None and _is_missing(message, check):
            point = _kept_point(tx, owner, message)
        if point is not None:
            _add(tx, owner, message, point)
        store_result(tx, CONSUMER, key)
        return point

    added = store.transact(work)
    if added is not None:
        emit("price.stored", url=message.url, amount=str(added.amount), currency=added.currency)


def _point(message: PriceUpdate, given: dict[str, Any]) -> PricePoint | None:
    """The price that a message states, as the page's own."""
    stated = message.price_candidates or _parsed_prices(given.get("parsed"))
    prices = _prices(given.get("prices")) or tuple(read_price(each) for each in stated)
    stock = given.get("availability")
    known = stock if stock in ("in_stock", "out_of_stock", "preorder") else "unknown"
    document = Document(url=message.url, price_candidates=prices, availability=known)
    return price_point(document, fetched_at_of(message) or now())


def _is_missing(message: PriceUpdate, check: QueuedCheck | None) -> bool:
    """Whether a price is still to be found; ours always states one, if only in words."""
    return check is None or not (check.has_price or message.price_candidates)


def _kept_point(tx: Tx, owner: str, message: PriceUpdate) -> PricePoint:
    """The price of the page as it is kept, for a message that tells of one and does not state it.

    Raises:
        NotYet: the page is not kept yet.
        NothingToKeep: the page states no price either.
    """
    kept = page_in(tx, owner, message.url)
    if kept is None:
        raise NotYet("The page of this price is not stored yet.", url=message.url)
    point = price_point(kept.document, kept.info.fetched_at)
    if point is None:
        raise NothingToKeep(
            "Neither the message nor the stored page states a price.", url=message.url
        )
    return point


def _parsed_prices(given: object) -> list[str]:
    try:
        return msgspec.convert(given, Parsed).price_candidates
    except msgspec.ValidationError:
        return []


def _prices(given: object) -> tuple[Price, ...]:
    try:
        return msgspec.convert(given, tuple[Price, ...])
    except msgspec.ValidationError:
        return ()


def _add(tx: Tx, owner: str, message: PriceUpdate, point: PricePoint) -> None:
    found = row_at(tx, owner, url_or_key(message.url))
    if found is None:
        raise NotYet("The page of this price is not stored yet.", url=message.url)
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
