"""Learn noisy blocks from a series of checks: those that change every time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pageloom.core.compare.report import ChangeReport

CHECKS_TO_MUTE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Volatility:
    """What is known of a page's restless blocks, by ``BlockChange.key``."""

    streaks: dict[str, int] = field(default_factory=dict[str, int])
    """How many checks in a row each block has differed."""
    muted: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    """Blocks that somebody unmuted: they are not muted again."""


def learn_volatile(
    known: Volatility, report: ChangeReport, *, checks: int = CHECKS_TO_MUTE
) -> tuple[Volatility, tuple[str, ...]]:
    """Count one more check, and name the blocks that are muted from now on.

    Args:
        known: what was known before.
        report: of this check against the one before it (not against what was last told).
        checks: differing so many times in a row mutes a block.

    Returns:
        What is known now, and the keys that were muted by this check, to be told once.
    """
    streaks = {
        block.key: known.streaks.get(block.key, 0) + 1
        for block in report.text.blocks
        if block.key and not block.trivial and not block.protected
    }
    barred = {*known.muted, *known.refused}
    new = tuple(key for key, count in streaks.items() if count >= checks and key not in barred)
    return replace(known, streaks=streaks, muted=(*known.muted, *new)), new
