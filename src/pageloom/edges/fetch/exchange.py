"""One HTTP request and its response."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import aiohttp
import yarl

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping

    from pageloom.edges.fetch.guard import GuardedUrl


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """Status and headers of a response; its body is still to be read."""

    status: int
    headers: tuple[tuple[str, str], ...]
    """Names in lower case."""
    protocol: str
    body: AsyncIterator[bytes]

    def first(self, name: str) -> str:
        """The first header of that name, or an empty string."""
        return next((value for key, value in self.headers if key == name), "")

    def joined(self) -> dict[str, str]:
        """All headers; those sent several times are joined with commas, as the standard says."""
        found: dict[str, str] = {}
        for key, value in self.headers:
            found[key] = f"{found[key]}, {value}" if key in found else value
        return found


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A GET request for one URL."""

    target: GuardedUrl
    headers: Mapping[str, str]
    cookies: Mapping[str, str]


@asynccontextmanager
async def send(
    session: aiohttp.ClientSession, request: HttpRequest
) -> AsyncGenerator[HttpResponse]:
    """Send the request on a connection of the session's pool."""
    async with session.get(
        wire_url(request.target),
        headers=request.headers,
        cookies=request.cookies,
        allow_redirects=False,
    ) as response:
        version = response.version or aiohttp.HttpVersion11
        yield HttpResponse(
            response.status,
            tuple((_text(name).lower(), _text(value)) for name, value in response.headers.items()),
            f"HTTP/{version.major}.{version.minor}",
            response.content.iter_any(),
        )


def _text(header: str) -> str:
    """A header as text: UTF-8, and what is none byte by byte, as old servers mean it."""
    raw = header.encode("utf-8", "surrogateescape")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def wire_url(target: GuardedUrl) -> yarl.URL:
    """The URL for aiohttp, built of the checked parts: nothing is parsed a second time."""
    return yarl.URL.build(
        scheme=target.scheme,
        host=target.host,
        port=target.port,
        path=target.path,
        query_string=target.query,
        encoded=True,
    )
