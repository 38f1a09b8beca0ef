"""The queues, as one table: who reads which, who writes which, and how each is declared.

fetch.jobs ─▶ fetcher ─▶ html.raw ─▶ parser ─▶ html.parsed ─▶ classifier ─▶ change.check
change.check ─▶ change-detector ─▶ price.update ─▶ price-tracker
                                ─▶ notify ─▶ notifier
                                ─▶ storage-agent ─▶ storage
html.parsed ─▶ discovery ─▶ fetch.jobs
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.edges.broker.connection import Queue

if TYPE_CHECKING:
    from pageloom.edges.broker.options import BrokerOptions
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
_UNUSED_MS = 7 * 24 * 3600 * 1000
_NEVER = 1_000_000


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
    broker = settings.broker
    read = input_of(agent, settings)
    own = [_copying(read, settings)] if agent == "discovery" else [_main(read, broker, settings)]
    pauses = [_pause(read, seconds) for seconds in broker.retry_delays]
    written = [_main(name, broker, settings) for name in outputs_of(agent, settings)]
    return [_dead(broker), *own, *pauses, *written]


def all_queues(settings: Settings) -> list[str]:
    """The queues between workers, in the order that a page meets them, and the dead letters."""
    names = [input_of(agent, settings) for agent in AGENTS]
    return list(dict.fromkeys([*names, settings.broker.dead_letter_queue]))


def pause_queue(queue: str, seconds: float) -> str:
    """Where a message waits before it comes back to its queue."""
    return f"{queue}.retry.{int(seconds * 1000)}"


def _main(name: str, broker: BrokerOptions, settings: Settings) -> Queue:
    arguments = _safe() | {
        "x-delivery-limit": broker.delivery_limit,
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": broker.dead_letter_queue,
    }
    # Whoever brings work from outside is not made to wait; between workers nothing piles up.
    if broker.max_queue_length and name != settings.fetcher.input_queue:
        arguments["x-max-length"] = broker.max_queue_length
    return Queue(name=name, arguments=arguments)


def _copying(name: str, settings: Settings) -> Queue:
    """The queue of a worker that may not run at all: it goes when nobody reads it."""
    arguments = _safe() | {
        "x-expires": _UNUSED_MS,
        "x-delivery-limit": settings.broker.delivery_limit,
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": settings.broker.dead_letter_queue,
    }
    return Queue(name=name, arguments=arguments, copies_of=(settings.parser.output_queue,))


def _pause(queue: str, seconds: float) -> Queue:
    arguments = _safe() | {
        "x-message-ttl": int(seconds * 1000),
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": queue,
    }
    return Queue(name=pause_queue(queue, seconds), arguments=arguments)


def _dead(broker: BrokerOptions) -> Queue:
    # Looking at dead letters delivers them; that must never use them up.
    arguments = {"x-queue-type": "quorum", "x-delivery-limit": _NEVER}
    return Queue(name=broker.dead_letter_queue, arguments=arguments)


def _safe() -> dict[str, Any]:
    """Quorum queues: on disk before they are confirmed, and confirmed before they are passed on."""
    return {
        "x-queue-type": "quorum",
        "x-overflow": "reject-publish",
        "x-dead-letter-strategy": "at-least-once",
    }
