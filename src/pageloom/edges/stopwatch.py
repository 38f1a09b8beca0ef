"""Stopwatch for the stages of the pipeline."""

from __future__ import annotations

import time


class Stopwatch:
    """Seconds by stage; the pipeline calls ``mark``."""

    def __init__(self) -> None:
        self.stages: dict[str, float] = {}
        self._stage = ""
        self._since = 0.0

    def mark(self, stage: str) -> None:
        """A stage begins; the one before it ends."""
        now = time.perf_counter()
        if self._stage:
            self.stages[self._stage] = self.stages.get(self._stage, 0.0) + now - self._since
        self._stage, self._since = stage, now

    def stop(self) -> dict[str, float]:
        """The last stage ends."""
        self.mark("")
        return self.stages
