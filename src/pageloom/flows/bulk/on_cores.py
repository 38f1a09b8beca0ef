"""Carry out shards on the cores of this machine: a keeper thread and a runner each, one mother."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pageloom.edges.mother import Mother
from pageloom.errors import InternalError, PageloomError
from pageloom.flows.bulk.runner import MODULE
from pageloom.flows.bulk.shard import Keeping, Stopped, run_shard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pageloom.flows.bulk.dedup import Spread
    from pageloom.flows.bulk.progress import Progress
    from pageloom.flows.bulk.runner import Position, RunnerSetup
    from pageloom.flows.bulk.shard import Output

_LOOK = 0.2
"""Seconds between two looks at the progress."""


def usable_cores() -> int:
    """The cores that this process may use, which may be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass
class _Shared:
    """What the keepers share."""

    keeping: Keeping
    todo: list[tuple[int, int, Position]]
    progress: Progress
    stop: threading.Event
    lock: threading.Lock = field(default_factory=threading.Lock)
    left: int = 0
    """Keepers that have not ended."""
    ended: threading.Event = field(default_factory=threading.Event)
    """They all have. (To join a thread is no way to wait: interrupted, it takes it for ended.)"""
    failed: dict[int, str] = field(default_factory=dict[int, str])
    fatal: list[BaseException] = field(default_factory=list[BaseException])


def run_on_cores(  # noqa: PLR0913  what a run is made of
    output: Output,
    setup: RunnerSetup,
    todo: dict[int, tuple[int, Position]],
    *,
    workers: int | None,
    progress: Progress,
    fork: bool = True,
    on_look: Callable[[], None] = lambda: None,
) -> dict[int, str]:
    """Carry out shards, and say which failed and why.

    Raises:
        PageloomError: the run cannot go on.
        KeyboardInterrupt: it was asked to stop; open parts were dropped.
    """
    stop = threading.Event()
    queue = [(shard, part, start) for shard, (part, start) in sorted(todo.items(), reverse=True)]
    with Mother(MODULE, setup, fork=fork) as mother:
        keeping = Keeping(output, mother, progress.add, stop.is_set)
        shared = _Shared(keeping, queue, progress, stop)
        shared.left = max(1, min(workers or usable_cores(), len(queue)))
        for _ in range(shared.left):
            threading.Thread(target=_keep, args=(shared,), daemon=True).start()
        _wait(shared, on_look)
    if shared.fatal:
        raise shared.fatal[0]
    return shared.failed


def _wait(shared: _Shared, on_look: Callable[[], None]) -> None:
    """Wait for the keepers; the first Ctrl-C stops them, a second one waits no longer."""
    try:
        while not shared.ended.wait(_LOOK):
            on_look()
    except KeyboardInterrupt:
        shared.stop.set()
        while not shared.ended.wait(_LOOK):
            on_look()
        raise


def _keep(shared: _Shared) -> None:
    """Carry out one shard after the other."""
    shared.progress.working(1)
    try:
        while not shared.stop.is_set():
            with shared.lock:
                if not shared.todo:
                    return
                shard, part, start = shared.todo.pop()
            _carry_out(shared, shard, part, start)
    except Stopped:
        return
    except BaseException as error:  # noqa: BLE001  the thread that waits raises it
        shared.fatal.append(error)
        shared.stop.set()
    finally:
        shared.progress.working(-1)
        with shared.lock:
            shared.left -= 1
            if not shared.left:
                shared.ended.set()


def _carry_out(shared: _Shared, shard: int, part: int, start: Position) -> None:
    try:
        run_shard(shared.keeping, shard, part, start)
    except PageloomError as error:
        if isinstance(error, InternalError) or error.figures.get("act") != "read":
            raise  # every other shard would meet the same
        shared.failed[shard] = error.message
    else:
        shared.progress.shard_done()


def spread_on_cores(workers: int | None) -> Spread:
    """What does something with each of many items, several at once."""

    def spread(act: Callable[[Any], None], items: Iterable[Any]) -> None:
        with ThreadPoolExecutor(workers or usable_cores()) as pool:
            for _ in pool.map(act, items):
                pass

    return spread
