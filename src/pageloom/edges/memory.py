"""Memory of processes: when Python collects garbage, and how many pools glibc keeps."""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

T = TypeVar("T")

_ALLOCATIONS = (700, 10, 10)
"""Python's default; the command line uses a higher threshold, because it ends soon."""


def tune_gc_for_workers() -> None:
    """Collect often, and exclude everything loaded so far from collection.

    Call it when a long-lived process has finished loading. Python delays a full collection until
    the objects have grown by a quarter: with all modules among them that takes long, and garbage
    fragments the memory meanwhile. Without them, full collections are short and frequent.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_ALLOCATIONS)


@contextmanager
def gc_paused() -> Generator[None]:
    """Disable the cyclic garbage collector while a page is extracted.

    Reference counting frees the page; searching the growing tree for cycles, dozens of times per
    page, finds none and takes a tenth of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def one_at_a_time(work: Callable[[str], T]) -> Callable[[str], T]:
    """Let no two threads work on one page: both would edit its tree."""
    lock = RLock()

    def alone(name: str) -> T:
        with lock, gc_paused():
            return work(name)

    return alone


_M_ARENA_MAX = -8


def limit_malloc_arenas() -> None:
    """Make all threads share one memory pool, where glibc would give each its own.

    Memory freed in one thread's pool is of no use to another: a long-lived worker would hold a
    growing number of megabytes for nothing. Call it before threads start.
    """
    if sys.platform != "linux":
        return
    import ctypes

    set_option = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc has mallopt, musl does not
    if set_option is not None:
        set_option(_M_ARENA_MAX, 1)


def limit_memory(extra: int) -> None:
    """Limit the address space where that is possible, so that a greedy page fails alone."""
    import resource

    used = _address_space()
    if not used:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + extra
    if hard == resource.RLIM_INFINITY or wanted < hard:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _address_space() -> int:
    if sys.platform != "linux":  # macOS takes the limit and does not keep it
        return 0
    import resource

    with open("/proc/self/statm") as sizes:  # noqa: PTH123  pathlib would be loaded only for this
        return int(sizes.read().split()[0]) * resource.getpagesize()
