"""JSON shapes for other systems, as pure functions of a Document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pageloom.errors import NotAnArticle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.core.options import ImageStyle
    from pageloom.model import Document

_ERROR_TITLE = re.compile(
    r"^(?:error\s)?(?:404|403|410|500|502|503)\b|\b(?:404|page) not found\b|^not found$|\bseite"
    r" nicht gefunden\b|\bpage introuvable\b"
    r"|\bpágina no encontrada\b|\bpagina non trovata\b|\bpágina não encontrada\b|\bpagina niet"
    r" gevonden\b|\baccess denied\b|^just a moment"
    r"|\battention required\b|\bare you a (?:human|robot)\b|\bservice unavailable\b|\bstrona nie"
    r" (?:została )?znaleziona\b|\bстраница не найдена\b",
    re.IGNORECASE,
)
_NOT_ARTICLES = frozenset(("listing", "collection", "feed"))
_HOME = re.compile(
    r"^https?://[^/]+/?(?:(?:index|default|home)(?:\.\w{2,5})?/?)?(?:[?#].*)?$", re.IGNORECASE
)


def _discarded(document: Document) -> dict[str, Any]:
    """The fields of a page that a rule discarded, the same in every shape."""
    if not document.discarded:
        return {}
    return {"discarded": True, "discard_reason": document.discard_reason}


def parsed(document: Document) -> dict[str, Any]:
    """The queue message's ``data``: camelCase, lists of strings, flat metadata."""
    return {
        "title": document.title,
        "description": document.description,
        "text": document.text,
        "images": [image.url for image in document.images],
        "links": list(dict.fromkeys(link.url for link in document.links)),
        "metadata": flat_metadata(document),
        "priceCandidates": [price.raw for price in document.price_candidates],
        "ratingCandidates": [rating.raw for rating in document.rating_candidates],
        **_discarded(document),
    }


def flat_metadata(document: Document) -> dict[str, Any]:
    """All meta in one dict, keyed as printed, with ``canonical`` and ``jsonld``."""
    metadata = document.metadata
    flat: dict[str, Any] = {}
    for part in ("meta", "opengraph", "twitter"):
        flat.update(metadata.get(part, {}))
    if canonical := document.canonical_url or metadata.get("canonical", ""):
        flat["canonical"] = canonical
    if metadata.get("jsonld"):
        flat["jsonld"] = metadata["jsonld"]
    return flat


def article(
    document: Document, fetched_at: str | None = None, raw_html: str | None = None
) -> dict[str, Any]:
    """The news shape.

    Args:
        document: the page.
        fetched_at: the ISO instant of the fetch: the timestamp of an article that states none.
        raw_html: the original, kept under ``raw_html`` only when given.

    Raises:
        NotAnArticle: for home pages, listings and error pages.
    """
    if not document.discarded:
        _require_article(document)
    timestamp = document.published.iso if document.published else fetched_at
    answer: dict[str, Any] = {
        "id": document.id,
        "source_id": document.source_id,
        "url": document.canonical_url or document.final_url or document.url,
        "title": document.title,
        "author": document.author,
        "timestamp": timestamp,
        "language": document.language,
        "tags": list(document.tags),
        "body": document.text,
        **_discarded(document),
    }
    if raw_html is not None:
        answer["raw_html"] = raw_html
    return answer


def _require_article(document: Document) -> None:
    url = document.final_url or document.url
    if _ERROR_TITLE.search(document.title) and document.word_count < 300:
        raise NotAnArticle("This is an error page, not an article.", url=url, stage="article")
    if url and _HOME.match(url):
        raise NotAnArticle("This is a home page, not an article.", url=url, stage="article")
    if document.page_type in _NOT_ARTICLES:
        raise NotAnArticle(
            f"This is a {document.page_type} page, not an article.", url=url, stage="article"
        )


def extracted(document: Document) -> dict[str, Any]:
    """The shape of reader services."""
    return {
        "url": document.final_url or document.url,
        "title": document.title,
        "byline": document.author,
        "published_iso": document.published.iso if document.published else None,
        "markdown": document.markdown,
        "text": document.text,
        "links": [link.url for link in document.links],
        "media": [image.url for image in document.images] + [media.url for media in document.media],
        "language": document.language,
        "reading_time": document.reading_time,
        "quality_score": document.quality_score,
        "word_count": document.word_count,
        "categories": list(document.categories),
        "site_name": document.site_name,
        "description": document.description,
        **_discarded(document),
    }


def frontmatter(
    document: Document,
    saved_at: str | None = None,
    tags: Sequence[str] = (),
    *,
    images: ImageStyle = "clickable",
) -> str:
    """The page as Markdown with YAML frontmatter.

    Args:
        document: the page.
        saved_at: the ISO instant it was saved at; left out of the frontmatter when None.
        tags: that a user gave it.
        images: how images are written.
    """
    from pageloom.core.render.frontmatter import markdown_page

    return markdown_page(document, saved_at, tags, images=images)


def markdown(document: Document, *, images: ImageStyle = "clickable") -> str:
    """The page as Markdown under its picture and title, without frontmatter."""
    from pageloom.core.render.frontmatter import markdown_body

    return markdown_body(document, images=images) or document.text
