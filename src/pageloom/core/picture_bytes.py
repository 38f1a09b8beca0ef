"""Picture files by their bytes: what they are, how large, and whether they may be kept."""

from __future__ import annotations

import re
from struct import error as short_file
from struct import unpack_from
from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError, fromstring

if TYPE_CHECKING:
    from collections.abc import Callable
    from xml.etree.ElementTree import Element

SVG = "image/svg+xml"
ENDINGS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/avif": "avif",
    "image/bmp": "bmp",
    "image/x-icon": "ico",
    SVG: "svg",
}
"""The media types that are pictures, and the endings of their files."""
_BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
)
_BRANDS = (b"avif", b"avis")
_SVG_START = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<svg[\s>]")
_SVG_MOST = 2_000_000
_UNSAFE_ELEMENTS = frozenset(
    "script foreignobject iframe handler listener embed object audio video animate set"
    " animatetransform animatemotion discard".split()
)
_UNSAFE_STYLE = re.compile(r"@import|expression|javascript:|url\s*\(\s*[\"']?(?!#)", re.IGNORECASE)
_INLINE_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);", re.IGNORECASE)
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_HEAD = 65_536


def picture_type(body: bytes) -> str:
    """The media type of a picture by its first bytes; empty for anything else, and for SVG."""
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "image/webp"
    if body[4:8] == b"ftyp" and body[8:12] in _BRANDS:
        return "image/avif"
    return next((kind for start, kind in _BEGINNINGS if body.startswith(start)), "")


def drawing_type(body: bytes) -> str:
    """``image/svg+xml`` for a drawing in which nothing runs or is loaded; empty for any other."""
    if len(body) > _SVG_MOST or not _SVG_START.match(body[:_HEAD]):
        return ""
    lower = body.lower()
    if b"<!doctype" in lower or b"<!entity" in lower or b"<?xml-stylesheet" in lower:
        return ""
    try:
        root = fromstring(body)  # noqa: S314  without a DTD there are no entities
    except (ParseError, ValueError, LookupError):
        return ""
    return "" if any(map(_is_unsafe, root.iter())) else SVG


def _is_unsafe(element: Element) -> bool:
    name = _local(str(element.tag))
    if name in _UNSAFE_ELEMENTS or (name == "style" and _UNSAFE_STYLE.search(element.text or "")):
        return True
    return any(_is_unsafe_value(_local(key), value) for key, value in element.attrib.items())


def _local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("}")[2].lower()


def _is_unsafe_value(name: str, value: str) -> bool:
    if name.startswith("on"):
        return True
    if name in {"href", "src"}:
        return not (value.strip().startswith("#") or _INLINE_PICTURE.match(value.strip()))
    return bool(_UNSAFE_STYLE.search(value))


def picture_size(body: bytes, media_type: str) -> tuple[int, int] | None:
    """Width and height in pixels as the file states them, without decoding it."""
    measure = _MEASURES.get(media_type)
    try:
        return measure(body) if measure else None
    except (short_file, IndexError):
        return None


def _png(body: bytes) -> tuple[int, int]:
    return unpack_from(">II", body, 16)


def _gif(body: bytes) -> tuple[int, int]:
    return unpack_from("<HH", body, 6)


def _bmp(body: bytes) -> tuple[int, int]:
    width, height = unpack_from("<ii", body, 18)
    return abs(width), abs(height)


def _jpeg(body: bytes) -> tuple[int, int] | None:
    place = 2
    while place + 9 < len(body):
        if body[place] != 0xFF:
            place += 1
        elif body[place + 1] in _JPEG_SIZES:
            height, width = unpack_from(">HH", body, place + 5)
            return width, height
        elif body[place + 1] in {0xFF, 0x01} or 0xD0 <= body[place + 1] <= 0xD9:
            place += 1 if body[place + 1] == 0xFF else 2
        else:
            place += 2 + max(unpack_from(">H", body, place + 2)[0], 2)
    return None


def _webp(body: bytes) -> tuple[int, int] | None:
    kind = body[12:16]
    if kind == b"VP8 ":
        width, height = unpack_from("<HH", body, 26)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        bits = unpack_from("<I", body, 21)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        edges = body[24:30]
        return int.from_bytes(edges[:3], "little") + 1, int.from_bytes(edges[3:], "little") + 1
    return None


def _avif(body: bytes) -> tuple[int, int] | None:
    place = body[:_HEAD].find(b"ispe")
    return unpack_from(">II", body, place + 8) if place > 0 else None


_MEASURES: dict[str, Callable[[bytes], tuple[int, int] | None]] = {
    "image/png": _png,
    "image/gif": _gif,
    "image/bmp": _bmp,
    "image/jpeg": _jpeg,
    "image/webp": _webp,
    "image/avif": _avif,
}
