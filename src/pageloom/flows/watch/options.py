"""Options of watches: the ``[watch]`` section of the settings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOptions:
    """How watches are checked."""

    every: str = "1d"
    """The interval of watches without one of their own."""
    timezone: str = "UTC"
    """The time zone of cron expressions and active hours, unless a watch has its own."""
    concurrency: int = 8
    """Checks at the same time, each of another host."""
    host_delay: float = 2.0
    """Seconds between two checks of one host."""
    fail_after: int = 3
    """Failed checks in a row before a watch counts as failing."""
    second_look: float = 0.0
    """Seconds after the first check at which a new watch is checked again, to learn what moves by
    itself; 0 for never."""
    lease_seconds: float = 300.0
    """Seconds after which another process may take over the check of one that was killed."""
    shutdown_timeout: float = 20.0
    """Seconds for running checks to finish when the scheduler is asked to stop."""
    keep_pictures: bool = False
    """Keep the pictures of watched pages too, within the limits of ``[library]``."""
    through_workers: bool = False
    """Let the RabbitMQ workers run the checks that are due, instead of this process."""
    retention_days: int = 90
    """Days for which runs and sent messages are kept."""
