"""Similarity of two texts: Levenshtein by paragraphs, Jaccard by three-word shingles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.core.compare.blocks import Block
    from pageloom.core.compare.large import CoarseSurvey
    from pageloom.core.compare.page import Side
    from pageloom.core.compare.text import Judged

_RUN = 3


@dataclass(frozen=True, slots=True)
class Figures:
    """Two measures from 0, nothing in common, to 1, the same."""

    levenshtein: float = 1.0
    jaccard: float = 1.0

    @property
    def lowest(self) -> float:
        """The lower of the two."""
        return min(self.levenshtein, self.jaccard)


def measure(one: Side, judged: Sequence[Judged], rest: CoarseSurvey) -> Figures:
    """How similar two texts are once what means nothing is left out.

    Blocks that both have count by their words without being looked at, which is what makes this
    fast; a typing mistake that was put right and a block that only moved count as equal. Lines
    that differ and were not looked at are taken to be like those that were.
    """
    differing = [each.block.before for each in judged if each.block.left >= 0]
    unseen = _weight_of(rest.removed)
    equal = float(max(0, _weight_of(one.lines) - _weight_of(differing) - unseen))
    kept = added = removed = edited = shared = total = 0.0
    shingles: set[str] = set()
    others: set[str] = set()
    for each in judged:
        block = each.block
        if block.moved:
            equal += _weight(block.before) if block.left >= 0 else 0
        elif each.trivial in ("", "wording"):
            weight = max(_weight(block.before), _weight(block.after))
            if block.edited:
                edited += weight
                kept += weight * each.edit.similarity
            else:
                removed += weight if block.before else 0
                added += weight if block.after else 0
            if block.masked or block.other:
                shingles.update(_shingles(_words(block, first=True)))
                others.update(_shingles(_words(block, first=False)))
            elif block.edited:
                shared += max(0.0, weight - (_RUN - 1) - lost(weight, each.edit.similarity))
                total += weight + lost(weight, each.edit.similarity)
            else:
                total += weight
        elif block.edited:
            equal += _weight(block.after)
    seen = edited + max(added, removed)
    factor = 1 + max(unseen, _weight_of(rest.added)) / seen if seen else 1.0
    whole = equal + seen * factor
    shared = equal + (shared + len(shingles & others)) * factor
    total = equal + (total + len(shingles | others)) * factor
    return Figures(
        levenshtein=round((equal + kept * factor) / whole, 4) if whole else 1.0,
        jaccard=round(shared / total, 4) if total else 1.0,
    )


def _weight(line: str) -> int:
    """About how many words a line has; a script without spaces has one to three characters."""
    if not line:
        return 0
    return max(line.count(" ") + 1, len(line) // 12)


def _weight_of(lines: Sequence[str]) -> int:
    """About how many words lines have, all in one go."""
    whole = " ".join(lines)
    return max(whole.count(" ") + 1, len(whole) // 12) if whole else 0


def lost(weight: float, similarity: float) -> float:
    """About how many runs of three words a block loses with so many of its words."""
    changed = weight * (1 - similarity)
    return min(weight, changed + _RUN - 1) if changed else 0.0


def _words(block: Block, *, first: bool) -> list[str]:
    masked = block.masked if first else block.other
    return masked.key.split() if masked else []


def _shingles(words: list[str]) -> Iterable[str]:
    if len(words) <= _RUN:
        return [" ".join(words)] if words else []
    return (" ".join(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
