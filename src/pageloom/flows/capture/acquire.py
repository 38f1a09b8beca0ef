"""Fetch a URL and extract its Document: over HTTP first, in the browser where that is needed.

1. HTTP. The extractor also reads noscript elements and preloaded state, at no extra cost.
2. If the result is poor: a Markdown variant that the page offers.
3. If it is still poor, or the site blocked a program: the browser, once.
4. The better result is used. A challenge, a consent wall, an error page or a soft 404 is a failed
   fetch, never content.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.core.options import DEFAULTS, Options
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.errors import FetchError
from pageloom.flows import events as observing
from pageloom.flows.capture.attempts import FetchPlan, OnDecision, get_page
from pageloom.flows.capture.follow import follow_on, heed_rules
from pageloom.model.capture import Capture

if TYPE_CHECKING:
    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.flows.capture.extract import Rules
    from pageloom.model import Document, RawPage
    from pageloom.model.capture import RenderMode
    from pageloom.model.library import Source


class NotModified(Exception):
    """The server says that nothing changed since the validators of the request: status 304.

    Only a request with ``etag`` or ``last_modified`` can meet it.
    """

    def __init__(self, page: RawPage) -> None:
        super().__init__()
        self.page = page


async def acquire(  # noqa: PLR0913  all but two have defaults
    request: FetchRequest,
    *,
    fetcher: Fetcher,
    rules: Rules = ...,
    options: Options = DEFAULTS,
    render: RenderMode = "auto",
    rendering: Rendering | None = None,
    source: Source | None = None,
    on_decision: OnDecision | None = None,
) -> Capture:
    """Fetch a page and extract its Document.

    Args:
        request: the URL, and how to request it.
        fetcher: an open Fetcher.
        rules: a rule book; the shipped one when left out, none at all for None.
        options: of extraction.
        render: ``auto`` uses the browser on evidence, ``force`` always, ``never`` never.
        rendering: what to wait for, how long, and whether a screenshot or PDF is wanted.
        source: what the source registry knows about the page; it is fetched through its proxy.
        on_decision: called with each decision as it is made.

    Raises:
        InvalidUrl: not an http(s) URL.
        NotModified: the server has nothing newer than the validators of the request.
        FetchError: the page could not be fetched, or is a challenge, an error page or a soft 404.
        PageloomError: the content could not be extracted.
    """
    hint = source.hint if source else None
    if source and source.proxy:
        request = replace(request, proxy=source.proxy)
    ask = FetchPlan(
        request, fetcher, rules, options, render, rendering or Rendering(), hint, on_decision
    )
    started = time.perf_counter()
    try:
        captured = await _acquire(ask)
    except NotModified as same:
        _observe(request.url, started, "ok", same.page.timings.get("render"))
        raise
    except FetchError as error:
        _observe(request.url, started, error.kind)
        raise
    _observe(request.url, started, "ok", captured.timings.get("render"))
    return captured


def _observe(url: str, started: float, outcome: str, rendering: float | None = None) -> None:
    observing.emit(
        "page.fetched",
        level="debug" if outcome == "ok" else "warning",
        url=url,
        seconds=time.perf_counter() - started,
        outcome=outcome,
        used_browser=rendering is not None,
        render_seconds=rendering or 0.0,
    )


async def _acquire(given: FetchPlan) -> Capture:
    request = given.request
    given.fetcher.client.guard.check(request.url)  # before anything else: no byte is sent
    ask = await heed_rules(given)
    best = await get_page(ask)
    if best.trouble is None and best.document is not None:
        best = await follow_on(ask, best)
    if best.trouble is not None:
        raise best.trouble
    if best.document is None:
        raise NotModified(replace(best.page, url=request.url.strip()))
    decisions = tuple(ask.decisions)
    return Capture.of(
        best.page,
        _finish(best.document, request.url, decisions),
        decisions=decisions,
        screenshot=best.screenshot,
        pdf=best.pdf,
        mhtml=best.mhtml,
    )


def capture(  # noqa: PLR0913  all but one have defaults
    url: str | FetchRequest,
    *,
    settings: FetchOptions | None = None,
    rules: Rules = ...,
    options: Options = DEFAULTS,
    render: RenderMode = "auto",
    rendering: Rendering | None = None,
    on_decision: OnDecision | None = None,
) -> Capture:
    """The same for one page, for callers without an event loop."""
    from pageloom.edges.fetch.fetcher import open_fetcher

    request = FetchRequest(url=url) if isinstance(url, str) else url

    async def run() -> Capture:
        async with open_fetcher(settings) as fetcher:
            return await acquire(
                request,
                fetcher=fetcher,
                rules=rules,
                options=options,
                render=render,
                rendering=rendering,
                on_decision=on_decision,
            )

    return asyncio.run(run())


def _finish(document: Document, url: str, decisions: tuple[str, ...]) -> Document:
    """The Document with the requested URL (before rules rewrote it) and how it was fetched."""
    provenance = replace(document.provenance, fetching=decisions)
    return replace(document, url=url.strip(), provenance=provenance)
