"""Poll the feeds of sources and save their new items as pages."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pageloom.edges.fetch.http import require_ok
from pageloom.edges.fetch.request import FetchRequest
from pageloom.edges.store.pages import page_by_url
from pageloom.edges.store.saving import prepare, save_in
from pageloom.edges.store.sources import note_outcome, note_poll
from pageloom.errors import PageloomError
from pageloom.flows.capture.extract import extract_all
from pageloom.flows.library.save import SaveContext, save_url
from pageloom.model.capture import Capture

if TYPE_CHECKING:
    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.store.base import Tx
    from pageloom.model import Document, RawPage
    from pageloom.model.library import Saved, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class PollResult:
    """The result of polling one source."""

    source: Source
    new: tuple[str, ...] = ()
    known: int = 0
    unchanged: int = 0
    """Feeds that answered 304 Not Modified."""
    errors: tuple[str, ...] = ()


async def poll_source(context: SaveContext, source: Source, *, fetcher: Fetcher) -> PollResult:
    """Poll every feed of a source and save the new items."""
    state = dict(source.state)
    result = PollResult(source=source)
    for feed in source.feeds:
        try:
            result = await _poll_feed(context, source, feed, state, fetcher, result)
        except PageloomError as error:
            result = replace(result, errors=(*result.errors, f"{feed}: {error.message}"))
    await asyncio.to_thread(note_poll, context.store, context.owner, source, state)
    return result


async def _poll_feed(
    context: SaveContext,
    source: Source,
    feed: str,
    state: dict[str, Any],
    fetcher: Fetcher,
    result: PollResult,
) -> PollResult:
    known: dict[str, str] = state.get(feed) or {}
    page = await fetcher.get(
        FetchRequest(
            url=feed,
            proxy=source.proxy,
            etag=known.get("etag", ""),
            last_modified=known.get("last_modified", ""),
        )
    )
    if page.not_modified:
        return replace(result, unchanged=result.unchanged + 1)
    require_ok(page)
    documents = await asyncio.to_thread(_items, context, source, page)
    for document in documents:
        if await asyncio.to_thread(_is_known, context, document):
            result = replace(result, known=result.known + 1)
        else:
            await _keep(context, source, document, fetcher)
            result = replace(result, new=(*result.new, document.final_url or document.url))
    # Only now: after an interruption, the same items are seen again.
    names = ("etag", "last-modified")
    state[feed] = {name.replace("-", "_"): page.headers.get(name, "") for name in names}
    return result


def _items(context: SaveContext, source: Source, page: RawPage) -> list[Document]:
    return extract_all(
        page.body,
        page.final_url,
        content_type=page.content_type,
        rules=context.rules,
        options=context.options,
        timeout_ms=context.options.parse_timeout_ms,
        fetched_at=page.fetched_at,
        source=source.hint,
    )


def _is_known(context: SaveContext, document: Document) -> bool:
    url = document.final_url or document.url
    page = page_by_url(context.store, context.owner, url) if url else None
    return page is not None and page.version > 0


async def _keep(context: SaveContext, source: Source, document: Document, fetcher: Fetcher) -> None:
    """Save the page itself if the source wants that and it can be fetched; else the feed's item."""
    if source.hints.get("full"):
        try:
            await save_url(context, document.final_url or document.url, fetcher=fetcher)
        except PageloomError:  # the feed's item is better than nothing
            pass
        else:
            return
    await asyncio.to_thread(_keep_item, context, source, document)


def _keep_item(context: SaveContext, source: Source, document: Document) -> Saved:
    ready = prepare(Capture(document=document, rules_version=context.rules_version))

    def save(tx: Tx) -> Saved:
        note_outcome(tx, context.owner, source.id, "success")
        return save_in(tx, context.owner, ready, origin="feed")

    return context.store.transact(save)
