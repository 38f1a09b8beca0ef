"""Save pages: fetch a URL (or take given content), extract it, store it in the library."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, nullcontext
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pageloom.core.normalize.urls import url_key
from pageloom.core.options import DEFAULTS, Options
from pageloom.edges.store.options import LibraryOptions
from pageloom.edges.store.pages import act, page_by_url
from pageloom.edges.store.saving import prepare, save_in
from pageloom.edges.store.snapshots import keep_snapshot
from pageloom.edges.store.sources import note_outcome, outcome_of, source_of
from pageloom.edges.store.tags import add_note, add_tags
from pageloom.edges.store.versions import refresh_content
from pageloom.errors import FetchError, InvalidUrl, PageloomError
from pageloom.flows.capture.extract import extract
from pageloom.flows.events import emit
from pageloom.flows.library.pictures import (
    PictureContext,
    PictureCount,
    fetch_pictures,
    require_copies,
    want_pictures_of,
)
from pageloom.flows.library.snapshots import rendering_for, snapshot_files
from pageloom.model.capture import Capture
from pageloom.model.pages import PageRef

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable
    from contextlib import AbstractAsyncContextManager

    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.saving import Prepared
    from pageloom.flows.capture.extract import Rules
    from pageloom.model import Document
    from pageloom.model.capture import RenderMode
    from pageloom.model.files import SnapshotKind
    from pageloom.model.library import Job, Saved, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveContext:
    """What saving a page needs: the store, the owner, and how pages are extracted."""

    store: Store
    owner: str = "local"
    options: Options = DEFAULTS
    library: LibraryOptions = field(default_factory=LibraryOptions)
    rules: Rules = ...
    rules_version: str = ""
    """The version of the rules, so that new rules are not taken for a change of the page."""
    render: RenderMode = "auto"
    tags: tuple[str, ...] = ()
    note: str = ""
    archive: bool = False
    """What pages get with their content: tags, a note, a place in the archive."""
    origin: str = "save"
    in_turn: asyncio.Semaphore | None = None
    """Lets only so many pages be stored at once, where others need the processor too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveResult:
    """What came of one page."""

    url: str
    document: Document | None = None
    saved: Saved | None = None
    engine: str = "local"
    comparison: dict[str, Any] | None = None
    """In mode ``compare``: how the reader service's result differs."""
    error: PageloomError | None = None
    skipped: bool = False
    """Already done by the same job."""
    snapshots: tuple[SnapshotKind, ...] = ()
    """Which snapshots were kept with it."""
    pictures: PictureCount = field(default_factory=PictureCount)
    """How many of its pictures were kept just now, and how many could not be fetched."""


def save_content(
    context: SaveContext, content: bytes, url: str, *, content_type: str = ""
) -> SaveResult:
    """Save a page from given content, without fetching anything.

    Raises:
        PageloomError: it cannot be extracted; the stored page stays as it is.
    """
    from pageloom.edges.store.times import now

    source = source_of(context.store, context.owner, url)
    at = now()
    document = extract(
        content,
        url,
        rules=context.rules,
        options=context.options,
        timeout_ms=context.options.parse_timeout_ms,
        content_type=content_type or None,
        fetched_at=at,
        source=source.hint if source else None,
    )
    captured = Capture(document=document, body=content, content_type=content_type, fetched_at=at)
    return store_capture(context, url, captured, source)


async def save_url(
    context: SaveContext, url: str, *, fetcher: Fetcher, job: Job | None = None
) -> SaveResult:
    """Fetch and save a page, locally or with the reader service, as the settings say.

    Raises:
        PageloomError: it cannot be fetched or extracted; the stored page stays as it is.
    """
    require_copies(context.library)
    source = await asyncio.to_thread(source_of, context.store, context.owner, url)
    try:
        captured = await read_url(context, url, fetcher=fetcher, source=source)
    except PageloomError as error:
        if source:
            await asyncio.to_thread(_note_failure, context, source, error)
        raise
    comparison = None
    if context.library.mode == "compare":
        comparison = await _compare(context, url, captured.document, fetcher)
    async with context.in_turn or nullcontext():
        result = await asyncio.to_thread(
            store_capture, context, url, captured, source, job, comparison
        )
    return await _with_pictures(context, result, fetcher)


async def _with_pictures(context: SaveContext, result: SaveResult, fetcher: Fetcher) -> SaveResult:
    """The result, once the pictures of the page are fetched."""
    if not context.library.keep_pictures or result.saved is None:
        return result
    found = await fetch_pictures(_keeping(context), fetcher, result.saved.page_id)
    return replace(result, pictures=found)


def _keeping(context: SaveContext) -> PictureContext:
    return PictureContext(store=context.store, owner=context.owner, library=context.library)


async def save_urls(
    context: SaveContext, urls: Iterable[str], *, fetcher: Fetcher, job: Job | None = None
) -> AsyncGenerator[SaveResult]:
    """Save many pages concurrently, and yield each result as soon as it is ready.

    A page that fails is a result with an error. With a job, pages it has already done are skipped.
    """
    from pageloom.edges.store.jobs import stop_if_cancelled

    waiting = list(dict.fromkeys(urls))
    done = job.done if job else frozenset[str]()
    under_way: set[asyncio.Task[SaveResult]] = set()
    try:
        for url in waiting:
            if await asyncio.to_thread(stop_if_cancelled, context.store, job):
                break
            if url in done and page_by_url(context.store, context.owner, url):
                yield SaveResult(url=url, skipped=True)
                continue
            under_way.add(asyncio.create_task(_keep_or_tell(context, url, fetcher, job)))
            if len(under_way) >= fetcher.options.concurrency:
                finished, under_way = await asyncio.wait(
                    under_way, return_when=asyncio.FIRST_COMPLETED
                )
                for task in finished:
                    yield task.result()
        for task in asyncio.as_completed(under_way):
            yield await task
    finally:
        for task in under_way:
            task.cancel()


async def save_pages(
    keeper: SaveContext,
    urls: Iterable[str],
    open_fetcher: Callable[[], AbstractAsyncContextManager[Fetcher]],
    take: Callable[[SaveResult], None],
    job: Job | None = None,
) -> None:
    """Fetch and save pages with a fetcher of their own; each result is taken as it comes."""
    async with (
        open_fetcher() as fetcher,
        aclosing(save_urls(keeper, urls, fetcher=fetcher, job=job)) as results,
    ):
        async for result in results:
            take(result)
        if keeper.library.keep_pictures:  # what an earlier save was interrupted in
            await fetch_pictures(_keeping(keeper), fetcher)


async def _keep_or_tell(
    context: SaveContext, url: str, fetcher: Fetcher, job: Job | None
) -> SaveResult:
    try:
        return await save_url(context, url, fetcher=fetcher, job=job)
    except PageloomError as error:
        await asyncio.to_thread(fail_page, context, job, url, error)
        return SaveResult(url=url, error=error)


def end_page(
    tx: Tx,
    context: SaveContext,
    job: Job | None,
    url: str,
    page: PageRef,
    saved: Saved | None = None,
) -> None:
    """A page was saved, here or by workers: it gets its tags, and its job notes that it is done.

    All in one transaction with the page: who is killed has done all of it or nothing.
    """
    from pageloom.edges.store.jobs import mark_done

    if context.tags:
        add_tags(tx, page, context.tags)
        refresh_content(tx, page)
    if context.note:
        add_note(tx, page, context.note)
    if context.archive:
        act(tx, context.owner, "archive", page.id)
    if job:
        mark_done(tx, job, url, asdict(saved) if saved else {"page_id": page.id})


def fail_page(context: SaveContext, job: Job | None, url: str, error: PageloomError) -> None:
    """A page could not be saved, here or by workers: its job notes that it failed, and why."""
    from pageloom.edges.store.jobs import mark_item_failed

    if job:
        reason = f"{error.code}: {error.message}"
        facts = {"problem": error.to_dict()}
        context.store.transact(lambda tx: mark_item_failed(tx, job, url, reason, **facts))


def engine_for(url: str, library: LibraryOptions) -> str:
    """Which engine extracts a page: ``local`` or ``external``.

    The URL decides, so that a page keeps its engine while ``local_percent`` grows.
    """
    if library.mode in {"external", "jina"}:
        return "external"
    if library.mode == "compare" or library.local_percent >= 100:
        return "local"
    try:
        key = url_key(url)
    except InvalidUrl:
        return "local"
    bucket = int(sha256(key.encode()).hexdigest()[:8], 16) % 100
    return "local" if bucket < library.local_percent else "external"


async def read_url(
    context: SaveContext, url: str, *, fetcher: Fetcher, source: Source | None = None
) -> Capture:
    """Fetch and extract a page, locally or with the reader service, as the settings say.

    Raises:
        PageloomError: it cannot be fetched or extracted.
    """
    if engine_for(url, context.library) == "external":
        return await _read_externally(context, url, fetcher)
    try:
        return await _read_locally(context, url, fetcher, source)
    except PageloomError as error:
        if context.library.fallback != "external" or not _may_ask_others(error):
            raise
        try:
            return await _read_externally(context, url, fetcher)
        except PageloomError:
            raise error from None  # report the local error, not the reader service's


def _may_ask_others(error: PageloomError) -> bool:
    if isinstance(error, InvalidUrl):
        return False
    return not isinstance(error, FetchError) or error.kind not in {
        "blocked_address",
        "blocked_by_robots",
    }


async def _read_locally(
    context: SaveContext, url: str, fetcher: Fetcher, source: Source | None
) -> Capture:
    from pageloom.edges.fetch.request import FetchRequest
    from pageloom.flows.capture.acquire import acquire

    return await acquire(
        FetchRequest(url=url),
        fetcher=fetcher,
        rules=context.rules,
        options=context.options,
        render=context.render,
        rendering=rendering_for(context.library.snapshots),
        source=source,
    )


async def _read_externally(context: SaveContext, url: str, fetcher: Fetcher) -> Capture:
    from pageloom.flows.capture.external_reader import ask_reader, document_of_answer

    page = await ask_reader(url, fetcher=fetcher, library=context.library)
    document = await asyncio.to_thread(document_of_answer, page, url, context.options)
    return replace(Capture.of(page, document, engine="external"), content_type="text/x-reader")


async def _compare(
    context: SaveContext, url: str, document: Document, fetcher: Fetcher
) -> dict[str, Any]:
    """Compare with the reader service's result; its errors do not fail the save."""
    from pageloom.flows.extractors.measure import measure

    try:
        other = await _read_externally(context, url, fetcher)
    except PageloomError as error:
        return {"error": error.code}
    return measure(other.document, document).to_dict()


def store_capture(
    context: SaveContext,
    url: str,
    captured: Capture,
    source: Source | None = None,
    job: Job | None = None,
    comparison: dict[str, Any] | None = None,
) -> SaveResult:
    """Store the page with its tags, the job's progress and the source's reliability."""
    from pageloom.edges.store.events import record_event
    from pageloom.flows.library.reparse import renew_baseline

    ready = prepare_capture(context, captured)
    renew_baseline(context, ready)

    snapshots = snapshot_files(captured)

    def save(tx: Tx) -> Saved:
        saved = save_in(tx, context.owner, ready, origin=context.origin)
        page = PageRef(context.owner, saved.page_id)
        for kind, file in snapshots.items():
            keep_snapshot(tx, page, saved.version, kind, file)
        end_page(tx, context, job, url, page, saved)
        if context.library.keep_pictures and captured.status is not None:  # it was fetched
            want_pictures_of(tx, page, captured.document, context.library)
        if source:
            note_outcome(tx, context.owner, source.id, "success")
        if comparison is not None:
            record_event(
                tx, context.owner, "engine.compared", page_id=saved.page_id, comparison=comparison
            )
        return saved

    saved = context.store.transact(save)
    emit("page.saved", url=url, version=saved.version, new_version=saved.is_new or saved.changed)
    return SaveResult(
        url=url,
        document=captured.document,
        saved=saved,
        engine=captured.engine,
        comparison=comparison,
        snapshots=tuple(snapshots),
    )


def prepare_capture(context: SaveContext, captured: Capture) -> Prepared:
    """A capture ready to be stored, read with the rules of the context."""
    return prepare(
        replace(captured, rules_version=context.rules_version),
        keep_original=context.library.keep_originals,
    )


def _note_failure(context: SaveContext, source: Source, error: PageloomError) -> None:
    outcome = outcome_of(error)
    if outcome:
        context.store.transact(lambda tx: note_outcome(tx, context.owner, source.id, outcome))
