"""Fetches and renders pages: HTTP client, browser, robots.txt, rate limits, retries."""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pageloom.edges.fetch.dial import resolve_by_system
from pageloom.edges.fetch.http import HttpClient
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.politeness import Politeness
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.edges.fetch.robots import ALLOW_ALL, UNAVAILABLE, RobotsRules, read_robots
from pageloom.errors import FetchError, InvalidUrl
from pageloom.redaction import redact

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pageloom.edges.fetch.chromium import Chromium
    from pageloom.edges.fetch.dial import Resolve
    from pageloom.edges.fetch.guard import GuardedUrl
    from pageloom.edges.fetch.http import CheckRedirect
    from pageloom.edges.fetch.request import RenderedPage
    from pageloom.model import RawPage

AGENT = "Pageloom"
"""Our user agent in robots.txt."""

_TRANSIENT = frozenset({"timeout", "refused", "protocol", "dns"})
_TRANSIENT_STATUS = frozenset({429, 502, 503, 504})
_FIRST_PAUSE = 0.25
_ROBOTS_BYTES = 512_000
_ROBOTS_SECONDS = 10.0
_ROBOTS_KEPT = 24 * 3600.0
_ROBOTS_FAILING_KEPT = 600.0
_UNREADABLE = ("too_large", "too_many_redirects")
"""A robots.txt that exists but cannot be read forbids nothing."""
_SITES_KEPT = 10_000


@dataclass(slots=True)
class Fetcher:
    """Fetches pages within rate limits, with retries; made by ``open_fetcher``."""

    client: HttpClient
    politeness: Politeness
    _browser: Chromium | None = None
    _robots: dict[str, tuple[float, RobotsRules]] = field(
        default_factory=dict[str, tuple[float, RobotsRules]]
    )
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict[str, asyncio.Lock])

    @property
    def options(self) -> FetchOptions:
        """The ``[fetch]`` settings."""
        return self.client.options

    async def get(self, request: FetchRequest) -> RawPage:
        """Fetch a page, whatever its status, 304 included (``RawPage.not_modified``).

        Raises:
            InvalidUrl: the URL, or one it redirects to, is not an http(s) URL.
            FetchError: the page could not be fetched; ``kind`` says why.
        """
        target = self.client.guard.check(request.url)
        rules = await self._rules_for(target, request) if request.respect_robots else ALLOW_ALL
        _require_allowed(rules, target)
        async with self.politeness.slot(target.host, max(rules.delay, self.options.delay)):
            return await self._try(request, target)

    async def render(self, request: FetchRequest, rendering: Rendering) -> RenderedPage:
        """Render a page in the browser.

        Raises:
            MissingExtra: no browser is installed.
            RenderError: the browser could not render the page.
            FetchError: its host must not be connected to, or robots.txt disallows the page.
        """
        target = self.client.guard.check(request.url)
        rules = await self._rules_for(target, request) if request.respect_robots else ALLOW_ALL
        _require_allowed(rules, target)
        async with self.politeness.slot(target.host, max(rules.delay, self.options.delay)):
            return await self._chromium().render(replace(request, url=target.url), rendering)

    def _chromium(self) -> Chromium:
        if self._browser is None:
            from pageloom.edges.fetch.chromium import Chromium

            self._browser = Chromium(self.client.dialler)
        return self._browser

    async def close(self) -> None:
        """Close the browser, if one was started."""
        if self._browser is not None:
            await self._browser.close()
            self._browser = None

    async def _try(self, request: FetchRequest, target: GuardedUrl) -> RawPage:
        """Retry while the failure is transient and there is time left."""
        timeout = self.options.timeout if request.timeout is None else request.timeout
        end = time.monotonic() + timeout
        retries = self.options.retries if request.retries is None else request.retries
        for attempt in range(retries + 1):
            last = attempt == retries
            wait = _FIRST_PAUSE * 2**attempt * (0.75 + random.random() / 2)  # noqa: S311  no secret
            left = replace(request, timeout=max(end - time.monotonic(), 0.001))
            try:
                page = await self.client.get(left, self._robots_for(request))
            except FetchError as error:
                if last or not _is_transient(error) or time.monotonic() + wait >= end:
                    raise
            else:
                asked = self.politeness.note_retry_after(target.host, page)
                wait = max(wait, asked)
                if last or not _may_repeat(page) or time.monotonic() + wait >= end:
                    return page
            await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _robots_for(self, request: FetchRequest) -> CheckRedirect | None:
        """The check of robots.txt for every redirect, if robots.txt is respected."""
        if not request.respect_robots:
            return None

        async def ask(target: GuardedUrl) -> None:
            _require_allowed(await self._rules_for(target, request), target)

        return ask

    async def _rules_for(self, target: GuardedUrl, request: FetchRequest) -> RobotsRules:
        origin = f"{target.scheme}://{target.host}:{target.port} {request.proxy}"
        async with self._locks.setdefault(origin, asyncio.Lock()):
            known = self._robots.get(origin)
            if known and known[0] > time.monotonic():
                return known[1]
            rules, keep = await self._fetch_robots(target, request)
            if len(self._robots) >= _SITES_KEPT:
                self._robots.clear()
                self._locks.clear()
            self._robots[origin] = (time.monotonic() + keep, rules)
            return rules

    async def _fetch_robots(
        self, target: GuardedUrl, request: FetchRequest
    ) -> tuple[RobotsRules, float]:
        """Fetch robots.txt: without one everything is allowed, with a server error nothing yet.

        Raises:
            FetchError: the server cannot be reached, so the page could not be fetched either.
        """
        host = f"[{target.host}]" if ":" in target.host else target.host
        asked = FetchRequest(
            url=f"{target.scheme}://{host}:{target.port}/robots.txt",
            proxy=request.proxy,
            user_agent=request.user_agent,
            timeout=_ROBOTS_SECONDS,
            max_bytes=_ROBOTS_BYTES,
        )
        try:
            page = await self.client.get(asked)
        except InvalidUrl:
            return ALLOW_ALL, _ROBOTS_KEPT
        except FetchError as error:
            if error.kind in _UNREADABLE:
                return ALLOW_ALL, _ROBOTS_KEPT
            error.url = redact(target.url)
            raise
        if page.status >= 500 or page.status == 429:
            return UNAVAILABLE, _ROBOTS_FAILING_KEPT
        if page.status >= 400:
            return ALLOW_ALL, _ROBOTS_KEPT
        return read_robots(page.body.decode("utf-8", "replace"), AGENT), _ROBOTS_KEPT


@asynccontextmanager
async def open_fetcher(
    options: FetchOptions | None = None, *, resolve: Resolve = resolve_by_system
) -> AsyncGenerator[Fetcher]:
    """A Fetcher that lives as long as the block; everything it started ends with it.

    Args:
        options: the ``[fetch]`` section of the settings.
        resolve: host names to addresses; the system's resolver unless a test replaces it.
    """
    chosen = options or FetchOptions()
    async with HttpClient(chosen, resolve) as client:
        fetcher = Fetcher(client, Politeness(chosen))
        try:
            yield fetcher
        finally:
            await fetcher.close()


def _require_allowed(rules: RobotsRules, target: GuardedUrl) -> None:
    path = f"{target.path}?{target.query}" if target.query else target.path
    if rules.allows(path):
        return
    if not rules.is_known:
        raise FetchError(
            f"Could not fetch robots.txt of {target.host}: the server responded with an error.",
            kind="blocked_by_robots",
            url=target.url,
            suggestions=("Try again in ten minutes.",),
            retryable=True,
        )
    raise FetchError(
        f"robots.txt of {target.host} disallows this page.",
        kind="blocked_by_robots",
        url=target.url,
        suggestions=("Ignore robots.txt only if the site's owner agrees.",),
    )


def _is_transient(error: FetchError) -> bool:
    return error.retryable and error.kind in _TRANSIENT


def _may_repeat(page: RawPage) -> bool:
    return page.status in _TRANSIENT_STATUS
