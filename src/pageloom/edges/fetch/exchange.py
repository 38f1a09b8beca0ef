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
async def ask(session: aiohttp.ClientSession, question: Question) -> AsyncGenerator[Answer]:
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
