"""Housekeeping: what is older than the settings keep is deleted, wherever something runs for long.

The scheduler and the workers call it every hour, ``save`` each time. Originals and trivial versions
are looked at once a day, whoever calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.idempotency import delete_old_results
from pageloom.edges.store.outbox import forget_messages
from pageloom.edges.store.retention import tidy
from pageloom.edges.store.runs import forget_runs
from pageloom.edges.store.times import later, now

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store
    from pageloom.edges.store.options import LibraryOptions
    from pageloom.flows.watch.options import WatchOptions

EVERY_SECONDS = 3600.0
REPEATED_DAYS = 30.0
"""So long a message may come again and is recognised."""
_DAY = 86_400


def housekeep(store: Store, library: LibraryOptions, watch: WatchOptions, *, at: str = "") -> None:
    """Delete old runs, sent messages, notes of handled messages, originals and trivial versions.

    Args:
        store: the library.
        library: how long originals and trivial versions are kept.
        watch: how long runs and messages are kept.
        at: this instant, where the clock is not the machine's.
    """
    before = later(at or now(), -_DAY * watch.retention_days)
    forget_runs(store, before)
    forget_messages(store, before)
    store.transact(lambda tx: delete_old_results(tx, REPEATED_DAYS))
    tidy(store, originals_days=library.originals_days, trivial_days=library.trivial_days)
