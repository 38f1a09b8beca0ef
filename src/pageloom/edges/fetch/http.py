"""Fetches a page over HTTP: every redirect is checked, time and size are limited."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

import aiohttp

from pageloom.edges.fetch.connector import GuardedConnector
from pageloom.edges.fetch.dial import Dialler, Resolve, clock, note, resolve_by_system
from pageloom.edges.fetch.error_map import translate
from pageloom.edges.fetch.exchange import HttpRequest, send
from pageloom.edges.fetch.guard import DEFAULT_PORTS, Guard, GuardedUrl
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.proxies import read_proxy
from pageloom.edges.fetch.request import FetchRequest
from pageloom.edges.unpack import ACCEPTED, Unpacker
from pageloom.errors import FetchError
from pageloom.model import Hop, RawPage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pageloom.edges.fetch.exchange import HttpResponse

CheckRedirect = Callable[[GuardedUrl], Awaitable[None]]
REDIRECTS = frozenset({301, 302, 303, 307, 308})
RETRYABLE_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
_ACCEPT = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,"
    "application/json;q=0.8,text/markdown;q=0.8,*/*;q=0.7"
)


@dataclass(slots=True)
class HttpClient:
    """An HTTP client with SSRF protection: ``async with HttpClient() as client``."""

    options: FetchOptions = field(default_factory=FetchOptions)
    resolve: Resolve = resolve_by_system
    guard: Guard = field(init=False)
    dialler: Dialler = field(init=False)
    _connectors: dict[str, GuardedConnector] = field(
        init=False, default_factory=dict[str, GuardedConnector]
    )

    def __post_init__(self) -> None:
        self.guard = Guard(self.options.allowed_hosts)
        self.dialler = Dialler(self.guard, self.options, self.resolve)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for connector in self._connectors.values():
            await connector.close()
        self._connectors.clear()

    async def get(
        self, request: FetchRequest, check_redirect: CheckRedirect | None = None
    ) -> RawPage:
        """Fetch a page, whatever its status.

        Args:
            request: the URL, and how to request it.
            check_redirect: called with every URL that a redirect leads to, before it is fetched.

        Raises:
            InvalidUrl: the URL, or one it redirects to, is not an http(s) URL.
            FetchError: the page could not be fetched; ``kind`` says why.
        """
        timeout = self.options.timeout if request.timeout is None else request.timeout
        timings: dict[str, float] = {}
        token = clock.set(timings)
        began = time.perf_counter()
        try:
            async with asyncio.timeout(timeout):
                page = await self._follow(request, check_redirect)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise translate(error, request.url, timeout) from error
        finally:
            clock.reset(token)
        return replace(page, timings=timings | {"total": time.perf_counter() - began})

    async def _follow(self, request: FetchRequest, check_redirect: CheckRedirect | None) -> RawPage:
        target = first = self.guard.check(request.url)
        hops: list[Hop] = []
        # A new cookie jar per page: sites that set a cookie and redirect work, nothing is kept.
        async with self._session(request) as session:
            for _ in range(self.options.max_redirects + 1):
                response = await self._request(
                    session, target, request, own=_may_send(first, target)
                )
                if isinstance(response, RawPage):
                    return replace(response, url=request.url.strip(), hops=tuple(hops))
                status, location = response
                hops.append(Hop(url=target.url, status=status))
                target = self.guard.check(location, target.url)
                if check_redirect is not None:
                    await check_redirect(target)
        raise self._too_many_redirects(request.url)

    def _too_many_redirects(self, url: str) -> FetchError:
        return FetchError(
            f"The URL redirects more than {self.options.max_redirects} times.",
            kind="too_many_redirects",
            url=url,
            suggestions=("Open the URL in a browser: the site may redirect in a loop.",),
            maximum=self.options.max_redirects,
        )

    @asynccontextmanager
    async def stream(self, url: str, headers: dict[str, str]) -> AsyncGenerator[HttpResponse]:
        """A response whose body the caller reads, however long it is, as it was sent.

        Errors are those of aiohttp and of the system: who reads on meets them too.

        Args:
            url: the file; every redirect is checked as that of a page is.
            headers: sent to every host of the redirects.

        Raises:
            InvalidUrl: the URL, or one it redirects to, is not an http(s) URL.
            FetchError: it must not be connected to, or redirects too often.
        """
        target = self.guard.check(url)
        sent = {"User-Agent": self.options.user_agent, "Accept-Encoding": "identity"} | headers
        async with self._session(FetchRequest(url=url)) as session:
            for _ in range(self.options.max_redirects + 1):
                async with send(session, HttpRequest(target, sent, {})) as response:
                    location = response.first("location")
                    if response.status not in REDIRECTS or not location:
                        yield response
                        return
                target = self.guard.check(location, target.url)
        raise self._too_many_redirects(url)

    def _session(self, request: FetchRequest) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=self._connector(request.proxy or self.options.proxy),
            connector_owner=False,
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(total=None),
        )

    def _connector(self, proxy: str) -> GuardedConnector:
        """One pool of connections per proxy, and one without."""
        if proxy not in self._connectors:
            parsed = read_proxy(proxy) if proxy else None
            limit = max(self.options.concurrency, 1)
            self._connectors[proxy] = GuardedConnector(self.dialler, parsed, limit=limit)
        return self._connectors[proxy]

    async def _request(
        self,
        session: aiohttp.ClientSession,
        target: GuardedUrl,
        request: FetchRequest,
        *,
        own: bool,
    ) -> RawPage | tuple[int, str]:
        """The page, or the status and the target of a redirect."""
        began = time.perf_counter()
        headers = _common_headers(request, self.options) | (request.headers if own else {})
        sent = HttpRequest(target, headers, request.cookies if own else {})
        async with send(session, sent) as response:
            note("first_byte", began)
            location = response.first("location")
            if response.status in REDIRECTS and location:
                return response.status, location
            maximum = self.options.max_bytes if request.max_bytes is None else request.max_bytes
            return _to_page(target, response, await _read_body(response, maximum))


def _common_headers(request: FetchRequest, options: FetchOptions) -> dict[str, str]:
    """Headers that every host of a redirect chain may see."""
    headers = {
        "User-Agent": request.user_agent or options.user_agent,
        "Accept": _ACCEPT,
        "Accept-Encoding": ACCEPTED,
        "Accept-Language": "en,*;q=0.5",
    }
    if request.etag:
        headers["If-None-Match"] = request.etag
    if request.last_modified:
        headers["If-Modified-Since"] = request.last_modified
    return headers


async def _read_body(response: HttpResponse, maximum: int) -> bytes:
    encodings = ",".join(value for name, value in response.headers if name == "content-encoding")
    unpacker = Unpacker(encodings, maximum)
    async for chunk in response.body:
        for _ in unpacker.feed(chunk):
            await asyncio.sleep(0)
    return unpacker.result()


def require_ok(page: RawPage) -> RawPage:
    """The page, or FetchError of kind ``status`` for an error status."""
    if page.status < 400:
        return page
    raise bad_status(page.status, page.final_url)


def bad_status(status: int, url: str) -> FetchError:
    """The error that an error status means."""
    return FetchError(
        f"The server responded with status {status}.",
        kind="status",
        url=url,
        retryable=status in RETRYABLE_STATUS,
        suggestions=_advice_on_status(status),
        status=status,
    )


def _advice_on_status(status: int) -> tuple[str, ...]:
    if status in (404, 410):
        return ("Check the URL: the page does not exist.",)
    if status in (401, 403):
        return ("The site requires a login, or blocks automated requests.",)
    if status == 429:
        return ("Wait before requesting from this site again.",)
    return ("Try again later.",) if status in RETRYABLE_STATUS else ()


def _may_send(first: GuardedUrl, now: GuardedUrl) -> bool:
    """Whether headers and cookies meant for the first URL may be sent to this one."""
    if first.origin == now.origin:
        return True
    upgraded = (first.scheme, now.scheme) == ("http", "https")
    both_default = all(t.port == DEFAULT_PORTS[t.scheme] for t in (first, now))
    return first.host == now.host and upgraded and both_default


def _to_page(target: GuardedUrl, response: HttpResponse, body: bytes) -> RawPage:
    return RawPage(
        url=target.url,
        final_url=target.url,
        status=response.status,
        headers=response.joined(),
        body=body,
        content_type=response.first("content-type"),
        fetched_at=utc_now(),
        protocol=response.protocol,
    )


def utc_now() -> str:
    """The current time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
