"""Recognise binary content by its first bytes or its share of control bytes."""

from __future__ import annotations

import re

# First bytes, and what a person calls such a file.
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "a PDF document"),
    (b"%!PS", "a PostScript document"),
    (b"{\\rtf", "an RTF document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"\0\0\1\0", "an icon"),
    (b"8BPS", "a Photoshop image"),
    (b"\xff\x0a", "a JPEG XL image"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "gzip-compressed data"),
    (b"BZh", "bzip2-compressed data"),
    (b"\xfd7zXZ\0", "xz-compressed data"),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"wOFF", "a web font"),
    (b"wOF2", "a web font"),
    (b"OTTO\0", "a font"),
    (b"\0\1\0\0\0", "a font"),
    (b"true\0", "a font"),
    (b"ID3\2", "an MP3 recording"),
    (b"ID3\3", "an MP3 recording"),
    (b"ID3\4", "an MP3 recording"),
    (b"OggS\0", "an Ogg recording"),
    (b"fLaC\0", "a FLAC recording"),
    (b"MThd\0", "a MIDI recording"),
    (b"\x1aE\xdf\xa3", "a Matroska or WebM video"),
    (b"FLV\1", "a Flash video"),
    (b"\0\0\1\xba", "an MPEG video"),
    (b"\0\0\1\xb3", "an MPEG video"),
    (b"FWS", "a Flash film"),
    (b"CWS", "a Flash film"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\0", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\0asm", "a WebAssembly program"),
    (b"SQLite format 3\0", "a SQLite database"),
)
_TEXT_LIKE = frozenset({b"BZh", b"FWS", b"CWS"})
"""Signatures a text could begin with; they count only with control bytes behind them."""

_PRINTABLE = (b"%PDF-", b"%!PS", b"{\\rtf", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK", b"RIFF")
"""Signatures that may stand without a control byte near them."""

_RIFF = {b"WEBP": "a WebP image", b"WAVE": "a WAV recording", b"AVI ": "an AVI video"}
_BRANDS = {b"avif": "an AVIF image", b"heic": "an HEIC image", b"M4A ": "an audio recording"}

_CONTROLS = bytes([*range(9), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])
"""Bytes that text does not have; the escape of old Japanese encodings is not among them."""
_MARKUP = re.compile(rb"<(?:!doctype|html|head|body|div|p|title|\?xml|rss|feed)\b", re.IGNORECASE)
_HEAD = 4_096
_TOO_MANY = 0.06
_TOO_MANY_IN_MARKUP = 0.3
_FEW = 3


def name_binary(body: bytes) -> str:
    """What kind of binary file this is, in words; empty for text.

    Args:
        body: the content; UTF-16 and UTF-32 text must be ruled out before.
    """
    head = body[:_HEAD]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if not controls and not head.startswith(_PRINTABLE):
        return ""
    for signature, name in _SIGNATURES:
        if head.startswith(signature) and (controls or signature not in _TEXT_LIKE):
            return name
    return _name_container(head) or ("binary data" if _is_noise(head, controls) else "")


def _name_container(head: bytes) -> str:
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12], "")
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:12], "an MP4 video")
    if head[257:262] == b"ustar":
        return "a tar archive"
    if head[:2] == b"BM" and head[6:10] == b"\0\0\0\0":
        return "a BMP image"
    if head[:2] in {b"\xff\xfb", b"\xff\xf3"}:
        return "an MP3 recording"
    return ""


def _is_noise(head: bytes, controls: int) -> bool:
    limit = _TOO_MANY_IN_MARKUP if _MARKUP.search(head) else _TOO_MANY
    return controls > max(limit * len(head), _FEW)
