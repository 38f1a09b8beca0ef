"""Pictures of saved pages, fetched for a reader: known by their bytes, never by their word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import FetchError, UnsupportedContent

if TYPE_CHECKING:
    from pageloom.edges.fetch.fetcher import Fetcher

_MOST_BYTES = 10_000_000
_SECONDS = 15.0
_BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
)
_BRANDS = (b"avif", b"avis")


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPicture:
    """The bytes of a picture, and what they are."""

    content_type: str
    body: bytes


async def fetch_picture(url: str, fetcher: Fetcher) -> FetchedPicture:
    """Fetch a picture through the guard, within limits of size and time.

    Raises:
        InvalidUrl: not an http(s) URL.
        FetchError: it cannot be fetched, or must not be.
        UnsupportedContent: what came is no picture that a browser may be shown; SVG is none.
    """
    accept = {"Accept": "image/avif,image/webp,image/png,image/jpeg,image/gif,*/*;q=0.1"}
    page = await fetcher.get(
        FetchRequest(url=url, headers=accept, max_bytes=_MOST_BYTES, timeout=_SECONDS)
    )
    if page.status >= 400:
        raise FetchError(
            f"The server answered {page.status}.", kind="status", url=url, status=page.status
        )
    kind = picture_type(page.body)
    if not kind:
        raise UnsupportedContent("This is not a picture.", url=url, suggestions=())
    return FetchedPicture(content_type=kind, body=page.body)


def picture_type(body: bytes) -> str:
    """The media type of a picture by its first bytes; empty for anything else."""
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "image/webp"
    if body[4:8] == b"ftyp" and body[8:12] in _BRANDS:
        return "image/avif"
    return next((kind for start, kind in _BEGINNINGS if body.startswith(start)), "")
