"""How many messages wait in the queues of the workers, and how many workers read each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.agents.topology import all_queues
from pageloom.edges.broker.connection import connect

if TYPE_CHECKING:
    from pageloom.settings import Settings


async def count_queues(settings: Settings) -> dict[str, tuple[int, int] | None]:
    """Messages that wait and workers that read, by queue; None where there is no such queue.

    Raises:
        BrokerError: the broker cannot be reached.
    """
    connection = await connect(settings.broker.url)
    try:
        return {name: await connection.count(name) for name in all_queues(settings)}
    finally:
        await connection.close()
