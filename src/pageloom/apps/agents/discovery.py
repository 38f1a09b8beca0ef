"""Discovery: ``html.parsed`` of a crawl leads to more ``fetch.jobs``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pageloom.apps.agents.agent import Agent, Batches, Outgoing, WorkerContext
from pageloom.flows.queue.crawl import crawl_of, follow_links
from pageloom.flows.queue.messages import ParsedPage, contract_of, read_message

if TYPE_CHECKING:
    from pageloom.edges.broker.envelope import Envelope

_CARRIED = ("sourceId", "render", "owner")
"""What holds for the pages that are found too; headers are for the one URL they were given for,
and may be secret."""


async def handle(envelope: Envelope, world: WorkerContext) -> Batches:
    """Follow the links of a page, if its job asks for that."""
    message, given = read_message(envelope.body, ParsedPage)
    crawl = crawl_of(given.get("crawl"), message.url)
    if crawl is None:
        return []
    options = world.settings.discovery
    owner, store = world.owner_of(given), world.context.store
    jobs = await world.in_thread(lambda: follow_links(store, owner, message, crawl, options))
    carried = {name: given[name] for name in _CARRIED if given.get(name) is not None}
    contract = contract_of("fetch.jobs")
    return [
        [
            Outgoing(
                queue=options.output_queue,
                body=msgspec.json.encode(
                    {"jobId": job["jobId"], "url": job["url"]} | carried | {"crawl": job["crawl"]}
                ),
                contract=contract,
            )
            for job in jobs
        ]
    ]


AGENT = Agent(name="discovery", handle=handle)
