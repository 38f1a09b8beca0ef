"""The one place that opens connections: a name is looked up, vetted, and exactly that is dialled.

The HTTP client and the browser's relay both come here, with or without a proxy.
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
"""Where the seconds of the fetch under way are written, if anybody wants them."""

_SECOND_TRY_AFTER = 0.25
_AddressInfo = tuple[
    socket.AddressFamily,
    socket.SocketKind,
    int,
    str,
    tuple[str, int] | tuple[str, int, int, int],
]


async def resolve_by_system(host: str, port: int, family: socket.AddressFamily) -> list[str]:
    """Ask the system's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
    # A scope id (fe80::1%eth0) only ever belongs to addresses that are refused anyway.
    return [str(info[4][0]).partition("%")[0] for info in found]


@dataclass(frozen=True, slots=True)
class Dialler:
    """Opens connections to vetted addresses only."""

    guard: Guard
    options: FetchOptions
    resolve: Resolve = resolve_by_system
    trusted: frozenset[str] = field(default=frozenset(), init=False)
    """Places of proxies that the settings name."""

    def __post_init__(self) -> None:
        named = [self.options.proxy, *self.options.allowed_proxies]
        places = frozenset(read_proxy(text).place for text in named if text)
        object.__setattr__(self, "trusted", places)

    async def dial(self, host: str, port: int, proxy: Proxy | None = None) -> socket.socket:
        """A connected socket to the host, through the proxy if there is one.

        Raises:
            FetchError: the address is closed, or the name has none.
            OSError: the host cannot be reached.
        """
        if proxy is None:
            return await self._connect(await self._vetted(host, port), port)
        place = await self._name_for(host, port)
        line = await self._connect(await self._vetted_proxy(proxy), proxy.port)
        try:
            async with asyncio.timeout(self.options.connect_timeout):
                await ask_proxy(line, proxy, place, port)
        except BaseException:
            line.close()
            raise
        return line

    async def _name_for(self, host: str, port: int) -> str:
        """What the proxy is told: the vetted address, unless it is trusted with the name."""
        if self.options.proxy_resolves or self.guard.names(host):
            return host
        return str((await self._vetted(host, port))[0])

    async def _vetted_proxy(self, proxy: Proxy) -> list[Address]:
        addresses = await self._look_up(proxy.host, proxy.port)
        if proxy.place not in self.trusted:
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
            raise _no_address(host) from None
        finally:
            note("dns", began)
        if not found:
            raise _no_address(host)
        return [ip_address(text) for text in found]

    async def _connect(self, addresses: list[Address], port: int) -> socket.socket:
        began = time.perf_counter()
        async with asyncio.timeout(self.options.connect_timeout):
            line = await aiohappyeyeballs.start_connection(  # pyright: ignore[reportUnknownMemberType]
                [_address_info(address, port) for address in addresses],
                happy_eyeballs_delay=_SECOND_TRY_AFTER,
            )
        note("connect", began)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return line


def note(what: str, began: float) -> None:
    """Add the time since then to the fetch under way."""
    timings = clock.get()
    if timings is not None:
        timings[what] = timings.get(what, 0.0) + time.perf_counter() - began


def _address_info(address: Address, port: int) -> _AddressInfo:
    if isinstance(address, IPv6Address):
        return (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (str(address), port, 0, 0))
    return (socket.AF_INET, socket.SOCK_STREAM, 6, "", (str(address), port))


def _no_address(host: str) -> FetchError:
    return FetchError(
        f"The host name {host[:100]} has no address.",
        kind="dns",
        suggestions=("Check the host's spelling.",),
        retryable=True,
    )
