"""Limit the memory pools (arenas) of glibc in long-lived processes."""

from __future__ import annotations

import sys

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
