"""The parser: what an address answered with becomes a Document."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from msgspec import UNSET

from pageloom import views
from pageloom.apps.agents.messages import (
    Parsed,
    ParsedPage,
    RawHtml,
    contract_of,
    given_or,
    read_message,
    unknown_fields,
    write_message,
)
from pageloom.apps.agents.pages import content_of
from pageloom.apps.agents.watch_lookup import watch_of
from pageloom.apps.agents.work import Agent, Batches, Outgoing, World
from pageloom.core.normalize.urls import url_key
from pageloom.edges.store.sources import get_source, source_of
from pageloom.flows.capture.extract import extract
from pageloom.model import SourceHint

if TYPE_CHECKING:
    from pageloom.core.options import Options
    from pageloom.edges.broker.envelope import Envelope
    from pageloom.edges.store.base import Store, Tx
    from pageloom.model import Document


async def parse(letter: Envelope, world: World) -> Batches:
    """``html.raw`` becomes ``html.parsed``; the original is kept."""
    message, given = read_message(letter.body, RawHtml)
    page = content_of(message, world.settings.parser.max_html_size)
    owner = world.owner_of(given)
    answer = await world.with_store(lambda store: _parse(store, world, owner, message, page))
    # The page itself ends here; whatever else came with it goes on.
    extra = unknown_fields(given, RawHtml)
    for name in ("status", "contentType"):
        if given.get(name) is not None:
            extra[name] = given[name]
    queue = world.settings.parser.output_queue
    return [
        [
            Outgoing(
                queue=queue, body=write_message(answer, extra), contract=contract_of("html.parsed")
            )
        ]
    ]


AGENT = Agent(name="parser", handle=parse, uses_rules=True)


def _parse(
    store: Store, world: World, owner: str, message: RawHtml, page: tuple[bytes | str, bytes]
) -> ParsedPage:
    content, body = page
    source = _source(store, owner, message)
    document = _read(message, content, world, _options_for(message, world, store), source)
    kept = _keep(store, owner, body, document)
    return _answer(message, document, kept, int(world.now() * 1000))


def _source(store: Store, owner: str, message: RawHtml) -> SourceHint | None:
    """What the registry of sources knows of the page, by the name of its source or by its host."""
    named = given_or(message.source_id, "")
    if not named:
        found = source_of(store, owner, message.url)
        return found.hint if found else None
    found = get_source(store, owner, named)
    return found.hint if found else SourceHint(id=named)


def _options_for(message: RawHtml, world: World, store: Store) -> Options:
    """How this page is read: a watch may have chosen parts of it."""
    options = replace(
        world.settings.extraction,
        max_content_length=world.settings.parser.max_html_size,
        text_min_length=world.settings.parser.text_min_length,
    )
    if given_or(message.watch_id, None) is None:
        return options
    watch = watch_of(store, message)
    if watch is None:
        return options
    return replace(options, scope=watch.settings.scope, ignore=watch.settings.ignore)


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
        rules=world.rules().sealed,
    )


def _keep(store: Store, owner: str, body: bytes, document: Document) -> tuple[str, int]:
    """Keep the original; its name, and the version that this probably is."""
    from pageloom.edges.store.bodies import body_hash, insert_body
    from pageloom.edges.store.codec import pack

    name, packed = body_hash(body), pack(body)

    def work(tx: Tx) -> tuple[str, int]:
        insert_body(tx, name, packed, len(body))
        return name, _provisional_version(tx, owner, document)

    return store.transact(work)


def _provisional_version(tx: Tx, owner: str, document: Document) -> int:
    row = tx.one(
        "SELECT v.number, v.snapshot_hash FROM pages p JOIN tracks l ON l.page_id = p.id AND"
        " l.track = '' JOIN versions v ON v.page_id = p.id AND v.track = '' AND"
        " v.number = l.last_number WHERE p.owner = ? AND p.url = ?",
        owner,
        url_key(document.final_url or document.url),
    )
    if row is None:
        return 1
    return row["number"] + int(row["snapshot_hash"] != document.snapshot_hash)


def _answer(message: RawHtml, document: Document, kept: tuple[str, int], ts: int) -> ParsedPage:
    body_hash, version = kept
    view: dict[str, Any] = views.parsed(document)
    return ParsedPage(
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
        document=cast("dict[str, Any]", document),  # as the dict that it becomes on the way
        body_hash=body_hash,
        fetched_at=given_or(message.fetched_at, UNSET),
        source_id=document.source_id or UNSET,
        watch_id=given_or(message.watch_id, UNSET),
        owner=given_or(message.owner, UNSET),
        lease=given_or(message.lease, UNSET),
        rendered=given_or(message.rendered, UNSET),
        validators=given_or(message.validators, UNSET),
    )
