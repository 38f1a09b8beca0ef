"""HTTP/2 over a connection that the dialler has made: many GETs on one line.

Only the framing is borrowed (the ``h2`` package does no I/O of its own): addresses, certificates,
redirects, cookies and limits are the same as for HTTP/1.1.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    ResponseReceived,
    StreamEnded,
    StreamReset,
)
from h2.exceptions import H2Error
from h2.settings import SettingCodes, Settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

_WINDOW = 1_048_576
_MOST_UNSENT = 1_048_576
_GONE = "the server broke off"


@dataclass(slots=True, eq=False)
class Stream:
    """One request and its answer."""

    line: Http2Connection
    number: int
    headers: asyncio.Future[list[tuple[str, str]]]
    pieces: asyncio.Queue[tuple[bytes, int] | None] = field(
        default_factory=asyncio.Queue[tuple[bytes, int] | None]
    )
    ended: bool = False
    broken: bool = False

    async def body(self) -> AsyncGenerator[bytes]:
        """The pieces of the body; the server may send more only as they are taken."""
        while (piece := await self.pieces.get()) is not None:
            data, size = piece
            yield data
            self.line.taken(self, size)
        if self.broken:
            raise ConnectionResetError(_GONE)

    def fail(self) -> None:
        """Tell whoever waits that nothing more will come."""
        self.broken = not self.ended
        if not self.headers.done():
            self.headers.set_exception(ConnectionResetError(_GONE))
        self.pieces.put_nowait(None)


class Http2Connection(asyncio.Protocol):
    """One connection; usable until either side says goodbye."""

    def __init__(self) -> None:
        self._h2 = H2Connection(H2Configuration(client_side=True, header_encoding="utf-8"))
        self._streams: dict[int, Stream] = {}
        self._transport: asyncio.Transport | None = None
        self._leaving = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say hello."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  for the type checker
        self._transport = transport
        wishes = {SettingCodes.ENABLE_PUSH: 0, SettingCodes.INITIAL_WINDOW_SIZE: _WINDOW}
        self._h2.local_settings = Settings(client=True, initial_values=wishes)
        self._h2.initiate_connection()
        self._h2.increment_flow_control_window(_WINDOW)
        self._flush()

    @property
    def is_usable(self) -> bool:
        """Whether one more request may be sent."""
        room = self._h2.remote_settings.max_concurrent_streams
        alive = self._transport is not None and not self._transport.is_closing()
        return alive and not self._leaving and len(self._streams) < room

    def ask(self, headers: list[tuple[str, str]]) -> Stream:
        """Send a request without a body."""
        try:
            number = self._h2.get_next_available_stream_id()
            self._h2.send_headers(number, headers, end_stream=True)
        except H2Error:
            self.close()
            raise ConnectionResetError(_GONE) from None
        stream = Stream(self, number, asyncio.get_running_loop().create_future())
        self._streams[number] = stream
        self._flush()
        return stream

    def taken(self, stream: Stream, size: int) -> None:
        """The bytes have been used; the server may send as many again."""
        if not self.is_open or not size:
            return
        try:
            self._h2.acknowledge_received_data(size, stream.number)
        except H2Error:
            self.close()
        self._flush()

    @property
    def is_open(self) -> bool:
        """Whether anything can still be said to the server."""
        return self._transport is not None and not self._transport.is_closing()

    def drop(self, stream: Stream) -> None:
        """Nobody wants the rest of an answer."""
        while not stream.pieces.empty():
            piece = stream.pieces.get_nowait()
            self.taken(stream, piece[1] if piece else 0)
        known = self._streams.pop(stream.number, None)
        if known and not stream.ended and self.is_open:
            try:
                self._h2.reset_stream(stream.number)
            except H2Error:
                self.close()
            self._flush()
        if self._leaving and not self._streams:
            self.close()
        if stream.headers.done() and not stream.headers.cancelled():
            stream.headers.exception()  # seen, so that nobody complains about it later

    def data_received(self, data: bytes) -> None:
        """Frames from the server."""
        try:
            events = self._h2.receive_data(data)
        except H2Error:
            self.close()
            return
        for event in events:
            self._heed(event)
        self._flush()

    def _heed(self, event: Event) -> None:
        if isinstance(event, ConnectionTerminated):
            self._leaving = True
            self._fail_all()
            return
        stream = self._streams.get(getattr(event, "stream_id", None) or 0)
        if stream is None:
            return
        if isinstance(event, ResponseReceived) and not stream.headers.done():
            stream.headers.set_result([(str(n), str(v)) for n, v in event.headers or ()])
        elif isinstance(event, DataReceived):
            size = event.flow_controlled_length or 0
            stream.pieces.put_nowait((event.data or b"", size))
        elif isinstance(event, StreamEnded):
            stream.ended = True
            stream.pieces.put_nowait(None)
        elif isinstance(event, StreamReset):
            self._streams.pop(stream.number, None)
            stream.fail()

    def _flush(self) -> None:
        data = self._h2.data_to_send()
        if not data or self._transport is None or self._transport.is_closing():
            return
        self._transport.write(data)
        # A server that makes us answer and does not listen is not served.
        if self._transport.get_write_buffer_size() > _MOST_UNSENT:
            self.close()

    def _fail_all(self) -> None:
        streams, self._streams = list(self._streams.values()), {}
        for stream in streams:
            stream.fail()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  what asyncio tells
        """The server has gone, or we have."""
        self._leaving = True
        self._fail_all()

    def leave(self) -> None:
        """Hang up as soon as nobody uses the line any more."""
        self._leaving = True
        if not self._streams:
            self.close()

    def close(self) -> None:
        """Hang up."""
        self._leaving = True
        if self._transport is not None:
            self._transport.abort()
        self._fail_all()


class Http2Negotiated(Exception):
    """The server prefers HTTP/2; here is the line to it."""

    def __init__(self, line: Http2Connection) -> None:
        super().__init__()
        self.line = line
