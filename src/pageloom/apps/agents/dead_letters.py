"""Dead letters: list them, look at one, put them back, throw them away."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pageloom.apps.agents.history import job_of
from pageloom.apps.agents.topology import queues_of
from pageloom.edges.broker.letters import as_new
from pageloom.edges.broker.line import open_line
from pageloom.errors import BrokerError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from pageloom.edges.broker.letters import Letter
    from pageloom.edges.broker.line import Delivery, Line
    from pageloom.settings import Settings

MOST = 100_000


class NoSuchLetter(BrokerError):
    """There is no dead letter of that id."""

    retryable = False
    advice = ("See pageloom dlq list.",)


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


def describe(letter: Letter) -> DeadLetter:
    """What can be said of a dead letter, ours or the broker's own."""
    headers = letter.headers
    job, url = job_of(letter.body)
    return DeadLetter(
        id=letter.id or sha256(letter.body).hexdigest()[:32],
        reason=letter.reason,
        detail=str(headers.get("detail", "")),
        agent=str(headers.get("agent", "")),
        queue=letter.origin,
        attempts=int(headers.get("attempts", 0) or 0),
        failed_at=str(headers.get("failedAt", "")),
        job_id=job,
        url=url,
        size=len(letter.body),
        headers=headers,
        body=letter.body,
    )


async def list_dead(settings: Settings, limit: int, reason: str | None) -> list[DeadLetter]:
    """The dead letters, oldest first; they stay where they are."""
    async with _opened(settings) as line:
        found: list[DeadLetter] = []
        async for delivery in _walk(line, settings):
            dead = describe(delivery.letter)
            if reason is None or dead.reason == reason:
                found.append(dead)
            if len(found) >= limit:
                break
        return found


async def find_dead(settings: Settings, name: str) -> DeadLetter:
    """The one whose id begins so.

    Raises:
        NoSuchLetter: there is none.
    """
    async with _opened(settings) as line:
        async for delivery in _walk(line, settings):
            dead = describe(delivery.letter)
            if dead.id.startswith(name):
                return dead
    raise NoSuchLetter(f"There is no dead letter {name}.")


async def replay(settings: Settings, wanted: Callable[[DeadLetter], bool]) -> list[DeadLetter]:
    """Put dead letters back into the queue they failed in; those that were."""
    done: list[DeadLetter] = []
    async with _opened(settings) as line:
        for delivery in await _all(line, settings):
            dead = describe(delivery.letter)
            if not (wanted(dead) and dead.queue):
                continue
            # First the new one, then the old: a cut in between repeats it and loses nothing.
            await line.publish(dead.queue, replace(as_new(delivery.letter), id=""))
            await delivery.ack()
            done.append(dead)
    return done


async def purge(settings: Settings, wanted: Callable[[DeadLetter], bool]) -> list[DeadLetter]:
    """Throw dead letters away; those that were."""
    done: list[DeadLetter] = []
    async with _opened(settings) as line:
        for delivery in await _all(line, settings):
            dead = describe(delivery.letter)
            if wanted(dead):
                await delivery.ack()
                done.append(dead)
    return done


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncGenerator[Line]:
    """A line; what was only looked at goes back when it is closed."""
    line = await open_line(settings.broker.url)
    try:
        await line.declare(queues_of("storage", settings)[:1])
        yield line
    finally:
        await line.close()


async def _walk(line: Line, settings: Settings) -> AsyncGenerator[Delivery]:
    for _ in range(MOST):
        delivery = await line.take(settings.broker.dead_letter_queue)
        if delivery is None:
            return
        yield delivery


async def _all(line: Line, settings: Settings) -> list[Delivery]:
    """All of them before the first is answered for: what is put back may die again at once."""
    return [delivery async for delivery in _walk(line, settings)]
