"""Stage 1 as one function: whatever a URL answered with becomes a Source."""

from __future__ import annotations

import re
from typing import NamedTuple

from pageloom.core.decode.binaries import name_binary
from pageloom.core.decode.charset import Decoded, decode_bytes, find_wide
from pageloom.core.decode.items import read_items, write_items
from pageloom.core.decode.media_type import HTML, XHTML, find_media_type
from pageloom.core.decode.readable import to_markup
from pageloom.core.dom import parse_page
from pageloom.core.options import DEFAULTS, Options
from pageloom.core.parts import Source
from pageloom.errors import EmptyContent, OversizedContent, UnsupportedContent

_STAGE = "decode"
_BLANK = "\x00\ufeff \t\r\n\x0b\x0c\xa0\u200b"
_SURROGATE = re.compile("[\ud800-\udfff]+")
_HOST_END = re.compile(r"^https?://[^/?#]*\.([a-z0-9-]{2,})(?::\d+)?(?:[/?#]|$)", re.IGNORECASE)
_ZEROS = b"\x00 \t\r\n"
_HEAD = 4_096


class _Body(NamedTuple):
    decoded: Decoded
    size: int


def decode(
    content: bytes | str,
    *,
    url: str = "",
    content_type: str = "",
    options: Options = DEFAULTS,
) -> Source:
    """Turn content into text and tree, or say why it cannot be read.

    Args:
        content: the body as it came, or text somebody else has decoded.
        url: the address that answered.
        content_type: the ``Content-Type`` header.
        options: the limits of size, depth and nodes.

    Raises:
        EmptyContent: nothing, white space or NUL characters only.
        OversizedContent: more bytes than ``options.max_content_length``.
        UnsupportedContent: a PDF, an image, an archive or other binary data.
    """
    body = _read(content, url, content_type, options.max_content_length)
    text = _clean(body.decoded.text, decoded_by_us=isinstance(content, bytes))
    if not text.strip(_BLANK):
        raise EmptyContent("The content is empty.", stage=_STAGE, url=url, size=body.size)
    media_type = find_media_type(text, declared=content_type, url=url)
    is_page = media_type in {HTML, XHTML}
    feed = None if is_page else read_items(text, media_type, url=url)
    parsed = parse_page(
        text if is_page else write_items(feed) if feed else to_markup(text, media_type),
        max_depth=options.max_depth,
        max_nodes=options.max_nodes,
    )
    return Source(
        tree=parsed.tree,
        url=url,
        media_type=media_type,
        charset=body.decoded.charset,
        size=body.size,
        text="" if is_page else text,
        feed=feed,
        notes=body.decoded.notes + parsed.notes,
    )


def _read(content: bytes | str, url: str, content_type: str, maximum: int) -> _Body:
    size = _measure(content, maximum)
    if size > maximum:
        raise OversizedContent(
            f"The content has {size} bytes; the limit is {maximum}.",
            stage=_STAGE,
            url=url,
            size=size,
            maximum=maximum,
        )
    _refuse_binary(content, url)
    if isinstance(content, str):
        return _Body(Decoded(content, "utf-8"), size)
    end = _HOST_END.match(url)
    top_level = end[1].lower() if end else ""
    return _Body(decode_bytes(content, header=content_type, top_level=top_level), size)


def _refuse_binary(content: bytes | str, url: str) -> None:
    head = content[:_HEAD]
    if isinstance(head, str):
        head = head.encode("utf-8", "replace")
    if find_wide(head) or head.startswith((b"\xff\xfe", b"\xfe\xff")) or not head.strip(_ZEROS):
        return
    kind = name_binary(head)
    if kind:
        raise UnsupportedContent(
            f"The content is {kind}, which has no text to read.", stage=_STAGE, url=url, kind=kind
        )


def _measure(content: bytes | str, maximum: int) -> int:
    """The size in bytes; text that is ASCII or too long in any case is not encoded to know it."""
    if isinstance(content, bytes) or content.isascii() or len(content) > maximum:
        return len(content)
    return len(content.encode("utf-8", "surrogatepass"))


def _clean(text: str, *, decoded_by_us: bool) -> str:
    """Replace what no character is: NUL, and halves of surrogate pairs."""
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd") if text.strip(_BLANK) else ""
    if not decoded_by_us and not text.isascii():
        text = _SURROGATE.sub("\ufffd", text)
    return text.removeprefix("\ufeff")
