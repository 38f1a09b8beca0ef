"""Pages that workers fetched and saved, for a caller who waits for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pageloom.core.normalize.urls import url_key
from pageloom.edges.store.jobs import stop_if_cancelled
from pageloom.edges.store.pages import page_by_url
from pageloom.edges.store.versions import version
from pageloom.errors import InvalidUrl
from pageloom.flows.blocking import run_blocking
from pageloom.flows.capture.fetch_jobs import (
    NoAnswer,
    await_runs,
    enqueue_jobs,
    failure_of,
    make_job,
)
from pageloom.flows.library.save import SaveResult, end_page, fail_page
from pageloom.flows.watch.idempotent_check import recall_check
from pageloom.model.library import Saved
from pageloom.model.pages import PageRef

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pageloom.edges.broker.options import BrokerOptions
    from pageloom.errors import PageloomError
    from pageloom.flows.library.save import SaveContext
    from pageloom.flows.watch.idempotent_check import QueuedCheck
    from pageloom.model.library import Job, Run


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSettings:
    """Where the workers' queue is."""

    broker: BrokerOptions
    queue: str
    """The queue that fetchers read."""


def save_through_workers(
    context: SaveContext,
    urls: Iterable[str],
    job: Job | None,
    take: Callable[[SaveResult], None],
    settings: QueueSettings,
) -> None:
    """Have workers fetch and save pages; each result is taken as it comes.

    Raises:
        BrokerError: the broker cannot be reached; the same call again goes on.
    """
    asked: dict[str, str] = {}
    jobs: list[dict[str, Any]] = []
    if stop_if_cancelled(context.store, job):
        return
    for url in dict.fromkeys(urls):
        if known := _answer_at_once(context, url, job):
            take(known)
        else:
            jobs.append(make_job(url, render=context.render, owner=context.owner))
            asked[str(jobs[-1]["jobId"])] = url
    run_blocking(lambda: enqueue_jobs(jobs, settings.broker, settings.queue))

    def finish(id_: str, run: Run) -> None:
        saved = _finish_save(context, asked[id_], run.key or "", job)
        take(saved or _failed(context, asked[id_], job, failure_of(run, asked[id_])))

    seconds = settings.broker.result_timeout
    for url in await_runs(context.store, context.owner, asked, seconds, finish).values():
        why = f"No result from the workers within {seconds:g} s; the page stays queued."
        take(SaveResult(url=url, error=NoAnswer(why, url=url)))


def _answer_at_once(context: SaveContext, url: str, job: Job | None) -> SaveResult | None:
    """The result for a URL that workers need not see: saved before, or not a URL at all."""
    if job and url in job.done and page_by_url(context.store, context.owner, url):
        return SaveResult(url=url, skipped=True)
    try:
        url_key(url)
    except InvalidUrl as error:
        return _failed(context, url, job, error)
    return None


def _failed(context: SaveContext, url: str, job: Job | None, error: PageloomError) -> SaveResult:
    fail_page(context, job, url, error)
    return SaveResult(url=url, error=error)


def _finish_save(context: SaveContext, url: str, key: str, job: Job | None) -> SaveResult | None:
    """What workers made of a page, with the tags and the progress that only the caller knows of.

    Args:
        context: the library, and the tags of this save.
        url: the page, as it was asked for.
        key: of the run that the workers recorded.
        job: notes that the page is done.

    Returns:
        The result; None where the workers gave the page up.
    """
    with context.store.read() as tx:
        check = recall_check(tx, key)
    if check is None:
        return None
    page = PageRef(context.owner, check.page_id)
    context.store.transact(lambda tx: end_page(tx, context, job, url, page))
    found = version(context.store, page, check.version)
    document = found.document if found else None
    return SaveResult(url=url, document=document, saved=_saved(check), engine="workers")


def _saved(check: QueuedCheck) -> Saved:
    return Saved(
        page_id=check.page_id,
        version=check.version,
        is_new=check.outcome == "new",
        changed=check.new_version and check.outcome != "new",
        kept_old=check.outcome == "worse",
    )
