"""Work for the fetcher, from whoever has some."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec

from pageloom.apps.agents.messages import contract_of
from pageloom.apps.agents.topology import queues_of
from pageloom.edges.broker.connection import connect
from pageloom.edges.broker.envelope import Envelope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.settings import Settings


def make_job(
    url: str,
    *,
    render: str | None = None,
    crawl: dict[str, Any] | None = None,
    watch_id: int | None = None,
    owner: str | None = None,
) -> dict[str, Any]:
    """A job under a name of its own; what is None is left out."""
    job_id = uuid4().hex
    optional = {
        "render": render,
        "watchId": watch_id,
        "owner": owner,
        "crawl": None if crawl is None else {"id": job_id, "depth": 0} | crawl,
    }
    given = {name: value for name, value in optional.items() if value is not None}
    return {"jobId": job_id, "url": url} | given


async def enqueue_jobs(jobs: Sequence[dict[str, Any]], settings: Settings) -> None:
    """Write jobs; when this returns, the broker has all of them safe.

    Raises:
        BrokerError: it cannot be reached, or the line broke; some may have been written.
    """
    line = await connect(settings.broker.url)
    try:
        await line.declare(queues_of("fetcher", settings))
        kind = contract_of("fetch.jobs")
        letters = [Envelope(body=msgspec.json.encode(job), kind=kind) for job in jobs]
        queue = settings.fetcher.input_queue
        await asyncio.gather(*(line.publish(queue, letter) for letter in letters))
    finally:
        await line.close()
