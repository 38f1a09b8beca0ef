"""How the C library hands out memory to a process that lives long."""

from __future__ import annotations

import sys

_M_ARENA_MAX = -8


def limit_malloc_arenas() -> None:
    """Have all threads share one pool of memory, where the C library would give each its own.

    What is free in the pool of one thread is of no use to another: a worker that lives long holds
    some megabytes more for nothing, and slowly more of them. To be called before there are threads.
    """
    if sys.platform != "linux":
        return
    import ctypes

    set_option = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc has it, musl has not
    if set_option is not None:
        set_option(_M_ARENA_MAX, 1)
