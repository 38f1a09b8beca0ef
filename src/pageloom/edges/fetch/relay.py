"""The browser's only way out: a local proxy that connects to checked addresses only.

The browser resolves nothing itself and sends everything through here: documents, scripts, workers,
WebSockets, prefetches, icons. Each page has its own user name and password, so that nobody else on
the machine can use the relay, and so that we know which page asked for what.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from base64 import b64decode
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from pageloom.edges.fetch.connector import INTERIM_ANSWERS
from pageloom.edges.fetch.error_map import translate
from pageloom.edges.fetch.guard import read_url
from pageloom.errors import FetchError, PageloomError

if TYPE_CHECKING:
    import socket
    from collections.abc import Coroutine, Generator, Iterable

    from pageloom.edges.fetch.dial import Dialler
    from pageloom.edges.fetch.guard import GuardedUrl
    from pageloom.edges.fetch.proxies import Proxy

_LONGEST_HEAD = 262_144
_HEAD_SECONDS = 30.0
_CHUNK = 65_536
_BLOCKED = "403 Forbidden"
_FAILED = "502 Bad Gateway"
_HOP_BY_HOP = frozenset((b"connection", b"proxy-connection", b"keep-alive", b"proxy-authorization"))


@dataclass(frozen=True, slots=True)
class PortCookies:
    """Cookies for one port of a host. A browser sends them to all its ports, the relay does not."""

    host: str
    ports: frozenset[int]
    names: frozenset[bytes]

    def are_foreign_to(self, target: GuardedUrl) -> bool:
        """Whether the target is another port of their host."""
        return target.host == self.host and target.port not in self.ports

    def removed_from(self, header: bytes) -> bytes:
        """A header, without these cookies if it is ``Cookie``."""
        name, _, value = header.partition(b":")
        if name.strip().lower() != b"cookie":
            return header
        pairs = [pair.strip() for pair in value.split(b";")]
        kept = [pair for pair in pairs if pair.partition(b"=")[0] not in self.names]
        return b"Cookie: " + b"; ".join(kept)


def port_cookies(url: str, names: Iterable[str]) -> PortCookies:
    """Cookies for the port of a URL, and for the secure one that sites move to."""
    target = read_url(url)
    upgraded = {443} if (target.scheme, target.port) == ("http", 80) else set[int]()
    return PortCookies(
        target.host, frozenset({target.port} | upgraded), frozenset(name.encode() for name in names)
    )


@dataclass(slots=True, eq=False)
class RelayClient:
    """The credentials, limits and failures of one page of the browser."""

    name: str
    password: str
    proxy: Proxy | None
    budget: int
    """Bytes that the page may still receive."""
    cookies: PortCookies | None = None
    """Those that were given for the page."""
    errors: dict[tuple[str, int], PageloomError] = field(
        default_factory=dict[tuple[str, int], PageloomError]
    )
    """Hosts and ports that could not be connected to, and why."""
    connections: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    """Those that the page has open."""

    def spend(self, count: int) -> None:
        """Take received bytes off the budget."""
        self.budget -= count
        if self.budget < 0:
            raise _Drop


class _Drop(Exception):
    """The connection has to be closed."""


@dataclass(slots=True)
class Relay:
    """The proxy server: ``async with Relay(dialler) as relay``."""

    dialler: Dialler
    clients: dict[str, RelayClient] = field(default_factory=dict[str, RelayClient])
    _server: asyncio.Server | None = None
    _connections: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_LONGEST_HEAD)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server:
            self._server.close()
        await _end(self._connections)

    @property
    def url(self) -> str:
        """The proxy URL for the browser."""
        assert self._server is not None  # noqa: S101  for the type checker: we are open
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def register(
        self, proxy: Proxy | None, budget: int, cookies: PortCookies | None = None
    ) -> RelayClient:
        """Make a user name and a password for one page."""
        name = secrets.token_hex(8)
        client = RelayClient(name, secrets.token_urlsafe(24), proxy, budget, cookies)
        self.clients[name] = client
        return client

    async def unregister(self, client: RelayClient) -> None:
        """Accept no further connections of a page, and end those that it has open."""
        self.clients.pop(client.name, None)
        await _end(client.connections)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with _listed(self._connections):
            try:
                await self._answer(reader, writer)
                writer.close()
                await writer.wait_closed()
            except (_Drop, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                pass  # the browser or the server hung up: there is nobody left to answer
            except asyncio.CancelledError:
                pass  # the visit or the relay ends, and this task with it; asyncio would complain
            finally:
                writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_HEAD_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
        (method, url, _), headers = _split(head)
        client = self._authenticate(headers)
        if client is None:
            await _require_login(writer)
            return
        with _listed(client.connections):
            try:
                target, sock = await self._dial(client, method, url)
            except PageloomError as error:
                await _reject(writer, error)
                return
            await _carry(client, method, target, headers, (reader, writer), sock)
            await writer.drain()

    def _authenticate(self, headers: list[bytes]) -> RelayClient | None:
        given = _value(headers, b"proxy-authorization")
        kind, _, secret = given.partition(b" ")
        if kind.lower() != b"basic":
            return None
        try:
            name, _, password = b64decode(secret, validate=True).decode().partition(":")
        except ValueError:
            return None
        client = self.clients.get(name)
        known = client.password if client else ""
        same = hmac.compare_digest(known.encode(), password.encode())
        return client if client and same else None

    async def _dial(
        self, client: RelayClient, method: str, place: str
    ) -> tuple[GuardedUrl, socket.socket]:
        tunnel = method == "CONNECT"
        url = f"https://{place}/" if tunnel else place
        target = read_url(url)
        try:
            self.dialler.guard.check(url)
            if tunnel and client.cookies and client.cookies.are_foreign_to(target):
                raise _other_port(target)
            return target, await self.dialler.dial(target.host, target.port, client.proxy)
        except PageloomError as error:
            client.errors[(target.host, target.port)] = error
            raise
        except (OSError, ValueError) as error:
            failure = translate(error, target.url, self.dialler.options.connect_timeout)
            client.errors[(target.host, target.port)] = failure
            raise failure from error


def _other_port(target: GuardedUrl) -> FetchError:
    """What goes through a tunnel cannot be changed, so that its cookies cannot be removed."""
    return FetchError(
        f"Refused to connect to port {target.port} of {target.host}: "
        "the cookies of the request are for another port.",
        kind="blocked_address",
        url=target.url,
        suggestions=("Render the page without cookies.",),
    )


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


async def _require_login(writer: asyncio.StreamWriter) -> None:
    writer.write(
        b"HTTP/1.1 407 Proxy Authentication Required\r\n"
        b'Proxy-Authenticate: Basic realm="pageloom"\r\n'
        b"Connection: close\r\nContent-Length: 0\r\n\r\n"
    )
    await writer.drain()


async def _reject(writer: asyncio.StreamWriter, error: PageloomError) -> None:
    blocked = not isinstance(error, FetchError) or error.kind == "blocked_address"
    status = _BLOCKED if blocked else _FAILED
    writer.write(f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode())
    await writer.drain()


@contextmanager
def _listed(tasks: set[asyncio.Task[None]]) -> Generator[None]:
    """Keep the current task in the set, so that somebody else can end it."""
    task = asyncio.current_task()
    assert task is not None  # noqa: S101  for the type checker: this is called by a task
    tasks.add(task)
    try:
        yield
    finally:
        tasks.discard(task)


async def _end(tasks: Iterable[asyncio.Task[None]]) -> None:
    tasks = list(tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _carry(
    client: RelayClient,
    method: str,
    target: GuardedUrl,
    headers: list[bytes],
    browser: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    sock: socket.socket,
) -> None:
    """Connect both ends and copy bytes until one of them closes."""
    reader, writer = browser
    try:
        far_reader, far_writer = await asyncio.open_connection(sock=sock, limit=_LONGEST_HEAD)
    except BaseException:
        sock.close()
        raise
    tunnel = method == "CONNECT"
    try:
        if tunnel:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            if client.cookies and client.cookies.are_foreign_to(target):
                headers = [client.cookies.removed_from(header) for header in headers]
            far_writer.write(_plain_head(method, target, headers))
        await _either(
            _pass_up(reader, far_writer),
            _pass_down(far_reader, writer, client, with_head=not tunnel),
        )
    finally:
        far_writer.transport.abort()


async def _either(*directions: Coroutine[None, None, None]) -> None:
    """Run both directions until one ends, and end the other with it."""
    tasks = [asyncio.create_task(direction) for direction in directions]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await _end(tasks)
    for task in done:
        task.result()


def _plain_head(method: str, target: GuardedUrl, headers: list[bytes]) -> bytes:
    """The request as the server sees it: its own path, no proxy headers."""
    path = f"{target.path}?{target.query}" if target.query else target.path
    kept = [h for h in headers if h.partition(b":")[0].strip().lower() not in _HOP_BY_HOP]
    lines = [f"{method} {path} HTTP/1.1".encode(), *kept, b"Connection: close"]
    return b"\r\n".join(lines) + b"\r\n\r\n"


async def _pass_up(browser: asyncio.StreamReader, far: asyncio.StreamWriter) -> None:
    """Copy until the browser closes."""
    while chunk := await browser.read(_CHUNK):
        # A server that takes no more may still have something to say: the other direction tells.
        if not far.is_closing():
            far.write(chunk)
            with suppress(OSError):
                await far.drain()


async def _pass_down(
    far: asyncio.StreamReader,
    browser: asyncio.StreamWriter,
    client: RelayClient,
    *,
    with_head: bool,
) -> None:
    """Copy until the server closes, or the page has received its share."""
    if with_head:
        await _pass_head(far, browser, client)
    while chunk := await far.read(_CHUNK):
        client.spend(len(chunk))
        browser.write(chunk)
        await browser.drain()


async def _pass_head(
    far: asyncio.StreamReader, browser: asyncio.StreamWriter, client: RelayClient
) -> None:
    """Pass on the head of the response, with ``Connection: close``.

    Otherwise the browser would send its next request, perhaps for another host, to this server.
    """
    for _ in range(INTERIM_ANSWERS + 1):
        head = await far.readuntil(b"\r\n\r\n")
        client.spend(len(head))
        first, *headers = head[:-4].split(b"\r\n")
        kept = [h for h in headers if h.partition(b":")[0].strip().lower() not in _HOP_BY_HOP]
        browser.write(b"\r\n".join([first, *kept, b"Connection: close"]) + b"\r\n\r\n")
        await browser.drain()
        status = first.split(b" ")[1:2]
        if not status or not status[0].startswith(b"1") or status[0] == b"101":
            return
    raise _Drop
