"""Apply the request settings of site rules, and follow articles over several pages."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.core.extract.continued import join_pages
from pageloom.edges.fetch.guard import read_url
from pageloom.errors import FetchError, PageloomError
from pageloom.flows.capture.attempts import (
    Attempt,
    FetchPlan,
    escalate,
    in_browser,
    over_http,
    read,
)
from pageloom.flows.capture.extract import plan_further, plan_request

if TYPE_CHECKING:
    from pageloom.edges.fetch.request import FetchRequest
    from pageloom.model import RequestSettings

_PAGES = frozenset({"text/html", "application/xhtml+xml"})


async def heed_rules(ask: FetchPlan) -> FetchPlan:
    """The fetch plan with the request settings of the rules that match the URL."""
    if ask.rules is None:
        return ask
    plan = await asyncio.to_thread(plan_request, ask.request.url, rules=ask.rules)
    if not plan.rule_ids:
        return ask
    ask.decide(f"rules: {', '.join(plan.rule_ids)}")
    request = replace(
        ask.request,
        url=plan.url or ask.request.url,
        headers=plan.headers | ask.request.headers,
        cookies=plan.cookies | ask.request.cookies,
    )
    return _with_rendering(replace(ask, request=request, plan=plan), plan)


def _with_rendering(ask: FetchPlan, plan: RequestSettings) -> FetchPlan:
    """Apply a rule's rendering; the caller's own choice comes first."""
    limit = plan.timeout_ms / 1000 if plan.timeout_ms else None
    rendering = replace(
        ask.rendering,
        wait_for=ask.rendering.wait_for or plan.wait_for,
        timeout=ask.rendering.timeout or limit,
    )
    mode = plan.rendering if ask.mode == "auto" else ask.mode
    return replace(ask, mode=mode, rendering=rendering)


async def follow_on(ask: FetchPlan, first: Attempt) -> Attempt:
    """Complete a page as its rules say: render it, take the single-page version, join pages."""
    plan = await _plan(ask, first)
    if plan is None:
        return first
    if plan.rendering == "force" and ask.mode == "auto" and first.page.protocol != "browser":
        ask = _with_rendering(ask, plan)
        first = await escalate(ask, first, f"a site rule requires it ({', '.join(plan.rule_ids)})")
        plan = await _plan(ask, first) or plan
    if plan.single_page_url:
        whole = await _whole(ask, first, plan.single_page_url)
        if whole is not None:
            return whole
    return await _join(ask, first, plan.next_page_url) if plan.next_page_url else first


async def _plan(ask: FetchPlan, attempt: Attempt) -> RequestSettings | None:
    """The request settings for the fetched page, if a matching rule can have any."""
    document = attempt.document
    if ask.rules is None or document is None or document.discarded:
        return None
    matched = ask.plan is not None or document.provenance.rules
    if not matched or document.provenance.media_type not in _PAGES:
        return None
    return await asyncio.to_thread(plan_further, attempt.page, ask.options, rules=ask.rules)


async def _whole(ask: FetchPlan, first: Attempt, url: str) -> Attempt | None:
    """The single-page version of the article, unless it has less text."""
    whole = await _get(ask, first, url)
    if whole is None or whole.words < first.words:
        ask.decide("single page: not used, it has less text")
        return None
    ask.decide("single page: used")
    return replace(whole, page=replace(whole.page, url=first.page.url))


async def _join(ask: FetchPlan, first: Attempt, url: str) -> Attempt:
    """Join the pages of an article, up to the limit."""
    seen = {_key(first.page.url), _key(first.page.final_url)}
    texts = {first.document.text if first.document else ""}
    pages: list[tuple[str, str]] = []
    while url and _key(url) not in seen and len(pages) + 1 < ask.fetcher.options.max_pages:
        seen.add(_key(url))
        further = await _get(ask, first, url)
        if further is None or further.document is None or further.document.text in texts:
            break
        texts.add(further.document.text)
        pages.append((further.page.final_url, further.document.html))
        plan = await _plan(ask, further)
        url = plan.next_page_url if plan else ""
    if not pages:
        return first
    ask.decide(f"next page: {len(pages) + 1} pages joined")
    return await _read_joined(ask, first, pages)


async def _read_joined(ask: FetchPlan, first: Attempt, pages: list[tuple[str, str]]) -> Attempt:
    body = join_pages(first.page.body, pages)
    joined = await read(ask, replace(first.page, body=body))
    if joined.trouble is not None:
        return first
    return replace(joined, screenshot=first.screenshot, pdf=first.pdf)


async def _get(ask: FetchPlan, first: Attempt, url: str) -> Attempt | None:
    """Fetch a further page the way the first was fetched; None if that fails."""
    request = _request_for(ask.request, url)
    try:
        if first.page.protocol == "browser":
            attempt = await in_browser(replace(ask, request=request))
        else:
            attempt = await over_http(ask, request)
    except PageloomError as error:
        ask.decide(f"further page: not fetched ({error.code})")
        return None
    if isinstance(attempt.trouble, FetchError):
        ask.decide(f"further page: not used ({attempt.trouble.code})")
    return attempt if attempt.trouble is None else None


def _request_for(request: FetchRequest, url: str) -> FetchRequest:
    """The same request for another URL; headers and cookies go only to the host given them."""
    same = read_url(url).origin == read_url(request.url).origin
    return replace(
        request,
        url=url,
        etag="",
        last_modified="",
        headers=request.headers if same else {},
        cookies=request.cookies if same else {},
    )


def _key(url: str) -> str:
    return url.partition("#")[0]
