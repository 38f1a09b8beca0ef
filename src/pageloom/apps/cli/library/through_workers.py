"""Pages that the workers of RabbitMQ fetch, extract and save, for commands that save."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pageloom.apps.agents.asking import NoAnswer, await_runs, failure_of
from pageloom.core.normalize.urls import url_key
from pageloom.edges.store.jobs import mark_done
from pageloom.edges.store.pages import page_by_url
from pageloom.edges.store.tags import add_tags
from pageloom.edges.store.versions import refresh_content, version
from pageloom.errors import InvalidUrl
from pageloom.flows.capture.jobs import enqueue_jobs, make_job
from pageloom.flows.library.save import SaveContext, SaveResult
from pageloom.flows.watch.check_once import recall_check
from pageloom.model.library import PageRef, Saved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pageloom.context import Context
    from pageloom.edges.store.base import Tx
    from pageloom.flows.watch.check_once import QueuedCheck
    from pageloom.model.library import Job, Run


def save_through_workers(
    keeper: SaveContext,
    library: Context,
    urls: Iterable[str],
    job: Job | None,
    tell: Callable[[SaveResult], None],
) -> None:
    """Give pages to the workers; each result is told as it comes.

    Raises:
        BrokerError: the broker cannot be reached; the same command again goes on.
    """
    asked: dict[str, str] = {}
    jobs: list[dict[str, object]] = []
    for url in dict.fromkeys(urls):
        if job and url in job.done and page_by_url(library.store, library.owner, url):
            tell(SaveResult(url=url, skipped=True))
        elif error := _why_no_address(url):
            tell(SaveResult(url=url, error=error))
        else:
            jobs.append(make_job(url, render=keeper.render, owner=library.owner))
            asked[str(jobs[-1]["jobId"])] = url
    settings = library.settings
    asyncio.run(enqueue_jobs(jobs, settings.broker, settings.fetcher.input_queue))
    seconds = settings.broker.result_timeout
    late = await_runs(
        library.store,
        library.owner,
        asked,
        seconds,
        lambda id_, run: tell(_kept(keeper, asked[id_], run, job)),
    )
    for url in late.values():
        why = f"The workers have not answered for {seconds:g} s; the page stays in their queue."
        tell(SaveResult(url=url, error=NoAnswer(why, url=url)))


def _why_no_address(url: str) -> InvalidUrl | None:
    try:
        url_key(url)
    except InvalidUrl as error:
        return error
    return None


def _kept(keeper: SaveContext, url: str, run: Run, job: Job | None) -> SaveResult:
    """What the workers have made of a page; what only this command knows of is added to it."""
    with keeper.store.read() as tx:
        check = recall_check(tx, run.key or "")
    if check is None:
        return SaveResult(url=url, error=failure_of(run, url))

    page = PageRef(keeper.owner, check.page_id)

    def finish(tx: Tx) -> None:
        if keeper.tags:
            add_tags(tx, page, keeper.tags)
            refresh_content(tx, page)
        if job:
            mark_done(tx, job, url)

    keeper.store.transact(finish)
    found = version(keeper.store, page, check.version)
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
