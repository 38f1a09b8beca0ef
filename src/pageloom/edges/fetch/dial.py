"""Opens every connection: resolves the host, checks its addresses, connects to one of them.

The HTTP client and the browser's relay both connect through here, with or without a proxy.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

import aiohappyeyeballs

from pageloom.edges.fetch.proxies import Proxy, ask_proxy, read_proxy
from pageloom.errors import FetchError

if TYPE_CHECKING:
    from pageloom.edges.fetch.addresses import Address
    from pageloom.edges.fetch.guard import Guard
    from pageloom.edges.fetch.options import FetchOptions

Resolve = Callable[[str, int, socket.AddressFamily], Awaitable[list[str]]]
"""Host, port and family to IP addresses; raises OSError when there are none."""

clock: ContextVar[dict[str, float] | None] = ContextVar("clock", default=None)
"""Where the timings of the current fetch are collected, if anybody wants them."""

_SECOND_TRY_AFTER = 0.25
_AddressInfo = tuple[
    socket.AddressFamily,
    socket.SocketKind,
    int,
    str,
    tuple[str, int] | tuple[str, int, int, int],
]


async def resolve_by_system(host: str, port: int, family: socket.AddressFamily) -> list[str]:
    """Resolve a host name with the system's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
    # A scope id (fe80::1%eth0) only ever belongs to addresses that are refused anyway.
    return [str(info[4][0]).partition("%")[0] for info in found]


@dataclass(frozen=True, slots=True)
class Dialler:
    """Opens connections to checked addresses only."""

    guard: Guard
    options: FetchOptions
    resolve: Resolve = resolve_by_system
    trusted: frozenset[str] = field(default=frozenset(), init=False)
    """Origins of the proxies in the settings."""

    def __post_init__(self) -> None:
        named = [self.options.proxy, *self.options.allowed_proxies]
        origins = frozenset(read_proxy(text).origin for text in named if text)
        object.__setattr__(self, "trusted", origins)

    async def dial(self, host: str, port: int, proxy: Proxy | None = None) -> socket.socket:
        """A connected socket to the host, through the proxy if there is one.

        Raises:
            FetchError: the address is not public, or the host name does not resolve.
            OSError: the connection failed.
        """
        if proxy is None:
            return await self._connect(await self._vetted(host, port), port)
        target = await self._name_for(host, port)
        sock = await self._connect(await self._vetted_proxy(proxy), proxy.port)
        try:
            async with asyncio.timeout(self.options.connect_timeout):
                await ask_proxy(sock, proxy, target, port)
        except BaseException:
            sock.close()
            raise
        return sock

    async def _name_for(self, host: str, port: int) -> str:
        """What the proxy is asked for: the checked address, unless it may resolve names itself."""
        if self.options.proxy_resolves or self.guard.names(host):
            return host
        return str((await self._vetted(host, port))[0])

    async def _vetted_proxy(self, proxy: Proxy) -> list[Address]:
        addresses = await self._look_up(proxy.host, proxy.port)
        if proxy.origin not in self.trusted:
            self.guard.vet(proxy.host, addresses)
        return addresses

    async def _vetted(self, host: str, port: int) -> list[Address]:
        addresses = await self._look_up(host, port)
        self.guard.vet(host, addresses)
        return addresses

    async def _look_up(self, host: str, port: int) -> list[Address]:
        try:
            return [ip_address(host)]
        except ValueError:
            pass
        began = time.perf_counter()
        try:
            async with asyncio.timeout(self.options.connect_timeout):
                found = await self.resolve(host, port, socket.AF_UNSPEC)
        except (OSError, UnicodeError):
            raise _not_resolved(host) from None
        finally:
            note("dns", began)
        if not found:
            raise _not_resolved(host)
        return [ip_address(text) for text in found]

    async def _connect(self, addresses: list[Address], port: int) -> socket.socket:
        began = time.perf_counter()
        async with asyncio.timeout(self.options.connect_timeout):
            sock = await aiohappyeyeballs.start_connection(  # pyright: ignore[reportUnknownMemberType]
                [_address_info(address, port) for address in addresses],
                happy_eyeballs_delay=_SECOND_TRY_AFTER,
            )
        note("connect", began)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock


def note(what: str, began: float) -> None:
    """Add the time since ``began`` to the timings of the current fetch."""
    timings = clock.get()
    if timings is not None:
        timings[what] = timings.get(what, 0.0) + time.perf_counter() - began


def _address_info(address: Address, port: int) -> _AddressInfo:
    if isinstance(address, IPv6Address):
        return (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (str(address), port, 0, 0))
    return (socket.AF_INET, socket.SOCK_STREAM, 6, "", (str(address), port))


def _not_resolved(host: str) -> FetchError:
    return FetchError(
        f"Could not resolve the host name {host[:100]}.",
        kind="dns",
        suggestions=("Check the spelling of the host name.",),
        retryable=True,
    )
