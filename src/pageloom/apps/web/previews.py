"""Pages that were fetched for a preview: kept for a minute, so that typing fetches nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.apps.web.errors import Superseded

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.apps.web.auth import Ask
    from pageloom.model.capture import Capture
    from pageloom.model.watch import WatchSettings

_SECONDS = 60.0
_MOST, _LARGEST = 10, 5_000_000
_Key = tuple[str, str, str, str, bool]


class Previews:
    """What was fetched a moment ago, and what each user is waiting for."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._kept: dict[_Key, tuple[float, Capture]] = {}
        self._running: dict[str, tuple[_Key, asyncio.Task[Capture]]] = {}

    async def capture(self, ask: Ask, url: str, settings: WatchSettings) -> Capture:
        """The page as a watch would fetch it; whatever else this user waits for is given up.

        Raises:
            Superseded: this user wants another page by now.
            PageloomError: it cannot be fetched or read.
        """
        owner, robots = ask.who.owner, settings.respect_robots
        key = (owner, url, settings.render, settings.wait_for, robots)
        known = self._kept.get(key)
        if known and self._clock() - known[0] < _SECONDS:
            return known[1]
        task = self._begin(ask, key, url, settings)
        try:
            captured = await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise Superseded("A later preview has begun.") from None
            raise
        finally:
            if task.done() and self._running.get(owner, (key, None))[1] is task:
                del self._running[owner]
        self._keep(key, captured)
        return captured

    def _keep(self, key: _Key, captured: Capture) -> None:
        """Keep a page for the next look at it, and none for longer than that."""
        now = self._clock()
        fresh = [(each, known) for each, known in self._kept.items() if now - known[0] < _SECONDS]
        self._kept = dict(fresh[-_MOST + 1 :])
        if len(captured.body or b"") <= _LARGEST:
            self._kept[key] = (now, replace(captured, screenshot=b"", pdf=b""))

    def _begin(
        self, ask: Ask, key: _Key, url: str, settings: WatchSettings
    ) -> asyncio.Task[Capture]:
        """Fetch, or wait for the same that is being fetched."""
        before = self._running.get(key[0])
        if before and not before[1].done():
            if before[0] == key:
                return before[1]
            before[1].cancel()
        library = ask.site.library.for_user(key[0])
        task = asyncio.create_task(library.capture_for_preview(url, settings))
        self._running[key[0]] = (key, task)
        return task
