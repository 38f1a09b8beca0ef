"""Subscriptions: what happens to a page becomes ``resources/updated``.

One look at the database for all who follow a user's pages, for as long as there is anybody.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from mcp.shared.subscriptions import ResourceUpdated

from pageloom.apps.mcp.door import page_uri
from pageloom.apps.mcp.resources import CHANGES
from pageloom.errors import PageloomError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.shared.subscriptions import ServerEvent

    from pageloom.library import Library

_PAUSE = 0.4
"""Seconds between two looks."""
_KINDS = ("page.added", "page.version", "change.found")


class Follower:
    """The events of one user's library for those who listen: a bus of subscriptions."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._listeners: dict[object, Callable[[ServerEvent], None]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._last = 0

    async def begin(self) -> None:
        """Look where the log of events ends, before somebody is told that they are subscribed."""
        if not self._listeners:
            self._last = await self._newest()

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Call a function with every event from now on; what ends that is returned."""
        key = object()
        self._listeners[key] = listener
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return lambda: self._end(key)

    async def publish(self, event: ServerEvent) -> None:
        """Hand an event to all who listen."""
        for listener in list(self._listeners.values()):
            listener(event)

    def _end(self, key: object) -> None:
        self._listeners.pop(key, None)
        if not self._listeners and self._looking is not None:
            self._looking.cancel()

    async def _newest(self) -> int:
        owner = self._library.owner
        return (await asyncio.to_thread(self._library.last_events, [owner]))[owner]

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_PAUSE)
            with suppress(PageloomError):  # the database may come back
                newest = await self._newest()
                while self._last < newest:
                    self._last = await self._pass_on(self._last) or newest

    async def _pass_on(self, last: int) -> int:
        """Publish the events behind one; the last of them."""
        found = await asyncio.to_thread(self._library.events, last)
        touched = [event for event in found if event.kind in _KINDS]
        for number in dict.fromkeys(event.page_id for event in touched):
            if number is not None:
                await self.publish(ResourceUpdated(uri=page_uri(number)))
        if any(event.kind == "change.found" for event in touched):
            await self.publish(ResourceUpdated(uri=CHANGES))
        return found[-1].id if found else 0
