"""Align two texts line by line: which lines both have, which came, went or moved.

A diff for megabytes. Common ends are cut off; lines that both texts have exactly once are anchors
(patience); what is left between anchors is small enough for the longest common subsequence, or is
taken as replaced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import chain, compress, count
from operator import ne
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import LCSseq

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LARGEST = 1_000_000
"""Lines times lines for which the exact answer is worth its time."""
_DEEPEST = 8
_MOST_MOVED = 4_000
"""Lines in another order whose longest common order is looked for in one go."""
_FEW = 64
"""Characters that are compared one by one."""


class Gap(NamedTuple):
    """Lines that only one of the texts has between two lines that both have."""

    start: int
    end: int
    other_start: int
    other_end: int


class Changes(NamedTuple):
    """Where two texts differ, before anything is read closely."""

    gaps: list[Gap]
    moved: dict[str, int]
    """Lines that went here and came there, and how often they did."""
    lines: int
    """How many lines came, went or moved."""


def find_changes(one: Sequence[str], two: Sequence[str]) -> Changes:
    """Which lines came, went and moved."""
    gaps = align(one, two)
    went = Counter(chain.from_iterable(one[gap.start : gap.end] for gap in gaps))
    came = Counter(chain.from_iterable(two[gap.other_start : gap.other_end] for gap in gaps))
    moved = {line: min(times, came[line]) for line, times in went.items() if line in came}
    return Changes(gaps, moved, went.total() + came.total())


def align(one: Sequence[str], two: Sequence[str]) -> list[Gap]:
    """The gaps between equal lines, in order; none for equal texts."""
    start = count_alike(one, two)
    end = count_alike(one[start:][::-1], two[start:][::-1])
    # a line is known by the place where it was first seen
    places: dict[str, int] = {}
    left = list(map(places.setdefault, one[start : len(one) - end], count()))
    right = list(map(places.setdefault, two[start : len(two) - end], count(len(left))))
    found = _find(left, right, Gap(0, len(left), 0, len(right)), 0)
    return [Gap(a + start, b + start, c + start, d + start) for a, b, c, d in found]


def _find(left: list[int], right: list[int], gap: Gap, depth: int) -> Iterator[Gap]:
    gap = _without_common_ends(left, right, gap)
    size, other_size = gap.end - gap.start, gap.other_end - gap.other_start
    if not size or not other_size:
        if size or other_size:
            yield gap
    elif size == other_size == 1:
        yield gap
    elif size * other_size <= _LARGEST:
        yield from _find_exactly(left, right, gap)
    else:
        anchors = _find_anchors(left, right, gap) if depth <= _DEEPEST else []
        if not anchors:
            yield gap
            return
        start, other = gap.start, gap.other_start
        for place, other_place in [*anchors, (gap.end, gap.other_end)]:
            size, other_size = place - start, other_place - other
            if size and other_size and (size + other_size > 2 or left[start] == right[other]):
                yield from _find(left, right, Gap(start, place, other, other_place), depth + 1)
            elif size or other_size:
                yield Gap(start, place, other, other_place)
            start, other = place + 1, other_place + 1


def _without_common_ends(left: list[int], right: list[int], gap: Gap) -> Gap:
    start, end, other_start, other_end = gap
    while start < end and other_start < other_end and left[start] == right[other_start]:
        start += 1
        other_start += 1
    while start < end and other_start < other_end and left[end - 1] == right[other_end - 1]:
        end -= 1
        other_end -= 1
    return Gap(start, end, other_start, other_end)


def _find_exactly(left: list[int], right: list[int], gap: Gap) -> Iterator[Gap]:
    one, two = left[gap.start : gap.end], right[gap.other_start : gap.other_end]
    if set(one).isdisjoint(two):
        yield gap
        return
    place, other = gap.start, gap.other_start
    for code in LCSseq.opcodes(one, two):
        if code.tag != "equal":
            continue
        start, other_start = gap.start + code.src_start, gap.other_start + code.dest_start
        if start > place or other_start > other:
            yield Gap(place, start, other, other_start)
        place, other = gap.start + code.src_end, gap.other_start + code.dest_end
    if place < gap.end or other < gap.other_end:
        yield Gap(place, gap.end, other, gap.other_end)


def _find_anchors(left: list[int], right: list[int], gap: Gap) -> list[tuple[int, int]]:
    """The places of lines that both sides of a gap have once, in the longest order both share.

    Where very many are in another order, only some of them are looked at: what lies between those
    is small and looked at next.
    """
    import numpy as np  # loaded for long texts only

    one = np.asarray(left[gap.start : gap.end])
    two = np.asarray(right[gap.other_start : gap.other_end])
    lines = int(max(one.max(), two.max())) + 1
    once = (np.bincount(one, minlength=lines) == 1) & (np.bincount(two, minlength=lines) == 1)
    place_of = np.zeros(lines, dtype=np.int64)
    place_of[two] = np.arange(len(two))
    places = np.flatnonzero(once[one])
    others = place_of[one[places]]
    if not bool((np.diff(others) > 0).all()):
        step = -(-len(others) // _MOST_MOVED)
        places, others = places[::step], others[::step]
        rise = _longest_rise(others.tolist())
        places, others = places[rise], others[rise]
    return list(
        zip((places + gap.start).tolist(), (others + gap.other_start).tolist(), strict=True)
    )


def _longest_rise(numbers: list[int]) -> list[int]:
    """Where the numbers of the longest rising run, not all neighbours, stand."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        spot = bisect_left(tails, number)
        if spot == len(tails):
            tails.append(number)
            ends.append(place)
        else:
            tails[spot], ends[spot] = number, place
        before.append(ends[spot - 1] if spot else -1)
    rise: list[int] = []
    place = ends[-1]
    while place >= 0:
        rise.append(place)
        place = before[place]
    return rise[::-1]


def common_ends(one: str, two: str) -> tuple[int, int]:
    """How many characters of whole words two lines share at their beginnings and their ends."""
    start = one.rfind(" ", 0, common_start(one, two)) + 1
    most = min(len(one), len(two)) - start
    tail, other = one[::-1][:most], two[::-1][:most]
    return start, tail.rfind(" ", 0, common_start(tail, other)) + 1


def common_start(one: str, two: str) -> int:
    """How many characters two lines begin with alike.

    By halves: comparing slices is much faster than comparing very many characters.
    """
    low, high = 0, min(len(one), len(two))
    while high - low > _FEW:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low + count_alike(one[low:high], two[low:high])


def count_alike(one: Sequence[object], two: Sequence[object]) -> int:
    """How many parts two sequences begin with alike."""
    return next(compress(count(), map(ne, one, two)), min(len(one), len(two)))
