"""A file on the web, read from any place on: a range at a time, and again where a connection broke.

Every connection and every redirect passes the same guard as those of pages.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import aiohttp

from pageloom.edges.fetch.error_map import translate
from pageloom.edges.fetch.http import bad_status
from pageloom.errors import FetchError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from pageloom.edges.fetch.exchange import HttpResponse
    from pageloom.edges.fetch.http import HttpClient

T = TypeVar("T")

UNKNOWN = -1
_GONE = (404, 410)
_RANGE_ENDED = 416
_PARTIAL = 206
_PAUSE = 0.25


@dataclass(frozen=True, slots=True)
class WebFileState:
    """What a server says about a file."""

    size: int
    """In bytes, or ``UNKNOWN``."""
    stamp: str
    """What changes when the file does: its ETag, else when it was written."""


@dataclass
class WebFile:
    """One file, and where it is read."""

    client: HttpClient
    url: str
    place: int = 0
    """Of the next byte; set it to go there."""
    state: WebFileState | None = None
    _opened: AsyncExitStack = field(default_factory=AsyncExitStack)
    _body: AsyncIterator[bytes] | None = None
    _rest: bytes = b""
    _rest_at: int = 0

    async def look(self) -> WebFileState | None:
        """Size and stamp; None if there is no such file.

        Raises:
            InvalidUrl: the URL, or one it redirects to, is not an http(s) URL.
            FetchError: it must not be connected to, or does not answer.
        """
        return await self._patiently(self._look)

    async def _look(self) -> WebFileState | None:
        async with (
            asyncio.timeout(self.client.options.timeout),
            self.client.stream(self.url, {"Range": "bytes=0-0"}) as response,
        ):
            if response.status in _GONE:
                return None
            if response.status >= 400 and response.status != _RANGE_ENDED:
                raise bad_status(response.status, self.url)
            self.state = _state_of(response)
            return self.state

    async def read(self, size: int) -> bytes:
        """So many bytes from the place on, fewer only at the end.

        Raises:
            FetchError: the file cannot be read to its end, or is not the same any more.
        """
        found = bytearray()
        while len(found) < size and (part := await self._patiently(self._some)):
            taken = part[: size - len(found)]
            found += taken
            self.place += len(taken)
        return bytes(found)

    async def _patiently(self, act: Callable[[], Awaitable[T]]) -> T:
        """Try again what failed for a while; the pauses grow."""
        options = self.client.options
        for attempt in range(options.retries + 1):
            try:
                return await act()
            except (aiohttp.ClientError, OSError, ValueError, FetchError) as error:
                await self.close()
                is_told = isinstance(error, FetchError)
                told = error if is_told else translate(error, self.url, options.timeout)
                if not told.retryable or attempt == options.retries:
                    raise told from error
            await asyncio.sleep(_PAUSE * 4**attempt)
        raise AssertionError("the last attempt returns or raises")

    async def _some(self) -> bytes:
        """Bytes at the place, without taking them; none at the end."""
        if self._body is None or not self._rest_at <= self.place <= self._rest_end:
            await self._open()
        while self._body is not None and self.place >= self._rest_end:
            self._rest_at = self._rest_end
            async with asyncio.timeout(self.client.options.timeout):
                self._rest = await anext(self._body, b"")
            if not self._rest:
                self._require_end()
                return b""
        return self._rest[self.place - self._rest_at :]

    @property
    def _rest_end(self) -> int:
        return self._rest_at + len(self._rest)

    async def _open(self) -> None:
        """Ask for the file from the place on; a server that knows no ranges sends all of it."""
        await self.close()
        if self.state and 0 <= self.state.size <= self.place:
            return
        headers = {"Range": f"bytes={self.place}-"}
        async with asyncio.timeout(self.client.options.timeout):
            response = await self._opened.enter_async_context(self.client.stream(self.url, headers))
        if response.status == _RANGE_ENDED:
            return
        if response.status >= 400:
            raise bad_status(response.status, self.url)
        self._require_same(_state_of(response))
        self._body = response.body
        self._rest_at = self.place if response.status == _PARTIAL else 0

    def _require_same(self, now: WebFileState) -> None:
        if self.state is None:
            self.state = now
        elif now != self.state:
            raise FetchError(
                "The file was replaced while it was read.", kind="protocol", url=self.url
            )

    def _require_end(self) -> None:
        if self.state and self.place < self.state.size:
            raise aiohttp.ClientPayloadError("the connection ended too soon")

    async def close(self) -> None:
        """Leave the connection; reading opens another one."""
        self._body, self._rest = None, b""
        opened, self._opened = self._opened, AsyncExitStack()
        await opened.aclose()


def _state_of(response: HttpResponse) -> WebFileState:
    if response.status in (_PARTIAL, _RANGE_ENDED):
        size = response.first("content-range").rpartition("/")[2]
    else:
        size = response.first("content-length")
    stamp = response.first("etag") or response.first("last-modified")
    return WebFileState(int(size) if size.isdecimal() else UNKNOWN, stamp)
