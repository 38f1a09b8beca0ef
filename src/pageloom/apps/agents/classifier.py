"""The classifier: ``html.parsed`` becomes ``change.check``: the same, and ``classification``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pageloom.apps.agents.agent import Agent, Batches, WorkerContext, one_message
from pageloom.flows.queue.classify import classify_page
from pageloom.flows.queue.messages import ParsedPage, read_message

if TYPE_CHECKING:
    from pageloom.edges.broker.envelope import Envelope


async def handle(envelope: Envelope, world: WorkerContext) -> Batches:
    """Say what kind of page it is."""
    message, given = read_message(envelope.body, ParsedPage)
    body = msgspec.json.encode(given | {"classification": classify_page(message)})
    return one_message(world.settings.classifier.output_queue, body, "change.check")


AGENT = Agent(name="classifier", handle=handle, uses_store=False)
