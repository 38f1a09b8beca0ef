"""Which watch a message is about, and whether it was leased for this very check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.watches import watch_for_worker
from pageloom.flows.queue.messages import given_or

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store
    from pageloom.flows.queue.messages import ChangeResult, ParsedPage, RawHtml
    from pageloom.model.watch import Watch


def watch_of(store: Store, message: RawHtml | ParsedPage | ChangeResult) -> Watch | None:
    """The watch that a message is about, if there is still such a one."""
    return find_watch(store, given_or(message.watch_id, None))


def find_watch(store: Store, number: object) -> Watch | None:
    """The watch of that number, as a message spells it."""
    if not str(number).isdecimal() or len(str(number)) > 18:
        return None
    return watch_for_worker(store, int(str(number)))


def holds_lease(watch: Watch | None, lease: object) -> bool:
    """Whether the watch was leased for the check that a message belongs to."""
    return bool(watch and lease and watch.lease_owner == lease)
