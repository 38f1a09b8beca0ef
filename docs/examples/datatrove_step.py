"""Pageloom as the extractor of a datatrove pipeline: text as ever, metadata beside it.

    LocalPipelineExecutor([WarcReader("crawl/"), Pageloom(), JsonlWriter("docs/")]).run()

Limits come from Pageloom's own sandbox: a page that hangs or crashes is dropped and counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from datatrove.pipeline.base import PipelineStep

import pageloom

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from datatrove.data import Document


class Pageloom(PipelineStep):
    """From HTML to text, with title, language, authors, dates and quality as metadata."""

    type = "extractor"
    name = "pageloom"

    def __init__(self, timeout_ms: int = 5_000) -> None:
        super().__init__()
        self.timeout_ms = timeout_ms

    def run(self, data: Iterable[Document], *_: int, **__: int) -> Iterator[Document]:
        """Extract each page."""
        for page in data:
            try:
                found = pageloom.extract(
                    page.text, page.metadata.get("url"), timeout_ms=self.timeout_ms
                )
            except pageloom.PageloomError as error:
                self.stat_update(error.code)
                continue
            page.text = found.text
            page.metadata |= {
                "title": found.title,
                "language": found.language,
                "authors": list(found.authors),
                "published": found.published.iso if found.published else "",
                "quality": found.quality_score,
                "content_hash": found.content_hash,
            }
            yield page
