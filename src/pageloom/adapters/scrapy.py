"""An item pipeline for Scrapy: the pages that a spider yields are saved to a library.

    ITEM_PIPELINES = {"pageloom.adapters.scrapy.PageloomPipeline": 300}
    PAGELOOM_DATABASE_URL = "pages.db"

A spider yields items with ``url`` and ``html`` (text or bytes; ``content_type`` and ``tags`` if it
likes). Each comes out with ``pageloom``: the number of the page, its version, what came of it, its
title and its text. Items without the two are handed on as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from pageloom.errors import PageloomError
from pageloom.library import open_library
from pageloom.views import results

if TYPE_CHECKING:
    from pageloom.library import Library


class PageloomPipeline:
    """Saves pages; made by Scrapy."""

    def __init__(self, database: str | None = None, user: str | None = None) -> None:
        self._database, self._user = database, user
        self._library: Library | None = None

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        """A pipeline with the settings of a crawler."""
        settings = crawler.settings
        return cls(settings.get("PAGELOOM_DATABASE_URL"), settings.get("PAGELOOM_USER"))

    def open_spider(self, spider: Any = None) -> None:
        """Open the library: that of ``PAGELOOM_DATABASE_URL``, else that of the settings."""
        self._library = open_library(self._database, self._user)

    def close_spider(self, spider: Any = None) -> None:
        """Close it."""
        if self._library is not None:
            self._library.close()

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Save the page of an item; one that cannot be read says why, and is not dropped."""
        from itemadapter import ItemAdapter

        known: Any = ItemAdapter(item)
        url, html = known.get("url"), known.get("html")
        if self._library is None or not url or not html:
            return item
        kind = str(known.get("content_type") or "")
        try:
            tags = known.get("tags") or ()
            saved = self._library.save(url, content=html, content_type=kind, tags=tags)
        except PageloomError as error:
            known["pageloom"] = {"success": False, "error": error.to_dict()}
            return item
        text = saved.document.text if saved.document else ""
        known["pageloom"] = results.save(saved) | {"text": text}
        return item
