"""/healthz, /readyz and /metrics of a process, for whoever watches over it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from pageloom.apps.metrics import show_metrics
from pageloom.flows.events import emit

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_REQUEST = 8_192
_SECONDS = 5.0
_WORDS = {200: "OK", 404: "Not Found", 405: "Method Not Allowed", 503: "Service Unavailable"}


async def serve_health(
    host: str, port: int, is_ready: Callable[[], dict[str, bool]]
) -> asyncio.Server | None:
    """Answer on a port, or on any free one where another process has that already.

    Args:
        host: the address to listen on.
        port: the port; 0 for any.
        is_ready: says of each worker of the process whether it can work.
    """

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, TimeoutError, ValueError, asyncio.IncompleteReadError):
            async with asyncio.timeout(_SECONDS):
                writer.write(_answer(await _read_request(reader), is_ready))
                await writer.drain()
        writer.close()

    for wanted in (port, 0):
        try:
            server = await asyncio.start_server(answer, host, wanted, limit=_LONGEST_REQUEST)
        except OSError:
            continue
        found = server.sockets[0].getsockname()[1]
        if wanted == port:
            emit("health.listening", host=host, port=found)
        else:
            emit("health.port_taken", level="warning", host=host, wanted=port, port=found)
        return server
    emit("health.failed", level="error", host=host, port=port)
    return None


async def _read_request(reader: asyncio.StreamReader) -> tuple[str, str]:
    """The method and the path; the rest of the head is read and left alone."""
    head = await reader.readuntil(b"\r\n\r\n")
    method, _, rest = head.partition(b"\r\n")[0].decode("latin-1").partition(" ")
    return method, rest.partition(" ")[0].partition("?")[0]


def _answer(request: tuple[str, str], is_ready: Callable[[], dict[str, bool]]) -> bytes:
    method, path = request
    if method not in ("GET", "HEAD"):
        return _response(405, b"only GET\n")
    if path == "/healthz":
        return _response(200, b"ok\n")
    if path == "/metrics":
        return _response(200, show_metrics(), "text/plain; version=0.0.4; charset=utf-8")
    if path == "/readyz":
        workers = is_ready()
        lines = "".join(f"{name} {'ready' if up else 'waiting'}\n" for name, up in workers.items())
        return _response(200 if all(workers.values()) else 503, lines.encode())
    return _response(404, b"/healthz, /readyz or /metrics\n")


def _response(status: int, body: bytes, kind: str = "text/plain; charset=utf-8") -> bytes:
    head = (
        f"HTTP/1.1 {status} {_WORDS[status]}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\nX-Content-Type-Options: nosniff\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode() + body
