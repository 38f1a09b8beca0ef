"""Lines that are counters, by their words or their neighbours."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pageloom.core.compare import lexicon as group
from pageloom.core.compare.counters import is_whole
from pageloom.core.compare.masks import Masked, mask_line
from pageloom.core.compare.tokens import TextToken, read_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMING = (
    group.STAMP + group.COUNTED + group.COUNTED_ONE + group.LABELLED + group.ATTENDING
    + group.READING + group.CURRENT + group.CLOCK_WORD + group.PAST + group.UNIT + group.CROWD
    + group.MACHINE + group.HANDLE + group.COUNTDOWN
)  # fmt: skip
"""Groups of words that say what a counter or a moment is of."""
_DECIDING = group.NEGATION + group.STATE + group.NUMBER_WORD + group.WEEKDAY
_MOST_WORDS = 4
_FEW_DIGITS = 2


def only_a_number_differs(before: str, after: str) -> bool:
    """Whether two short lines are the same but for one number of many things."""
    old, new = read_tokens(before), read_tokens(after)
    differ = [(a, b) for a, b in zip(old, new, strict=False) if a.fold != b.fold]
    return (
        len(old) == len(new) <= _MOST_WORDS
        and len(differ) == 1
        and all(is_whole(token) and len(token.fold) > _FEW_DIGITS for token in differ[0])
    )


def has_counters_beside(lines: Sequence[str], number: int) -> bool:
    """Whether the lines before and after one, or the two on one side of it, are counters."""
    counts = [
        0 <= place < len(lines) and _only_counts(lines[place])
        for place in (number - 2, number - 1, number + 1, number + 2)
    ]
    return any(a and b for a, b in pairwise(counts))


def _only_counts(line: str) -> bool:
    masked = mask_line(line)
    return masked.kinds == ("counter",) and only_names_counters(masked.key)


def only_names_counters(key: str) -> bool:
    """Whether a line says nothing beside its counters and stamps but what they count."""
    tokens = [token for token in read_tokens(key) if token.kind != "mark"]
    return len(tokens) <= _MOST_WORDS and all(_names_counter(token) for token in tokens)


def decides(line: str) -> bool:
    """Whether a line has a number, a negation, or a word that binds or tells of a state."""
    return any(
        token.kind in ("number", "clock", "date")
        or any(letter in _DECIDING + group.MODAL for letter in token.groups)
        for token in read_tokens(line)
    )


def binds(line: str) -> bool:
    """Whether a line has a word that tells of a state, or makes a date matter."""
    return any(
        letter in group.STATE + group.BINDING
        for token in read_tokens(line)
        for letter in token.groups
    )


def states(line: str) -> frozenset[str]:
    """The words of a line that tell of a state, deny something, or count down."""
    telling = group.STATE + group.NEGATION + group.COUNTDOWN
    return frozenset(
        token.fold
        for token in read_tokens(line)
        if any(letter in telling for letter in token.groups)
    )


def is_byline(masked: Masked) -> bool:
    """Whether a line only says who wrote something how long ago: ``ada_k 3 days ago #5``."""
    rest = [token for token in read_tokens(masked.key) if token.kind != "mark"]
    return (
        "relative-time" in masked.kinds
        and len(rest) < _MOST_WORDS
        and not any(letter in _DECIDING for token in rest for letter in token.groups)
    )


def _names_counter(token: TextToken) -> bool:
    return any(letter in _NAMING for letter in token.groups) and not any(
        letter in _DECIDING for letter in token.groups
    )
