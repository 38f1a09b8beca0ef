"""The classifier: says what kind of page it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from pageloom.apps.agents.messages import ParsedPage, contract_of, read_message
from pageloom.apps.agents.pages import document_from_parsed, document_of
from pageloom.apps.agents.work import Agent, Batches, Outgoing, World
from pageloom.core.compare.report import classify

if TYPE_CHECKING:
    from pageloom.edges.broker.envelope import Envelope
    from pageloom.model import Document

_GUESSED = 0.6
"""How sure a guess is that has only the words of a page to go by."""


async def classify_page(letter: Envelope, world: World) -> Batches:
    """``html.parsed`` becomes ``change.check``: the same, and ``classification``."""
    message, given = read_message(letter.body, ParsedPage)
    document = document_of(message)
    found = classify(document or _guess(message))
    body = msgspec.json.encode(
        given | {"classification": {"type": found.type, "confidence": found.confidence}}
    )
    queue = world.settings.classifier.output_queue
    return [[Outgoing(queue=queue, body=body, contract=contract_of("change.check"))]]


AGENT = Agent(name="classifier", handle=classify_page, uses_store=False)


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
