"""How similar two texts are: Levenshtein by paragraphs, Jaccard by runs of three words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.core.compare.blocks import Block
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


def measure(one: Side, judged: Sequence[Judged]) -> Figures:
    """How similar two texts are once what means nothing is left out.

    Blocks that both have count by their words without being looked at, which is what makes this
    fast; a typing mistake that was put right and a block that only moved count as equal.
    """
    left = {each.block.left for each in judged if each.block.left >= 0}
    equal = sum(_weight(line) for number, line in enumerate(one.lines) if number not in left)
    kept = added = removed = edited = shared = total = 0.0
    shingles: set[str] = set()
    others: set[str] = set()
    for each in judged:
        block = each.block
        if each.trivial in ("", "wording"):
            weight = max(_weight(block.before), _weight(block.after))
            if block.moved:
                equal += weight
            elif block.edited:
                edited += weight
                kept += weight * each.edit.similarity
            else:
                removed += weight if block.before else 0
                added += weight if block.after else 0
            if block.masked or block.other:
                shingles.update(_shingles(_words(block, first=True)))
                others.update(_shingles(_words(block, first=False)))
            elif not block.moved:
                shared += max(0.0, weight - (_RUN - 1) - lost(weight, each.edit.similarity))
                total += weight + lost(weight, each.edit.similarity)
        elif block.edited:
            equal += _weight(block.after)
    whole = equal + edited + max(added, removed)
    shared += equal + len(shingles & others)
    total += equal + len(shingles | others)
    return Figures(
        levenshtein=round((equal + kept) / whole, 4) if whole else 1.0,
        jaccard=round(shared / total, 4) if total else 1.0,
    )


def _weight(line: str) -> int:
    """About how many words a line has; a script without spaces has one to three characters."""
    if not line:
        return 0
    return max(line.count(" ") + 1, len(line) // 12)


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
