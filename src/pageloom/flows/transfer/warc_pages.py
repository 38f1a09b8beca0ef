"""Pages to WARC and from it: the responses that are kept, and the pictures of the pages."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from pageloom.core.normalize.urls import url_key
from pageloom.edges.archive.entries import Reading
from pageloom.edges.archive.kinds import read_entries
from pageloom.edges.store.bodies import read_body
from pageloom.edges.store.pictures import read_files
from pageloom.edges.store.times import now
from pageloom.edges.store.versions import headers_of, history
from pageloom.edges.warc_writer import WarcFile, require_warcio
from pageloom.errors import InvalidUrl, PageloomError, UnsupportedContent
from pageloom.flows.capture.extract import extract
from pageloom.flows.library.pictures import picture_urls
from pageloom.flows.transfer.portable_page import (
    Portable,
    PortablePicture,
    PortableVersion,
    Unread,
)
from pageloom.model import RawPage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pageloom.core.options import Options
    from pageloom.edges.archive.entries import Entry
    from pageloom.edges.store.base import Store
    from pageloom.flows.capture.extract import Rules
    from pageloom.flows.transfer.portable_page import Found
    from pageloom.model import Document
    from pageloom.model.pages import Page

_READING = Reading(largest=50_000_000)
_READABLE = ("text/html", "application/xhtml", "application/pdf", "text/plain", "text/markdown")


def write_warc(
    store: Store, pages: Iterable[Page], file: IO[bytes], *, user_agent: str, packed: bool
) -> tuple[int, int, int]:
    """Write the kept responses of pages, oldest version first, each with its request.

    Returns:
        The number of pages, of pages without any kept response, and of pictures.
    """
    require_warcio()
    warc = WarcFile(file, packed=packed)
    warc.describe(
        "pageloom.warc",
        {
            "software": "Pageloom",
            "format": "WARC File Format 1.1",
            "description": "Bodies are unpacked; requests are written as they were meant.",
        },
    )
    written = empty = pictures = 0
    for page in pages:
        responses = list(_responses(store, page))
        for response in responses:
            warc.add(response, user_agent)
        written, empty = written + bool(responses), empty + (not responses)
        for url, picture in read_files(store, page).items():
            at = _seconds(page.last_seen_at or page.saved_at)
            warc.add(_answer(url, at, 200, picture.media_type, {}, picture.body), user_agent)
            pictures += 1
    return written, empty, pictures


def _responses(store: Store, page: Page) -> Iterator[RawPage]:
    for info in reversed(history(store, page, limit=100_000)):
        body = read_body(store, page, info.body_hash) if info.body_hash else None
        if body is not None:
            url, at = page.final_url or page.url_full, _seconds(info.fetched_at or now())
            headers = headers_of(store, page, info.number)
            yield _answer(url, at, info.status or 200, info.content_type, headers, body)


def _answer(
    url: str, at: str, status: int, content_type: str, headers: dict[str, str], body: bytes
) -> RawPage:
    return RawPage(
        url=url,
        final_url=url,
        status=status,
        headers=headers,
        body=body,
        content_type=content_type,
        fetched_at=at,
    )


def _seconds(instant: str) -> str:
    return instant[:19] + "Z"


def read_warc(path: Path, options: Options, rules: Rules) -> Iterator[Found]:
    """The pages in a WARC, with all their versions, and those of their pictures that are in it.

    Raises:
        UnsupportedContent: nothing in the file can be read.
    """
    index = _read_index(path)
    for places in index.pages.values():
        yield _page(path, places, index.pictures, options, rules)
    yield from index.unread


@dataclass(frozen=True, slots=True)
class _Index:
    """What is where in a WARC."""

    pages: dict[str, list[int]]
    """By URL, in order of time."""
    pictures: dict[str, int]
    unread: list[Unread]


def _entries(path: Path, start: int = 0) -> Iterator[Entry]:
    return read_entries(str(path), "warc", start, reading=_READING)


def _read_index(path: Path) -> _Index:
    pages: dict[str, list[tuple[str, int]]] = {}
    pictures: dict[str, int] = {}
    unread: list[Unread] = []
    records = 0
    for entry in _entries(path):
        if entry.reason:
            unread.append(Unread(where=f"byte {entry.offset}", why=entry.detail, what=entry.url))
            continue
        records += 1
        found = entry.page
        if found is None or found.status != 200 or not found.url.startswith("http"):
            continue
        if found.content_type.lower().startswith("image/"):
            pictures[found.url] = entry.offset
        elif found.content_type.lower().startswith(_READABLE):
            with suppress(InvalidUrl):  # such a page has no place in a library
                key = url_key(found.url)
                pages.setdefault(key, []).append((found.fetched_at, entry.offset))
    if unread and not records:
        raise UnsupportedContent(
            "The WARC file is damaged, or not a WARC file.", suggestions=("Fetch it again.",)
        )
    in_time = {key: [place for _, place in sorted(found)] for key, found in pages.items()}
    return _Index(in_time, pictures, unread)


def _page(
    path: Path, places: list[int], pictures: dict[str, int], options: Options, rules: Rules
) -> Found:
    versions: list[PortableVersion] = []
    shown: dict[str, None] = {}
    url, why = "", ""
    for place in places:
        response = _read_at(path, place)
        url = response.url
        try:
            document = _read(response, options, rules)
        except PageloomError as error:
            why = f"{error.code}: {error.message}"
            continue
        versions.append(_version(response, document, len(versions) + 1))
        shown |= dict.fromkeys(picture_urls(document, 100))
    if not versions:
        return Unread(where=f"byte {places[0]}", why=why, what=url)
    kept = {each: _read_at(path, pictures[each]).body for each in shown if each in pictures}
    return Portable(
        url=url,
        versions=tuple(versions),
        saved_at=versions[0].fetched_at,
        pictures=tuple(
            PortablePicture(url=each, body=b64encode(body).decode()) for each, body in kept.items()
        ),
    )


def _read_at(path: Path, place: int) -> RawPage:
    """The response at a place that the index names."""
    found = next(_entries(path, place)).page
    if found is None:  # the file was changed while it was read
        raise UnsupportedContent(f"{path} has changed while it was read.")
    return found


def _read(response: RawPage, options: Options, rules: Rules) -> Document:
    return extract(
        response.body,
        response.url,
        content_type=response.content_type,
        rules=rules,
        options=options,
        timeout_ms=options.parse_timeout_ms,
        fetched_at=response.fetched_at,
    )


def _version(response: RawPage, document: Document, number: int) -> PortableVersion:
    return PortableVersion(
        number=number,
        document=document,
        fetched_at=response.fetched_at,
        last_seen_at=response.fetched_at,
        origin="import",
        content_type=response.content_type,
        status=response.status,
        body=b64encode(response.body).decode(),
    )
