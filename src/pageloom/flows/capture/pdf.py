"""PDFs as pages: their text is read in a sandbox of its own, within limits."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from pageloom.errors import InternalError, MissingExtra, OversizedContent, PageloomError, ParseError

if TYPE_CHECKING:
    from pageloom.core.options import Options

_MEMORY = 1_000_000_000
_SPACE = b"\x00\t\n\x0c\r "


def is_pdf(content: bytes) -> bool:
    """Whether content is a PDF by its first bytes."""
    return content[:1024].lstrip(_SPACE).startswith(b"%PDF-")


def pdf_to_html(content: bytes, url: str, options: Options) -> str:
    """The text of a PDF as HTML, with headings, lists, tables, links and metadata.

    Raises:
        MissingExtra: PDFium is not installed.
        UnsupportedContent: it needs a password, or has no text.
        OversizedContent: it is larger than the limits.
        ParseTimeout: it took too long.
        ParseError: it is broken.
    """
    from pageloom.edges.sandbox import shared_sandbox

    if find_spec("pypdfium2") is None:
        raise MissingExtra(
            "Reading PDFs needs PDFium.",
            suggestions=("Install it with: pip install 'pageloom[pdf]'",),
        )
    if len(content) > options.max_content_length:
        raise OversizedContent(
            f"The content has {len(content)} bytes; the limit is {options.max_content_length}.",
            stage="decode",
            url=url,
            size=len(content),
            maximum=options.max_content_length,
        )
    sandbox = shared_sandbox("pageloom.edges.decoders.pdf", memory=_MEMORY)
    pages, limit = options.max_pdf_pages, options.pdf_timeout_ms
    try:
        return sandbox.run("read_pdf", content, pages, timeout_ms=limit)
    except InternalError as error:
        raise ParseError(
            "The PDF could not be read: it is broken, or needs too much memory.",
            stage="decode",
            url=url,
            retryable=False,
        ) from error
    except PageloomError as error:
        error.url = error.url or url
        raise
