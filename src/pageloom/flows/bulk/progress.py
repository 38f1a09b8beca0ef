"""How far a run is: added to by keepers, read by whoever shows it."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field

import msgspec

from pageloom.flows.bulk.tally import Tally

_RECENT = 30.0
"""Seconds that "now" means."""


@dataclass
class Progress:
    """The counts of a run while it works."""

    shards: int = 0
    """All of them."""
    done: int = 0
    workers: int = 0
    """At work now."""
    started_with: int = 0
    """Pages that earlier runs had read."""
    done_before: int = 0
    """Shards that earlier runs had finished."""
    tally: Tally = field(default_factory=Tally)
    """Of this run."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _begun: float = field(default_factory=time.monotonic)
    _recent: deque[tuple[float, int]] = field(default_factory=deque[tuple[float, int]])

    def add(self, tally: Tally) -> None:
        """A batch was written."""
        # Neither is shown, and of sites a long run meets more than memory holds.
        shown = msgspec.structs.replace(tally, sites={}, slow=[])
        with self._lock:
            self.tally.add(shown)
            now = time.monotonic()
            self._recent.append((now, tally.read))
            while self._recent and now - self._recent[0][0] > _RECENT:
                self._recent.popleft()

    def shard_done(self) -> None:
        """A shard is whole."""
        with self._lock:
            self.done += 1

    def working(self, change: int) -> None:
        """A worker begins, or ends."""
        with self._lock:
            self.workers += change

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return time.monotonic() - self._begun

    @property
    def mean_rate(self) -> float:
        """Pages a second."""
        return self.tally.read / max(self.seconds, 0.001)

    @property
    def rate(self) -> float:
        """Pages a second, of late."""
        with self._lock:
            pages = sum(number for _, number in self._recent)
            since = self._recent[0][0] if self._recent else time.monotonic()
        return pages / max(time.monotonic() - since, 1.0)

    def seconds_left(self) -> float | None:
        """As long as the other shards take if they are like those that are done."""
        done = self.done - self.done_before
        if not done:
            return None
        return self.seconds / done * (self.shards - self.done)
