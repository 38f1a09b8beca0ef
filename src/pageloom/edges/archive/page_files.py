"""A page that is a file of its own, and where its URL comes from."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import unquote

import msgspec

from pageloom.edges.archive.entries import Entry, oversized
from pageloom.edges.archive.rows import entry_of, writable
from pageloom.model import RawPage

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.edges.archive.entries import Readable, Reading

_HEAD = 200_000
_TAG = re.compile(rb"<(?:link|meta)\b[^>]{0,2000}>", re.IGNORECASE)
_DECLARES = re.compile(rb"(?:\brel\s*=\s*[\"']?canonical\b|[\"']og:url[\"'])", re.IGNORECASE)
_ADDRESS = re.compile(rb"(?:href|content)\s*=\s*[\"']?(https?://[^\"'\s>]+)", re.IGNORECASE)


def read_page_file(
    file: Readable, name: str, reading: Reading, sidecar: Callable[[], bytes | None]
) -> Entry:
    """The one page of a file.

    Args:
        file: the file.
        name: its path below the directory that was given.
        reading: how URLs are found, and the limit.
        sidecar: reads the JSON file beside it, if there is one.
    """
    body = file.read(reading.largest + 1)
    if len(body) > reading.largest:
        file.seek(0, 2)
        return oversized(0, 1, file.tell(), reading, name)
    told = sidecar() if reading.url_from == "sidecar" else None
    if told is not None:
        return _with_sidecar(told, body, reading)
    url = _url(name, body, reading)
    page = RawPage(url=url, final_url=url, status=0, headers={}, body=body)
    return Entry("page", 0, 1, page=page, url=url)


def _with_sidecar(told: bytes, body: bytes, reading: Reading) -> Entry:
    try:
        row = msgspec.json.decode(told, type=dict[str, object])
    except (msgspec.DecodeError, UnicodeDecodeError):
        row = dict[str, object]()
    names = dict(reading.names)
    content = {names.get("content", "content"): body, names.get("html", "html"): None}
    return entry_of(row | content, (0, 1), names, reading)


def _url(name: str, body: bytes, reading: Reading) -> str:
    if reading.url_from == "name":
        address = writable(unquote(name))
        return address if address.startswith(("http://", "https://")) else f"https://{address}"
    return declared_url(body) if reading.url_from == "canonical" else ""


def declared_url(body: bytes) -> str:
    """The absolute URL that a page declares as its own, in its head."""
    for tag in _TAG.findall(body[:_HEAD]):
        if _DECLARES.search(tag) and (found := _ADDRESS.search(tag)):
            return unescape(found[1].decode("utf-8", "replace"))
    return ""
