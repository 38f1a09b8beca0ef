"""The source of a message's page. What it says of a proxy never travels in a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.sources import get_source, source_of
from pageloom.flows.queue.messages import given_or

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store
    from pageloom.flows.queue.messages import FetchJob, RawHtml
    from pageloom.model.library import Source


def source_for(store: Store, owner: str, message: FetchJob | RawHtml) -> Source | None:
    """The source of a page, by the name that its message gives, or by its host."""
    named = given_or(message.source_id, "")
    found = get_source(store, owner, named) if named else None
    return found or source_of(store, owner, message.url)
