"""Decode content of any kind into text and a tree (stage 1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.decode.binaries import name_binary
from pageloom.core.decode.charset import Decoded, decode_bytes, find_wide, mend_text
from pageloom.core.decode.media_type import HTML, PDF, XHTML, find_media_type
from pageloom.core.dom import parse_page
from pageloom.core.options import DEFAULTS, Options
from pageloom.core.parts import DecodedPage
from pageloom.errors import EmptyContent, OversizedContent, UnsupportedContent

if TYPE_CHECKING:
    from pageloom.core.parts import FeedFacts

_STAGE = "decode"
_BLANK = "\x00\ufffd\ufeff \t\r\n\x0b\x0c\xa0\u200b"
_SURROGATE = re.compile("[\ud800-\udfff]+")
_PACKED_SURROGATE = re.compile(rb"\xed[\xa0-\xbf]")
_HOST_END = re.compile(r"^https?://[^/?#]*\.([a-z0-9-]{2,})(?::\d+)?(?:[/?#]|$)", re.IGNORECASE)
_ZEROS = b"\x00 \t\r\n"
_HEAD = 4_096


def decode(
    content: bytes | str,
    *,
    url: str = "",
    content_type: str = "",
    options: Options = DEFAULTS,
) -> DecodedPage:
    """Turn content into text and tree, or say why it cannot be read.

    Args:
        content: the body as it came, or text somebody else has decoded.
        url: the URL that answered.
        content_type: the ``Content-Type`` header.
        options: the limits of size, depth and nodes.

    Raises:
        EmptyContent: nothing, white space or NUL characters only.
        OversizedContent: more bytes than ``options.max_content_length``.
        UnsupportedContent: an image, an archive or other binary data; a PDF that no decoder read.
    """
    _require_size(len(content), url, options.max_content_length)
    packed = _encode(content) if isinstance(content, str) else content
    size = _require_size(len(packed), url, options.max_content_length)
    _refuse_binary(content, url)
    decoded = _to_text(content, packed, url, content_type)
    text = decoded.text.removeprefix("\ufeff")
    if not text[:_HEAD].strip(_BLANK) and not text.strip(_BLANK):
        raise EmptyContent("The content is empty.", stage=_STAGE, url=url, size=size)
    if content_type == PDF and isinstance(content, str):  # which a decoder made HTML of
        media_type = PDF
    else:
        media_type = find_media_type(text, declared=content_type, url=url)
    is_markup = media_type in {HTML, XHTML, PDF}
    page = _Page(text) if is_markup else _write_page(text, media_type, url)
    parsed = parse_page(
        page.markup,
        packed=packed if page.markup is text and decoded.charset == "utf-8" else None,
        max_depth=options.max_depth,
        max_nodes=options.max_nodes,
    )
    return DecodedPage(
        tree=parsed.tree,
        url=url,
        media_type=media_type,
        charset=decoded.charset,
        size=size,
        markup=text if page.markup is text else "",
        text="" if page.markup is text else text,
        feed=page.feed,
        notes=decoded.notes + parsed.notes,
    )


class _Page(NamedTuple):
    markup: str
    feed: FeedFacts | None = None


def _write_page(text: str, media_type: str, url: str) -> _Page:
    # Most content is HTML, which needs none of these.
    from pageloom.core.decode.items import read_items, write_items
    from pageloom.core.decode.readable import to_markup

    feed = read_items(text, media_type, url=url)
    return _Page(write_items(feed) if feed else to_markup(text, media_type), feed)


def _require_size(size: int, url: str, maximum: int) -> int:
    if size > maximum:
        raise OversizedContent(
            f"The content has {size} bytes; the limit is {maximum}.",
            stage=_STAGE,
            url=url,
            size=size,
            maximum=maximum,
        )
    return size


def _encode(text: str) -> bytes:
    """The text in bytes, which tell faster than the text how large it is and what is in it."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _to_text(content: bytes | str, packed: bytes, url: str, content_type: str) -> Decoded:
    """The text without what no character is: NUL, and halves of surrogate pairs."""
    if isinstance(content, str):
        decoded = mend_text(content, packed)
        # In bytes they are found, or not, in a tenth of the time.
        if b"\xed" in packed and _PACKED_SURROGATE.search(packed):
            decoded = decoded._replace(text=_SURROGATE.sub("\ufffd", decoded.text))
    else:
        end = _HOST_END.match(url)
        top_level = end[1].lower() if end else ""
        decoded = decode_bytes(content, header=content_type, top_level=top_level)
    # Looking for zeros in bytes is many times faster than in text.
    if b"\0" in packed:
        return decoded._replace(text=decoded.text.replace("\0", "\ufffd"))
    return decoded


def _refuse_binary(content: bytes | str, url: str) -> None:
    head = content[:_HEAD]
    if isinstance(head, str):
        head = head.encode("utf-8", "replace")
    if (
        find_wide(head)
        or head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff"))
        or not head.strip(_ZEROS)
    ):
        return
    kind = name_binary(head)
    if kind:
        raise UnsupportedContent(
            f"The content is {kind}, which Pageloom cannot read.",
            stage=_STAGE,
            url=url,
            kind=kind,
        )
