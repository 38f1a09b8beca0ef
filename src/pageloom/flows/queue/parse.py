"""What a URL answered with becomes a Document: read, admitted, and its original stored."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from pageloom import views
from pageloom.core.normalize.urls import url_key
from pageloom.edges.store.bodies import keep_body
from pageloom.edges.store.versions import probable_number
from pageloom.flows.capture.extract import extract
from pageloom.flows.queue.documents import content_of
from pageloom.flows.queue.lookups import holds_lease, source_for, watch_of
from pageloom.flows.queue.messages import Parsed, WrittenPage, given_or
from pageloom.flows.watch.request import known_version, options_for
from pageloom.model import SourceHint
from pageloom.model.capture import Capture

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store
    from pageloom.flows.queue.messages import RawHtml
    from pageloom.flows.watch.context import CheckContext
    from pageloom.model import Document
    from pageloom.model.watch import Watch

_NOT_MODIFIED = 304


def is_not_modified(message: RawHtml) -> bool:
    """Whether the server has nothing newer than the watch knows that asked: nothing to read."""
    return message.status == _NOT_MODIFIED and given_or(message.watch_id, None) is not None


def end_not_modified(context: CheckContext, message: RawHtml, owner: str) -> None:
    """End the turn of the watch that asked, if it was leased for this check."""
    from pageloom.flows.watch.check import end_same

    watch = watch_of(context.store, owner, message)
    if watch is not None and holds_lease(watch, message.lease):
        end_same(context, watch, time.monotonic())


def parse_page(context: CheckContext, message: RawHtml, owner: str) -> WrittenPage:
    """Read a page, store its original, and say which version it probably is.

    Args:
        context: how pages are read; its options say how large one may be.
        message: what the server answered with.
        owner: whose page it is.

    Raises:
        InvalidMessage: the bytes are not base64.
        EmptyContent: nothing, or only white space.
        OversizedContent: more than the options allow.
        FetchError: a login or a front page came in the place of a watched page.
        PageloomError: what came cannot be read.
    """
    context = context.for_owner(owner)
    store = context.store
    content, body = content_of(message, context.extraction.max_content_length)
    watch = watch_of(store, owner, message)
    options = options_for(watch, context.extraction) if watch else context.extraction
    document = extract(
        content,
        message.url,
        content_type=given_or(message.content_type, None),
        options=options,
        timeout_ms=options.parse_timeout_ms,
        final_url=given_or(message.final_url, None),
        fetched_at=given_or(message.fetched_at, None),
        source=_source(store, owner, message),
        rules=context.rules,
    )
    if watch is not None:
        _admit(store, watch, message, document, body)
    stored = keep_body(store, body) if context.library.keep_originals else ""
    key = url_key(document.final_url or document.url)
    number = probable_number(store, owner, key, document.snapshot_hash)
    return _answer(message, document, stored, number, int(context.now() * 1000))


def _admit(store: Store, watch: Watch, message: RawHtml, document: Document, body: bytes) -> None:
    """Refuse a login or a front page: to a watch it is a failed check, never a change."""
    from pageloom.flows.watch.admit import admit

    status = given_or(message.status, None)
    admit(Capture(document=document, body=body, status=status), known_version(store, watch))


def _source(store: Store, owner: str, message: RawHtml) -> SourceHint | None:
    """What the registry of sources knows of the page, by the name of its source or by its host."""
    named = given_or(message.source_id, "")
    found = source_for(store, owner, message)
    if named and (found is None or found.id != named):
        return SourceHint(id=named)
    return found.hint if found else None


def _answer(
    message: RawHtml, document: Document, body_hash: str, version: int, ts: int
) -> WrittenPage:
    view: dict[str, Any] = views.parsed(document)
    return WrittenPage(
        job_id=message.job_id,
        url=message.url,
        parsed=Parsed(
            title=view["title"],
            description=view["description"],
            text=view["text"],
            images=view["images"],
            links=view["links"],
            metadata=view["metadata"],
            price_candidates=view["priceCandidates"],
            rating_candidates=view["ratingCandidates"],
        ),
        snapshot_hash=document.snapshot_hash,
        version=version,
        ts=ts,
        document=document,
        body_hash=body_hash or UNSET,
        fetched_at=given_or(message.fetched_at, UNSET),
        source_id=document.source_id or UNSET,
        watch_id=given_or(message.watch_id, UNSET),
        owner=given_or(message.owner, UNSET),
        lease=given_or(message.lease, UNSET),
        rendered=given_or(message.rendered, UNSET),
        validators=given_or(message.validators, UNSET),
    )
