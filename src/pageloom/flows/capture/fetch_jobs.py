"""Pages for the workers to fetch: ``fetch.jobs``, from whoever has some."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec

from pageloom.edges.broker.connection import connect
from pageloom.edges.broker.envelope import Envelope
from pageloom.edges.broker.queues import dead_letter_queue, work_queue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.broker.options import BrokerOptions

CONTRACT = "fetch.jobs/1"


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
