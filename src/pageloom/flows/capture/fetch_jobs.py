"""Jobs for the workers: pages to fetch (``fetch.jobs``), and what became of them."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec

from pageloom import errors
from pageloom.edges.broker.connection import connect
from pageloom.edges.broker.envelope import Envelope
from pageloom.edges.broker.queues import dead_letter_queue, work_queue
from pageloom.edges.store.runs import runs_of_job
from pageloom.errors import BrokerError, FetchError, InternalError, PageloomError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pageloom.edges.broker.options import BrokerOptions
    from pageloom.edges.store.base import Store
    from pageloom.model.library import Run

CONTRACT = "fetch.jobs/1"
BESIDE = frozenset({"price-tracker", "notifier", "discovery"})
"""Workers beside the way of the page: their failure is not that of the page."""
_PAUSE = 0.1
_OF_PAGES = (errors.InvalidUrl, errors.ContentError, errors.ExtractionError, errors.RenderError)


def make_job(
    url: str,
    *,
    render: str | None = None,
    crawl: dict[str, Any] | None = None,
    owner: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A job under a name of its own; what is None is left out.

    Args:
        url: the page.
        render: ``auto``, ``force`` or ``never``.
        crawl: which links to follow from there.
        owner: whose library the page is for.
        more: further fields of the contract, as it spells them.
    """
    job_id = uuid4().hex
    optional = {
        "render": render,
        "owner": owner,
        "crawl": None if crawl is None else {"id": job_id, "depth": 0} | crawl,
    } | more
    given = {name: value for name, value in optional.items() if value is not None}
    return {"jobId": job_id, "url": url} | given


async def enqueue_jobs(jobs: Sequence[dict[str, Any]], broker: BrokerOptions, queue: str) -> None:
    """Queue jobs; when this returns, the broker has all of them on disk.

    Args:
        jobs: what ``make_job`` made.
        broker: where the broker is.
        queue: the queue that fetchers read.

    Raises:
        BrokerError: the broker cannot be reached, or the connection broke; some may be queued.
    """
    connection = await connect(broker.url)
    try:
        await connection.declare(
            [dead_letter_queue(broker), work_queue(queue, broker, bounded=False)]
        )
        messages = [Envelope(body=msgspec.json.encode(job), kind=CONTRACT) for job in jobs]
        await asyncio.gather(*(connection.publish(queue, each) for each in messages))
    finally:
        await connection.close()


class NoAnswer(BrokerError):
    """The workers have not done a job yet; it stays in the queue."""

    advice = (
        "Check with pageloom top whether workers are running; start them with pageloom worker all.",
        "Raise broker.result_timeout if pages take longer.",
    )


def await_runs(
    store: Store,
    owner: str,
    jobs: Mapping[str, str],
    seconds: float,
    tell: Callable[[str, Run], None],
) -> dict[str, str]:
    """Wait until jobs have come to their end.

    Args:
        store: the library that the workers keep pages in.
        owner: whose pages they are.
        jobs: the URL of each, by its name.
        seconds: how long to wait for the next of them.
        tell: called with the name of a job and its run, as each ends.

    Returns:
        Those that have not ended.
    """
    waiting = dict(jobs)
    last = time.monotonic()
    while waiting and time.monotonic() - last <= seconds:
        ended = {job: run for job in waiting if (run := _run_of(store, owner, job)) is not None}
        for job, run in ended.items():
            del waiting[job]
            tell(job, run)
        last = time.monotonic() if ended else last
        time.sleep(_PAUSE if waiting else 0)
    return waiting


def _run_of(store: Store, owner: str, job: str) -> Run | None:
    """How the page of a job ended; that its price or its notice failed is another matter."""
    return next(
        (run for run in runs_of_job(store, owner, job) if not is_beside(run.key or "")), None
    )


def failure_of(run: Run, url: str) -> PageloomError:
    """The error that a job or a check was given up for, as its worker met it."""
    # Only the run of a job begins with the name of the worker.
    reason = run.reason if run.outcome == "failed" else run.reason.partition(": ")[2]
    code, _, message = reason.partition(": ")
    name, _, kind = code.partition(".")
    if name == FetchError.__name__ and kind in errors.FETCH_KINDS:
        return FetchError(message, kind=kind, url=url)
    known = getattr(errors, name, None)
    if isinstance(known, type) and issubclass(known, _OF_PAGES):
        return known(message, url=url)
    return InternalError(
        message or run.reason or "The workers could not process the page.", url=url
    )


def is_beside(key: str) -> bool:
    """Whether the key of a run is of a failure beside the way of the page."""
    return key.rpartition(":")[2] in BESIDE
