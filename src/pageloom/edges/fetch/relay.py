"""The browser's only way out: a proxy on loopback that dials what the gate has vetted.

The browser is told to resolve nothing and to reach everything through here: documents, scripts,
workers, WebSockets, prefetches, icons. Each page has its own user name and password, so that
nobody else on the machine can use the relay, and so that we know which page asked for what.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from base64 import b64decode
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from pageloom.edges.fetch.error_map import translate
from pageloom.edges.fetch.guard import read_target
from pageloom.errors import FetchError, PageloomError

if TYPE_CHECKING:
    import socket

    from pageloom.edges.fetch.dial import Dialler
    from pageloom.edges.fetch.guard import GuardedUrl
    from pageloom.edges.fetch.proxies import Proxy

_LONGEST_HEAD = 262_144
_HEAD_SECONDS = 30.0
_PIECE = 65_536
_BLOCKED = "403 Forbidden"
_FAILED = "502 Bad Gateway"
_HOP_BY_HOP = frozenset((b"connection", b"proxy-connection", b"keep-alive", b"proxy-authorization"))


@dataclass(slots=True, eq=False)
class Visitor:
    """One page of the browser, as the relay knows it."""

    name: str
    word: str
    proxy: Proxy | None
    budget: int
    """Bytes that the page may still receive."""
    trouble: dict[tuple[str, int], PageloomError] = field(
        default_factory=dict[tuple[str, int], PageloomError]
    )
    """Hosts and ports that were not reached, and why."""


class _Drop(Exception):
    """The line is of no further use."""


@dataclass(slots=True)
class Relay:
    """The listening end: ``async with Relay(dialler) as relay``."""

    dialler: Dialler
    visitors: dict[str, Visitor] = field(default_factory=dict[str, Visitor])
    _server: asyncio.Server | None = None
    _lines: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_LONGEST_HEAD)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server:
            self._server.close()
        for line in list(self._lines):
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    @property
    def place(self) -> str:
        """What the browser is told."""
        assert self._server is not None  # noqa: S101  for the type checker: we are open
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def admit(self, proxy: Proxy | None, budget: int) -> Visitor:
        """A name and a password for one page."""
        name = secrets.token_hex(8)
        visitor = Visitor(name, secrets.token_urlsafe(24), proxy, budget)
        self.visitors[name] = visitor
        return visitor

    def dismiss(self, visitor: Visitor) -> None:
        """Let the page in no longer."""
        self.visitors.pop(visitor.name, None)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task:
            self._lines.add(task)
        try:
            await self._answer(reader, writer)
        except (_Drop, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the browser or the server has left: nobody to tell
        except asyncio.CancelledError:
            pass  # the relay closes, which ends this task anyway; asyncio would complain about it
        finally:
            if task:
                self._lines.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_HEAD_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
        (method, place, _), headers = _split(head)
        visitor = self._recognise(headers)
        if visitor is None:
            await _refuse_stranger(writer)
            return
        try:
            target, line = await self._dial(visitor, method, place)
        except PageloomError as error:
            await _say_no(writer, error)
            return
        await _carry(visitor, method, target, headers, (reader, writer), line)

    def _recognise(self, headers: list[bytes]) -> Visitor | None:
        given = _value(headers, b"proxy-authorization")
        kind, _, secret = given.partition(b" ")
        if kind.lower() != b"basic":
            return None
        try:
            name, _, word = b64decode(secret, validate=True).decode().partition(":")
        except ValueError:
            return None
        visitor = self.visitors.get(name)
        known = visitor.word if visitor else ""
        same = hmac.compare_digest(known.encode(), word.encode())
        return visitor if visitor and same else None

    async def _dial(
        self, visitor: Visitor, method: str, place: str
    ) -> tuple[GuardedUrl, socket.socket]:
        tunnel = method == "CONNECT"
        url = f"https://{place}/" if tunnel else place
        target = read_target(url)
        try:
            self.dialler.guard.check(url)
            return target, await self.dialler.dial(target.host, target.port, visitor.proxy)
        except PageloomError as error:
            visitor.trouble[(target.host, target.port)] = error
            raise
        except (OSError, ValueError) as error:
            trouble = translate(error, target.url, self.dialler.options.connect_timeout)
            visitor.trouble[(target.host, target.port)] = trouble
            raise trouble from error


def _split(head: bytes) -> tuple[tuple[str, str, str], list[bytes]]:
    first, *headers = head[:-4].split(b"\r\n")
    words = first.decode("latin-1").split(" ")
    if len(words) != 3:
        raise _Drop
    return (words[0], words[1], words[2]), headers


def _value(headers: list[bytes], name: bytes) -> bytes:
    for header in headers:
        key, _, value = header.partition(b":")
        if key.strip().lower() == name:
            return value.strip()
    return b""


async def _refuse_stranger(writer: asyncio.StreamWriter) -> None:
    writer.write(
        b"HTTP/1.1 407 Proxy Authentication Required\r\n"
        b'Proxy-Authenticate: Basic realm="pageloom"\r\n'
        b"Connection: close\r\nContent-Length: 0\r\n\r\n"
    )
    await writer.drain()


async def _say_no(writer: asyncio.StreamWriter, error: PageloomError) -> None:
    blocked = not isinstance(error, FetchError) or error.kind == "blocked_address"
    status = _BLOCKED if blocked else _FAILED
    writer.write(f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode())
    await writer.drain()


async def _carry(
    visitor: Visitor,
    method: str,
    target: GuardedUrl,
    headers: list[bytes],
    browser: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    line: socket.socket,
) -> None:
    """Connect both ends and carry bytes until one has had enough."""
    reader, writer = browser
    far_reader, far_writer = await asyncio.open_connection(sock=line, limit=_LONGEST_HEAD)
    try:
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            far_writer.write(_plain_head(method, target, headers))
        up = asyncio.create_task(_pump(reader, far_writer, None))
        try:
            if method != "CONNECT":
                await _pass_head(far_reader, writer)
            await _pump(far_reader, writer, visitor)
        finally:
            up.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await up
    finally:
        far_writer.close()


def _plain_head(method: str, target: GuardedUrl, headers: list[bytes]) -> bytes:
    """The request as the server sees it: its own path, and nothing of ours."""
    path = f"{target.path}?{target.query}" if target.query else target.path
    kept = [h for h in headers if h.partition(b":")[0].strip().lower() not in _HOP_BY_HOP]
    lines = [f"{method} {path} HTTP/1.1".encode(), *kept, b"Connection: close"]
    return b"\r\n".join(lines) + b"\r\n\r\n"


async def _pass_head(far: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """The head of the answer, saying that this line serves one answer only.

    Otherwise the browser would send its next request, perhaps for another host, down this line.
    """
    while True:
        head = await far.readuntil(b"\r\n\r\n")
        first, *headers = head[:-4].split(b"\r\n")
        kept = [h for h in headers if h.partition(b":")[0].strip().lower() not in _HOP_BY_HOP]
        writer.write(b"\r\n".join([first, *kept, b"Connection: close"]) + b"\r\n\r\n")
        status = first.split(b" ")[1:2]
        if not status or not status[0].startswith(b"1") or status[0] == b"101":
            return


async def _pump(
    source: asyncio.StreamReader, sink: asyncio.StreamWriter, visitor: Visitor | None
) -> None:
    while piece := await source.read(_PIECE):
        if visitor is not None:
            visitor.budget -= len(piece)
            if visitor.budget < 0:
                raise _Drop
        sink.write(piece)
        await sink.drain()
    if visitor is None and sink.can_write_eof():
        sink.write_eof()
