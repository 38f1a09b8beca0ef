"""HTTP → RawPage: a plain GET in which every hop passes the gate and everything is bounded."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

import aiohttp
import yarl

from pageloom.edges.fetch.dial import GuardedResolver, Resolve, resolve_by_system
from pageloom.edges.fetch.guard import DEFAULT_PORTS, Guard, Target
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.trouble import translate
from pageloom.edges.fetch.unpack import ACCEPTED, Unpacker
from pageloom.errors import FetchError
from pageloom.model import RawPage

if TYPE_CHECKING:
    from collections.abc import Mapping

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_RETRYABLE_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.8,*/*;q=0.7"


@dataclass(slots=True)
class HttpClient:
    """Connections to the web, all through one gate: ``async with HttpClient() as client``."""

    options: FetchOptions = field(default_factory=FetchOptions)
    resolve: Resolve = resolve_by_system
    guard: Guard = field(init=False)
    _connector: aiohttp.TCPConnector = field(init=False)

    def __post_init__(self) -> None:
        self.guard = Guard(self.options.allowed_hosts)

    async def __aenter__(self) -> Self:
        resolver = GuardedResolver(self.guard, self.resolve)
        self._connector = aiohttp.TCPConnector(resolver=resolver, use_dns_cache=False)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._connector.close()

    async def get(self, url: str, *, headers: Mapping[str, str] | None = None) -> RawPage:
        """The page at an address, whatever its status.

        Args:
            url: an http(s) address.
            headers: sent to the address's own origin and to no other after a redirect.

        Raises:
            InvalidUrl: the address, or one it redirects to, is no http(s) URL.
            FetchError: the page could not be had; ``kind`` says how.
        """
        try:
            async with asyncio.timeout(self.options.timeout):
                return await self._follow(url, dict(headers or {}))
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise translate(error, url, self.options.timeout) from error

    async def _follow(self, url: str, headers: dict[str, str]) -> RawPage:
        target = first = self.guard.check(url)
        # A fresh jar per page: sites that set a cookie and redirect work, nothing is remembered.
        async with self._session() as session:
            for _ in range(self.options.max_redirects + 1):
                sent = headers if _may_send(first, target) else {}
                answer = await self._ask(session, target, sent)
                if isinstance(answer, RawPage):
                    return replace(answer, url=url.strip())
                target = self.guard.check(answer, target.url)
        raise FetchError(
            f"The address redirects more than {self.options.max_redirects} times.",
            kind="too_many_redirects",
            url=url,
            maximum=self.options.max_redirects,
        )

    def _session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=self._connector,
            connector_owner=False,
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=self.options.connect_timeout),
            headers={
                "User-Agent": self.options.user_agent,
                "Accept": _ACCEPT,
                "Accept-Encoding": ACCEPTED,
                "Accept-Language": "en,*;q=0.5",
            },
        )

    async def _ask(
        self, session: aiohttp.ClientSession, target: Target, headers: dict[str, str]
    ) -> RawPage | str:
        """The page, or the place it redirects to."""
        async with session.get(
            _wire_url(target), headers=headers, allow_redirects=False
        ) as response:
            place = response.headers.get("Location", "")
            if response.status in _REDIRECTS and place:
                return place
            body = await self._read_body(response)
            return _to_page(target, response, body)

    async def _read_body(self, response: aiohttp.ClientResponse) -> bytes:
        encodings = ",".join(response.headers.getall("Content-Encoding", []))
        unpacker = Unpacker(encodings, self.options.max_bytes)
        async for chunk in response.content.iter_any():
            unpacker.feed(chunk)
        return unpacker.result()


async def fetch_http(
    url: str, *, client: HttpClient, headers: Mapping[str, str] | None = None
) -> RawPage:
    """The page at an address, if the server says that it is one (status below 400)."""
    return require_ok(await client.get(url, headers=headers))


def require_ok(page: RawPage) -> RawPage:
    """The page itself, or FetchError of kind ``status``."""
    if page.status < 400:
        return page
    raise FetchError(
        f"The server answered with status {page.status}.",
        kind="status",
        url=page.final_url,
        retryable=page.status in _RETRYABLE_STATUS,
        suggestions=_advice_on_status(page.status),
        status=page.status,
    )


def _advice_on_status(status: int) -> tuple[str, ...]:
    if status in (404, 410):
        return ("Check the address: the page is not there.",)
    if status in (401, 403):
        return ("The site asks for a login, or refuses programs.",)
    if status == 429:
        return ("Wait before asking this site again.",)
    return ("Try again later.",) if status in _RETRYABLE_STATUS else ()


def _may_send(first: Target, now: Target) -> bool:
    """Whether headers meant for the first target may go to this one."""
    if first.origin == now.origin:
        return True
    upgraded = (first.scheme, now.scheme) == ("http", "https")
    both_default = all(t.port == DEFAULT_PORTS[t.scheme] for t in (first, now))
    return first.host == now.host and upgraded and both_default


def _wire_url(target: Target) -> yarl.URL:
    """The checked parts put together again: nothing is parsed a second time."""
    return yarl.URL.build(
        scheme=target.scheme,
        host=target.host,
        port=target.port,
        path=target.path,
        query_string=target.query,
        encoded=True,
    )


def _to_page(target: Target, response: aiohttp.ClientResponse, body: bytes) -> RawPage:
    return RawPage(
        url=target.url,
        final_url=target.url,
        status=response.status,
        headers={name.lower(): value for name, value in response.headers.items()},
        body=body,
        content_type=response.headers.get("Content-Type", ""),
        fetched_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )
