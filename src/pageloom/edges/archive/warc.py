"""Pages out of WARC and WET files: packed record by record, packed as a whole, or not at all.

Read by our own code: a damaged or lying record must cost itself and not its neighbours, so every
record is told from the next by the member that holds it, and what cannot be read is an Entry too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.archive.entries import Entry, damaged, oversized
from pageloom.edges.archive.http_message import read_headers, read_response
from pageloom.edges.archive.unpacked import Members, Unpacked, packing_of
from pageloom.errors import OversizedContent
from pageloom.model import RawPage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.edges.archive.entries import Readable, Reading
    from pageloom.edges.archive.unpacked import Member

_MARK = b"WARC/"
_HEAD_END = b"\r\n\r\n"
_MOST_HEAD = 1 << 18
_SHORT = "The record is shorter than its Content-Length"
_LONG = "The record is longer than its Content-Length"
_PAGES = frozenset(("response", "resource", "conversion"))


def read_warc(file: Readable, start: int, reading: Reading) -> Iterator[Entry]:
    """The records of a WARC file from an offset on: 0, or the ``after`` of an Entry."""
    packing = packing_of(file)
    most = reading.largest + 2 * _MOST_HEAD
    if packing is None:
        yield from _in_a_row(Unpacked(file, None), start, reading)
        return
    members = Members(file, packing, most)
    if _holds_several(members.begin(_MOST_HEAD)):
        yield from _in_a_row(Unpacked(file, packing), start, reading)
        return
    for member in members.read(start):
        yield _entry_of(member, reading)


def _holds_several(first: bytes) -> bool:
    """Whether the file was packed as a whole: more records follow inside its first member."""
    head, size, place = _head_of(first)
    return bool(head) and first[place + size :].startswith(_HEAD_END + _MARK)


def _head_of(data: bytes) -> tuple[dict[str, str], int, int]:
    """The headers of a record, its declared length, and where its block begins."""
    end = data.find(_HEAD_END, 0, _MOST_HEAD)
    if not data.startswith(_MARK) or end < 0:
        return {}, 0, 0
    lines = data[:end].decode("utf-8", "replace").split("\r\n")
    headers = read_headers(lines[1:])
    length = headers.get("content-length", "")
    if not length.isdecimal() or len(length) > 15:
        return {}, 0, 0
    return headers | {"": lines[0]}, int(length), end + len(_HEAD_END)


def _entry_of(member: Member, reading: Reading) -> Entry:
    """The record that a member holds."""
    offset, after = member.offset, member.after
    if not member.is_whole:
        return damaged(offset, after, "The compressed data is corrupt or ends too soon")
    head, length, place = _head_of(member.data)
    if not head:
        return damaged(offset, after, "No WARC record begins here")
    extra = member.size - place - length
    url = _url_of(head)
    if extra < 0 or extra > 4:
        return damaged(offset, after, _SHORT if extra < 0 else _LONG, url)
    if _is_page(head) and length > reading.largest + _MOST_HEAD:
        return oversized(offset, after, length, reading, url)
    return _record(head, member.data[place : place + length], (offset, after), reading)


def _in_a_row(stream: Unpacked, start: int, reading: Reading) -> Iterator[Entry]:
    """Records one after the other in one stream of bytes."""
    stream.go(start)
    last = ""
    while stream.peek(1):
        offset = stream.place
        head, length, place = _head_of(stream.peek(_head_size(stream)))
        if not head:
            yield _gap(stream, offset, 1, "No WARC record begins here")
            continue
        url = _url_of(head)
        if length > reading.largest + _MOST_HEAD:
            yield _skipped(stream, head, length, place, reading)
            continue
        whole = stream.peek(place + length + 4)
        if len(whole) < place + length or whole[place + length :] not in (_HEAD_END, b""):
            yield _gap(stream, offset, place, _SHORT if len(whole) < place + length else _LONG, url)
            last = stream.trouble  # told with this record
            continue
        stream.drop(len(whole))
        block = whole[place : place + length]
        yield _record(head, block, (offset, stream.place), reading)
    if stream.trouble and last != stream.trouble:
        yield damaged(stream.place, stream.place, stream.trouble)


def _head_size(stream: Unpacked) -> int:
    found = stream.find(_HEAD_END, _MOST_HEAD)
    return found + len(_HEAD_END) if found >= 0 else len(_MARK)


def _skipped(
    stream: Unpacked, head: dict[str, str], length: int, place: int, reading: Reading
) -> Entry:
    """A record that is too large to be read."""
    offset, url = stream.place, _url_of(head)
    skipped = stream.skip(place + length)
    if skipped < place + length:
        return damaged(offset, stream.place, _SHORT, url)
    if stream.peek(4) == _HEAD_END:
        stream.drop(4)
    if not _is_page(head):
        return Entry("other", offset, stream.place)
    return oversized(offset, stream.place, length, reading, url)


def _gap(stream: Unpacked, offset: int, skip: int, why: str, url: str = "") -> Entry:
    """What cannot be read, up to the next record."""
    stream.skip(skip)
    while True:
        found = stream.find(b"\n" + _MARK, 1 << 20)
        if found >= 0:
            stream.drop(found + 1)
            break
        if not stream.skip(1 << 20):
            break
    return damaged(offset, stream.place, stream.trouble or why, url)


def _url_of(head: dict[str, str]) -> str:
    return head.get("warc-target-uri", "").strip("<>")


def _is_page(head: dict[str, str]) -> bool:
    """Whether a record is a page: no answer to a look-up of names, and no metadata."""
    kind = head.get("warc-type", "").lower()
    if kind == "response":
        return "application/http" in head.get("content-type", "application/http")
    return kind in _PAGES and _url_of(head).lower().startswith(("http:", "https:"))


def _record(head: dict[str, str], block: bytes, span: tuple[int, int], reading: Reading) -> Entry:
    offset, after = span
    if not _is_page(head):
        return Entry("other", offset, after)
    url = _url_of(head)
    fetched_at = head.get("warc-date", "")
    try:
        if head["warc-type"].lower() == "response":
            page = read_response(block, url, fetched_at, reading.largest)
        else:
            page = _resource(head, block, url, fetched_at)
    except OversizedContent as error:
        return Entry("refused", offset, after, url=url, reason=error.code, detail=error.message)
    if len(page.body) > reading.largest:
        return oversized(offset, after, len(page.body), reading, url)
    return Entry("page", offset, after, page=page, url=url)


def _resource(head: dict[str, str], block: bytes, url: str, fetched_at: str) -> RawPage:
    """A page without its HTTP response, or the plain text of a WET file."""
    is_text = head["warc-type"].lower() == "conversion"
    default = "text/plain; charset=utf-8" if is_text else ""
    kind = head.get("content-type", "")
    if is_text and "charset" not in kind:
        kind = default
    return RawPage(
        url=url,
        final_url=url,
        status=0,
        headers={},
        body=block,
        content_type=kind or default,
        fetched_at=fetched_at,
    )
