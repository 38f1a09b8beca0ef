"""Read a recorded HTTP response: status, headers, and the body without its encodings."""

from __future__ import annotations

from pageloom.edges.unpack import Unpacker
from pageloom.errors import FetchError, OversizedContent
from pageloom.model import RawPage

_MOST_HEAD = 1 << 20


def read_response(block: bytes, url: str, fetched_at: str, largest: int) -> RawPage:
    """The page in a recorded response.

    Raises:
        OversizedContent: the body is larger than the limit once it is unpacked.
    """
    status, headers, body = split_response(block)
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = join_chunks(body)
    body = _unpacked(body, headers.get("content-encoding", ""), largest)
    return RawPage(
        url=url,
        final_url=url,
        status=status,
        headers=headers,
        body=body,
        content_type=headers.get("content-type", ""),
        fetched_at=fetched_at,
    )


def split_response(block: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body; a block without a status line is all body."""
    if not block.startswith(b"HTTP/"):
        return 0, {}, block
    end, gap = block.find(b"\r\n\r\n", 0, _MOST_HEAD), 4
    if end < 0:
        end, gap = block.find(b"\n\n", 0, _MOST_HEAD), 2
    if end < 0:
        end, gap = len(block), 0
    first, *lines = block[:end].decode("utf-8", "replace").splitlines()
    words = first.split(None, 2)
    status = int(words[1]) if len(words) > 1 and words[1].isdecimal() else 0
    return status if status < 1000 else 0, read_headers(lines), block[end + gap :]


def read_headers(lines: list[str]) -> dict[str, str]:
    """Header lines by name in lower case; of a name that comes again, all values."""
    found: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            key, value = name.strip().lower(), value.strip()
            found[key] = f"{found[key]}, {value}" if key in found else value
    return found


def join_chunks(body: bytes) -> bytes:
    """The body without its chunk lengths; as it stands where it has none: some tools join them."""
    parts: list[bytes] = []
    place = 0
    while place < len(body):
        end = body.find(b"\r\n", place, place + 1000)
        try:
            size = int(body[place:end].split(b";")[0], 16) if end >= 0 else -1
        except ValueError:
            size = -1
        if size < 0:
            return b"".join(parts) if parts else body
        if size == 0:
            break
        parts.append(body[end + 2 : end + 2 + size])
        place = end + 2 + size + 2
    return b"".join(parts)


def _unpacked(body: bytes, encodings: str, largest: int) -> bytes:
    """The body without its encodings; as it stands where the record was unpacked before."""
    if not encodings:
        return body
    try:
        unpacker = Unpacker(encodings, largest)
        for _ in unpacker.feed(body):
            pass
    except FetchError as error:
        if error.kind != "too_large":
            return body
        raise OversizedContent(f"The page is larger than {largest:,} bytes.") from None
    return unpacker.result()
