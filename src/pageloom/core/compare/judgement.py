"""What a series of checks teaches: blocks that never rest, pages that go back to what they were."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003  part of the public signatures
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pageloom.core.compare.change import diff
from pageloom.core.compare.options import DEFAULTS, DiffOptions

if TYPE_CHECKING:
    from pageloom.core.compare.report import ChangeReport
    from pageloom.model import Document

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


def unmute(known: Volatility, key: str) -> Volatility:
    """Let a block count again, for good."""
    muted = tuple(each for each in known.muted if each != key)
    refused = known.refused if key in known.refused else (*known.refused, key)
    return Volatility(
        streaks={name: count for name, count in known.streaks.items() if name != key},
        muted=muted,
        refused=refused,
    )


def find_return(
    after: Document, earlier: Sequence[Document], options: DiffOptions = DEFAULTS
) -> int | None:
    """Which of the earlier Documents a page has gone back to (A, B, A), or None.

    Args:
        after: the Document of today.
        earlier: Documents of before, the newest first; the first is what today's differs from.
        options: as for ``diff``.
    """
    for number, document in enumerate(earlier[1:], start=1):
        if not diff(document, after, options).has_changes:
            return number
    return None
