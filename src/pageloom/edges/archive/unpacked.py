"""Packed files: their members one by one, or their bytes in a row."""

from __future__ import annotations

import sys
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pageloom.edges.archive.entries import Readable

GZIP = b"\x1f\x8b\x08"
ZSTD = b"\x28\xb5\x2f\xfd"
_DICTIONARY = b"\x5d\x2a\x4d\x18"
"""The skippable frame in which a WARC file brings its dictionary."""
_STEP = 1 << 18
_PIECE = 1 << 20
BROKEN = (zlib.error, zstd.ZstdError, EOFError)


class _Gzip:
    def __init__(self) -> None:
        self._inner = zlib.decompressobj(zlib.MAX_WBITS | 16)

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What comes of the bytes, a bounded piece at a time."""
        while data and not self._inner.eof:
            yield self._inner.decompress(data, _PIECE)
            data = self._inner.unconsumed_tail

    @property
    def ended(self) -> bool:
        return self._inner.eof

    @property
    def rest(self) -> bytes:
        return self._inner.unused_data


class _Zstd:
    def __init__(self, dictionary: Any = None) -> None:
        self._inner = zstd.ZstdDecompressor(zstd_dict=dictionary)

    def pieces(self, data: bytes) -> Iterator[bytes]:
        yield self._inner.decompress(data, max_length=_PIECE)
        while not self._inner.needs_input and not self._inner.eof:
            yield self._inner.decompress(b"", max_length=_PIECE)

    @property
    def ended(self) -> bool:
        return self._inner.eof

    @property
    def rest(self) -> bytes:
        return self._inner.unused_data


Decoder = _Gzip | _Zstd


@dataclass(frozen=True, slots=True)
class Packing:
    """How a file is packed: the first bytes of each member, and what unpacks one."""

    magic: bytes
    decoder: Callable[[], Decoder]
    start: int = 0
    """Where the first member begins."""


def packing_of(file: Readable) -> Packing | None:
    """How an open file is packed, by its first bytes; None if it is not."""
    file.seek(0)
    head = file.read(8)
    if head.startswith(GZIP):
        return Packing(GZIP, _Gzip)
    if head.startswith(ZSTD):
        return Packing(ZSTD, _Zstd)
    if head.startswith(_DICTIONARY):
        size = int.from_bytes(head[4:8], "little")
        content = file.read(size)
        if content.startswith(ZSTD):
            content = zstd.decompress(content)
        dictionary = zstd.ZstdDict(content)
        return Packing(ZSTD, lambda: _Zstd(dictionary), 8 + size)
    return None


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a packed file."""

    offset: int
    after: int
    data: bytes
    """Its first bytes, as many as were asked for."""
    size: int
    """How many it has."""
    is_whole: bool
    """False where it is damaged, or ends too soon."""


class Members:
    """The members of a packed file from a place on.

    Args:
        file: the file.
        packing: how it is packed.
        most: bytes that are kept of a member.
    """

    def __init__(self, file: Readable, packing: Packing, most: int) -> None:
        self._file = file
        self._packing = packing
        self._most = most
        self._buffer = b""

    def read(self, start: int) -> Iterator[Member]:
        """Each member; after a damaged one, the next that can be read."""
        offset = max(start, self._packing.start)
        self._go(offset)
        while self._fill():
            member = self._one(offset)
            if not member.is_whole:
                member = Member(offset, self.next_after(offset), b"", 0, is_whole=False)
                self._go(member.after)
            yield member
            offset = member.after

    def begin(self, most: int) -> bytes:
        """The first bytes of the first member, and of no other."""
        self._go(self._packing.start)
        decoder, found = self._packing.decoder(), bytearray()
        try:
            while len(found) < most and not decoder.ended and self._fill():
                data, self._buffer = self._buffer, b""
                for piece in decoder.pieces(data):
                    found += piece
                    if len(found) >= most:
                        break
        except BROKEN:
            pass
        return bytes(found[:most])

    def _go(self, offset: int) -> None:
        self._file.seek(offset)
        self._buffer = b""

    def _fill(self) -> bool:
        """Whether anything is left to read."""
        if not self._buffer:
            self._buffer = self._file.read(_STEP)
        return bool(self._buffer)

    def _one(self, offset: int) -> Member:
        decoder = self._packing.decoder()
        kept: list[bytes] = []
        have = size = taken = 0
        try:
            while not decoder.ended and self._fill():
                data, self._buffer = self._buffer, b""
                taken += len(data)
                for piece in decoder.pieces(data):
                    if have < self._most:
                        kept.append(piece[: self._most - have])
                        have += len(kept[-1])
                    size += len(piece)
        except BROKEN:
            return Member(offset, offset, b"", 0, is_whole=False)
        if not decoder.ended:
            return Member(offset, offset, b"", 0, is_whole=False)
        self._buffer = decoder.rest
        return Member(offset, offset + taken - len(self._buffer), b"".join(kept), size, True)  # noqa: FBT003

    def next_after(self, offset: int) -> int:
        """Where the next member begins that can be read and is a record; else the end."""
        magic = self._packing.magic
        place = offset + 1
        while True:
            self._file.seek(place)
            data = self._file.read(_STEP)
            found = data.find(magic)
            while found >= 0:
                if self._is_record(place + found):
                    return place + found
                found = data.find(magic, found + 1)
            if len(data) < _STEP:
                return place + len(data)
            place += len(data) - len(magic) + 1

    def _is_record(self, offset: int) -> bool:
        """Whether a WARC record begins here, and not bytes that only look like a member."""
        self._file.seek(offset)
        try:
            first = next(self._packing.decoder().pieces(self._file.read(4096)), b"")
        except BROKEN:
            return False
        return first.startswith(b"WARC/")


class Unpacked:
    """The bytes of a file in a row, unpacked if need be; going on is fast, going back is not.

    Args:
        file: the file.
        packing: how it is packed; None if it is not.
    """

    def __init__(self, file: Readable, packing: Packing | None) -> None:
        self._file = file
        self._packing = packing
        self._pieces = self._read_on(0)
        self._buffer = bytearray()
        self.place = 0
        """Where the next byte stands."""
        self.trouble = ""
        """Why the bytes ended too soon, if they did."""

    def _read_on(self, start: int) -> Iterator[bytes]:
        self._file.seek(start)
        if self._packing is None:
            while data := self._file.read(_STEP):
                yield data
            return
        yield from self._unpack(self._packing)

    def _unpack(self, packing: Packing) -> Iterator[bytes]:
        self._file.seek(packing.start)
        decoder = packing.decoder()
        rest = b""
        try:
            while data := rest or self._file.read(_STEP):
                rest = b""
                if decoder.ended:
                    decoder = packing.decoder()
                yield from decoder.pieces(data)
                rest = decoder.rest if decoder.ended else b""
        except BROKEN:
            self.trouble = "The compressed data is corrupt"
            return
        if not decoder.ended:
            self.trouble = "The compressed data ends too soon"

    def fill(self, size: int) -> bool:
        """Have at least so many bytes at hand; False where the file ends before."""
        while len(self._buffer) < size:
            piece = next(self._pieces, None)
            if piece is None:
                return False
            self._buffer += piece
        return True

    def peek(self, size: int) -> bytes:
        """The next bytes, which stay."""
        self.fill(size)
        return bytes(self._buffer[:size])

    def take(self, size: int) -> bytes:
        """The next bytes, or as many as there are."""
        found = self.peek(size)
        self.drop(len(found))
        return found

    def drop(self, size: int) -> None:
        """Forget bytes at hand."""
        del self._buffer[:size]
        self.place += size

    def skip(self, size: int) -> int:
        """Go on by so many bytes without keeping them, and say how many there were."""
        if self._packing is None and size > len(self._buffer) + _STEP:
            return self._leap(size)
        left = size
        while left and self.fill(1):
            some = min(left, len(self._buffer))
            self.drop(some)
            left -= some
        return size - left

    def _leap(self, size: int) -> int:
        """In a file that is not packed, what is not wanted need not be read."""
        self._file.seek(0, 2)
        end = self._file.tell()
        skipped = min(size, end - self.place)
        self.go(self.place + skipped)
        return skipped

    def go(self, offset: int) -> None:
        """Go to a place, forwards; in a packed file by reading on."""
        if self._packing is not None:
            self.skip(offset - self.place)
            return
        self._buffer.clear()
        self._pieces = self._read_on(offset)
        self.place = offset

    def find(self, wanted: bytes, most: int, start: int = 0) -> int:
        """Where bytes are next, from here; -1 if not within so many."""
        looked = start
        while True:
            found = self._buffer.find(wanted, looked)
            if found >= 0:
                return found if found <= most else -1
            looked = max(start, len(self._buffer) - len(wanted) + 1)
            if looked > most or not self.fill(len(self._buffer) + 1):
                return -1
