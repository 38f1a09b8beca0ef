"""Pages to WARC and from it: the responses that are kept, and the pictures of the pages."""

from __future__ import annotations

from base64 import b64encode
from typing import IO, TYPE_CHECKING

from pageloom.core.normalize.urls import url_key
from pageloom.edges.store.bodies import read_body
from pageloom.edges.store.pictures import read_files
from pageloom.edges.store.times import now
from pageloom.edges.store.versions import headers_of, history
from pageloom.edges.warc import (
    WarcFile,
    WarcResponse,
    read_response_at,
    read_responses,
    require_warcio,
)
from pageloom.errors import InvalidUrl, PageloomError
from pageloom.flows.capture.extract import extract
from pageloom.flows.library.pictures import picture_urls
from pageloom.flows.transfer.portable_page import (
    Portable,
    PortablePicture,
    PortableVersion,
    Unread,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pageloom.core.options import Options
    from pageloom.edges.store.base import Store
    from pageloom.flows.capture.extract import Rules
    from pageloom.flows.transfer.portable_page import Found
    from pageloom.model import Document
    from pageloom.model.pages import Page

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
            kept = WarcResponse(
                url=url,
                at=_seconds(page.last_seen_at or page.saved_at),
                status=200,
                content_type=picture.media_type,
                body=picture.body,
            )
            warc.add(kept, user_agent)
            pictures += 1
    return written, empty, pictures


def _responses(store: Store, page: Page) -> Iterator[WarcResponse]:
    for info in reversed(history(store, page, limit=100_000)):
        body = read_body(store, page, info.body_hash) if info.body_hash else None
        if body is not None:
            yield WarcResponse(
                url=page.final_url or page.url_full,
                at=_seconds(info.fetched_at or now()),
                status=info.status or 200,
                content_type=info.content_type,
                headers=headers_of(store, page, info.number),
                body=body,
            )


def _seconds(instant: str) -> str:
    return instant[:19] + "Z"


def read_warc(path: Path, options: Options, rules: Rules) -> Iterator[Found]:
    """The pages in a WARC, with all their versions, and those of their pictures that are in it."""
    require_warcio()
    pages, pictures = _index(path)
    for places in pages.values():
        versions: list[PortableVersion] = []
        shown: dict[str, None] = {}
        url, why = "", ""
        for place in places:
            response = read_response_at(path, place)
            if response is None:
                continue
            url = response.url
            try:
                document = _read(response, options, rules)
            except PageloomError as error:
                why = f"{error.code}: {error.message}"
                continue
            versions.append(_version(response, document, len(versions) + 1))
            shown |= dict.fromkeys(picture_urls(document, 100))
        if versions:
            found = {each: pictures[each] for each in shown if each in pictures}
            yield Portable(
                url=url,
                versions=tuple(versions),
                saved_at=versions[0].fetched_at,
                pictures=tuple(_pictures(path, found)),
            )
        else:
            yield Unread(where=f"byte {places[0]}", why=why, what=url)


def _index(path: Path) -> tuple[dict[str, list[int]], dict[str, int]]:
    """Where the pages are, by URL and in order of time, and where the pictures are."""
    pages: dict[str, list[tuple[str, int]]] = {}
    pictures: dict[str, int] = {}
    with path.open("rb") as file:
        for response in read_responses(file, bodies=False):
            kind = response.content_type.lower()
            if response.status != 200 or not response.url.startswith("http"):
                continue
            if kind.startswith("image/"):
                pictures[response.url] = response.place
            elif kind.startswith(_READABLE):
                try:
                    key = url_key(response.url)
                except InvalidUrl:
                    continue
                pages.setdefault(key, []).append((response.at, response.place))
    return {key: [place for _, place in sorted(found)] for key, found in pages.items()}, pictures


def _read(response: WarcResponse, options: Options, rules: Rules) -> Document:
    return extract(
        response.body,
        response.url,
        content_type=response.content_type,
        rules=rules,
        options=options,
        timeout_ms=options.parse_timeout_ms,
        fetched_at=response.at,
    )


def _version(response: WarcResponse, document: Document, number: int) -> PortableVersion:
    return PortableVersion(
        number=number,
        document=document,
        fetched_at=response.at,
        last_seen_at=response.at,
        origin="import",
        content_type=response.content_type,
        status=response.status,
        body=b64encode(response.body).decode(),
    )


def _pictures(path: Path, places: dict[str, int]) -> Iterator[PortablePicture]:
    for url, place in places.items():
        if found := read_response_at(path, place):
            yield PortablePicture(url=url, body=b64encode(found.body).decode())
