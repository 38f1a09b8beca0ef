"""Pause Python's cyclic garbage collector during extraction, and tune it for workers."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

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
