"""Today's parser over what was fetched before: no page is asked for again, nobody is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pageloom.edges.store.bodies import read_body
from pageloom.edges.store.jobs import mark_done
from pageloom.edges.store.pages import page_by_url
from pageloom.edges.store.saving import is_worse, prepare
from pageloom.edges.store.versions import latest_version, replace_document
from pageloom.errors import PageloomError
from pageloom.flows.reading import extract

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.edges.store.base import Tx
    from pageloom.edges.store.jobs import Job
    from pageloom.edges.store.pages import Page
    from pageloom.edges.store.saving import Prepared
    from pageloom.edges.store.versions import Version
    from pageloom.flows.keeping import Keeper
    from pageloom.model import Document

Outcome = Literal["reparsed", "same", "failed", "worse", "no original", "done before"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reparsed:
    """What came of one page."""

    page: Page
    outcome: Outcome
    words_before: int = 0
    words_after: int = 0
    quality_before: int = 0
    quality_after: int = 0
    reason: str = ""


def reparse_pages(
    keeper: Keeper, pages: Iterable[Page], *, dry_run: bool = False, job: Job | None = None
) -> Iterator[Reparsed]:
    """Read each page's last original again, and put the result in the place of the old one.

    Numbers of versions, and everything that users did, stay; where the new reading fails or is
    much worse, so does the old content.

    Args:
        keeper: the library and how to read.
        pages: which ones; deleted ones are passed over.
        dry_run: only say what would be done.
        job: what it has done before is passed over.
    """
    for page in pages:
        if page.deleted_at:
            continue
        if job and str(page.id) in job.done:
            yield Reparsed(page=page, outcome="done before")
        else:
            yield _reparse(keeper, page, dry_run=dry_run, job=job)


def _reparse(keeper: Keeper, page: Page, *, dry_run: bool, job: Job | None) -> Reparsed:
    last = latest_version(keeper.store, page.id)
    if last is None:
        return _told(keeper, Reparsed(page=page, outcome="no original"), job, dry_run=dry_run)
    try:
        document = _read_again(keeper, last)
    except PageloomError as error:
        result = Reparsed(page=page, outcome="failed", reason=f"{error.code}: {error.message}")
        return _told(keeper, result, job, dry_run=dry_run)
    result = _judge(page, last, document)
    if result.outcome != "reparsed" or document is None or dry_run:
        return _told(keeper, result, job, dry_run=dry_run)
    _replace(keeper, last, document, job)
    return result


def _read_again(keeper: Keeper, last: Version) -> Document | None:
    """The last original, read by today's parser; None when it was not kept."""
    from pageloom.flows.external_reader import document_of_answer
    from pageloom.model import RawPage

    body = read_body(keeper.store, last.info.body_hash) if last.info.body_hash else None
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
        return document_of_answer(answer, old.url, keeper.options)
    return extract(
        body,
        old.url or None,
        rules=keeper.rules,
        options=keeper.options,
        timeout_ms=keeper.options.parse_timeout_ms,
        content_type=last.info.content_type or None,
        final_url=old.final_url or None,
        fetched_at=last.info.fetched_at,
    )


def _judge(page: Page, last: Version, document: Document | None) -> Reparsed:
    if document is None:
        return Reparsed(page=page, outcome="no original")
    old = last.document
    outcome: Outcome = "reparsed"
    if is_worse(old.quality_score, document.quality_score):
        outcome = "worse"
    elif document == old:
        outcome = "same"
    return Reparsed(
        page=page,
        outcome=outcome,
        words_before=old.word_count,
        words_after=document.word_count,
        quality_before=old.quality_score,
        quality_after=document.quality_score,
    )


def _told(keeper: Keeper, result: Reparsed, job: Job | None, *, dry_run: bool) -> Reparsed:
    if job and not dry_run:
        keeper.store.transact(lambda tx: mark_done(tx, job, str(result.page.id)))
    return result


def _replace(keeper: Keeper, last: Version, document: Document, job: Job | None) -> None:
    ready = prepare(
        document,
        fetched_at=last.info.fetched_at,
        content_type=last.info.content_type,
        used_js=last.info.used_js,
        rules_version=keeper.rules_version,
    )

    def work(tx: Tx) -> None:
        replace_document(tx, last.info, ready)
        if job:
            mark_done(tx, job, str(last.info.page_id))

    keeper.store.transact(work)


def renew_baseline(keeper: Keeper, ready: Prepared, *, line: str = "") -> None:
    """Read the last version again when another parser, or other rules, read it before.

    An upgrade is never a change.
    """
    document = ready.document
    page = page_by_url(keeper.store, keeper.owner, document.final_url or document.url)
    last = latest_version(keeper.store, page.id, line=line) if page else None
    if last is None or not document.provenance.parser_version:
        return
    before = (last.info.parser_version, last.info.rules_version)
    if not before[0] or before == (document.provenance.parser_version, ready.rules_version):
        return
    try:
        again = _read_again(keeper, last)
    except PageloomError:  # then the old reading is what there is to compare with
        return
    if again is not None and not is_worse(last.document.quality_score, again.quality_score):
        _replace(keeper, last, again, None)
