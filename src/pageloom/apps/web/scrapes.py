"""Batches and crawls of the scrape endpoints: they run here, keep nothing, and end with the server.

Their results are held for an hour, for whoever began them.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pageloom.apps.web.errors import NotFound, TooManyRequests
from pageloom.flows.events import emit

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pageloom.errors import PageloomError

_SECONDS = 3600.0
_MOST_OF_ONE, _MOST = 5, 20
"""Runs at the same time, of one user and of all."""
_LARGEST = 50_000_000
"""Characters of the results of one run."""


@dataclass(slots=True)
class Run:
    """One batch or crawl."""

    owner: str
    kind: str
    total: int
    """Pages, as far as they are known."""
    warning: str = ""
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    state: str = "scraping"
    pages: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    errors: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    robots: list[str] = field(default_factory=list[str])
    task: asyncio.Task[None] | None = None
    ends: float = field(default_factory=lambda: time.time() + _SECONDS)
    size: int = 0

    @property
    def ends_at(self) -> str:
        """Until when its results can be had."""
        return datetime.fromtimestamp(self.ends, UTC).isoformat(timespec="seconds")

    def take(self, url: str, found: dict[str, Any] | PageloomError) -> None:
        """Note what came of a page."""
        if isinstance(found, dict):
            self.pages.append(found)
            self.size += sum(len(part) for part in found.values() if isinstance(part, str))
        else:
            number = str(len(self.errors) + 1)
            if found.code == "FetchError.blocked_by_robots":
                self.robots.append(url)
            self.errors.append(
                {"id": number, "url": url, "error": found.message, "code": found.code}
            )


class Scrapes:
    """The runs of a server."""

    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}

    def begin(
        self, run: Run, found: AsyncIterator[tuple[str, dict[str, Any] | PageloomError]]
    ) -> Run:
        """Begin a run.

        Raises:
            TooManyRequests: too many are running.
        """
        now = time.time()
        self._runs = {name: each for name, each in self._runs.items() if each.ends > now}
        active = [each for each in self._runs.values() if each.state == "scraping"]
        if len(active) >= _MOST or sum(each.owner == run.owner for each in active) >= _MOST_OF_ONE:
            raise TooManyRequests("Too many batches and crawls are running.", seconds=30)
        self._runs[run.id] = run
        run.task = asyncio.create_task(self._follow(run, found))
        return run

    async def _follow(
        self, run: Run, found: AsyncIterator[tuple[str, dict[str, Any] | PageloomError]]
    ) -> None:
        try:
            async for url, page in found:
                run.take(url, page)
                run.total = max(run.total, len(run.pages) + len(run.errors))
                if run.size > _LARGEST:
                    run.warning = "The results are too large: the rest was left out."
                    break
            run.state = "completed"
        except asyncio.CancelledError:
            run.state = "cancelled"
        except Exception as error:  # noqa: BLE001  it is told to whoever asks for the run
            emit("web.failed", level="error", error_type=type(error).__name__, error=str(error))
            run.state = "failed"

    def find(self, owner: str, kind: str, run_id: str) -> Run:
        """A run of this user.

        Raises:
            NotFound: there is none, or its results are no longer held.
        """
        run = self._runs.get(run_id)
        if run is None or (run.owner, run.kind) != (owner, kind) or run.ends < time.time():
            raise NotFound(f"There is no {kind} with this id.", suggestions=())
        return run

    def cancel(self, run: Run) -> None:
        """End a run; what it has found stays."""
        if run.task is not None and not run.task.done():
            run.task.cancel()
            run.state = "cancelled"

    async def close(self) -> None:
        """End all runs."""
        tasks = [run.task for run in self._runs.values() if run.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
