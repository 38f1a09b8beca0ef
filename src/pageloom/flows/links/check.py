"""Look whether saved pages are still there: alive, changed, moved, dead, replaced, for sale."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pageloom.core.compare.change import diff
from pageloom.core.enrich.near_duplicate import is_near_duplicate
from pageloom.core.normalize.urls import url_key
from pageloom.edges.fetch.parking import is_parked
from pageloom.edges.fetch.request import FetchRequest
from pageloom.edges.store.link_checks import link_check_of, note_link_check
from pageloom.edges.store.times import now
from pageloom.edges.store.versions import latest_version
from pageloom.errors import FetchError, NotInLibrary, PageloomError
from pageloom.flows.capture.acquire import acquire
from pageloom.flows.library.save import store_capture
from pageloom.flows.watch.admit import admit
from pageloom.model import RawPage
from pageloom.model.links import ROTTEN, LinkCheck, LinkState

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from pageloom.core.compare.options import DiffOptions
    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.flows.library.save import SaveContext
    from pageloom.flows.links.archive import Archive
    from pageloom.model.capture import Capture
    from pageloom.model.library import Version
    from pageloom.model.pages import Page

_GONE = frozenset({404, 410, 451})
_REFUSED = frozenset({401, 402, 403, 405, 406, 429})
_PERMANENT = frozenset({301, 308})


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkContext:
    """What looking at the URLs of pages needs."""

    saving: SaveContext
    fetcher: Fetcher
    comparing: DiffOptions
    archive: Archive | None = None
    """Asked for captures of pages that are gone, if there is one."""
    refresh: bool = False
    """Save what has changed or is back, as a new version."""


async def check_links(
    context: LinkContext, pages: Sequence[Page]
) -> AsyncGenerator[tuple[Page, LinkCheck]]:
    """Look at the URLs of pages, several hosts at a time, and keep what is found."""
    slots = asyncio.Semaphore(context.fetcher.options.concurrency)

    async def look(page: Page) -> tuple[Page, LinkCheck]:
        async with slots:
            return page, await check_link(context, page)

    tasks = [asyncio.create_task(look(page)) for page in pages]
    try:
        for task in asyncio.as_completed(tasks):
            yield await task
    finally:
        for task in tasks:
            task.cancel()


async def check_link(context: LinkContext, page: Page) -> LinkCheck:
    """Look at the URL of one page."""
    store = context.saving.store
    kept = await asyncio.to_thread(latest_version, store, page)
    before = await asyncio.to_thread(link_check_of, store, page)
    check, captured = await _look(context, page, kept)
    if check.state in ROTTEN and context.archive:
        check = await _with_capture(context.archive, page, check)
    with suppress(NotInLibrary):  # it was purged meanwhile
        await asyncio.to_thread(store.transact, lambda tx: note_link_check(tx, page, check))
    was_gone = before is not None and before.state in ROTTEN
    if context.refresh and captured and (check.state in {"changed", "moved"} or was_gone):
        await asyncio.to_thread(store_capture, context.saving, page.url_full, captured)
    return check


async def _look(
    context: LinkContext, page: Page, kept: Version | None
) -> tuple[LinkCheck, Capture | None]:
    url = page.url_full or page.url
    request = FetchRequest(url=url, respect_robots=True, retries=1)
    saving = context.saving
    try:
        captured = await acquire(
            request,
            fetcher=context.fetcher,
            rules=saving.rules,
            options=saving.options,
            render="never",
        )
        if is_parked(_answer(captured), words=captured.document.word_count):
            return _check(page, "parked", "The domain is for sale.", captured.status), None
        admit(captured, kept.info if kept else None)
    except FetchError as error:
        return _check(page, _state_of(error), error.message, _status(error)), None
    except PageloomError as error:
        return _check(page, "soft_404", error.message), None
    return await asyncio.to_thread(_compare, context, page, kept, captured), captured


def _answer(captured: Capture) -> RawPage:
    return RawPage(
        url=captured.url,
        final_url=captured.final_url,
        status=captured.status or 200,
        headers={},
        body=captured.body or b"",
    )


def _status(error: FetchError) -> int | None:
    answered = error.figures.get("answered") or error.figures.get("status")
    return answered if isinstance(answered, int) and answered else None


def _state_of(error: FetchError) -> LinkState:
    status = error.figures.get("status")
    if error.kind == "status":
        is_soft = error.figures.get("answered") in range(200, 400)
        if status in _GONE:
            return "soft_404" if is_soft else "dead"
        return "blocked" if status in _REFUSED else "unreachable"
    if error.kind == "dns":
        return "dead"
    return "blocked" if error.kind in {"challenge", "blocked_by_robots"} else "unreachable"


def _compare(
    context: LinkContext, page: Page, kept: Version | None, captured: Capture
) -> LinkCheck:
    """What a page that is there is against what was kept of it."""
    document, old = captured.document, kept.document if kept else None
    status, moved = captured.status, url_key(captured.final_url) != page.url
    if old is None:
        return _check(page, "alive", "", status)
    same_story = document.title.casefold() == old.title.casefold() or is_near_duplicate(
        document.near_duplicate, old.near_duplicate
    )
    if moved and not same_story:
        reason = "The URL leads to another page."
        return replace(_check(page, "soft_404", reason, status), new_url=captured.final_url)
    if moved and all(hop.status in _PERMANENT for hop in captured.hops):
        found = _check(page, "moved", "The page has a new URL.", status)
        return replace(found, new_url=captured.final_url)
    report = diff(old, document, context.comparing)
    if not report.has_changes:
        return _check(page, "alive", "", status)
    changed = _check(page, "changed", report.summary, status)
    return replace(changed, importance=report.importance)


def _check(page: Page, state: LinkState, reason: str, status: int | None = None) -> LinkCheck:
    at = now()
    return LinkCheck(
        page_id=page.id,
        url=page.url_full or page.url,
        state=state,
        reason=reason,
        status=status,
        since=at,
        checked_at=at,
    )


async def _with_capture(archive: Archive, page: Page, check: LinkCheck) -> LinkCheck:
    """With the capture nearest to when the page was kept; the look itself does not fail with it."""
    try:
        found = await archive.find(check.url, page.last_seen_at or page.saved_at)
    except PageloomError as error:
        return replace(check, reason=f"{check.reason} {error.message}".strip())
    return replace(check, archive_url=found.replay_url) if found else check
