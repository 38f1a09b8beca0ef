"""The fetcher: a job becomes what its address answers with."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from pageloom.apps.agents.messages import (
    FetchJob,
    InvalidMessage,
    RawHtml,
    contract_of,
    given_or,
    read_message,
    unknown_fields,
    write_message,
)
from pageloom.apps.agents.work import Agent, Batches, Outgoing, World
from pageloom.core.headers import belongs_to_connection, is_header
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.flows.capture.acquire import NotModified, acquire
from pageloom.flows.events import emit, intermediate

if TYPE_CHECKING:
    from pageloom.edges.broker.envelope import Envelope
    from pageloom.flows.capture.acquire import RenderMode
    from pageloom.model import RawPage
    from pageloom.model.capture import Capture

_MODES: dict[object, RenderMode] = {
    True: "force",
    False: "never",
    "force": "force",
    "never": "never",
    "auto": "auto",
}


async def fetch(letter: Envelope, world: World) -> Batches:
    """``fetch.jobs`` becomes ``html.raw``."""
    message, given = read_message(letter.body, FetchJob)
    try:
        answer = _answer(message, await _acquire(message, world))
    except NotModified as same:
        answer = _same(message, same.page)
    extra = unknown_fields(given, FetchJob)
    if given_or(message.crawl, None):
        extra["crawl"] = message.crawl
        if given_or(message.render, None) is not None:  # whoever follows its links does so likewise
            extra["render"] = message.render
    body = write_message(answer, extra)
    queue = world.settings.fetcher.output_queue
    return [[Outgoing(queue=queue, body=body, contract=contract_of("html.raw"))]]


AGENT = Agent(name="fetcher", handle=fetch, uses_store=False, uses_rules=True)


def _headers(given: dict[str, str]) -> dict[str, str]:
    """Those of a job that are sent: the connection's own are left out, and a log says so."""
    for name, value in given.items():
        if not is_header(name, value):
            raise InvalidMessage(f"headers: {name[:100]!r} with this value is no valid header.")
    kept = {name: value for name, value in given.items() if not belongs_to_connection(name)}
    if left := sorted(given.keys() - kept.keys()):
        emit("job.headers_dropped", level="warning", headers=left)
    return kept


async def _acquire(message: FetchJob, world: World) -> Capture:
    fetcher = await world.part("fetcher", lambda: _open(world))
    with intermediate():  # to see whether it needs a browser; the parser reads it for good
        return await acquire(
            _request(message),
            fetcher=fetcher,
            options=replace(
                world.settings.extraction,
                scope=tuple(given_or(message.scope, ())),
                ignore=tuple(given_or(message.ignore, ())),
            ),
            rules=world.context.rules.sealed,
            render=_mode(given_or(message.render, "auto")),
            rendering=Rendering(wait_for=given_or(message.wait_for, "")),
        )


def _request(message: FetchJob) -> FetchRequest:
    # Nobody looks at a watched page before it is fetched: what a site asks of robots holds,
    # unless whoever watches it says otherwise.
    watched = given_or(message.watch_id, None) is not None or given_or(message.crawl, None)
    known = given_or(message.validators, {})
    return FetchRequest(
        url=message.url,
        headers=_headers(given_or(message.headers, {})),
        respect_robots=given_or(message.robots, bool(watched)),
        etag=known.get("etag", ""),
        last_modified=known.get("lastModified", ""),
    )


async def _open(world: World) -> Any:
    manager = world.context.open_fetcher()
    fetcher = await manager.__aenter__()

    async def close() -> None:
        await manager.__aexit__(None, None, None)

    world.at_end(close)
    return fetcher


def _mode(wanted: object) -> RenderMode:
    try:
        return _MODES[wanted]
    except (KeyError, TypeError):
        raise InvalidMessage("render is true, false, auto, force or never.") from None


def _answer(message: FetchJob, page: Capture) -> RawHtml:
    """UTF-8 goes as text; anything else as text for those who read only that, and as its bytes."""
    body = page.body or b""
    try:
        html, encoded = body.decode(), UNSET
    except UnicodeDecodeError:
        html = body.decode(errors="replace")
        encoded = base64.b64encode(body).decode()
    return RawHtml(
        job_id=message.job_id,
        url=message.url,
        html=html,
        final_url=page.final_url,
        status=page.status if page.status is not None else UNSET,
        content_type=page.content_type,
        body_base64=encoded,
        fetched_at=page.fetched_at,
        source_id=given_or(message.source_id, UNSET),
        watch_id=given_or(message.watch_id, UNSET),
        owner=given_or(message.owner, UNSET),
        lease=given_or(message.lease, UNSET),
        rendered=page.used_browser or UNSET,
        validators=_validators(message, page) or UNSET,
    )


def _same(message: FetchJob, page: RawPage) -> RawHtml:
    """The server has nothing newer: a page without content, for the watch that asked."""
    return RawHtml(
        job_id=message.job_id,
        url=message.url,
        html="",
        final_url=page.final_url,
        status=page.status,
        fetched_at=page.fetched_at,
        watch_id=given_or(message.watch_id, UNSET),
        owner=given_or(message.owner, UNSET),
        lease=given_or(message.lease, UNSET),
    )


def _validators(message: FetchJob, page: Capture) -> dict[str, str]:
    if given_or(message.watch_id, None) is None:
        return {}
    names = ("etag", "last-modified")
    return {name: page.headers[name] for name in names if name in page.headers}
