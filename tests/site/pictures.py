"""Pictures made by hand, and pages that show them."""

from __future__ import annotations

import struct
import zlib


def png(width: int = 40, height: int = 30, colour: int = 90) -> bytes:
    """A small PNG in one shade of grey; of other sizes than it holds, if asked to lie."""
    rows = b"".join(b"\0" + bytes([colour]) * width for _ in range(height))
    return png_of(width, height, zlib.compress(rows))


def png_of(width: int, height: int, packed: bytes) -> bytes:
    """A PNG that claims a size, whatever is inside."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


def svg(inside: str = '<circle cx="5" cy="5" r="4"/>', attributes: str = "") -> bytes:
    """A small drawing."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" {attributes}>{inside}</svg>'
    ).encode()


_SUBJECTS = "harbour ferry lamp pier crane lighthouse chapel market railway bridge".split()
_SCENES = """\
was painted again in March by the two sisters who keep the chandlery on the quay, and nobody asked
stands on piles that were driven in the winter of the long frost, when the mail came by sledge
costs the parish eleven thousand a year, most of it for rope, and the rest for the deaf pilot
has been measured twice by students from the mainland, whose figures differ by a hand's breadth
appears on no chart before the flood, although fishermen have steered by it since anybody knows
""".splitlines()


def illustrated(pictures: list[str], title: str = "Lamps of the outer harbour") -> str:
    """An article with a picture after each paragraph."""
    shown = "".join(
        f"<p>The {_SUBJECTS[number % 10]} of row {number} {_SCENES[number % 5]}; entry {number} of"
        f" the book says so in a hand of {1800 + number}.</p><figure>{markup}<figcaption>The"
        f" {_SUBJECTS[number % 10]} seen from berth {number}</figcaption></figure>"
        for number, markup in enumerate(pictures, 1)
    )
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title></head><body><main><article>'
        f"<h1>{title}</h1><p>The keepers of the outer harbour write down whatever fails, with the"
        " weather of the night and the name of whoever rowed out to mend it.</p>"
        f"{shown}</article></main></body></html>"
    )


def img(url: str, alt: str = "A lamp", more: str = "") -> str:
    return f'<img src="{url}" alt="{alt}" width="640" height="480" {more}>'
