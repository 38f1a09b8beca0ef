"""Reparse: extract stored originals again with the current parser; no one is notified.

Many pages are a job, which can be interrupted and resumed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack, contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from pageloom.core.assembly import PARSER_VERSION
from pageloom.edges.store.bodies import read_body
from pageloom.edges.store.identity import key_of
from pageloom.edges.store.jobs import (
    end_job,
    mark_done,
    mark_item_failed,
    open_job,
    stop_if_cancelled,
)
from pageloom.edges.store.listing import count_pages, walk_pages
from pageloom.edges.store.saving import is_worse, prepare, save_in
from pageloom.edges.store.tracks import page_id_of
from pageloom.edges.store.versions import latest_version, replace_document
from pageloom.errors import PageloomError
from pageloom.flows.blocking import blocking_runner
from pageloom.flows.capture.extract import extract
from pageloom.flows.capture.foreign_documents import is_imported, read_imported
from pageloom.flows.library.save import prepare_capture
from pageloom.model.capture import Capture
from pageloom.model.pages import DEFAULT_FILTERS, Filters, PageRef

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.edges.store.base import Tx
    from pageloom.edges.store.saving import Prepared
    from pageloom.flows.library.save import SaveContext
    from pageloom.model import Document
    from pageloom.model.library import Job, Version
    from pageloom.model.pages import OwnedPage, Page

Outcome = Literal["reparsed", "refetched", "same", "failed", "worse", "no original", "done before"]
Refetch = Callable[[str], Capture]
"""How a page is fetched again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReparseResult:
    """What came of one page."""

    page: Page
    outcome: Outcome
    words_before: int = 0
    words_after: int = 0
    quality_before: int = 0
    quality_after: int = 0
    reason: str = ""


def reparse_pages(
    context: SaveContext,
    pages: Iterable[Page],
    *,
    dry_run: bool = False,
    job: Job | None = None,
    refetch: Refetch | None = None,
    deleted: bool = False,
) -> Iterator[ReparseResult]:
    """Extract each page's last original again and replace the stored result.

    Version numbers and everything users did stay; where the new result fails or is much worse,
    the old content stays too.

    Args:
        context: the library, and how to extract.
        pages: which ones.
        dry_run: only report what would be done.
        job: pages it has already done are skipped.
        refetch: fetches a page whose original was not kept, unless it is deleted.
        deleted: whether deleted pages are included.
    """
    for page in pages:
        if stop_if_cancelled(context.store, job):
            return
        if page.deleted_at and not deleted:
            continue
        if job and str(page.id) in job.done:
            yield ReparseResult(page=page, outcome="done before")
        else:
            fetch = None if page.deleted_at else refetch
            result, ready, last = _reparse(context, page, fetch, dry_run=dry_run)
            if not dry_run:
                _keep(context, result, ready, last, job)
            yield result


def _reparse(
    context: SaveContext, page: Page, refetch: Refetch | None, *, dry_run: bool
) -> tuple[ReparseResult, Prepared | None, Version | None]:
    """The result for a page, what to store, and the version it replaces."""
    last = latest_version(context.store, page)
    old = last.document if last else None
    try:
        document = _read_again(context, page, last) if last else None
        if document and last:
            result = _judge(page, old, document)
            is_kept = result.outcome == "reparsed" and not dry_run
            return result, _ready(context, last, document) if is_kept else None, last
        if refetch is None or dry_run:
            outcome: Outcome = "refetched" if refetch else "no original"
            return ReparseResult(page=page, outcome=outcome), None, last
        ready = prepare_capture(context, refetch(page.final_url or page.url_full))
    except PageloomError as error:
        reason = f"{error.code}: {error.message}"
        return ReparseResult(page=page, outcome="failed", reason=reason), None, last
    result = _judge(page, old, ready.document)
    if result.outcome != "worse":
        result = replace(result, outcome="refetched")
    return result, ready, last


def _read_again(context: SaveContext, page: OwnedPage, last: Version) -> Document | None:
    """Extract the last original again; None if it was not kept."""
    from pageloom.flows.capture.external_reader import document_of_answer
    from pageloom.model import RawPage

    body = read_body(context.store, page, last.info.body_hash) if last.info.body_hash else None
    if body is None:
        return None
    old = last.document
    if last.info.content_type == "text/x-reader":
        answer = RawPage(
            url=old.url,
            final_url=old.final_url,
            status=200,
            headers={},
            body=body,
            fetched_at=last.info.fetched_at,
        )
        return document_of_answer(answer, old.url, context.options)
    if is_imported(old):
        return read_imported(body.decode("utf-8", "replace"), old, context.options)
    return extract(
        body,
        old.url or None,
        rules=context.rules,
        options=context.options,
        timeout_ms=context.options.parse_timeout_ms,
        content_type=last.info.content_type or None,
        final_url=old.final_url or None,
        fetched_at=last.info.fetched_at,
    )


def _judge(page: Page, old: Document | None, document: Document) -> ReparseResult:
    outcome: Outcome = "reparsed"
    if old and is_worse(old.quality_score, document.quality_score):
        outcome = "worse"
    elif document == old:
        outcome = "same"
    return ReparseResult(
        page=page,
        outcome=outcome,
        words_before=old.word_count if old else 0,
        words_after=document.word_count,
        quality_before=old.quality_score if old else 0,
        quality_after=document.quality_score,
    )


def _keep(
    context: SaveContext,
    result: ReparseResult,
    ready: Prepared | None,
    last: Version | None,
    job: Job | None,
) -> None:
    """Replace the stored result, and mark the page as done in the job."""

    def work(tx: Tx) -> None:
        if ready and result.outcome in {"reparsed", "refetched"}:
            if last:
                replace_document(tx, result.page, last.info, ready)
            else:
                save_in(tx, context.owner, ready, origin="reparse")
        if job and result.outcome == "failed":
            mark_item_failed(tx, job, str(result.page.id), result.reason)
        elif job:
            mark_done(tx, job, str(result.page.id))

    context.store.transact(work)


def _ready(context: SaveContext, last: Version, document: Document) -> Prepared:
    return prepare(
        Capture(
            document=document,
            fetched_at=last.info.fetched_at,
            content_type=last.info.content_type,
            protocol="browser" if last.info.used_js else "",
            rules_version=context.rules_version,
        )
    )


def renew_baseline(context: SaveContext, ready: Prepared) -> None:
    """Extract the last version again if another parser version or other rules made it.

    So an upgrade never looks like a change.
    """
    document = ready.document
    with context.store.read() as tx:
        found = page_id_of(tx, context.owner, key_of(tx, context.owner, ready.key, document))
    page = PageRef(context.owner, found)
    last = latest_version(context.store, page) if found else None
    if last is None or not document.provenance.parser_version:
        return
    before = (last.info.parser_version, last.info.rules_version)
    if not before[0] or before == (document.provenance.parser_version, ready.rules_version):
        return
    try:
        again = _read_again(context, page, last)
    except PageloomError:  # then the stored result is the baseline
        return
    if again is not None and not is_worse(last.document.quality_score, again.quality_score):
        prepared = _ready(context, last, again)
        context.store.transact(lambda tx: replace_document(tx, page, last.info, prepared))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReparseRequest:
    """Which pages are read again, and how."""

    filters: Filters = DEFAULT_FILTERS
    dry_run: bool = False
    limit: int | None = None
    outdated: bool = False
    """Only pages that another version of the parser read."""
    refetch: bool = False
    """Fetch pages whose original was not kept."""
    restart: bool = False

    @property
    def wanted(self) -> Filters:
        """The filters, with what ``outdated`` adds."""
        if not self.outdated:
            return self.filters
        return replace(self.filters, parser_version_not=PARSER_VERSION)

    @property
    def identity(self) -> dict[str, Any]:
        """What the job is known by: the same request goes on where it stopped."""
        known = {
            "filters": asdict(self.wanted),
            "parser": PARSER_VERSION,
            "limit": self.limit,
        }
        return known | ({"refetch": True} if self.refetch else {})


def run_reparse(
    context: SaveContext, fetch: FetchOptions, request: ReparseRequest
) -> Iterator[ReparseResult]:
    """Reparse pages one after another; the job is finished when all came out well."""
    job = None
    if not request.dry_run:
        job = _open(context, request)
    pages = islice(walk_pages(context.store, context.owner, request.wanted), request.limit)
    failed = 0
    with _fetching(context, fetch) if request.refetch else nullcontext() as refetch:
        for result in reparse_pages(
            context,
            pages,
            dry_run=request.dry_run,
            job=job,
            refetch=refetch,
            deleted=request.filters.deleted == "only",
        ):
            failed += result.outcome == "failed"
            yield result
    if job:  # what could not be fetched may be another time
        end_job(context.store, job, failed if request.refetch else 0)


def _open(context: SaveContext, request: ReparseRequest) -> Job:
    total = count_pages(context.store, context.owner, request.wanted)
    return open_job(
        context.store,
        context.owner,
        "reparse",
        request.identity,
        restart=request.restart,
        total=total if request.limit is None else min(total, request.limit),
    )


@contextmanager
def _fetching(context: SaveContext, fetch: FetchOptions) -> Generator[Refetch]:
    """A way to fetch one page after another."""
    from pageloom.edges.fetch.fetcher import open_fetcher
    from pageloom.flows.library.save import read_url

    with blocking_runner() as run:
        stack = AsyncExitStack()
        fetcher = run(lambda: stack.enter_async_context(open_fetcher(fetch)))
        try:
            yield lambda url: run(lambda: read_url(context, url, fetcher=fetcher))
        finally:
            run(stack.aclose)
