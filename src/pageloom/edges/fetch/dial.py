"""From a name to the addresses that are dialled: vetted all together, or not dialled at all."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from aiohttp.abc import AbstractResolver, ResolveResult

if TYPE_CHECKING:
    from pageloom.edges.fetch.guard import Guard

Resolve = Callable[[str, int, socket.AddressFamily], Awaitable[list[str]]]
"""Host, port and family to IP addresses; raises OSError when there are none."""


async def resolve_by_system(host: str, port: int, family: socket.AddressFamily) -> list[str]:
    """Ask the system's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
    # A scope id (fe80::1%eth0) only ever belongs to addresses that are refused anyway.
    return [str(info[4][0]).partition("%")[0] for info in found]


class GuardedResolver(AbstractResolver):
    """Gives the connector the very addresses that the guard has seen, and no others."""

    def __init__(self, guard: Guard, resolve: Resolve) -> None:
        self._guard = guard
        self._resolve = resolve

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Look a name up and vet every answer."""
        addresses = [ip_address(text) for text in await self._resolve(host, port, family)]
        if not addresses:
            raise OSError(f"no address for {host}")
        self._guard.vet(host, addresses)
        return [
            ResolveResult(
                hostname=host,
                host=str(address),
                port=port,
                family=socket.AF_INET6 if isinstance(address, IPv6Address) else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in addresses
        ]

    async def close(self) -> None:
        """Nothing is held open."""
