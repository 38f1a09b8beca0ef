"""What comes from a change detector of another make: the page as far as its message tells of it.

It may carry the Document or what was parsed along, as ours does; or say in ``changes`` what was
before and what is now; or only that there was a change. Of that a page without words is kept, so
that versions, prices and runs have their place, unless it would hide one that has words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.edges.store.identity import row_at
from pageloom.edges.store.versions import latest_in
from pageloom.errors import PageloomError
from pageloom.flows.events import emit
from pageloom.flows.queue.documents import document_from_parsed, document_of, url_or_key
from pageloom.flows.queue.messages import Parsed, ParsedPage
from pageloom.model import REPORTED, Provenance

if TYPE_CHECKING:
    from pageloom.edges.store.base import Tx
    from pageloom.flows.queue.messages import ChangeResult
    from pageloom.model import Document
    from pageloom.model.library import Version


class _Change(msgspec.Struct):
    after: str


class NotYet(PageloomError):
    """Something else has to come first: tried again, like all that may pass."""

    retryable = True


class NothingToKeep(PageloomError):
    """A message that tells of a page, or of a price, and brings nothing that could be kept."""

    advice = ("The sender must include `document` or `parsed`.",)


def page_in(tx: Tx, owner: str, url: str) -> Version | None:
    """The newest version of the page at a URL."""
    page = row_at(tx, owner, url_or_key(url))
    return latest_in(tx, page["id"]) if page else None


def page_of(message: ChangeResult, given: dict[str, Any], kept: Version | None) -> Document | None:
    """The page that a message tells of; None where it says that the one that is kept still holds.

    Raises:
        NothingToKeep: it changed, and how it is now is not said.
    """
    document = document_of(message) or _of_parsed(message, given) or _of_changes(message, given)
    if document is not None:
        return document
    if kept is not None:
        same = kept.info.snapshot_hash == message.snapshot_hash
        if same or not (message.has_changes or message.is_new):
            return None
        if kept.document.provenance.strategy != REPORTED:
            raise NothingToKeep(
                "The message says that the page changed, but does not contain its new content.",
                url=message.url,
            )
    emit("page.without_text", level="warning", url=message.url)
    return _of_words(message, Parsed(title="", text=""))


def _of_parsed(message: ChangeResult, given: dict[str, Any]) -> Document | None:
    try:
        return _of_words(message, msgspec.convert(given.get("parsed"), Parsed))
    except msgspec.ValidationError:
        return None


def _of_changes(message: ChangeResult, given: dict[str, Any]) -> Document | None:
    """By what the detailed report says is there now."""
    text, title = _after(given, "text"), _after(given, "title")
    return _of_words(message, Parsed(title=title, text=text)) if text else None


def _after(given: dict[str, Any], name: str) -> str:
    try:
        changes = msgspec.convert(given.get("changes"), dict[str, Any])
        return msgspec.convert(changes.get(name), _Change).after
    except msgspec.ValidationError:
        return ""


def _of_words(message: ChangeResult, parsed: Parsed) -> Document:
    page = ParsedPage(
        job_id=message.job_id,
        url=message.url,
        parsed=parsed,
        snapshot_hash=message.snapshot_hash,
        version=message.current_version,
    )
    kind = getattr(message.classification, "type", "other")
    document = document_from_parsed(page, kind)
    if document.text or document.title:
        return document
    return replace(document, provenance=Provenance(strategy=REPORTED))
