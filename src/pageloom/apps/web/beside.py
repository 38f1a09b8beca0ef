"""The work that a server does beside answering: in a thread with an event loop of its own.

Fetches by the dozen would otherwise stand before every answer in the loop that answers.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from pageloom.flows.events import emit

if TYPE_CHECKING:
    from pageloom.library import Library

_STOP_SECONDS = 20.0


class Worker:
    """Runs jobs, polls feeds, checks watches and sends notices, until it is ended."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._loop = asyncio.new_event_loop()
        self._stop, self._wake = asyncio.Event(), asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, name="pageloom-work", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Have queued jobs begun at once; from any thread."""
        self._call(self._wake.set)

    def end(self) -> None:
        """Finish what is under way, or leave it to others; it is waited for."""
        self._call(self._stop.set)
        self._call(self._wake.set)
        self._thread.join(_STOP_SECONDS)
        if self._thread.is_alive() and self._task is not None:
            self._call(self._task.cancel)
            self._thread.join(_STOP_SECONDS)

    def _call(self, function: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function)  # pyright: ignore[reportArgumentType]

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            try:
                runner.run(self._work())
            except asyncio.CancelledError:
                pass  # it took too long to end, and others go on with it
            except Exception as error:  # noqa: BLE001  the door: it is told, and answers go on
                kind = type(error).__name__
                emit("work.failed", level="error", error=str(error), error_type=kind)

    async def _work(self) -> None:
        self._task = asyncio.current_task()
        await self._library.run_work(self._stop, wake=self._wake)
