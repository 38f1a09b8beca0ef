"""How watches are checked: the ``[watch]`` section of the settings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOptions:
    """How watches are checked."""

    every: str = "1d"
    """How often a watch is checked whose owner says nothing."""
    zone: str = "UTC"
    """The time zone of cron lines and active hours, unless a watch has its own."""
    concurrency: int = 8
    """Checks under way at once, each at another host."""
    host_delay: float = 2.0
    """Seconds between two checks at one host."""
    fail_after: int = 3
    """Failures in a row before a watch is said to be failing."""
    lease: float = 300.0
    """Seconds after which the check of a process that was killed may be made by another."""
    grace: float = 20.0
    """Seconds for checks under way when the scheduler is asked to stop."""
    through_workers: bool = False
    """Have the workers of RabbitMQ make the checks that are due, instead of this process."""
    keep_days: int = 90
    """Days for which runs and messages that were sent are kept."""
