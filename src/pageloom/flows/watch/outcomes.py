"""What a check can lead to, and what follows from it: a row for each outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

VerdictKind = Literal[
    "new",
    "unchanged",
    "trivial",
    "pending",
    "changed",
    "filtered",
    "returned",
    "held",
    "worse",
    "rebased",
    "stale",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequences:
    """What follows from an outcome."""

    is_stored: bool = True
    """Whether the capture becomes a version, or renews the last one."""
    is_trivial: bool = False
    """Whether that version is flagged trivial, and deleted by age."""
    moves_baseline: bool = False
    """Whether later captures are compared with this one."""
    is_change: bool = False
    """Whether a change is recorded, with its report."""
    is_notified: bool = False
    """Whether that change is notified."""
    is_doubtful: bool = False
    """Whether it is logged as a warning."""


CONSEQUENCES: dict[VerdictKind, Consequences] = {
    "new": Consequences(moves_baseline=True),
    "unchanged": Consequences(),
    "trivial": Consequences(is_trivial=True),
    # A difference on weak evidence: notified if the next check still finds it.
    "pending": Consequences(is_trivial=True),
    "changed": Consequences(moves_baseline=True, is_change=True, is_notified=True),
    # A change that its watcher did not ask for: recorded, and still measured from the baseline.
    "filtered": Consequences(is_change=True),
    # Back to a version that was notified before: no news, but what later captures are measured by.
    "returned": Consequences(moves_baseline=True),
    # A price too strange to be believed before the next check has seen it as well.
    "held": Consequences(is_trivial=True),
    "worse": Consequences(is_stored=False, is_doubtful=True),
    # The baseline cannot be compared with: the capture takes its place without a notice.
    "rebased": Consequences(moves_baseline=True, is_doubtful=True),
    "stale": Consequences(is_stored=False, is_doubtful=True),
}
