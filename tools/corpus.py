"""Labelled pages from public data sets, read from a directory that the caller names.

DIR/wcxb/html/NNNN.html, DIR/wcxb/truth/NNNN.json     WCXB web content extraction benchmark
DIR/snippets/trafilatura.jsonl                        strings that must and must not be extracted
DIR/metadata/trafilatura.jsonl                        the pages of those strings, by id
DIR/labelled/news.jsonl, terms.jsonl                  articles, policies and their content as text
DIR/labelled/recipes.jsonl                            strings that must be extracted, of recipes
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pageloom.core.normalize.urls import site_of
from pageloom.errors import PageloomError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE_TYPES = ("article", "documentation", "service", "forum", "collection", "listing", "product")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPage:
    """A page, and what a person says its content is."""

    id: str
    url: str
    body: bytes | str
    page_type: str
    data_set: str = "wcxb"
    drafted: bool = False
    """Whether the truth was drafted by another extractor."""
    truth: str | None = None
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()

    @property
    def host(self) -> str:
        """What folds are made by: pages of one site never stand on both sides."""
        try:
            return site_of(self.url) or self.id
        except PageloomError:
            return self.id


def read_wcxb(corpus: Path) -> Iterator[LabelledPage]:
    """Pages with the whole main content as text."""
    for path in sorted((corpus / "wcxb" / "truth").glob("*.json")):
        entry = json.loads(path.read_text("utf-8"))
        internal, truth = entry["_internal"], entry["ground_truth"]
        yield LabelledPage(
            id=entry["file_id"],
            url=entry["url"],
            body=(corpus / "wcxb" / "html" / f"{entry['file_id']}.html").read_bytes(),
            page_type=internal["page_type"]["primary"],
            drafted="draft" in str(internal.get("source")),
            truth=truth.get("main_content") or "",
        )


def read_snippets(corpus: Path) -> Iterator[LabelledPage]:
    """Article pages with strings that belong to the content and strings that do not."""
    pages = {
        entry["id"]: entry["html"] for entry in _lines(corpus / "metadata" / "trafilatura.jsonl")
    }
    for entry in _lines(corpus / "snippets" / "trafilatura.jsonl"):
        yield LabelledPage(
            id=entry["id"],
            url=entry["url"] if "://" in entry["url"] else "",
            body=entry.get("html") or pages[entry["id"]],
            page_type="article",
            data_set="snippets",
            wanted=tuple(entry["with"]),
            unwanted=tuple(entry["without"]),
        )


def read_labelled(corpus: Path) -> Iterator[LabelledPage]:
    """Articles, policies and recipes; of the last only strings that belong to the content."""
    for data_set in ("news", "terms", "recipes"):
        path = corpus / "labelled" / f"{data_set}.jsonl"
        for entry in _lines(path) if path.exists() else ():
            yield LabelledPage(
                id=entry["id"],
                url=entry["url"],
                body=entry["html"],
                page_type="article",
                data_set=data_set,
                truth=entry.get("main_content"),
                wanted=tuple(entry.get("with", ())),
            )


def read_all_sets(corpus: Path) -> list[LabelledPage]:
    """All labelled pages."""
    return [*read_wcxb(corpus), *read_snippets(corpus), *read_labelled(corpus)]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def assign_folds(pages: list[LabelledPage], folds: int, seed: int) -> list[int]:
    """A fold for each page; the same host always in the same fold."""
    hosts = sorted({page.host for page in pages})
    random.Random(seed).shuffle(hosts)  # noqa: S311  folds are no secret
    fold_of = {host: number % folds for number, host in enumerate(hosts)}
    return [fold_of[page.host] for page in pages]
