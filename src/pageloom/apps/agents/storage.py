"""Storage: ``storage-agent`` ends in the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.agents.agent import Agent, Batches, WorkerContext
from pageloom.flows.queue.messages import ChangeResult, read_message
from pageloom.flows.queue.results import store_result

if TYPE_CHECKING:
    from pageloom.edges.broker.envelope import Envelope


async def handle(envelope: Envelope, world: WorkerContext) -> Batches:
    """Store what came of a check."""
    message, given = read_message(envelope.body, ChangeResult)
    owner = world.owner_of(given)
    await world.in_thread(
        lambda: store_result(
            world.context.store, message, given, owner, world.check_context, world.now()
        )
    )
    return []


AGENT = Agent(name="storage", handle=handle)
