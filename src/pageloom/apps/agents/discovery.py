"""To come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.apps.agents.work import Agent, Waves, World

if TYPE_CHECKING:
    from pageloom.edges.broker.letters import Letter


async def handle(letter: Letter, world: World) -> Waves:
    """To come."""
    return []


AGENT = Agent(name="discovery", handle=handle)
