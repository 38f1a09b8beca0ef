"""Sources: as their owners describe them, checked; and the new items of their feeds, saved."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict

from pageloom.core.dom import SelectorError, css, parse
from pageloom.core.normalize.urls import domain_of
from pageloom.core.normalize.zones import read_zone
from pageloom.edges.fetch.guard import refuse_login
from pageloom.edges.fetch.http import require_ok
from pageloom.edges.fetch.proxies import read_proxy
from pageloom.edges.fetch.request import FetchRequest
from pageloom.edges.store.pages import page_by_url
from pageloom.edges.store.saving import prepare, save_in
from pageloom.edges.store.sources import claim_source, note_outcome, note_poll
from pageloom.errors import InvalidArgument, InvalidUrl, PageloomError
from pageloom.flows.capture.extract import extract_all
from pageloom.flows.events import emit
from pageloom.flows.library.save import SaveContext, save_url
from pageloom.model.capture import Capture
from pageloom.model.library import Source
from pageloom.redaction import redact_address

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.store.base import Store, Tx
    from pageloom.model import Document, RawPage
    from pageloom.model.library import Saved

_SHOWN = 80
_LEASE = 900.0
"""Seconds after which a source whose poller was killed is polled by another."""


class SourceFields(TypedDict, total=False):
    """What is known of a source; what is left out or empty stays as it is."""

    name: str
    site: str
    """Its host: pages from there and from its subdomains belong to the source."""
    feeds: Sequence[str]
    """The URLs of its feeds."""
    language: str
    timezone: str
    """``Europe/Berlin`` or ``+02:00``."""
    proxy: str
    hints: Mapping[str, str]
    """CSS selectors by field: ``{"author": ".byline"}``."""
    poll_every: int | None
    """Seconds between two polls of its feeds."""
    full: bool
    """Fetch the pages that its feeds announce."""


def changed_source(id_: str, fields: SourceFields, known: Source | None = None) -> Source:
    """The source with these fields; what is left out or empty stays as it is known.

    Raises:
        InvalidUrl: a feed whose URL cannot be read.
        InvalidArgument: another field that cannot be used.
    """
    old = known or Source(id=id_)
    feeds = tuple(fields.get("feeds") or ())
    for feed in feeds:
        refuse_login(feed)  # feeds are shown; and a URL that cannot be read is refused now
    site = _host(fields.get("site", "")) or old.site
    hints = old.hints | _selectors(fields.get("hints") or {})
    if fields.get("full"):
        hints |= {"full": True}
    proxy = fields.get("proxy", "")
    if proxy:
        read_proxy(proxy)
    return replace(
        old,
        name=fields.get("name") or old.name,
        site=site or (domain_of(feeds[0]) if feeds else ""),
        feeds=feeds or old.feeds,
        language=fields.get("language") or old.language,
        timezone=_zone(fields.get("timezone", "")) or old.timezone,
        proxy=proxy or old.proxy,
        hints=hints,
        poll_every=fields.get("poll_every") or old.poll_every,
    )


def _host(text: str) -> str:
    bare = text.lower().removeprefix("https://").removeprefix("http://").strip("/")
    try:
        host = domain_of(f"https://{bare}") if bare else ""
    except InvalidUrl:
        host = ""
    if bare and (not host or "/" in bare or "@" in bare):
        raise InvalidArgument(
            f"A site is a host such as example.com, not {redact_address(text)[:_SHOWN]}."
        )
    return host


def _zone(text: str) -> str:
    zone = read_zone(text) if text else ""
    if text and not zone:
        raise InvalidArgument(
            f"{text[:_SHOWN]} is not a time zone; write for example Europe/Berlin or +02:00."
        )
    return zone


def _selectors(hints: Mapping[str, str]) -> dict[str, str]:
    tree = parse("<p>.</p>")
    for selector in hints.values():
        try:
            css(tree, selector)
        except SelectorError as error:
            raise InvalidArgument(
                f"{selector[:_SHOWN]} is not a valid selector: {error}."
            ) from None
    return dict(hints)


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


async def poll_next(
    context_for: Callable[[str], SaveContext], store: Store, fetcher: Fetcher
) -> PollResult | None:
    """Poll the source, of any user, that has been due longest; None when none is due."""
    claimed = await asyncio.to_thread(claim_source, store, seconds=_LEASE)
    if claimed is None or not claimed[1].feeds:
        return None
    owner, source = claimed
    result = await poll_source(context_for(owner), source, fetcher=fetcher)
    emit("source.polled", source=source.id, new=len(result.new), errors=len(result.errors))
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
