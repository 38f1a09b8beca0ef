"""Dead letters: list them, look at one, put them back, throw them away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pageloom.apps.agents.topology import queues_of
from pageloom.edges.broker.connection import NoSuchQueue, connect
from pageloom.edges.broker.envelope import without_history
from pageloom.errors import BrokerError, NotInLibrary, PageloomError
from pageloom.flows.queue.runs import job_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pageloom.edges.broker.connection import BrokerConnection, Delivery
    from pageloom.edges.broker.envelope import Envelope
    from pageloom.settings import Settings

MOST = 100_000


class NoSuchLetter(NotInLibrary):
    """There is no dead letter of that id."""

    advice = ("List the dead letters with pageloom dlq list.",)


class NoOrigin(BrokerError):
    """A dead letter that does not say which queue it came from."""

    retryable = False
    advice = ("Give the queue: pageloom dlq replay ID --to QUEUE.",)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """A message that was given up."""

    id: str
    reason: str
    detail: str
    agent: str
    queue: str
    """Where it failed, and goes back to."""
    attempts: int
    failed_at: str
    job_id: str
    url: str
    size: int
    headers: dict[str, Any] = field(default_factory=dict[str, Any])
    body: bytes = b""


Choose = Callable[[Sequence[DeadLetter]], Sequence[DeadLetter]]


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of envelopes that were put back or thrown away."""

    done: list[DeadLetter] = field(default_factory=list[DeadLetter])
    failed: list[tuple[DeadLetter, PageloomError]] = field(
        default_factory=list[tuple[DeadLetter, PageloomError]]
    )
    """They are still among the dead, and why."""


def describe(envelope: Envelope) -> DeadLetter:
    """What can be said of a dead letter, ours or the broker's own."""
    headers = envelope.headers
    job, url = job_of(envelope.body)
    return DeadLetter(
        id=envelope.id or sha256(envelope.body).hexdigest()[:32],
        reason=envelope.reason,
        detail=str(headers.get("detail", "")),
        agent=str(headers.get("agent", "")),
        queue=envelope.origin,
        attempts=_number(headers.get("attempts")),
        failed_at=str(headers.get("failedAt", "")),
        job_id=job,
        url=url,
        size=len(envelope.body),
        headers=headers,
        body=envelope.body,
    )


def _number(given: object) -> int:
    """A number that a stranger may have written."""
    try:
        return int(str(given))
    except ValueError:
        return 0


async def list_dead(settings: Settings, limit: int, reason: str | None) -> list[DeadLetter]:
    """The dead letters, oldest first; they stay where they are."""
    async with _opened(settings) as connection:
        found: list[DeadLetter] = []
        async for delivery in _walk(connection, settings):
            dead = describe(delivery.envelope)
            if reason is None or dead.reason == reason:
                found.append(dead)
            if len(found) >= limit:
                break
        return found


async def find_dead(settings: Settings, beginning: str) -> list[DeadLetter]:
    """Those whose id begins so."""
    async with _opened(settings) as connection:
        found = [describe(delivery.envelope) async for delivery in _walk(connection, settings)]
    return [dead for dead in found if dead.id.startswith(beginning)]


async def replay(settings: Settings, choose: Choose, to: str = "") -> Settled:
    """Put dead letters back into the queue they failed in; one that cannot go back stays.

    Args:
        settings: where the broker is.
        choose: picks those that are meant from all that there are.
        to: another queue than the one they failed in.
    """
    settled = Settled()
    async with _opened(settings) as connection:
        for dead, delivery in await _chosen(connection, settings, choose):
            try:
                await _put_back(connection, delivery, to or dead.queue)
            except (NoOrigin, NoSuchQueue) as error:
                settled.failed.append((dead, error))
            else:
                settled.done.append(dead)
    return settled


async def _put_back(connection: BrokerConnection, delivery: Delivery, queue: str) -> None:
    if not queue:
        raise NoOrigin("The dead letter does not record the queue in which it failed.")
    await connection.reach(queue)
    # First the new one, then the old: a cut in between repeats it and loses nothing.
    await connection.publish(queue, replace(without_history(delivery.envelope), id=""))
    await delivery.ack()


async def purge(settings: Settings, choose: Choose) -> Settled:
    """Throw dead letters away."""
    settled = Settled()
    async with _opened(settings) as connection:
        for dead, delivery in await _chosen(connection, settings, choose):
            await delivery.ack()
            settled.done.append(dead)
    return settled


async def _chosen(
    connection: BrokerConnection, settings: Settings, choose: Choose
) -> list[tuple[DeadLetter, Delivery]]:
    """Those that are meant; all are seen before the first is touched, so that a choice is sure."""
    deliveries = await _all(connection, settings)
    envelopes = [describe(delivery.envelope) for delivery in deliveries]
    meant = {id(each) for each in choose(envelopes)}
    pairs = zip(envelopes, deliveries, strict=True)
    return [(dead, delivery) for dead, delivery in pairs if id(dead) in meant]


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncGenerator[BrokerConnection]:
    """A connection; what was only looked at goes back when it is closed."""
    connection = await connect(settings.broker.url)
    try:
        await connection.declare(queues_of("storage", settings)[:1])
        yield connection
    finally:
        await connection.close()


async def _walk(connection: BrokerConnection, settings: Settings) -> AsyncGenerator[Delivery]:
    for _ in range(MOST):
        delivery = await connection.take(settings.broker.dead_letter_queue)
        if delivery is None:
            return
        yield delivery


async def _all(connection: BrokerConnection, settings: Settings) -> list[Delivery]:
    """All of them before the first is answered for: what is put back may die again at once."""
    return [delivery async for delivery in _walk(connection, settings)]
