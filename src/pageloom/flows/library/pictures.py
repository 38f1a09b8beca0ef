"""Keep the pictures of pages: an archived page without its pictures is not archived.

Which pictures a page shows is noted in one transaction with the page; they are fetched after it, so
that the page is there whatever becomes of them. What is interrupted goes on with the next save.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from html import unescape
from importlib.util import find_spec
from itertools import groupby
from typing import TYPE_CHECKING

from pageloom.edges.store.files import make_file
from pageloom.edges.store.pictures import (
    claim_pictures,
    keep_picture,
    kept_bytes,
    miss_picture,
    owners_waiting,
    pages_waiting,
    want_pictures,
)
from pageloom.edges.store.versions import latest_version
from pageloom.errors import FetchError, MissingExtra, NotInLibrary, PageloomError
from pageloom.flows.capture.fetch_picture import SECONDS, fetch_picture
from pageloom.flows.events import emit
from pageloom.model.pages import PageRef

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractAsyncContextManager

    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.options import LibraryOptions
    from pageloom.model import Document
    from pageloom.model.files import KeptFile, PagePicture
    from pageloom.model.pages import OwnedPage, Page

_IMAGE = re.compile(r'<img\b[^>]*?\ssrc="(https?://[^"]+)"', re.IGNORECASE)
_AT_ONCE = 8
_LONGEST_URL = 4_000
_SHRINK_MS = 20_000
_SHRINK_MEMORY = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureContext:
    """What keeping pictures needs."""

    store: Store
    owner: str
    library: LibraryOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureCount:
    """How many pictures were kept, and how many could not be fetched."""

    kept: int = 0
    missing: int = 0

    def __add__(self, other: PictureCount) -> PictureCount:
        return PictureCount(kept=self.kept + other.kept, missing=self.missing + other.missing)


@dataclass(frozen=True, slots=True)
class _Result:
    """A picture with its files, or why there are none."""

    picture: PagePicture
    file: KeptFile | None = None
    small: KeptFile | None = None
    reason: str = ""
    retry: bool = False


def require_copies(library: LibraryOptions) -> None:
    """Refuse to begin where smaller copies are asked for and cannot be made.

    Raises:
        MissingExtra: Pillow is not installed.
    """
    if library.keep_pictures and library.small_pictures and find_spec("PIL") is None:
        raise MissingExtra(
            "Smaller copies of pictures (library.small_pictures) need Pillow.",
            suggestions=("Install it with: pip install 'pageloom[pictures]'",),
        )


def picture_urls(document: Document, most: int) -> list[str]:
    """The pictures that the exports and the reader show of a Document, in its order."""
    shown = (unescape(url) for url in _IMAGE.findall(document.html))
    lead = [document.hero_image] if document.hero_image.startswith("http") else []
    unique = dict.fromkeys((*lead, *shown))
    return [url for url in unique if len(url) <= _LONGEST_URL][:most]


def want_pictures_of(
    tx: Tx, page: OwnedPage, document: Document, library: LibraryOptions, *, again: bool = False
) -> None:
    """Note in a transaction which pictures of a page are to be fetched."""
    want_pictures(tx, page, picture_urls(document, library.max_pictures), again=again)


async def fetch_pictures(
    context: PictureContext, fetcher: Fetcher, page_id: int | None = None
) -> PictureCount:
    """Fetch the waiting pictures of a page.

    Without a page: those of all pages of the owner that are due, as many as there is time for; the
    others are due again later.
    """
    end = time.monotonic() + context.library.pictures_timeout
    waiting = await asyncio.to_thread(
        context.store.transact, lambda tx: claim_pictures(tx, context.owner, page_id)
    )
    total = PictureCount()
    for number, pictures in groupby(waiting, lambda one: one.page_id):
        if time.monotonic() >= end:
            break
        total += await _fetch_page(context, fetcher, number, list(pictures))
    return total


async def _fetch_page(
    context: PictureContext, fetcher: Fetcher, page_id: int, pictures: list[PagePicture]
) -> PictureCount:
    """The pictures of one page, several at a time, each group stored in one transaction."""
    page, library = PageRef(context.owner, page_id), context.library
    end = time.monotonic() + library.pictures_timeout
    room = library.max_pictures_bytes - await asyncio.to_thread(kept_bytes, context.store, page)
    count = PictureCount()
    for start in range(0, len(pictures), _AT_ONCE):
        group = pictures[start : start + _AT_ONCE]
        results = await asyncio.gather(
            *(_fetch(picture, fetcher, library, end, room) for picture in group)
        )
        results, room = _within(results, room)
        await asyncio.to_thread(_store, context.store, page, results)
        kept = sum(result.file is not None for result in results)
        count += PictureCount(kept=kept, missing=len(results) - kept)
    emit("pictures.kept", page_id=page_id, kept=count.kept, missing=count.missing)
    return count


async def _fetch(
    picture: PagePicture, fetcher: Fetcher, library: LibraryOptions, end: float, room: int
) -> _Result:
    left = end - time.monotonic()
    if left <= 0:
        return _Result(picture, reason="there was no time left for it", retry=True)
    if room <= 0:
        return _Result(picture, reason="the pictures of the page take too much room")
    try:
        found = await fetch_picture(
            picture.url,
            fetcher,
            max_bytes=min(library.max_picture_bytes, room),
            seconds=min(left, SECONDS),
        )
    except FetchError as error:
        return _Result(picture, reason=error.message, retry=error.retryable)
    except PageloomError as error:
        return _Result(picture, reason=error.message)
    file = make_file(found.body, found.media_type, found.size)
    small = await asyncio.to_thread(_smaller, file, library.small_pictures)
    return _Result(picture, file=file, small=small)


def _within(results: Sequence[_Result], room: int) -> tuple[list[_Result], int]:
    """The results as far as there is room for their files."""
    kept: list[_Result] = []
    for result in results:
        size = len(result.file.body) if result.file else 0
        if size > room:
            reason = "the pictures of the page take too much room"
            kept.append(_Result(result.picture, reason=reason))
            continue
        room -= size
        kept.append(result)
    return kept, room


def _smaller(file: KeptFile, width: int) -> KeptFile | None:
    """A smaller copy, made in the sandbox; None where none is needed, or none can be made."""
    if not width or (file.width or 0) <= width:
        return None
    from pageloom.edges.sandbox import shared_sandbox

    sandbox = shared_sandbox("pageloom.edges.decoders.pictures", memory=_SHRINK_MEMORY)
    try:
        body, kind, size = sandbox.run("shrink", file.body, width, timeout_ms=_SHRINK_MS)
    except PageloomError:  # the picture itself is kept
        return None
    return make_file(body, kind, size) if len(body) < len(file.body) else None


def _store(store: Store, page: OwnedPage, results: Iterable[_Result]) -> None:
    def work(tx: Tx) -> None:
        for result in results:
            url, tries = result.picture.url, result.picture.attempts + 1
            if result.file:
                keep_picture(tx, page, url, result.file, result.small)
            else:
                miss_picture(tx, page, url, result.reason, attempts=tries, retry=result.retry)

    with suppress(NotInLibrary):  # it was purged meanwhile
        store.transact(work)


async def fetch_missing(
    context: PictureContext,
    pages: Sequence[Page],
    open_fetcher: Callable[[], AbstractAsyncContextManager[Fetcher]],
) -> PictureCount:
    """Fetch the pictures of pages that are not kept yet; without pages, all that are waiting."""
    require_copies(context.library)
    total = PictureCount()
    async with open_fetcher() as fetcher:
        for page in pages:
            await asyncio.to_thread(_want_latest, context, page)
        ids = [page.id for page in pages] or await asyncio.to_thread(
            pages_waiting, context.store, context.owner
        )
        for number in ids:
            total += await fetch_pictures(context, fetcher, number)
    return total


def _want_latest(context: PictureContext, page: Page) -> None:
    if found := latest_version(context.store, page):
        document, library = found.document, context.library
        context.store.transact(lambda tx: want_pictures_of(tx, page, document, library, again=True))


async def fetch_all_due(store: Store, library: LibraryOptions, fetcher: Fetcher) -> None:
    """Fetch what is due of the pictures of all users."""
    for owner in await asyncio.to_thread(owners_waiting, store):
        await fetch_pictures(PictureContext(store=store, owner=owner, library=library), fetcher)
