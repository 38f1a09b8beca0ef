"""Similarity of two texts: Levenshtein by paragraphs, Jaccard by three-word shingles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.core.compare.masks import Masked
    from pageloom.core.compare.pairs import Difference
    from pageloom.core.compare.sentences import SentenceEdit
    from pageloom.core.compare.side import Side

_RUN = 3
_LOST = frozenset(("", "wording", "unlikely"))
"""What a difference is called that counts, or may."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Two measures from 0, nothing in common, to 1, the same."""

    levenshtein: float = 1.0
    jaccard: float = 1.0

    @property
    def lowest(self) -> float:
        """The lower of the two."""
        return min(self.levenshtein, self.jaccard)


def measure(one: Side, judged: Sequence[tuple[Difference, SentenceEdit, str]]) -> Figures:
    """How similar the contents of two pages are.

    Blocks that both have count by their words without being looked at, which is what makes this
    fast. What differs and means nothing counts as equal; what stands around the content does not
    count at all.
    """
    main = [text for text, role in zip(one.texts, one.blocks.roles, strict=True) if role == "m"]
    equal = float(_weight_of(main))
    kept = added = removed = edited = 0.0
    shingles: set[str] = set()
    others: set[str] = set()
    for difference, edit, trivial in judged:
        in_main = difference.left >= 0 and one.is_main(difference.left)
        if difference.moved or trivial not in _LOST:
            continue
        if difference.left >= 0 and not in_main:
            continue
        weight = max(_weight(difference.before), _weight(difference.after))
        equal -= _weight(difference.before)
        if difference.edited:
            edited += weight
            kept += weight * edit.similarity
        else:
            removed += weight if difference.before else 0
            added += weight if difference.after else 0
        shingles.update(_shingles(_words(difference.masked)))
        others.update(_shingles(_words(difference.other)))
    equal = max(0.0, equal)
    whole = equal + edited + max(added, removed)
    shared, total = equal + len(shingles & others), equal + len(shingles | others)
    return Figures(
        levenshtein=round((equal + kept) / whole, 4) if whole else 1.0,
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


def _words(masked: Masked | None) -> list[str]:
    return masked.key.split() if masked else []


def _shingles(words: list[str]) -> Iterable[str]:
    if len(words) <= _RUN:
        return [" ".join(words)] if words else []
    return (" ".join(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
