"""Prices over time, and what happened to them."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.pages import OWNED, PAGE_COLUMNS, as_page, owned_id
from pageloom.model.library import StoredPrice, StoredPriceEvent

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model.pages import OwnedPage, Page


def insert_price(tx: Tx, price: StoredPrice) -> None:
    """Add a point; the same one again is not added twice."""
    amount = "" if price.amount is None else str(price.amount)
    key = f"{price.page_id} {price.track} {price.at} {price.version} {amount} {int(price.held)}"
    tx.run(
        "INSERT INTO prices (page_id, track, at, version, amount, currency, availability, source,"
        " held, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
        price.page_id,
        price.track,
        price.at,
        price.version,
        amount,
        price.currency,
        price.availability,
        price.source,
        int(price.held),
        key,
    )


def insert_event(tx: Tx, event: StoredPriceEvent) -> bool:
    """Store an event; False when it was stored before."""
    return bool(
        tx.run(
            "INSERT INTO price_events (id, page_id, track, at, kind, detail, notified_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
            event.id,
            event.page_id,
            event.track,
            event.at,
            event.kind,
            write_json(event.detail),
            event.notified_at,
        )
    )


def price_series(
    store: Store, page: OwnedPage, *, track: str = "", held: bool = False, limit: int = 100_000
) -> list[StoredPrice]:
    """The points of a page, oldest first; without those that were held, unless asked for."""
    with store.read() as tx:
        return series_in(tx, owned_id(tx, page), track=track, held=held, limit=limit)


def series_in(
    tx: Tx, page_id: int, *, track: str = "", held: bool = False, limit: int = 100_000
) -> list[StoredPrice]:
    """The points of a page; internal: the caller has checked whose page it is."""
    rows = tx.all(
        "SELECT page_id, track, at, version, amount, currency, availability, source, held"
        " FROM prices WHERE page_id = ? AND track = ? AND held <= ?"
        " ORDER BY at DESC, id DESC LIMIT ?",
        page_id,
        track,
        int(held),
        limit,
    )
    return [_as_price(row) for row in reversed(rows)]


def priced_pages(store: Store, owner: str, *, limit: int = 200) -> list[Page]:
    """The pages that have prices, the last that got one first."""
    with store.read() as tx:
        rows = tx.all(
            "SELECT " + PAGE_COLUMNS + " FROM pages p JOIN (SELECT page_id, max(at) AS last FROM"
            " prices WHERE amount <> '' AND held = 0 GROUP BY page_id) r ON r.page_id = p.id"
            " WHERE p.owner = ? AND p.deleted_at IS NULL ORDER BY r.last DESC, p.id DESC LIMIT ?",
            owner,
            limit,
        )
    return list(map(as_page, rows))


def price_events(store: Store, page: OwnedPage, *, track: str = "") -> list[StoredPriceEvent]:
    """What happened to a page's price, oldest first."""
    with store.read() as tx:
        rows = tx.all(
            "SELECT id, page_id, track, at, kind, detail, notified_at FROM price_events"
            f" WHERE page_id = {OWNED} AND track = ? ORDER BY at, id",
            page.id,
            page.owner,
            track,
        )
    return [_as_event(row) for row in rows]


def _as_event(row: Row) -> StoredPriceEvent:
    known: Row = {**row, "detail": read_json(row["detail"])}
    return StoredPriceEvent(**known)


def _as_price(row: Row) -> StoredPrice:
    known: Row = {**row, "amount": _amount(row["amount"]), "held": bool(row["held"])}
    return StoredPrice(**known)


def _amount(text: str) -> Decimal | None:
    try:
        return Decimal(text) if text else None
    except InvalidOperation:
        return None
