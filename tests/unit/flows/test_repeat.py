"""Loops of long-lived processes go on, whatever a round meets."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

from pageloom.apps.agents import run
from pageloom.errors import InternalError, PageloomError, StorageError
from pageloom.flows.events import subscribe, unsubscribe
from pageloom.flows.repeat import repeat


def test_a_round_that_fails_is_reported_and_the_next_one_runs():
    stop, errors, events = asyncio.Event(), list[PageloomError](), []
    rounds = iter([StorageError("The database is away."), KeyError("a bug"), None])

    async def work() -> None:
        error = next(rounds)
        if error:
            raise error
        stop.set()

    subscribe(events.append)
    try:
        loop = repeat(work, stop, name="outbox", pause_after_error=0.01, on_error=errors.append)
        asyncio.run(asyncio.wait_for(loop, 5))
    finally:
        unsubscribe(events.append)
    assert [type(error) for error in errors] == [StorageError, InternalError]
    assert [event.name for event in events] == ["outbox.failed"] * 2
    assert [event.facts["error_type"] for event in events] == ["StorageError", "KeyError"]


def test_workers_tidy_up_again_after_a_bug(monkeypatch):
    monkeypatch.setattr(run, "EVERY_SECONDS", 0.01)

    async def main() -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        rounds = iter([KeyError("a bug"), None])

        def housekeep() -> None:
            error = next(rounds)
            if error:
                raise error
            loop.call_soon_threadsafe(stop.set)

        world = SimpleNamespace(context=SimpleNamespace(housekeep=housekeep))
        await run.housekeep_on(world, stop)

    asyncio.run(asyncio.wait_for(main(), 5))
