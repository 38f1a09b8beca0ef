"""A server that speaks HTTP/2, as rudely as a test wants it to."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RequestReceived, WindowUpdated
from h2.exceptions import ProtocolError

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator


class Http2Site:
    """Answers paths with a status, headers and a body; remembers what it was asked."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[dict[str, str]] = []
        self.connections = 0
        self.lines: list[asyncio.WriteTransport] = []
        self.port = 0
        self.hang_up_after = 10**9

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"https://{host}:{self.port}{path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.lines.append(writer.transport)
        talk = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        talk.initiate_connection()
        left: dict[int, bytes] = {}
        with suppress(OSError, ProtocolError, asyncio.CancelledError):
            while True:
                writer.write(talk.data_to_send())
                await writer.drain()
                data = await reader.read(65_536)
                if not data:
                    break
                for event in talk.receive_data(data):
                    if isinstance(event, RequestReceived):
                        self._answer(talk, event, left, writer)
                    elif isinstance(event, WindowUpdated | DataReceived):
                        pass
                for number in list(left):
                    self._push(talk, number, left)
        writer.close()

    def _answer(self, talk, event, left, writer) -> None:
        headers = dict(event.headers)
        self.asked.append(headers)
        if len(self.asked) > self.hang_up_after:
            self.hang_up_after = 10**9
            writer.transport.abort()
            return
        status, extra, body = self.pages.get(headers[":path"], (404, {}, b""))
        talk.send_headers(event.stream_id, [(":status", str(status)), *extra.items()])
        left[event.stream_id] = body
        self._push(talk, event.stream_id, left)

    def _push(self, talk, number: int, left: dict[int, bytes]) -> None:
        """As much as the client's window takes."""
        try:
            room = talk.local_flow_control_window(number)
        except ProtocolError:
            del left[number]
            return
        while room > 0 and left[number]:
            size = min(room, talk.max_outbound_frame_size)
            talk.send_data(number, left[number][:size])
            left[number] = left[number][size:]
            room = talk.local_flow_control_window(number)
        if not left[number]:
            talk.end_stream(number)
            del left[number]


@contextmanager
def http2_site(tls: ssl.SSLContext) -> Iterator[Http2Site]:
    site = Http2Site()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def start() -> asyncio.Server:
        return await asyncio.start_server(site.serve, "127.0.0.1", 0, ssl=tls)

    server = asyncio.run_coroutine_threadsafe(start(), loop).result()
    site.port = server.sockets[0].getsockname()[1]
    yield site

    async def stop() -> None:
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        for line in site.lines:
            line.abort()
        await asyncio.sleep(0)  # the loop closes them in its next round

    asyncio.run_coroutine_threadsafe(stop(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
