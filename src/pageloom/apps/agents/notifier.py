"""The notifier: ``notify`` ends in the outbox, from where it is sent until it is taken."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.apps.agents.agent import Agent, Batches, WorkerContext
from pageloom.context import worker_id
from pageloom.flows.notify.outbox_sender import LEASE, send_due
from pageloom.flows.queue.messages import Notification, read_message
from pageloom.flows.queue.notices import queue_notification
from pageloom.flows.repeat import repeat

if TYPE_CHECKING:
    import asyncio

    from pageloom.edges.broker.envelope import Envelope

_PAUSE = 0.5
_PAUSE_AFTER_ERROR = 3.0


async def handle(envelope: Envelope, world: WorkerContext) -> Batches:
    """Queue what changed for every target."""
    message, given = read_message(envelope.body, Notification)
    owner, options = world.owner_of(given), world.settings.notify
    await world.in_thread(
        lambda: queue_notification(world.context.store, message, given, owner, options)
    )
    return []


async def send_on(world: WorkerContext, stop: asyncio.Event) -> None:
    """Send what is due, for ever; a target that fails holds up no other."""
    context = replace(world.context.notify_context(), now=world.now)
    holder = worker_id()
    lease = min(LEASE, world.settings.watch.lease_seconds)

    async def work() -> None:
        store = await world.in_thread(lambda: world.context.store)
        await send_due(store, context, holder, lease=lease)

    await repeat(work, stop, name="outbox", pause=_PAUSE, pause_after_error=_PAUSE_AFTER_ERROR)


AGENT = Agent(name="notifier", handle=handle, background=send_on)
