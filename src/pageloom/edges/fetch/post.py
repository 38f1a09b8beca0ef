"""HTTP POST for webhooks, with the same SSRF protection as fetching; redirects are not followed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import aiohttp

from pageloom.edges.fetch.connector import GuardedConnector
from pageloom.edges.fetch.dial import Dialler, resolve_by_system
from pageloom.edges.fetch.error_map import translate
from pageloom.edges.fetch.exchange import wire_url
from pageloom.edges.fetch.guard import Guard
from pageloom.edges.fetch.proxies import read_proxy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pageloom.edges.fetch.guard import GuardedUrl
    from pageloom.edges.fetch.options import FetchOptions

_READ_AT_MOST = 65_536


async def post_http(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    options: FetchOptions,
) -> int:
    """POST a body to a URL and return the status of the response.

    A redirect is not followed: the receiver itself has to take the message.

    Raises:
        InvalidUrl: not an http(s) URL.
        FetchError: the host must not be connected to, or cannot be reached.
    """
    guard = Guard(options.allowed_hosts)
    target = guard.check(url)
    proxy = read_proxy(options.proxy) if options.proxy else None
    connector = GuardedConnector(Dialler(guard, options, resolve_by_system), proxy, limit=1)
    try:
        async with asyncio.timeout(options.timeout), connector:
            return await _post(connector, target, body, dict(headers), options)
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise translate(error, target.url, options.timeout) from error


async def _post(
    connector: GuardedConnector,
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
        # Read a little, so that a long response is not cut off while it is being sent.
        await response.content.read(_READ_AT_MOST)
        return response.status
