"""Which lines of two texts are the same, in an order both share, fast enough for megabytes.

Common ends are cut off; lines that both texts have exactly once are anchors (patience); what is
left between anchors is small enough for the longest common subsequence, or is taken as replaced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import chain, count, pairwise
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import LCSseq

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LARGEST = 1_000_000
"""Lines times lines for which the exact answer is worth its time."""
_DEEPEST = 8


class Gap(NamedTuple):
    """Lines that only one of the texts has between two lines that both have."""

    start: int
    end: int
    other_start: int
    other_end: int


def align(one: Sequence[str], two: Sequence[str]) -> list[Gap]:
    """The gaps between equal lines, in order; none for equal texts."""
    numbers = dict(zip(dict.fromkeys(chain(one, two)), count(), strict=False))
    left, right = list(map(numbers.__getitem__, one)), list(map(numbers.__getitem__, two))
    whole = Gap(0, len(left), 0, len(right))
    return [gap for gap in _gaps(left, right, whole, 0) if gap.start < gap.end or _has_other(gap)]


def _has_other(gap: Gap) -> bool:
    return gap.other_start < gap.other_end


def _gaps(left: list[int], right: list[int], gap: Gap, depth: int) -> Iterator[Gap]:
    gap = _without_common_ends(left, right, gap)
    if gap.start == gap.end or gap.other_start == gap.other_end:
        yield gap
        return
    size = (gap.end - gap.start) * (gap.other_end - gap.other_start)
    if size <= _LARGEST:
        yield from _exact(left, right, gap)
        return
    anchors = _anchors(left, right, gap)
    if not anchors or depth > _DEEPEST:
        yield gap
        return
    start, other_start = gap.start, gap.other_start
    for place, other in [*anchors, (gap.end, gap.other_end)]:
        if place - start == other - other_start == 1 and left[start] != right[other_start]:
            yield Gap(start, place, other_start, other)
        elif place == start or other == other_start:
            if place > start or other > other_start:
                yield Gap(start, place, other_start, other)
        else:
            yield from _gaps(left, right, Gap(start, place, other_start, other), depth + 1)
        start, other_start = place + 1, other + 1


def _without_common_ends(left: list[int], right: list[int], gap: Gap) -> Gap:
    start, end, other_start, other_end = gap
    while start < end and other_start < other_end and left[start] == right[other_start]:
        start += 1
        other_start += 1
    while start < end and other_start < other_end and left[end - 1] == right[other_end - 1]:
        end -= 1
        other_end -= 1
    return Gap(start, end, other_start, other_end)


def _exact(left: list[int], right: list[int], gap: Gap) -> Iterator[Gap]:
    one, two = left[gap.start : gap.end], right[gap.other_start : gap.other_end]
    if not set(one) & set(two):
        yield gap
        return
    place, other = 0, 0
    for code in LCSseq.opcodes(one, two):
        if code.tag != "equal":
            continue
        if code.src_start > place or code.dest_start > other:
            yield _shifted(gap, place, code.src_start, other, code.dest_start)
        place, other = code.src_end, code.dest_end
    if place < len(one) or other < len(two):
        yield _shifted(gap, place, len(one), other, len(two))


def _shifted(gap: Gap, start: int, end: int, other_start: int, other_end: int) -> Gap:
    return Gap(
        gap.start + start,
        gap.start + end,
        gap.other_start + other_start,
        gap.other_start + other_end,
    )


def _anchors(left: list[int], right: list[int], gap: Gap) -> list[tuple[int, int]]:
    """Lines that both sides have once, in the longest order that both share."""
    one, two = left[gap.start : gap.end], right[gap.other_start : gap.other_end]
    places = dict(zip(two, range(gap.other_start, gap.other_end), strict=True))
    if len(places) < len(two) or len(set(one)) < len(one):
        single, other_single = Counter(one), Counter(two)
        places = {
            number: place
            for number, place in places.items()
            if other_single[number] == 1 and single[number] == 1
        }
    pairs = [(place, places[n]) for place, n in enumerate(one, start=gap.start) if n in places]
    return _longest_rise(pairs)


def _longest_rise(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs whose second members rise."""
    if all(a[1] < b[1] for a, b in pairwise(pairs)):  # nothing moved
        return pairs
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = [-1] * len(pairs)
    for number, (_, other) in enumerate(pairs):
        spot = bisect_left(tails, other)
        if spot == len(tails):
            tails.append(other)
            ends.append(number)
        else:
            tails[spot] = other
            ends[spot] = number
        before[number] = ends[spot - 1] if spot else -1
    chain: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]
