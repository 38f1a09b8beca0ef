"""Connections for aiohttp, opened by the Dialler, so that only checked addresses are reached."""

from __future__ import annotations

import ssl
import time
from functools import cache
from typing import TYPE_CHECKING

import aiohttp

from pageloom.edges.fetch.dial import note
from pageloom.edges.fetch.error_map import translate
from pageloom.errors import SettingsError

if TYPE_CHECKING:
    import socket

    from aiohttp.client_proto import ResponseHandler
    from aiohttp.tracing import Trace

    from pageloom.edges.fetch.dial import Dialler
    from pageloom.edges.fetch.proxies import Proxy


class GuardedConnector(aiohttp.BaseConnector):
    """A pool of connections, all direct or all through one proxy."""

    def __init__(self, dialler: Dialler, proxy: Proxy | None, *, limit: int) -> None:
        super().__init__(limit=limit)
        self._dialler = dialler
        self._proxy = proxy

    async def _create_connection(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],  # noqa: ARG002  what aiohttp calls it with
        timeout: aiohttp.ClientTimeout,  # noqa: ARG002, ASYNC109  ours is in the options
    ) -> ResponseHandler:
        options = self._dialler.options
        host = req.url.raw_host or ""
        try:
            return await self._open(host, req.port or 80, secure=req.is_ssl())
        except (
            OSError,
            ValueError,
        ) as error:  # the latter for names that cannot be a certificate's
            raise translate(error, str(req.url), options.connect_timeout) from error

    async def _open(self, host: str, port: int, *, secure: bool) -> ResponseHandler:
        sock = await self._dialler.dial(host, port, self._proxy)
        try:
            if not secure:
                return (await self._loop.create_connection(self._factory, sock=sock))[1]
            return await self._shake_hands(host, sock)
        except BaseException:
            sock.close()
            raise

    async def _shake_hands(self, host: str, sock: socket.socket) -> ResponseHandler:
        began = time.perf_counter()
        options = self._dialler.options
        _, protocol = await self._loop.create_connection(
            self._factory,
            sock=sock,
            ssl=tls_context(options.ca_file),
            server_hostname=host.rstrip("."),
            ssl_handshake_timeout=options.connect_timeout,
        )
        note("tls", began)
        return protocol


@cache
def tls_context(ca_file: str) -> ssl.SSLContext:
    """Certificates are always verified; ``ca_file`` adds authorities to the system's."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    if ca_file:
        try:
            context.load_verify_locations(cafile=ca_file)
        except (OSError, ssl.SSLError):
            raise SettingsError("fetch.ca_file is not a file of PEM certificates.") from None
    return context
