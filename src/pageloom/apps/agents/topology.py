"""The queues, as one table: who reads which, who writes which, and how each is declared.

fetch.jobs ─▶ fetcher ─▶ html.raw ─▶ parser ─▶ html.parsed ─▶ classifier ─▶ change.check
change.check ─▶ change-detector ─▶ price.update ─▶ price-tracker
                                ─▶ notify ─▶ notifier
                                ─▶ storage-agent ─▶ storage
html.parsed ─▶ discovery ─▶ fetch.jobs
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from pageloom.edges.broker.connection import connect
from pageloom.edges.broker.queues import (
    copying_queue,
    dead_letter_queue,
    pause_queue,
    work_queue,
)

if TYPE_CHECKING:
    from pageloom.apps.agents.agent import Agent
    from pageloom.edges.broker.connection import Queue
    from pageloom.settings import Settings

READS_AND_WRITES: dict[str, tuple[str, tuple[str, ...]]] = {
    "fetcher": ("input_queue", ("output_queue",)),
    "parser": ("input_queue", ("output_queue",)),
    "classifier": ("input_queue", ("output_queue",)),
    "change-detector": ("input_queue", ("price_update_queue", "notify_queue", "storage_queue")),
    "price-tracker": ("input_queue", ()),
    "notifier": ("input_queue", ()),
    "storage": ("input_queue", ()),
    "discovery": ("input_queue", ("output_queue",)),
}
"""Of each worker: the settings that name the queue it reads and those it writes."""

AGENTS = tuple(READS_AND_WRITES)


def section_of(agent: str) -> str:
    """The section of the settings that is the worker's."""
    return agent.replace("-", "_")


def input_of(agent: str, settings: Settings) -> str:
    """The queue a worker reads."""
    return getattr(settings, section_of(agent)).input_queue


def outputs_of(agent: str, settings: Settings) -> list[str]:
    """The queues a worker writes."""
    values = getattr(settings, section_of(agent))
    return [getattr(values, name) for name in READS_AND_WRITES[agent][1]]


def queues_of(agent: str, settings: Settings) -> list[Queue]:
    """Everything a worker needs: its queue, its pauses, where it writes, and the dead letters."""
    broker, read = settings.broker, input_of(agent, settings)
    own = _work(read, settings)
    if agent == "discovery":
        own = copying_queue(read, broker, copies_of=settings.parser.output_queue)
    pauses = [pause_queue(read, seconds) for seconds in broker.retry_delays]
    written = [_work(name, settings) for name in outputs_of(agent, settings)]
    return [dead_letter_queue(broker), own, *pauses, *written]


def _work(name: str, settings: Settings) -> Queue:
    is_entrance = name == settings.fetcher.input_queue
    return work_queue(name, settings.broker, bounded=not is_entrance)


def all_queues(settings: Settings) -> list[str]:
    """The queues between workers, in the order that a page meets them, and the dead letters."""
    names = [input_of(agent, settings) for agent in AGENTS]
    return list(dict.fromkeys([*names, settings.broker.dead_letter_queue]))


def make_agent(name: str) -> Agent:
    """The worker of that name; its module is loaded now."""
    if name not in AGENTS:
        raise ValueError(f"there is no worker {name}")
    return import_module(f"pageloom.apps.agents.{name.replace('-', '_')}").AGENT


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
