"""Static files, under names that hold a hash of them: a browser keeps each for good."""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_NAMES = (
    "loom.css",
    "loom.js",
    "highlights.js",
    "capture.js",
    "offline.js",
    "picker.js",
    "icon.svg",
    "vendor/htmx.min.js",
)


class Asset(NamedTuple):
    """A static file as it is sent."""

    name: str
    """With a hash: ``loom.3f2a9c1b.css``."""
    content_type: str
    body: bytes
    packed: bytes


@cache
def assets() -> dict[str, Asset]:
    """All static files by their plain names; there are no others, so no path leads elsewhere."""
    return {name: _load(name) for name in _NAMES}


@cache
def assets_by_url() -> dict[str, Asset]:
    """The same by the names that they are asked for."""
    return {asset.name: asset for asset in assets().values()}


def _load(name: str) -> Asset:
    body = (files("pageloom.apps.web") / "static" / name).read_bytes()
    plain, _, kind = name.rpartition("/")[2].rpartition(".")
    mark = sha256(body).hexdigest()[:10]
    return Asset(f"{plain}.{mark}.{kind}", _TYPES[kind], body, gzip.compress(body, 9, mtime=0))
