"""One request and one answer, in HTTP/1.1 or HTTP/2; who asks need not know which."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import aiohttp
import yarl

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping

    from aiohttp.abc import AbstractCookieJar

    from pageloom.edges.fetch.guard import GuardedUrl
    from pageloom.edges.fetch.http2 import Http2Connection


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says, its body still to come."""

    status: int
    headers: tuple[tuple[str, str], ...]
    """Names in lower case."""
    protocol: str
    body: AsyncIterator[bytes]

    def first(self, name: str) -> str:
        """The first header of that name, or nothing."""
        return next((value for key, value in self.headers if key == name), "")

    def joined(self) -> dict[str, str]:
        """What was sent several times is joined, as the standard reads it."""
        found: dict[str, str] = {}
        for key, value in self.headers:
            found[key] = f"{found[key]}, {value}" if key in found else value
        return found


@dataclass(frozen=True, slots=True)
class Question:
    """A GET for one target."""

    target: GuardedUrl
    headers: Mapping[str, str]
    cookies: Mapping[str, str]


@asynccontextmanager
async def ask_http1(session: aiohttp.ClientSession, question: Question) -> AsyncGenerator[Answer]:
    """Ask on a connection of the session's pool."""
    async with session.get(
        wire_url(question.target),
        headers=question.headers,
        cookies=question.cookies,
        allow_redirects=False,
    ) as response:
        version = response.version or aiohttp.HttpVersion11
        yield Answer(
            response.status,
            tuple((name.lower(), value) for name, value in response.headers.items()),
            f"HTTP/{version.major}.{version.minor}",
            response.content.iter_any(),
        )


@asynccontextmanager
async def ask_http2(
    line: Http2Connection, jar: AbstractCookieJar, question: Question
) -> AsyncGenerator[Answer]:
    """Ask on a line that speaks HTTP/2; cookies are kept in the same jar."""
    url = wire_url(question.target)
    stream = line.ask(_http2_headers(question, jar, url))
    try:
        headers = await stream.headers
        jar.update_cookies_from_headers([v for n, v in headers if n == "set-cookie"], url)
        status = next((value for name, value in headers if name == ":status"), "")
        if not status.isascii() or not status.isdigit():
            raise ValueError("an answer without a status")
        plain = tuple(pair for pair in headers if not pair[0].startswith(":"))
        yield Answer(int(status), plain, "HTTP/2", stream.body())
    finally:
        line.drop(stream)


def _http2_headers(
    question: Question, jar: AbstractCookieJar, url: yarl.URL
) -> list[tuple[str, str]]:
    target = question.target
    cookies = {name: morsel.coded_value for name, morsel in jar.filter_cookies(url).items()}
    cookies |= question.cookies
    path = f"{target.path}?{target.query}" if target.query else target.path
    headers = [
        (":method", "GET"),
        (":scheme", target.scheme),
        (":authority", url.authority),
        (":path", path),
        *((name.lower(), value.strip()) for name, value in question.headers.items()),
    ]
    if cookies:
        headers.append(("cookie", "; ".join(f"{n}={v}" for n, v in cookies.items())))
    return headers


def wire_url(target: GuardedUrl) -> yarl.URL:
    """The checked parts put together again: nothing is parsed a second time."""
    return yarl.URL.build(
        scheme=target.scheme,
        host=target.host,
        port=target.port,
        path=target.path,
        query_string=target.query,
        encoded=True,
    )
