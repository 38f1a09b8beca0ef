"""Which servers speak HTTP/2, and the open lines to them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pageloom.edges.fetch.connector import can_http2
from pageloom.edges.fetch.exchange import ask_http1, ask_http2

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import aiohttp

    from pageloom.edges.fetch.exchange import Answer, Question
    from pageloom.edges.fetch.http2 import Http2Connection

Key = tuple[str, str, str, int]
"""The way out, and the origin."""

_MOST_LINES = 64


@dataclass(slots=True)
class Http2Pool:
    """Asks on an open HTTP/2 line, or else on a connection that may turn out to be one."""

    _open: dict[Key, Http2Connection] = field(default_factory=dict["Key", "Http2Connection"])

    @asynccontextmanager
    async def ask(
        self, session: aiohttp.ClientSession, question: Question, key: Key
    ) -> AsyncGenerator[Answer]:
        """One question, one answer."""
        line = self._usable(key)
        if line is None and can_http2():
            from pageloom.edges.fetch.http2 import Http2Negotiated

            try:
                async with ask_http1(session, question) as answer:
                    yield answer
                    return
            except Http2Negotiated as news:
                line = self._keep(key, news.line)
        if line is None:
            async with ask_http1(session, question) as answer:
                yield answer
        else:
            async with ask_http2(line, session.cookie_jar, question) as answer:
                yield answer

    def _usable(self, key: Key) -> Http2Connection | None:
        line = self._open.get(key)
        if line is not None and not line.is_usable:
            if not line.is_open:
                del self._open[key]
            return None
        return line

    def _keep(self, key: Key, line: Http2Connection) -> Http2Connection:
        """The newest line to a server is the one that further questions go to."""
        while len(self._open) >= _MOST_LINES:
            self._open.pop(next(iter(self._open))).leave()
        old = self._open.pop(key, None)
        if old is not None:
            old.leave()
        self._open[key] = line
        return line

    def close(self) -> None:
        """Hang up everywhere."""
        for line in self._open.values():
            line.close()
        self._open.clear()
