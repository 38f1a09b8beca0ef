"""Housekeeping: what is older than the settings keep is deleted, wherever something runs for long.

The scheduler and the workers call it every hour; saves, checks and polls each time, for those who
run nothing for long but a command by cron. It is done once a day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.retention import Retention, prune_daily

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store
    from pageloom.edges.store.options import LibraryOptions

EVERY_SECONDS = 3600.0


def housekeep(store: Store, library: LibraryOptions, days: int, *, at: str = "") -> None:
    """Delete old originals, trivial versions, runs, sent messages, jobs, events and results.

    Args:
        store: the library.
        library: how long originals and trivial versions are kept.
        days: how long runs and messages are kept.
        at: this instant, where the clock is not the machine's.
    """
    keep = Retention(
        originals=library.originals_days,
        pictures=library.pictures_days,
        snapshots=library.snapshots_days,
        trivial_versions=library.trivial_days,
        runs=days,
        messages=days,
    )
    prune_daily(store, keep, at=at)
