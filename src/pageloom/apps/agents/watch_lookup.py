"""Which watch a message is about: all that most workers need of watches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.agents.messages import given_or
from pageloom.edges.store.watches import SELECT, as_watch

if TYPE_CHECKING:
    from pageloom.apps.agents.messages import ChangeResult, ParsedPage, RawHtml
    from pageloom.edges.store.base import Store
    from pageloom.model.watch import Watch


def watch_of(store: Store, message: RawHtml | ParsedPage | ChangeResult) -> Watch | None:
    """The watch that a message is about, if there is still such a one."""
    return find_watch(store, given_or(message.watch_id, None))


def find_watch(store: Store, number: object) -> Watch | None:
    """The watch of that number, as a message spells it."""
    if not str(number).isdecimal() or len(str(number)) > 18:
        return None
    with store.read() as tx:
        row = tx.one(f"{SELECT} WHERE id = ?", int(str(number)))
    return as_watch(row) if row else None
