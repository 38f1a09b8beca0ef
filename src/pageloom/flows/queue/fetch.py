"""A job becomes what its URL answers with."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import UNSET

from pageloom.core.headers import belongs_to_connection, is_header
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.flows.capture.acquire import NotModified, acquire
from pageloom.flows.events import emit, intermediate
from pageloom.flows.queue.documents import validators_of
from pageloom.flows.queue.messages import InvalidMessage, RawHtml, given_or

if TYPE_CHECKING:
    from pageloom.core.options import Options
    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.flows.capture.extract import Rules
    from pageloom.flows.queue.messages import FetchJob
    from pageloom.model import RawPage
    from pageloom.model.capture import Capture, RenderMode
    from pageloom.model.library import Source

_MODES: dict[object, RenderMode] = {
    True: "force",
    False: "never",
    "force": "force",
    "never": "never",
    "auto": "auto",
}


async def fetch_job(
    message: FetchJob,
    *,
    fetcher: Fetcher,
    options: Options,
    rules: Rules,
    source: Source | None = None,
) -> RawHtml:
    """Fetch the page of a job, in the way that it asks for.

    Args:
        message: the job.
        fetcher: an open Fetcher.
        options: of extraction: a poor page is tried in the browser.
        rules: a rule book.
        source: where the page is from; it is fetched through its proxy.

    Raises:
        InvalidMessage: a header or a render mode that is none.
        PageloomError: the page could not be fetched.
    """
    try:
        with intermediate():  # to see whether it needs a browser; the parser reads it for good
            captured = await acquire(
                _request(message),
                fetcher=fetcher,
                options=replace(
                    options,
                    scope=tuple(given_or(message.scope, ())),
                    ignore=tuple(given_or(message.ignore, ())),
                ),
                rules=rules,
                render=_mode(given_or(message.render, "auto")),
                rendering=Rendering(wait_for=given_or(message.wait_for, "")),
                source=source,
            )
    except NotModified as same:
        return _same(message, same.page)
    return _answer(message, captured)


def _headers(given: dict[str, str]) -> dict[str, str]:
    """Those of a job that are sent: the connection's own are left out, and a log says so."""
    for name, value in given.items():
        if not is_header(name, value):
            raise InvalidMessage(f"headers: {name[:100]!r} with this value is not a valid header.")
    kept = {name: value for name, value in given.items() if not belongs_to_connection(name)}
    if left := sorted(given.keys() - kept.keys()):
        emit("job.headers_dropped", level="warning", headers=left)
    return kept


def _request(message: FetchJob) -> FetchRequest:
    # Nobody looks at a watched page before it is fetched: what a site asks of robots holds,
    # unless whoever watches it says otherwise.
    watched = given_or(message.watch_id, None) is not None or given_or(message.crawl, None)
    known = validators_of(message)
    return FetchRequest(
        url=message.url,
        headers=_headers(given_or(message.headers, {})),
        respect_robots=given_or(message.robots, bool(watched)),
        etag=known.get("etag", ""),
        last_modified=known.get("last-modified", ""),
    )


def _mode(wanted: object) -> RenderMode:
    try:
        return _MODES[wanted]
    except (KeyError, TypeError):
        raise InvalidMessage("render must be true, false, auto, force or never.") from None


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
    names = {"etag": "etag", "lastModified": "last-modified"}
    return {ours: page.headers[name] for ours, name in names.items() if name in page.headers}
