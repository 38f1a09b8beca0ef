"""The guarded POST, for webhooks: one request through the one gate, nothing followed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import aiohttp

from pageloom.edges.fetch.connector import GatedConnector
from pageloom.edges.fetch.dial import Dialler, resolve_by_system
from pageloom.edges.fetch.error_map import translate
from pageloom.edges.fetch.exchange import wire_url
from pageloom.edges.fetch.guard import Guard
from pageloom.edges.fetch.proxies import read_proxy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pageloom.edges.fetch.dial import Resolve
    from pageloom.edges.fetch.guard import GuardedUrl
    from pageloom.edges.fetch.options import FetchOptions

_READ_AT_MOST = 65_536


async def post_http(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    options: FetchOptions,
    resolve: Resolve = resolve_by_system,
) -> int:
    """Send a body to an address and say with which status it was answered.

    A redirect is not followed: whoever answers for the address has to take the message itself.

    Raises:
        InvalidUrl: not an http(s) URL.
        FetchError: it must not be dialled, or could not be.
    """
    guard = Guard(options.allowed_hosts)
    target = guard.check(url)
    proxy = read_proxy(options.proxy) if options.proxy else None
    connector = GatedConnector(Dialler(guard, options, resolve), proxy, limit=1)
    try:
        async with asyncio.timeout(options.timeout), connector:
            return await _ask(connector, target, body, dict(headers), options)
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise translate(error, target.url, options.timeout) from error


async def _ask(
    connector: GatedConnector,
    target: GuardedUrl,
    body: bytes,
    headers: dict[str, str],
    options: FetchOptions,
) -> int:
    limits = aiohttp.ClientTimeout(total=None)
    async with (
        aiohttp.ClientSession(
            connector=connector, connector_owner=False, timeout=limits
        ) as session,
        session.post(
            wire_url(target),
            data=body,
            headers={"User-Agent": options.user_agent} | headers,
            allow_redirects=False,
        ) as response,
    ):
        # Read a little, so that a receiver that answers at length is not cut off while it speaks.
        await response.content.read(_READ_AT_MOST)
        return response.status
