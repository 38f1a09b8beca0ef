"""How each kind of queue is declared: on disk, bounded, with its pauses and its dead letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.edges.broker.connection import Queue

if TYPE_CHECKING:
    from pageloom.edges.broker.options import BrokerOptions

_UNUSED_MS = 7 * 24 * 3600 * 1000
_NEVER = 1_000_000


def work_queue(name: str, broker: BrokerOptions, *, bounded: bool = True) -> Queue:
    """A queue that a worker reads.

    Whoever brings work from outside is not made to wait (``bounded=False``); between workers
    nothing piles up.
    """
    arguments = _safe() | _limited(broker)
    if bounded and broker.max_queue_length:
        arguments["x-max-length"] = broker.max_queue_length
    return Queue(name=name, arguments=arguments)


def copying_queue(name: str, broker: BrokerOptions, *, copies_of: str) -> Queue:
    """The queue of a worker that may not run at all: it is deleted when nobody reads it."""
    arguments = _safe() | {"x-expires": _UNUSED_MS} | _limited(broker)
    return Queue(name=name, arguments=arguments, copies_of=(copies_of,))


def pause_queue(queue: str, seconds: float) -> Queue:
    """Where a message waits before it comes back to its queue."""
    arguments = _safe() | {
        "x-message-ttl": int(seconds * 1000),
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": queue,
    }
    return Queue(name=pause_name(queue, seconds), arguments=arguments)


def pause_name(queue: str, seconds: float) -> str:
    """The name of the queue where a message waits before it comes back."""
    return f"{queue}.retry.{int(seconds * 1000)}"


def dead_letter_queue(broker: BrokerOptions) -> Queue:
    """Where messages end that were given up."""
    # Looking at dead letters delivers them; that must never use them up.
    arguments = {"x-queue-type": "quorum", "x-delivery-limit": _NEVER}
    return Queue(name=broker.dead_letter_queue, arguments=arguments)


def _limited(broker: BrokerOptions) -> dict[str, Any]:
    return {
        "x-delivery-limit": broker.delivery_limit,
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": broker.dead_letter_queue,
    }


def _safe() -> dict[str, Any]:
    """Quorum queues: on disk before they are confirmed, and confirmed before they are passed on."""
    return {
        "x-queue-type": "quorum",
        "x-overflow": "reject-publish",
        "x-dead-letter-strategy": "at-least-once",
    }
