"""Align the equal lines of two texts (a fast diff for megabytes).

Common ends are cut off; lines that both texts have exactly once are anchors (patience); what is
left between anchors is small enough for the longest common subsequence, or is taken as replaced.
"""

from __future__ import annotations

from array import array
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import LCSseq

from pageloom.core.compare.anchors import split_at_anchors
from pageloom.core.compare.ends import count_alike
from pageloom.core.compare.gaps import Gap, Gaps

if TYPE_CHECKING:
    from collections.abc import Sequence

_LARGEST = 1_000_000
"""Lines times lines for which the exact answer is worth its time."""
_DEEPEST = 8


def align(one: Sequence[str], two: Sequence[str]) -> Gaps:
    """The gaps between equal lines, in order; none for equal texts."""
    return find_gaps(number_lines(one, two))


class Numbered(NamedTuple):
    """Two texts as numbers, up to the lines at their ends that both have."""

    left: array[int]
    right: array[int]
    start: int
    """How many lines they begin with alike; these have no numbers of their own."""


def number_lines(one: Sequence[str], two: Sequence[str]) -> Numbered:
    """Number the lines of two texts: equal ones have the same number."""
    start = count_alike(one, two)
    same = count_alike(one[start:][::-1], two[start:][::-1])
    # a line is known by the place where it was first seen
    places: dict[str, int] = {}
    left = list(map(places.setdefault, one[start : len(one) - same], count()))
    right = list(map(places.setdefault, two[start : len(two) - same], count(len(left))))
    head = array("q", [0]) * start
    return Numbered(head + array("q", left), head + array("q", right), start)


def find_gaps(texts: Numbered) -> Gaps:
    """The gaps between equal lines."""
    left, right, start = texts
    found = Gaps()
    _find(left, right, Gap(start, len(left), start, len(right)), found, 0)
    return found


def _find(left: array[int], right: array[int], gap: Gap, found: Gaps, depth: int) -> None:
    gap = _without_common_ends(left, right, gap)
    size, other_size = gap.end - gap.start, gap.other_end - gap.other_start
    if not size or not other_size:
        if size or other_size:
            found.add(gap)
        return
    if size * other_size <= _LARGEST:
        _find_exactly(left, right, gap, found)
        return
    parts = split_at_anchors(left, right, gap) if depth <= _DEEPEST else None
    if parts is None:
        found.add(gap)
        return
    done = 0
    for number in parts.unsettled:
        found.extend(parts.gaps, done, number)
        _find(left, right, parts.gaps[number], found, depth + 1)
        done = number + 1
    found.extend(parts.gaps, done, len(parts.gaps))


def _without_common_ends(left: array[int], right: array[int], gap: Gap) -> Gap:
    start, end, other_start, other_end = gap
    while start < end and other_start < other_end and left[start] == right[other_start]:
        start += 1
        other_start += 1
    while start < end and other_start < other_end and left[end - 1] == right[other_end - 1]:
        end -= 1
        other_end -= 1
    return Gap(start, end, other_start, other_end)


def _find_exactly(left: array[int], right: array[int], gap: Gap, found: Gaps) -> None:
    one = left[gap.start : gap.end].tolist()
    two = right[gap.other_start : gap.other_end].tolist()
    if set(one).isdisjoint(two):
        found.add(gap)
        return
    place, other = gap.start, gap.other_start
    for code in LCSseq.opcodes(one, two):
        if code.tag != "equal":
            continue
        start, other_start = gap.start + code.src_start, gap.other_start + code.dest_start
        if start > place or other_start > other:
            found.add(Gap(place, start, other, other_start))
        place, other = gap.start + code.src_end, gap.other_start + code.dest_end
    if place < gap.end or other < gap.other_end:
        found.add(Gap(place, gap.end, other, gap.other_end))
