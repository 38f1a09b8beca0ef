"""Find lines that were added, removed or moved."""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.compare.align import find_gaps, number_lines
from pageloom.core.compare.gaps import Gaps, lie_within

if TYPE_CHECKING:
    from array import array

    import numpy as np
    from numpy.typing import NDArray

    from pageloom.core.compare.align import Numbered

_LONG = 5_000
"""Lines in gaps above which they are counted all in one go."""


class Changes(NamedTuple):
    """Where two texts differ, before anything is read closely."""

    gaps: Gaps
    gone: list[str]
    """Lines of the first text in these gaps, each once."""
    come: list[str]
    moved: list[str]
    """Lines that went here and came there, each once."""
    times: list[int]
    """How often each of them did."""
    size: int
    """Characters of the lines that came or went and did not only move."""
    lines: int
    """How many lines came, went or moved."""

    def count_moved(self) -> dict[str, int]:
        """How often each line moved that did."""
        return dict(zip(self.moved, self.times, strict=True))


def find_changes(one: list[str], two: list[str]) -> Changes:
    """Which lines came, went and moved."""
    texts = number_lines(one, two)
    gaps = find_gaps(texts)
    lines = gaps.size
    if lines > _LONG:
        gone, come, moved, times = _count_numbers(one, two, texts, gaps)
    else:
        went, came = Counter(gaps.old_lines(one)), Counter(gaps.new_lines(two))
        both = went & came
        gone, come, moved, times = list(went), list(came), list(both), list(both.values())
    if 2 * sum(times) == lines:
        return Changes(gaps, gone, come, moved, times, 0, lines)
    size = sum(map(len, gone)) + sum(map(len, come)) - 2 * sum(map(len, moved))
    return Changes(gaps, gone, come, moved, times, max(size, 1), lines)


def _count_numbers(
    one: list[str], two: list[str], texts: Numbered, gaps: Gaps
) -> tuple[list[str], list[str], list[str], list[int]]:
    """The same by the numbers of the lines: reading so many texts again would take longer."""
    import numpy as np  # loaded for long texts only

    left, right, _ = texts
    start, end, other_start, other_end = gaps.columns
    known = len(left) + len(right)
    first, counts = _count(left, lie_within(start, end, len(left)), known)
    other_first, other_counts = _count(right, lie_within(other_start, other_end, len(right)), known)
    times = np.minimum(counts, other_counts)[np.frombuffer(left, np.int64)]
    moved = first & (times > 0)
    return (
        list(compress(one, first.tobytes())),
        list(compress(two, other_first.tobytes())),
        list(compress(one, moved.tobytes())),
        times[moved].tolist(),
    )


def _count(
    numbers: array[int], inside: NDArray[np.bool_], known: int
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Of each line, whether it is the first of its number in a gap; how often each number is."""
    import numpy as np

    places = np.flatnonzero(inside)
    found = np.frombuffer(numbers, np.int64)[places]
    place_of = np.empty(known, np.int64)
    place_of[found[::-1]] = places[::-1]  # of several, the last one written stays
    first = np.zeros(len(numbers), np.bool_)
    first[places[place_of[found] == places]] = True
    return first, np.bincount(found, minlength=known)
