"""Export an article to PDF: the browser prints our own HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.flows.transfer.ebooks import article_html

if TYPE_CHECKING:
    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.model import Document


async def article_pdf(document: Document, options: FetchOptions) -> bytes:
    """The article as PDF; images are loaded through the address guard.

    Raises:
        MissingExtra: no browser is installed.
        RenderError: the browser could not print it.
    """
    from pageloom.edges.fetch.chromium import Chromium
    from pageloom.edges.fetch.dial import Dialler, resolve_by_system
    from pageloom.edges.fetch.guard import Guard

    browser = Chromium(Dialler(Guard(options.allowed_hosts), options, resolve_by_system))
    try:
        return await browser.print_html(article_html(document), document.final_url or document.url)
    finally:
        await browser.close()
