"""A document loader for LangChain: pages of the web, or of a library, as its Documents.

    PageloomLoader(urls=["https://example.com/"]).load()
    PageloomLoader(library=library, query="harbour").load()

Needs the extra ``[langchain]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document as LoadedDocument

from pageloom.library.fetch import fetch
from pageloom.model.pages import DEFAULT_FILTERS
from pageloom.views import documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.library import Library
    from pageloom.model import Document
    from pageloom.model.pages import Filters, Page

_PART = 50


class PageloomLoader(BaseLoader):
    """Loads pages as Markdown, with their metadata.

    Args:
        urls: pages of the web, which are fetched and not kept.
        library: whose pages are loaded besides.
        query: only those that a search finds, best first.
        filters: which pages.
    """

    def __init__(
        self,
        urls: Sequence[str] = (),
        *,
        library: Library | None = None,
        query: str = "",
        filters: Filters = DEFAULT_FILTERS,
    ) -> None:
        self._urls, self._library = tuple(urls), library
        self._query, self._filters = query, filters

    def lazy_load(self) -> Iterator[LoadedDocument]:
        """One page after the other.

        Raises:
            PageloomError: a page of the web cannot be fetched or read.
        """
        for url in self._urls:
            yield _loaded(fetch(url))
        if self._library is not None:
            for page in self._pages(self._library):
                yield _loaded(self._library.document(page), page)

    def _pages(self, library: Library) -> Iterator[Page]:
        if not self._query:
            yield from (page for page in library.pages(self._filters) if page.version)
            return
        cursor: str | None = ""
        while cursor is not None:
            found = library.search(self._query, self._filters, limit=_PART, cursor=cursor)
            yield from (hit.page for hit in found.hits if hit.page.version)
            cursor = found.next_cursor


def _loaded(document: Document, page: Page | None = None) -> LoadedDocument:
    facts = {
        "source": document.final_url or document.url,
        "title": document.title,
        "author": document.author,
        "language": document.language,
        "published": document.published.iso if document.published else "",
        "tags": list(document.tags),
    }
    if page is not None:
        facts |= {"page": page.id, "version": page.version}
    return LoadedDocument(page_content=documents.markdown(document), metadata=facts)
