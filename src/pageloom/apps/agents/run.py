"""Start one worker, or several in one process, and end them when asked to."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

from pageloom.apps.agents.agent import WorkerContext
from pageloom.apps.agents.health import serve_health
from pageloom.apps.agents.topology import make_agent, section_of
from pageloom.apps.agents.worker import QueueWorker
from pageloom.context import limit_worker_memory, tune_worker_memory, worker_context
from pageloom.flows.events import emit
from pageloom.flows.library.housekeep import EVERY_SECONDS
from pageloom.flows.repeat import repeat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.apps.agents.agent import Agent
    from pageloom.settings import Settings

_CLOSING = 3.0
"""Seconds for saying good-bye to the broker, the library and the browser."""


async def run_workers(agents: Sequence[Agent], settings: Settings, stop: asyncio.Event) -> None:
    """Run these workers until ``stop`` is set."""
    world = WorkerContext(worker_context(settings))
    try:
        await _run_workers(agents, world, stop)
    finally:
        await world.close()


async def _run_workers(agents: Sequence[Agent], world: WorkerContext, stop: asyncio.Event) -> None:
    settings = world.settings
    if any(agent.uses_store for agent in agents):
        await _look_at_store(world, [agent.name for agent in agents if agent.uses_store])
    if any(agent.uses_rules for agent in agents):
        await asyncio.to_thread(lambda: world.context.rules)  # and so is a mistake in the rules
    workers = [QueueWorker(agent, world, stop) for agent in agents]
    alone = section_of(agents[0].name) if len(agents) == 1 else ""
    port = getattr(settings, alone).port if alone else settings.broker.health_port
    server = await serve_health(
        settings.broker.health_host,
        port,
        lambda: {each.agent.name: each.is_ready for each in workers},
    )
    tune_worker_memory()
    uses_store = any(agent.uses_store for agent in agents)
    tidying = asyncio.create_task(housekeep_on(world, stop)) if uses_store else None
    try:
        await asyncio.gather(*(worker.run() for worker in workers))
    finally:
        if tidying is not None:
            tidying.cancel()
            await asyncio.gather(tidying, return_exceptions=True)
        if server is not None:
            server.close()
        emit("worker.stopped", agents=[agent.name for agent in agents])


async def housekeep_on(world: WorkerContext, stop: asyncio.Event) -> None:
    """Delete every hour what the settings no longer keep; a library that is away waits."""

    async def work() -> None:
        await asyncio.to_thread(world.context.housekeep)

    await repeat(
        work, stop, name="housekeeping", pause=EVERY_SECONDS, pause_after_error=EVERY_SECONDS
    )


async def _look_at_store(world: WorkerContext, names: list[str]) -> None:
    """Tell at once, not at the first message, that a library cannot be used; it may yet come."""
    if not await asyncio.to_thread(world.is_store_up):
        emit("store.unavailable", level="error", agent=", ".join(names), error=world.store_trouble)


def run_until_signal(names: Sequence[str], settings: Settings) -> bool:
    """Run these workers until SIGTERM or Ctrl-C; a second one does not wait.

    Returns:
        Whether it was Ctrl-C; not at all where threads do not end, as when the database hangs.
    """
    limit_worker_memory()
    got: list[signal.Signals] = []

    async def run() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        main = asyncio.current_task()

        def end(number: signal.Signals) -> None:
            if got and main is not None:
                main.cancel()
            seconds = 0.0 if got else settings.broker.shutdown_timeout
            _end_after(seconds + _CLOSING, 130 if signal.SIGINT in (*got, number) else 0)
            got.append(number)
            stop.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, end, number)
        await run_workers([make_agent(name) for name in names], settings, stop)

    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(run())
    return signal.SIGINT in got


def _end_after(seconds: float, code: int) -> None:
    """End the process then, if it has not ended: threads that wait for others cannot be asked to.

    Nothing is lost by it: what is not answered for the broker brings to the next worker.
    """
    timer = threading.Timer(seconds, _end_now, (code,))
    timer.daemon = True
    timer.start()


def _end_now(code: int) -> None:
    emit("worker.killed", level="warning", reason="messages in progress did not finish in time")
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)
