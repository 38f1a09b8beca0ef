"""Following events: one look at the database for all who wait, however many they are."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from pageloom.apps.web.errors import TooManyRequests
from pageloom.errors import PageloomError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pageloom.library import Library

_PAUSE = 0.4
"""Seconds between two looks at the database."""
_MOST, _MOST_OF_ONE = 2_000, 30
"""Streams at the same time, of all users and of one."""


class Hub:
    """Wakes the streams of users to whom something has happened."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._followers: dict[str, int] = {}
        self._last: dict[str, int] = {}
        self._news = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self.has_ended = False

    @asynccontextmanager
    async def following(self, owner: str) -> AsyncGenerator[None]:
        """Follow the events of a user, for as long as the block runs.

        Raises:
            TooManyRequests: there are too many streams already.
        """
        of_one = self._followers.get(owner, 0)
        if of_one >= _MOST_OF_ONE or sum(self._followers.values()) >= _MOST:
            raise TooManyRequests("Too many streams are open.", seconds=30)
        self._followers[owner] = of_one + 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            self._followers[owner] -= 1
            if not self._followers[owner]:
                del self._followers[owner]

    async def wait(self, owner: str, after: int, seconds: float) -> bool:
        """Wait until something has happened behind an event; whether it has in this time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._last.get(owner, 0) <= after and not self.has_ended:
                    await self._news.wait()
                return True
        return False

    def end(self) -> None:
        """Let all streams end: the server is about to."""
        self.has_ended = True
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def _look(self) -> None:
        while self._followers and not self.has_ended:
            with suppress(PageloomError):  # the database may come back
                last = await asyncio.to_thread(self._library.last_events, list(self._followers))
                if last != self._last:
                    self._last = last
                    self._tell()
            await asyncio.sleep(_PAUSE)
