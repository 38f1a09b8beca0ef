"""Undo content encodings piece by piece, never producing more than was asked for."""

from __future__ import annotations

import sys
import zlib
from typing import TYPE_CHECKING, Protocol

import brotli

from pageloom.errors import FetchError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ACCEPTED = "gzip, deflate, br, zstd"
_MAX_LAYERS = 3
_STEP = 65_536


class _Layer(Protocol):
    """One encoding: feed bytes in, get bounded pieces out."""

    def pieces(self, data: bytes) -> Iterator[bytes]: ...


class _Zlib:
    """gzip and deflate, the latter with or without its header, as servers send both."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._decoder = zlib.decompressobj(bits)
        self._started = False

    def pieces(self, data: bytes) -> Iterator[bytes]:
        full = False
        while data or full:
            if self._decoder.eof and not self._begin_next(data):
                return
            piece = self._step(data)
            yield piece
            # A full piece may leave output behind even when all input is consumed.
            full = len(piece) == _STEP
            data = self._decoder.unused_data or self._decoder.unconsumed_tail

    def _begin_next(self, data: bytes) -> bool:
        """A gzip body may be several gzip files in a row; anything else there is ignored."""
        if self._bits == zlib.MAX_WBITS or not data.startswith(b"\x1f\x8b"):
            return False
        self._decoder = zlib.decompressobj(self._bits)
        return True

    def _step(self, data: bytes) -> bytes:
        try:
            return self._decoder.decompress(data, _STEP)
        except zlib.error:
            if self._started or self._bits != zlib.MAX_WBITS:
                raise
            self._decoder = zlib.decompressobj(-zlib.MAX_WBITS)
            return self._decoder.decompress(data, _STEP)
        finally:
            self._started = True


class _Brotli:
    def __init__(self) -> None:
        self._decoder = brotli.Decompressor()

    def pieces(self, data: bytes) -> Iterator[bytes]:
        if self._decoder.is_finished():
            return
        yield self._decoder.process(data, output_buffer_limit=_STEP)
        while not self._decoder.can_accept_more_data():
            yield self._decoder.process(b"", output_buffer_limit=_STEP)


class _Zstd:
    def __init__(self) -> None:
        self._decoder = zstd.ZstdDecompressor()

    def pieces(self, data: bytes) -> Iterator[bytes]:
        if self._decoder.eof:
            return
        yield self._decoder.decompress(data, max_length=_STEP)
        while not self._decoder.needs_input and not self._decoder.eof:
            yield self._decoder.decompress(b"", max_length=_STEP)


def _gzip() -> _Layer:
    return _Zlib(zlib.MAX_WBITS | 16)


def _deflate() -> _Layer:
    return _Zlib(zlib.MAX_WBITS)


_LAYERS: dict[str, Callable[[], _Layer]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _Brotli,
    "zstd": _Zstd,
}
_BROKEN = (zlib.error, brotli.error, zstd.ZstdError, EOFError)


class Unpacker:
    """The way back through all encodings of one answer.

    Args:
        encodings: the Content-Encoding header; unknown encodings are refused.
        maximum: bytes after decompression; one more raises FetchError of kind ``too_large``.
    """

    def __init__(self, encodings: str, maximum: int) -> None:
        names = [name.strip().lower() for name in encodings.split(",")]
        names = [name for name in names if name not in ("", "identity")]
        unknown = [name for name in names if name not in _LAYERS]
        if unknown or len(names) > _MAX_LAYERS:
            raise FetchError(
                "The server sent its answer in an encoding that was not asked for.",
                kind="protocol",
            )
        self._layers = [_LAYERS[name]() for name in reversed(names)]
        self._maximum = maximum
        self._out = bytearray()

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the wire."""
        try:
            for piece in self._through(data, 0):
                self._out += piece
                self._stop_when_large()
        except _BROKEN:
            raise FetchError(
                "The compressed answer is damaged.", kind="protocol", retryable=True
            ) from None

    def _through(self, data: bytes, depth: int) -> Iterator[bytes]:
        if depth == len(self._layers):
            yield data
            return
        for piece in self._layers[depth].pieces(data):
            if piece:
                yield from self._through(piece, depth + 1)

    def _stop_when_large(self) -> None:
        if len(self._out) > self._maximum:
            raise FetchError(
                f"The page is larger than {self._maximum:,} bytes.",
                kind="too_large",
                suggestions=("Raise fetch.max_bytes if you trust the page.",),
                maximum=self._maximum,
            )

    def result(self) -> bytes:
        """All that came, unpacked. A cut tail is no error: browsers show what there is."""
        return bytes(self._out)
