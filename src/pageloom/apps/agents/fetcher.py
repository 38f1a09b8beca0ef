"""The fetcher: ``fetch.jobs`` becomes ``html.raw``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.apps.agents.agent import Agent, Batches, WorkerContext, one_message
from pageloom.flows.queue.fetch import fetch_job
from pageloom.flows.queue.lookups import source_for
from pageloom.flows.queue.messages import (
    FetchJob,
    given_or,
    read_message,
    unknown_fields,
    write_message,
)

if TYPE_CHECKING:
    from pageloom.edges.broker.envelope import Envelope


async def handle(envelope: Envelope, world: WorkerContext) -> Batches:
    """Fetch a page."""
    message, given = read_message(envelope.body, FetchJob)
    owner = world.owner_of(given)
    answer = await fetch_job(
        message,
        fetcher=await world.part("fetcher", lambda: _open(world)),
        options=world.settings.extraction,
        rules=world.context.rules.sealed,
        source=await world.in_thread(lambda: source_for(world.context.store, owner, message)),
    )
    extra = unknown_fields(given, FetchJob)
    if given_or(message.crawl, None):
        extra["crawl"] = message.crawl
        if given_or(message.render, None) is not None:  # whoever follows its links does so likewise
            extra["render"] = message.render
    return one_message(
        world.settings.fetcher.output_queue, write_message(answer, extra), "html.raw"
    )


async def _open(world: WorkerContext) -> Any:
    manager = world.context.open_fetcher()
    fetcher = await manager.__aenter__()

    async def close() -> None:
        await manager.__aexit__(None, None, None)

    world.at_end(close)
    return fetcher


AGENT = Agent(name="fetcher", handle=handle, uses_rules=True)
