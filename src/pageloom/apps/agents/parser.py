"""The parser: what a URL answered with becomes a Document."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from pageloom import views
from pageloom.apps.agents.messages import (
    Parsed,
    RawHtml,
    WrittenPage,
    contract_of,
    given_or,
    read_message,
    unknown_fields,
    write_message,
)
from pageloom.apps.agents.pages import content_of
from pageloom.apps.agents.watch_lookup import holds_lease, watch_of
from pageloom.apps.agents.work import Agent, Batches, Outgoing, World
from pageloom.core.normalize.urls import url_key
from pageloom.edges.store.bodies import keep_body
from pageloom.edges.store.sources import get_source, source_of
from pageloom.edges.store.versions import probable_number
from pageloom.flows.capture.extract import extract
from pageloom.flows.watch.request import known_version, options_for
from pageloom.model import SourceHint
from pageloom.model.capture import Capture

if TYPE_CHECKING:
    from pageloom.core.options import Options
    from pageloom.edges.broker.envelope import Envelope
    from pageloom.edges.store.base import Store
    from pageloom.model import Document
    from pageloom.model.watch import Watch

_NOT_MODIFIED = 304


async def parse(letter: Envelope, world: World) -> Batches:
    """``html.raw`` becomes ``html.parsed``; the original is stored."""
    message, given = read_message(letter.body, RawHtml)
    if message.status == _NOT_MODIFIED and given_or(message.watch_id, None) is not None:
        await world.with_store(lambda store: _end_same(store, world, message))
        return []
    page = content_of(message, world.settings.parser.max_html_size)
    owner = world.owner_of(given)
    answer = await world.with_store(lambda store: _parse(store, world, owner, message, page))
    # The page itself ends here; whatever else came with it goes on.
    extra = unknown_fields(given, RawHtml)
    for name in ("status", "contentType"):
        if given.get(name) is not None:
            extra[name] = given[name]
    body = write_message(answer, extra)
    queue = world.settings.parser.output_queue
    return [[Outgoing(queue=queue, body=body, contract=contract_of("html.parsed"))]]


AGENT = Agent(name="parser", handle=parse, uses_rules=True)


def _end_same(store: Store, world: World, message: RawHtml) -> None:
    """The server has nothing newer than the watch knows: there is nothing to read."""
    from pageloom.flows.watch.check import end_same

    watch = watch_of(store, message)
    if watch is not None and holds_lease(watch, message.lease):
        end_same(world.check_context(), watch, time.monotonic())


def _parse(
    store: Store, world: World, owner: str, message: RawHtml, page: tuple[bytes | str, bytes]
) -> WrittenPage:
    content, body = page
    watch = watch_of(store, message) if given_or(message.watch_id, None) is not None else None
    document = _read(
        message, content, world, _options_for(watch, world), _source(store, owner, message)
    )
    if watch is not None:
        _admit(store, watch, message, document, body)
    stored = keep_body(store, body) if world.settings.library.keep_originals else ""
    key = url_key(document.final_url or document.url)
    number = probable_number(store, owner, key, document.snapshot_hash)
    return _answer(message, document, stored, number, int(world.now() * 1000))


def _admit(store: Store, watch: Watch, message: RawHtml, document: Document, body: bytes) -> None:
    """Refuse a login or a front page: to a watch it is a failed check, never a change."""
    from pageloom.flows.watch.admit import admit

    status = given_or(message.status, None)
    admit(Capture(document=document, body=body, status=status), known_version(store, watch))


def _source(store: Store, owner: str, message: RawHtml) -> SourceHint | None:
    """What the registry of sources knows of the page, by the name of its source or by its host."""
    named = given_or(message.source_id, "")
    if not named:
        found = source_of(store, owner, message.url)
        return found.hint if found else None
    found = get_source(store, owner, named)
    return found.hint if found else SourceHint(id=named)


def _options_for(watch: Watch | None, world: World) -> Options:
    """How this page is read: a watch may have chosen parts of it."""
    options = replace(
        world.settings.extraction,
        max_content_length=world.settings.parser.max_html_size,
        text_min_length=world.settings.parser.text_min_length,
    )
    return options_for(watch, options) if watch else options


def _read(
    message: RawHtml,
    content: bytes | str,
    world: World,
    options: Options,
    source: SourceHint | None,
) -> Document:
    return extract(
        content,
        message.url,
        content_type=given_or(message.content_type, None),
        options=options,
        timeout_ms=options.parse_timeout_ms,
        final_url=given_or(message.final_url, None),
        fetched_at=given_or(message.fetched_at, None),
        source=source,
        rules=world.context.rules.sealed,
    )


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
