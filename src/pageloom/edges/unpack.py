"""Decompresses a response piece by piece (gzip, deflate, brotli, zstd), up to a size limit."""

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
_MAX_FILES = 1_000
_STEP = 65_536
_TAKEN = 8_192
"""Bytes that a layer is given at a time: some take far longer to read than to write."""
_OVERHEAD = 65_536
"""What a packed page may be longer than the page: incompressible bytes, and names in heads."""
_WINDOW_LOG = 23
"""zstd keeps at most 8 MB of what came before, as RFC 9659 says for HTTP."""
_GZIP_MAGIC = b"\x1f\x8b"


class _Layer(Protocol):
    """One encoding: feed bytes in, get bounded pieces out."""

    def pieces(self, data: bytes) -> Iterator[bytes]: ...


class _Gzip:
    """One gzip file, or several in a row; anything else after one is ignored."""

    def __init__(self) -> None:
        self._inner = _Zlib(zlib.MAX_WBITS | 16)
        self._left = b""
        self._files = 1

    def pieces(self, data: bytes) -> Iterator[bytes]:
        data, self._left = self._left + data, b""
        while data:
            if self._inner.ended and not self._begin_next(data):
                return
            yield from self._inner.pieces(data)
            data = self._inner.rest

    def _begin_next(self, data: bytes) -> bool:
        if data == _GZIP_MAGIC[:1]:
            self._left = data
        if not data.startswith(_GZIP_MAGIC):
            return False
        self._files += 1
        if self._files > _MAX_FILES:
            raise EOFError
        self._inner = _Zlib(zlib.MAX_WBITS | 16)
        return True


class _Deflate:
    """Servers send it with and without its header; the first two bytes tell."""

    def __init__(self) -> None:
        self._inner: _Zlib | None = None
        self._head = b""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        if self._inner is None:
            data = self._head = self._head + data
            if len(data) < 2:
                return
            has_header = data[0] & 15 == 8 and (data[0] << 8 | data[1]) % 31 == 0
            self._inner = _Zlib(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)
        yield from self._inner.pieces(data)


class _Zlib:
    def __init__(self, bits: int) -> None:
        self._decoder = zlib.decompressobj(bits)

    def pieces(self, data: bytes) -> Iterator[bytes]:
        full = False
        while (data or full) and not self._decoder.eof:
            piece = self._decoder.decompress(data, _STEP)
            yield piece
            # A full piece may leave output behind even when all input is consumed.
            full = len(piece) == _STEP
            data = self._decoder.unconsumed_tail

    @property
    def ended(self) -> bool:
        return self._decoder.eof

    @property
    def rest(self) -> bytes:
        """What came after the end."""
        return self._decoder.unused_data


class _Brotli:
    def __init__(self) -> None:
        self._decoder = brotli.Decompressor()

    def pieces(self, data: bytes) -> Iterator[bytes]:
        if self._decoder.is_finished():
            return
        piece = self._decoder.process(data, output_buffer_limit=_STEP)
        while piece:
            yield piece
            if self._decoder.is_finished():
                return
            piece = self._decoder.process(b"", output_buffer_limit=_STEP)


class _Zstd:
    def __init__(self) -> None:
        window: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
        self._decoder = zstd.ZstdDecompressor(options=window)

    def pieces(self, data: bytes) -> Iterator[bytes]:
        if self._decoder.eof:
            return
        yield self._decoder.decompress(data, max_length=_STEP)
        while not self._decoder.needs_input and not self._decoder.eof:
            yield self._decoder.decompress(b"", max_length=_STEP)


_LAYERS: dict[str, Callable[[], _Layer]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    "deflate": _Deflate,
    "br": _Brotli,
    "zstd": _Zstd,
}
_BROKEN = (zlib.error, brotli.error, zstd.ZstdError, EOFError)


class Unpacker:
    """Undoes all content encodings of one response.

    Args:
        encodings: the Content-Encoding header; unknown encodings are refused.
        maximum: bytes after decompression; one more raises FetchError of kind ``too_large``, and
            so does a layer that is given far more.
    """

    def __init__(self, encodings: str, maximum: int) -> None:
        names = [name.strip().lower() for name in encodings.split(",")]
        names = [name for name in names if name not in ("", "identity")]
        unknown = [name for name in names if name not in _LAYERS]
        if unknown or len(names) > _MAX_LAYERS:
            raise FetchError(
                "The server sent an unsupported Content-Encoding.",
                kind="protocol",
            )
        self._layers = [_LAYERS[name]() for name in reversed(names)]
        self._maximum = maximum
        self._passed = [0] * len(self._layers)
        self._out = bytearray()

    def feed(self, data: bytes) -> Iterator[None]:
        """Take the next bytes of the response, in small steps: between them others may work."""
        try:
            yield from self._through(data, 0)
        except _BROKEN:
            raise FetchError(
                "The compressed response is corrupt.", kind="protocol", retryable=True
            ) from None

    def _through(self, data: bytes, depth: int) -> Iterator[None]:
        if depth == len(self._layers):
            self._out += data
            self._stop_when_large(len(self._out))
            return
        # A layer that swallows everything costs as much as one that gives it back.
        self._passed[depth] += len(data)
        self._stop_when_large(self._passed[depth] - _OVERHEAD)
        for start in range(0, len(data), _TAKEN):
            for piece in self._layers[depth].pieces(data[start : start + _TAKEN]):
                yield
                if piece:
                    yield from self._through(piece, depth + 1)

    def _stop_when_large(self, size: int) -> None:
        if size > self._maximum:
            raise FetchError(
                f"The page is larger than {self._maximum:,} bytes.",
                kind="too_large",
                suggestions=("Raise fetch.max_bytes if you trust the page.",),
                maximum=self._maximum,
            )

    def result(self) -> bytes:
        """The decompressed body. A truncated one is not an error: browsers show what there is."""
        return bytes(self._out)
