"""Pageloom in a pipeline of Ray Data: a batch of pages in, a batch of Documents out.

    ray.data.read_parquet("pages/").map_batches(extract, batch_size=32).write_parquet("docs/")

For whole archives, ``pageloom bulk --on ray`` is the shorter way: it needs no pandas, resumes where
it stopped, and sends no page through the object store.
"""

from __future__ import annotations

import pageloom

FIELDS = ("title", "language", "text", "word_count", "quality_score", "content_hash")


def extract(batch: dict) -> dict:
    """Columns ``url`` and ``html`` become columns of Documents; failures are told by ``error``."""
    found = [_one(url, html) for url, html in zip(batch["url"], batch["html"], strict=True)]
    return {name: [row[name] for row in found] for name in ("url", *FIELDS, "error")}


def _one(url: str, html: str) -> dict:
    empty = dict.fromkeys(FIELDS, "") | {"word_count": 0, "quality_score": 0}
    try:
        document = pageloom.extract(html, url, timeout_ms=5_000)
    except pageloom.PageloomError as error:
        return {"url": url, **empty, "error": error.code}
    return {"url": url, **{name: getattr(document, name) for name in FIELDS}, "error": ""}
