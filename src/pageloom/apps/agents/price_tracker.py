"""The price tracker: ``price.update`` ends in the series of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.agents.agent import Agent, Batches, WorkerContext
from pageloom.flows.queue.messages import PriceUpdate, read_message
from pageloom.flows.queue.prices import track_price

if TYPE_CHECKING:
    from pageloom.edges.broker.envelope import Envelope


async def handle(envelope: Envelope, world: WorkerContext) -> Batches:
    """Add a price to its series."""
    message, given = read_message(envelope.body, PriceUpdate)
    owner = world.owner_of(given)
    await world.in_thread(lambda: track_price(world.context.store, message, given, owner))
    return []


AGENT = Agent(name="price-tracker", handle=handle)
