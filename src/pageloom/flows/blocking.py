"""Asynchronous work for callers that wait for it."""

from __future__ import annotations

import contextvars
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator

T = TypeVar("T")


class Runner(Protocol):
    """Runs one coroutine after another in the same event loop."""

    def __call__(self, work: Callable[[], Coroutine[Any, Any, T]], /) -> T:
        """Wait for what the coroutine returns."""
        ...


def run_blocking(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end, also where this thread has a running event loop."""
    with blocking_runner() as run:
        return run(work)


@contextmanager
def blocking_runner() -> Generator[Runner]:
    """An event loop for a caller that waits.

    Where this thread runs an event loop already, ours lives in a thread of its own, and theirs
    stands still while the caller waits.
    """
    import asyncio  # not before: most of what a library does needs no event loop
    from concurrent.futures import ThreadPoolExecutor

    runner = asyncio.Runner()

    def run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        try:
            return runner.run(work(), context=contextvars.copy_context())
        except asyncio.CancelledError:  # nobody cancels this but Ctrl-C
            raise KeyboardInterrupt from None

    if not _is_in_event_loop():
        with runner:
            yield run
        return
    with ThreadPoolExecutor(max_workers=1) as threads:

        def run_there(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
            scene = contextvars.copy_context()
            return threads.submit(lambda: scene.run(run, work)).result()

        try:
            yield run_there
        finally:
            threads.submit(runner.close).result()


def _is_in_event_loop() -> bool:
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
