"""How values are written into columns: JSON as text, Documents and originals compressed."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.errors import StorageError

if TYPE_CHECKING:
    from pageloom.model import Document

# Neither database keeps a NUL in text; a surrogate without its other half is in no encoding.
_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")
_ESCAPED_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")
_LEVEL = 3
"""Of a page it leaves 6% more than level 5, in half the time."""
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_LARGEST = 256_000_000
"""More than any Document or original has: a damaged row must not fill the memory."""


def keepable(text: str) -> str:
    """The text as both databases can keep it."""
    return _UNKEEPABLE.sub("\ufffd", text)


def write_json(value: Any) -> str:
    """A value as JSON that both databases take."""
    return _ESCAPED_NUL.sub(r"\1\\ufffd", msgspec.json.encode(value).decode())


def read_json(text: str | None) -> Any:
    """The value that ``write_json`` was given; None for none."""
    return None if text is None else msgspec.json.decode(text)


def pack(data: bytes) -> bytes:
    """The bytes, compressed, with a checksum: damage is found out when they are unpacked."""
    zstd = _zstd()
    chosen = zstd.CompressionParameter
    given = {chosen.compression_level: _LEVEL, chosen.checksum_flag: 1}
    return zstd.compress(data, options=given)


def unpack(data: bytes) -> bytes:
    """The bytes that were packed.

    Raises:
        StorageError: they are damaged.
    """
    whole = _unzstd(data) if data.startswith(_ZSTD_MAGIC) else _unzlib(data)
    if whole is None:
        raise _damaged()
    return whole


def _unzstd(data: bytes) -> bytes | None:
    zstd = _zstd()
    stream = zstd.ZstdDecompressor()
    try:
        whole = stream.decompress(data, _LARGEST)
    except zstd.ZstdError:
        return None
    return whole if stream.eof and not stream.unused_data else None


def _unzlib(data: bytes) -> bytes | None:
    """What was packed before zstd was used."""
    import zlib

    stream = zlib.decompressobj()
    try:
        whole = stream.decompress(data, _LARGEST)
    except zlib.error:
        return None
    return whole if stream.eof else None


def _zstd() -> Any:
    """Loaded when it is first needed: a list of pages unpacks none."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def pack_document(document: Document) -> bytes:
    """A Document as compressed JSON."""
    from pageloom.model import complete

    return pack(msgspec.json.encode(complete(document)))


def unpack_document(data: bytes) -> Document:
    """The Document that was packed; fields that it did not know yet have their defaults.

    Raises:
        StorageError: it is damaged.
    """
    from pageloom.model import read_document  # a list of pages needs none

    try:
        return read_document(unpack(data))
    except msgspec.MsgspecError:
        raise _damaged() from None


class _TextAlone(msgspec.Struct):
    text: str = ""


def unpack_text(data: bytes) -> str:
    """Only the text of a packed Document, in a fraction of the time.

    Raises:
        StorageError: it is damaged.
    """
    try:
        return msgspec.json.decode(unpack(data), type=_TextAlone).text
    except msgspec.MsgspecError:
        raise _damaged() from None


def _damaged() -> StorageError:
    return StorageError(
        "A stored version cannot be read: it is damaged.",
        retryable=False,
        suggestions=("Read an older version, or save the page again.",),
    )
