"""Price, rating and availability of a page, and how two of them differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pageloom.model import Document, Price


def main_price(document: Document) -> Price | None:
    """What the page asks today: not a former price, and the first that could be read."""
    readable = [price for price in document.price_candidates if price.amount is not None]
    return next((price for price in readable if price.kind != "old"), None)
