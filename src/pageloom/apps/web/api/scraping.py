"""Scrape endpoints, spoken as scraping services do: ``/v1`` and ``/v2``.

Programs written for them can use them unchanged. Nothing is kept, unless ``changeTracking`` is
asked for: what changed is said from the history of the library, so the page is saved to it.
"""

from __future__ import annotations

import asyncio
import difflib
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import msgspec
from fastapi import Depends, Request, Response

from pageloom.apps.web.api.answers import json_answer
from pageloom.apps.web.api.compat import is_offered
from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.errors import InvalidRequest
from pageloom.apps.web.scoped_routes import Routes
from pageloom.apps.web.scrapes import Run
from pageloom.errors import FetchError, InvalidUrl, PageloomError
from pageloom.flows.capture.crawl_site import (
    CrawlPlan,
    check_plan,
    crawl_site,
    links_within,
    without_query,
)
from pageloom.flows.capture.fetch_page import require_url
from pageloom.library.fetch import CaptureWish, capture_page, site_map
from pageloom.model import Document
from pageloom.model.capture import Capture
from pageloom.views import documents

routes = Routes(dependencies=[Depends(is_offered)])
Saves = Annotated[Ask, Depends(needs("save"))]
_FORMS = ("markdown", "html", "rawHtml", "links", "images", "screenshot", "summary")
_FULL_PAGE = "screenshot@fullPage"
_FOR_MODELS = frozenset(
    "json extract query question highlights branding attributes product menu audio video".split()
)
"""Formats that need a language model, or something else that is not here."""
_MOST_URLS, _MOST_PAGES, _MOST_LINKS = 1_000, 1_000, 5_000
_AT_ONCE, _PART = 4, 100
_LONGEST_TIMEOUT = 120.0
_IGNORED = ("actions", "location", "mobile", "waitFor", "proxy", "parsers", "webhook", "prompt")


def _both(method: str, path: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator: the function answers at this path of both versions."""

    def register(handler: Callable[..., Any]) -> Callable[..., Any]:
        for service in ("v1", "v2"):
            routes.add(method, f"/{service}{path}", "save")(handler)
        return handler

    return register


def _service(ask: Ask) -> str:
    """The version that was asked for."""
    return ask.request.scope["path"].split("/")[1]


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a request asks for of each page."""

    forms: tuple[str, ...]
    tracks: bool
    scope: tuple[str, ...]
    ignore: tuple[str, ...]
    capture: CaptureWish
    max_age: float
    ignored: tuple[str, ...]


def _wish(given: dict[str, Any]) -> _Wish:
    names = [_form(each) for each in _list(given.get("formats")) or ["markdown"]]
    for name in names:
        if name in _FOR_MODELS:
            raise InvalidRequest(f"The format {name} needs a language model, which is not here.")
        if name not in (*_FORMS, "changeTracking"):
            raise InvalidRequest(f"There is no format {name[:40]}.")
    headers = given.get("headers")
    timeout = _number(given.get("timeout"))
    capture = CaptureWish(
        headers={str(name): str(text) for name, text in _dict(headers).items()},
        timeout=min(timeout / 1000, _LONGEST_TIMEOUT) if timeout else None,
        screenshot="screenshot" in names,
    )
    return _Wish(
        forms=tuple(name for name in names if name != "changeTracking"),
        tracks="changeTracking" in names,
        scope=tuple(map(str, _list(given.get("includeTags")))),
        ignore=tuple(map(str, _list(given.get("excludeTags")))),
        capture=capture,
        max_age=_number(given.get("maxAge")) / 1000,
        ignored=tuple(name for name in _IGNORED if given.get(name))
        + (("onlyMainContent: false",) if given.get("onlyMainContent") is False else ()),
    )


def _form(given: object) -> str:
    known = _dict(given)
    name = str(known.get("type", "")) if known else str(given)
    if name == "changeTracking" and "json" in _list(known.get("modes")):
        raise InvalidRequest("changeTracking by json needs a language model, which is not here.")
    return "screenshot" if name == _FULL_PAGE else name


def _list(value: Any) -> list[Any]:
    return [*value[:_MOST_URLS]] if isinstance(value, list) else []


def _dict(value: Any) -> dict[str, Any]:
    return {**value} if isinstance(value, dict) else {}


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return max(0.0, min(float(value), 1e12))


async def _body(request: Request) -> dict[str, Any]:
    try:
        return msgspec.json.decode(await request.body(), type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError):
        raise InvalidRequest("The body is not a JSON object.") from None


def _url(given: dict[str, Any]) -> str:
    url = str(given.get("url", "")).strip()[:4000]
    require_url(url)
    return url


class _Reader:
    """Reads pages for one request, with one fetcher."""

    def __init__(self, ask: Ask, wish: _Wish, fetcher: Any) -> None:
        self._library = ask.site.library.for_user(ask.who.owner)
        self._wish, self._fetcher = wish, fetcher

    async def capture(self, url: str) -> Capture:
        """A page as it is now, or as it was a while ago where that is enough."""
        library, wish = self._library, self._wish
        kept = await asyncio.to_thread(self._kept, url) if wish.max_age else None
        if kept is not None:
            return kept
        options = replace(library.settings.extraction, scope=wish.scope, ignore=wish.ignore)
        rules = library.context.rules.sealed
        return await capture_page(url, wish.capture, self._fetcher, rules, options)

    def _kept(self, url: str) -> Capture | None:
        """The last version of the page in the library, if it was seen lately."""
        page = self._library.find(url)
        wish = self._wish
        if page is None or not page.version or wish.scope or wish.ignore:
            return None
        seen = datetime.fromisoformat(page.last_seen_at or page.saved_at)
        if datetime.now(UTC) - seen > timedelta(seconds=wish.max_age):
            return None
        found = self._library.version(page)
        body = self._library.original(page)
        return Capture(document=found.document, body=body, fetched_at=found.info.fetched_at)

    async def read(self, url: str) -> dict[str, Any]:
        """A page in the formats that were asked for."""
        if self._wish.tracks:
            return await self._tracked(url)
        return self.shown(await self.capture(url), url)

    async def _tracked(self, url: str) -> dict[str, Any]:
        """A page that is saved, and what changed since it was last seen."""
        library = self._library
        before = await asyncio.to_thread(library.find, url)
        seen = before.last_seen_at or before.saved_at if before and before.version else None
        try:
            saved = await library.save_async(url, render=self._wish.capture.render)
        except FetchError as error:
            if before is None or error.figures.get("status") not in (404, 410):
                raise
            document = await asyncio.to_thread(library.document, before)
            return self.shown(Capture(document=document), url) | _change(seen, "removed")
        found = await asyncio.to_thread(library.version, saved)
        body = await asyncio.to_thread(library.original, saved)
        data = self.shown(Capture(document=found.document, body=body, status=200), url)
        kept = saved.saved
        if seen is None or kept is None:
            return data | _change(None, "new")
        if not kept.changed:
            return data | _change(seen, "same")
        pair = await asyncio.to_thread(library.compare, kept.page_id)
        return data | _change(seen, "changed", pair.before, pair.after, pair.report.summary)

    def shown(self, page: Capture, url: str) -> dict[str, Any]:
        """A page as these services show it."""
        document, forms = page.document, self._wish.forms
        data: dict[str, Any] = {"metadata": _metadata(page, url)}
        for name, make in _PARTS.items():
            if name in forms:
                data[name] = make(page)
        if self._wish.ignored:
            data["warning"] = f"These do nothing here: {', '.join(self._wish.ignored)}."
        return data | ({"warning": document.discard_reason} if document.discarded else {})


_PARTS: dict[str, Callable[[Capture], Any]] = {
    "markdown": lambda page: documents.markdown(page.document),
    "html": lambda page: page.document.html,
    "rawHtml": lambda page: (page.body or b"").decode("utf-8", "replace"),
    "links": lambda page: list(dict.fromkeys(link.url for link in page.document.links)),
    "images": lambda page: list(dict.fromkeys(image.url for image in page.document.images)),
    "summary": lambda page: page.document.summary or page.document.description,
    "screenshot": lambda page: f"data:image/png;base64,{b64encode(page.screenshot).decode()}",
}


def _metadata(page: Capture, url: str) -> dict[str, Any]:
    document = page.document
    known: dict[str, Any] = {
        "title": document.title,
        "description": document.description,
        "language": document.language,
        "keywords": ", ".join(document.tags),
        "author": document.author,
        "ogSiteName": document.site_name,
        "ogImage": document.hero_image,
        "publishedTime": document.published.iso if document.published else "",
        "url": document.final_url or url,
        "sourceURL": url,
        "statusCode": page.status or 200,
        "contentType": page.content_type,
        "cacheState": "hit" if page.status is None else "miss",
    }
    return {name: value for name, value in known.items() if value}


def _change(
    seen: str | None,
    status: str,
    before: Document | None = None,
    after: Document | None = None,
    summary: str = "",
) -> dict[str, Any]:
    data: dict[str, Any] = {
        "previousScrapeAt": seen,
        "changeStatus": status,
        "visibility": "visible",
    }
    if before is not None and after is not None:
        lines = difflib.unified_diff(
            documents.markdown(before).splitlines(),
            documents.markdown(after).splitlines(),
            "before",
            "after",
            lineterm="",
        )
        data["diff"] = {"text": "\n".join(lines), "summary": summary}
    return {"changeTracking": data}


@_both("POST", "/scrape")
async def scrape(ask: Saves) -> Response:
    """One page, in the formats that are asked for."""
    given = await _body(ask.request)
    url, wish = _url(given), _wish(given)
    async with ask.library.context.open_fetcher() as fetcher:
        data = await _Reader(ask, wish, fetcher).read(url)
    return json_answer({"success": True, "data": data})


@_both("POST", "/batch/scrape")
async def batch(ask: Saves) -> Response:
    """Many pages: the id under which their results are asked for."""
    given = await _body(ask.request)
    urls, invalid = _urls(given)
    if not urls:
        raise InvalidRequest("There is no URL to scrape.")
    wish = _wish(given)
    run = Run(owner=ask.who.owner, kind="batch", total=len(urls))
    ask.site.scrapes.begin(run, _batched(ask, urls, wish))
    path = f"/{_service(ask)}/batch/scrape/{run.id}"
    return _begun(ask, path, run, {"invalidURLs": invalid})


def _urls(given: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The URLs of a batch, and those that cannot be used.

    Raises:
        InvalidUrl: one cannot be used, and the request does not say to leave such out.
    """
    urls: list[str] = []
    invalid: list[str] = []
    for each in _list(given.get("urls"))[:_MOST_URLS]:
        try:
            urls.append(_url({"url": each}))
        except InvalidUrl:
            if not given.get("ignoreInvalidURLs"):
                raise
            invalid.append(str(each)[:4000])
    return list(dict.fromkeys(urls)), invalid


async def _batched(
    ask: Ask, urls: list[str], wish: _Wish
) -> AsyncIterator[tuple[str, dict[str, Any] | PageloomError]]:
    async with ask.library.context.open_fetcher() as fetcher:
        reader = _Reader(ask, wish, fetcher)

        async def one(url: str) -> dict[str, Any] | PageloomError:
            try:
                return await reader.read(url)
            except PageloomError as error:
                return error

        for start in range(0, len(urls), _AT_ONCE):
            group = urls[start : start + _AT_ONCE]
            for url, found in zip(group, await asyncio.gather(*map(one, group)), strict=True):
                yield url, found


@_both("POST", "/crawl")
async def crawl(ask: Saves) -> Response:
    """The pages of a site: the id under which they are asked for. It heeds robots.txt."""
    given = await _body(ask.request)
    if given.get("prompt"):
        raise InvalidRequest("A prompt needs a language model, which is not here.")
    plan = check_plan(_plan(given))
    wish = _wish(_dict(given.get("scrapeOptions")))
    robots = "It heeds robots.txt." if given.get("ignoreRobotsTxt") else ""
    run = Run(owner=ask.who.owner, kind="crawl", total=1, warning=robots)
    skips_map = given.get("sitemap") == "skip" or given.get("ignoreSitemap") is True
    ask.site.scrapes.begin(run, _crawled(ask, plan, wish, with_map=not skips_map))
    return _begun(ask, f"/{_service(ask)}/crawl/{run.id}", run)


def _plan(given: dict[str, Any]) -> CrawlPlan:
    scope = "host" if given.get("crawlEntireDomain") or given.get("allowBackwardLinks") else "path"
    if given.get("allowSubdomains"):
        scope = "subdomains"
    if given.get("allowExternalLinks"):
        scope = "any"
    depth = given.get("maxDiscoveryDepth", given.get("maxDepth"))
    return CrawlPlan(
        root=_url(given),
        most=int(min(_number(given.get("limit")) or 100, _MOST_PAGES)),
        depth=int(min(_number(depth), 100)) if depth is not None else 10,
        scope=scope,
        include=tuple(map(str, _list(given.get("includePaths")))),
        exclude=tuple(map(str, _list(given.get("excludePaths")))),
        drop_queries=bool(given.get("ignoreQueryParameters")),
        at_once=int(min(_number(given.get("maxConcurrency")) or _AT_ONCE, _AT_ONCE)),
        pause=min(_number(given.get("delay")), 60.0),
    )


async def _crawled(
    ask: Ask, plan: CrawlPlan, wish: _Wish, *, with_map: bool
) -> AsyncIterator[tuple[str, dict[str, Any] | PageloomError]]:
    polite = replace(wish, capture=replace(wish.capture, respect_robots=True))
    async with ask.library.context.open_fetcher() as fetcher:
        reader = _Reader(ask, polite, fetcher)
        seeds = await site_map(plan.root, fetcher, plan.most) if with_map else []
        async for url, found in crawl_site(plan, reader.capture, seeds):
            if isinstance(found, PageloomError):
                yield url, found
            else:
                yield url, await reader.read(url) if wish.tracks else reader.shown(found, url)


def _begun(ask: Ask, path: str, run: Run, facts: dict[str, Any] | None = None) -> Response:
    url = f"{ask.site.origin}{ask.site.link(path)}"
    return json_answer({"success": True, "id": run.id, "url": url} | (facts or {}))


@_both("POST", "/map")
async def map_site(ask: Saves) -> Response:
    """The URLs of a site: those of its sitemap, and the links of the page."""
    given = await _body(ask.request)
    root, most = _url(given), int(min(_number(given.get("limit")) or _MOST_LINKS, _MOST_LINKS))
    scope = "subdomains" if given.get("includeSubdomains") else "host"
    plan = CrawlPlan(root=root, scope=scope)
    titles: dict[str, str] = {}
    async with ask.library.context.open_fetcher() as fetcher:
        listed = [] if given.get("sitemap") == "skip" else await site_map(root, fetcher, most)
        if given.get("sitemap") != "only":
            page = await _Reader(ask, _wish({}), fetcher).capture(root)
            titles = {link.url: link.text for link in page.document.links}
            listed = [root, *listed, *links_within(plan, page)]
    if given.get("ignoreQueryParameters"):
        listed = [without_query(url) for url in listed]
    words = str(given.get("search") or "").lower()
    named = {url: f"{url} {titles.get(url, '')}".lower() for url in listed}
    found = [url for url, name in named.items() if words in name]
    links = found[:most] if _service(ask) == "v1" else [_link(url, titles) for url in found[:most]]
    return json_answer({"success": True, "links": links})


def _link(url: str, titles: dict[str, str]) -> dict[str, str]:
    return {"url": url} | ({"title": titles[url]} if titles.get(url) else {})


def _status(ask: Ask, run: Run, path: str) -> Response:
    skip = ask.request.query_params.get("skip", "0")
    start = int(skip) if skip.isascii() and skip.isdigit() and len(skip) < 7 else 0
    data: dict[str, Any] = {
        "success": True,
        "status": run.state,
        "total": run.total,
        "completed": len(run.pages),
        "creditsUsed": 0,
        "expiresAt": run.ends_at,
        "data": run.pages[start : start + _PART],
    }
    if start + _PART < len(run.pages):
        data["next"] = f"{ask.site.origin}{ask.site.link(path)}?skip={start + _PART}"
    return json_answer(data | ({"warning": run.warning} if run.warning else {}))


def _errors(run: Run) -> Response:
    return json_answer({"errors": run.errors, "robotsBlocked": run.robots})


@_both("GET", "/batch/scrape/{run}")
async def batch_status(ask: Saves, run: str) -> Response:
    """How far a batch is, and what it has found."""
    found = ask.site.scrapes.find(ask.who.owner, "batch", run)
    return _status(ask, found, f"/{_service(ask)}/batch/scrape/{run}")


@_both("GET", "/batch/scrape/{run}/errors")
async def batch_errors(ask: Saves, run: str) -> Response:
    """What could not be read, and why."""
    return _errors(ask.site.scrapes.find(ask.who.owner, "batch", run))


@_both("DELETE", "/batch/scrape/{run}")
async def cancel_batch(ask: Saves, run: str) -> Response:
    """End a batch."""
    ask.site.scrapes.cancel(ask.site.scrapes.find(ask.who.owner, "batch", run))
    return json_answer({"success": True, "status": "cancelled"})


@_both("GET", "/crawl/{run}")
async def crawl_status(ask: Saves, run: str) -> Response:
    """How far a crawl is, and what it has found."""
    found = ask.site.scrapes.find(ask.who.owner, "crawl", run)
    return _status(ask, found, f"/{_service(ask)}/crawl/{run}")


@_both("GET", "/crawl/{run}/errors")
async def crawl_errors(ask: Saves, run: str) -> Response:
    """What could not be read, and why."""
    return _errors(ask.site.scrapes.find(ask.who.owner, "crawl", run))


@_both("DELETE", "/crawl/{run}")
async def cancel_crawl(ask: Saves, run: str) -> Response:
    """End a crawl."""
    ask.site.scrapes.cancel(ask.site.scrapes.find(ask.who.owner, "crawl", run))
    return json_answer({"success": True, "status": "cancelled"})
