"""What kind of page it is: by its Document, or by what a parser of another make has found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.core.compare.report import classify
from pageloom.flows.queue.documents import document_from_parsed, document_of

if TYPE_CHECKING:
    from pageloom.flows.queue.messages import ParsedPage
    from pageloom.model import Document

_GUESSED = 0.6
"""How sure a guess is that has only the words of a page to go by."""


def classify_page(message: ParsedPage) -> dict[str, object]:
    """The ``classification`` of a page, as messages spell it."""
    found = classify(document_of(message) or _guess(message))
    return {"type": found.type, "confidence": found.confidence}


def _guess(message: ParsedPage) -> Document:
    """The kind of a page that a parser of another make has read, by what it found."""
    parsed = message.parsed
    og_type = str(parsed.metadata.get("og:type", "")).lower()
    if "product" in og_type or (parsed.price_candidates and parsed.rating_candidates):
        kind = "product"
    elif "article" in og_type or len(parsed.text) > 1500:
        kind = "article"
    elif og_type.startswith("video"):
        kind = "video"
    else:
        kind = "product" if parsed.price_candidates else "other"
    confidence = _GUESSED if kind != "other" else 0.3
    return replace(document_from_parsed(message, kind), page_type_confidence=confidence)
