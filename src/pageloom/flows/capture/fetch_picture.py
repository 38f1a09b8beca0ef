"""Pictures of pages, fetched through the guard: known by their bytes, never by their word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.core.picture_bytes import drawing_type, picture_size, picture_type
from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import FetchError, UnsupportedContent

if TYPE_CHECKING:
    from pageloom.edges.fetch.fetcher import Fetcher

MOST_BYTES = 10_000_000
SECONDS = 15.0
_MOST_PIXELS = 60_000_000
"""More than cameras have; a file of a few bytes can claim to be as large as a city."""
_SIZED = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""Types whose files always state their size."""
_ACCEPT = "image/avif,image/webp,image/png,image/jpeg,image/gif,image/svg+xml;q=0.5,*/*;q=0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPicture:
    """The bytes of a picture, and what they are."""

    media_type: str
    body: bytes
    size: tuple[int, int] | None = None
    """Width and height in pixels, where the file states them."""


async def fetch_picture(
    url: str, fetcher: Fetcher, *, max_bytes: int = MOST_BYTES, seconds: float = SECONDS
) -> FetchedPicture:
    """Fetch a picture through the guard, within limits of size and time.

    Raises:
        InvalidUrl: not an http(s) URL.
        FetchError: it cannot be fetched, or must not be.
        UnsupportedContent: what came is no picture that a browser may be shown: another kind of
            file, a drawing (SVG) with scripts, or far more pixels than a picture has.
    """
    page = await fetcher.get(
        FetchRequest(
            url=url, headers={"Accept": _ACCEPT}, max_bytes=max_bytes, timeout=seconds, retries=0
        )
    )
    if page.status >= 400:
        raise FetchError(
            f"The server answered {page.status}.",
            kind="status",
            url=url,
            retryable=page.status >= 500 or page.status == 429,
            status=page.status,
        )
    return check_picture(page.body, url)


def check_picture(body: bytes, url: str = "") -> FetchedPicture:
    """What a picture is by its bytes.

    Raises:
        UnsupportedContent: it is no picture, or none that may be shown.
    """
    kind = picture_type(body) or drawing_type(body)
    if not kind:
        raise UnsupportedContent("This is not a picture.", url=url, suggestions=())
    size = picture_size(body, kind)
    if size is None and kind in _SIZED:
        raise UnsupportedContent("The picture is broken.", url=url, suggestions=())
    if size and (size[0] * size[1] > _MOST_PIXELS or 0 in size):
        raise UnsupportedContent(
            f"The picture has {size[0]:,} × {size[1]:,} pixels.", url=url, suggestions=()
        )
    return FetchedPicture(media_type=kind, body=body, size=size)
