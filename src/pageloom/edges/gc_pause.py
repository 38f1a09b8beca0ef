"""When Python looks for reference cycles: not while a page is read, nor among what stays."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

_ALLOCATIONS = (700, 10, 10)
"""Python's own: the command line waits longer, which suits those who will have ended by then."""


def tune_gc_for_workers() -> None:
    """From now on look for cycles often, and only among what comes from now on.

    To be called when a process that lives long is loaded. Python puts off the search through
    everything until a quarter as much has been added to it: with all modules in it that takes long,
    and what waits to be found lies about between what is in use. Without them a search is short and
    comes soon.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_ALLOCATIONS)


@contextmanager
def gc_paused() -> Generator[None]:
    """Let the collector of reference cycles rest for as long as a page is read.

    What a page leaves behind goes when the last reference to it goes; searching the growing tree
    for cycles, dozens of times a page, finds none and takes a tenth of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
