"""Rate limits: requests at once, pauses between requests of one host, Retry-After."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from pageloom.errors import FetchError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.model import RawPage

_ASKS_TO_WAIT = frozenset({429, 503})
_LONGEST_WAIT = 24 * 3600.0
_HOSTS_KEPT = 10_000


@dataclass(slots=True)
class _Host:
    """What is known of one host."""

    slots: asyncio.Semaphore
    next_start: float = 0.0
    not_before: float = 0.0
    users: int = 0


@dataclass(slots=True)
class Politeness:
    """Delays each request until its host may be asked."""

    options: FetchOptions
    _all: asyncio.Semaphore = field(init=False)
    _hosts: dict[str, _Host] = field(init=False, default_factory=dict[str, _Host])

    def __post_init__(self) -> None:
        self._all = asyncio.Semaphore(max(self.options.concurrency, 1))

    @asynccontextmanager
    async def slot(self, host: str, delay: float | None = None) -> AsyncGenerator[None]:
        """Wait until a request to this host may start.

        Args:
            host: the host to be asked.
            delay: seconds between two requests; that of the settings when None.

        Raises:
            FetchError: the host asked for a longer wait than a request may take.
        """
        known = self._host(host)
        known.users += 1
        try:
            async with known.slots, self._all:
                await self._pause(host, known, self.options.delay if delay is None else delay)
                yield
        finally:
            known.users -= 1

    async def _pause(self, host: str, known: _Host, delay: float) -> None:
        now = time.monotonic()
        if known.not_before - now > self.options.timeout:
            raise _must_wait(host, known.not_before - now)
        start = max(now, known.next_start, known.not_before)
        known.next_start = start + delay
        if start > now:
            await asyncio.sleep(start - now)

    def note_retry_after(self, host: str, page: RawPage) -> float:
        """Remember how long a response asks to wait before the next request.

        Returns:
            The seconds that the host asks for; 0 when it does not ask.
        """
        wait = retry_after(page)
        if wait:
            known = self._host(host)
            known.not_before = max(known.not_before, time.monotonic() + wait)
        return wait

    def _host(self, host: str) -> _Host:
        if host not in self._hosts:
            if len(self._hosts) >= _HOSTS_KEPT:
                self._forget()
            self._hosts[host] = _Host(asyncio.Semaphore(max(self.options.per_host, 1)))
        return self._hosts[host]

    def _forget(self) -> None:
        now = time.monotonic()
        for name, known in list(self._hosts.items()):
            if not known.users and max(known.not_before, known.next_start) <= now:
                del self._hosts[name]


def retry_after(page: RawPage) -> float:
    """The seconds that Retry-After asks to wait, as a number or a date; 0 without it."""
    if page.status not in _ASKS_TO_WAIT:
        return 0.0
    text = page.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:9]), _LONGEST_WAIT)
    try:
        seconds = parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return min(max(seconds, 0.0), _LONGEST_WAIT)


def _must_wait(host: str, seconds: float) -> FetchError:
    return FetchError(
        f"{host} asks to wait {seconds:.0f} s before the next request (Retry-After).",
        kind="status",
        retryable=True,
        suggestions=("Wait, then try again.",),
        status=429,
        retry_after=round(seconds, 1),
    )
