"""What a message is about, looked up in the library: its watch, its lease, its source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.sources import get_source, source_of
from pageloom.edges.store.watches import get_watch
from pageloom.flows.queue.documents import url_or_key
from pageloom.flows.queue.messages import given_or

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store
    from pageloom.flows.queue.messages import ChangeResult, FetchJob, ParsedPage, RawHtml
    from pageloom.model.library import Source
    from pageloom.model.watch import Watch


def watch_of(
    store: Store, owner: str, message: RawHtml | ParsedPage | ChangeResult
) -> Watch | None:
    """The watch that a message is about, if there is still such a one."""
    return find_watch(store, owner, given_or(message.watch_id, None), message.url)


def find_watch(store: Store, owner: str, number: object, url: str) -> Watch | None:
    """The watch of that number, as a message spells it, if it is this owner's and of this URL."""
    if not str(number).isdecimal() or len(str(number)) > 18:
        return None
    watch = get_watch(store, owner, int(str(number)))
    is_same = watch is not None and url_or_key(watch.url_full) == url_or_key(url)
    return watch if is_same else None


def holds_lease(watch: Watch | None, lease: object) -> bool:
    """Whether the watch was leased for the check that a message belongs to."""
    return bool(watch and lease and watch.lease_owner == lease)


def source_for(store: Store, owner: str, message: FetchJob | RawHtml) -> Source | None:
    """The source of a page, by the name that its message gives, or by its host."""
    named = given_or(message.source_id, "")
    found = get_source(store, owner, named) if named else None
    return found or source_of(store, owner, message.url)
