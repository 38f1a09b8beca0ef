"""Loops of long-lived processes: a round that fails is reported, and the loop goes on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pageloom.errors import InternalError, PageloomError
from pageloom.flows.events import emit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


async def repeat(
    work: Callable[[], Awaitable[None]],
    stop: asyncio.Event,
    *,
    name: str,
    pause: float = 0.0,
    pause_after_error: float = 5.0,
    on_error: Callable[[PageloomError], None] = lambda _: None,
) -> None:
    """Do something again and again until asked to stop, whatever error it meets.

    Args:
        work: one round.
        stop: ends the loop, after the round under way.
        name: what the loop is for; the event ``<name>.failed`` reports an error.
        pause: seconds between two rounds.
        pause_after_error: seconds after a round that failed.
        on_error: called with each error; a bug of ours comes as an InternalError.
    """
    while not stop.is_set():
        try:
            await work()
        except Exception as error:  # noqa: BLE001  the door: it is reported, and the loop goes on
            _report(name, error, on_error)
            await wait_for_stop(stop, pause_after_error)
        else:
            await wait_for_stop(stop, pause)


def _report(name: str, error: Exception, on_error: Callable[[PageloomError], None]) -> None:
    kind = type(error).__name__
    known = error if isinstance(error, PageloomError) else InternalError(f"{name}: {kind}")
    emit(f"{name}.failed", level="error", error_type=kind, error=known.message)
    on_error(known)


async def wait_for_stop(stop: asyncio.Event, seconds: float) -> None:
    """Wait until a stop is asked for, or the time is over."""
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return
