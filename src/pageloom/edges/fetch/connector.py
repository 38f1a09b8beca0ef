"""Connections for aiohttp, opened by the Dialler, so that only checked addresses are reached."""

from __future__ import annotations

import asyncio
import ssl
import time
from functools import cache, partial
from typing import TYPE_CHECKING

import aiohttp
from aiohttp.client_proto import ResponseHandler

from pageloom.edges.fetch.dial import note
from pageloom.edges.fetch.error_map import translate
from pageloom.errors import SettingsError

if TYPE_CHECKING:
    import socket

    from aiohttp.http import RawResponseMessage
    from aiohttp.streams import StreamReader
    from aiohttp.tracing import Trace

    from pageloom.edges.fetch.dial import Dialler
    from pageloom.edges.fetch.proxies import Proxy


_READ_AT_ONCE = 16_384
INTERIM_ANSWERS = 20
"""Answers such as 103 Early Hints that may come before the real one."""


class _Connection(ResponseHandler, asyncio.BufferedProtocol):
    """Reads a little at a time: parsing what a hostile server sends must not hold up the others."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._received = memoryview(bytearray(_READ_AT_ONCE))
        self._interim = 0

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002  what asyncio calls it with
        return self._received

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(self._received[:nbytes]))

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        self._interim = self._interim + 1 if 100 <= data[0].code < 200 else 0
        if self._interim <= INTERIM_ANSWERS:
            super().feed_data(data, size)
        elif self.transport is not None:
            self.transport.close()
            self.set_exception(aiohttp.ClientPayloadError("interim answers without end"))


class GuardedConnector(aiohttp.BaseConnector):
    """A pool of connections, all direct or all through one proxy."""

    def __init__(self, dialler: Dialler, proxy: Proxy | None, *, limit: int) -> None:
        super().__init__(limit=limit)
        self._factory = partial(_Connection, loop=self._loop)
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
        # Our own clock is quicker: what asyncio raises after its time looks like a refusal.
        async with asyncio.timeout(options.connect_timeout):
            _, protocol = await self._loop.create_connection(
                self._factory,
                sock=sock,
                ssl=tls_context(options.ca_file),
                server_hostname=host.rstrip("."),
                ssl_handshake_timeout=2 * options.connect_timeout,
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
