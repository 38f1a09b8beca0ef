"""Lines that two long texts both have once, and the gaps between them."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.compare.gaps import Gap, Gaps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_MOVED = 4_000
"""Lines in another order whose longest common order is looked for in one go."""


class Parts(NamedTuple):
    """What lies between anchors."""

    gaps: Gaps
    unsettled: list[int]
    """Which of them may have lines that both sides share."""


def split_at_anchors(left: array[int], right: array[int], gap: Gap) -> Parts | None:
    """The gaps between lines that both sides of a gap have once, in an order that both share.

    Returns:
        The gaps that are not empty; None where there are no such lines.
    """
    import numpy as np  # loaded for long texts only

    one = np.frombuffer(left, np.int64)[gap.start : gap.end]
    two = np.frombuffer(right, np.int64)[gap.other_start : gap.other_end]
    places, others = _find_anchors(one, two)
    if not len(places):
        return None
    start, end = np.append(-1, places) + 1, np.append(places, len(one))
    other_start, other_end = np.append(-1, others) + 1, np.append(others, len(two))
    size, other_size = end - start, other_end - other_start
    differ = one[np.minimum(start, len(one) - 1)] != two[np.minimum(other_start, len(two) - 1)]
    settled = (size == 0) | (other_size == 0) | ((size == 1) & (other_size == 1) & differ)
    kept = (size > 0) | (other_size > 0)
    columns = (start + gap.start, end + gap.start)
    columns += (other_start + gap.other_start, other_end + gap.other_start)
    return Parts(
        Gaps([array("q", column[kept].tobytes()) for column in columns]),
        np.nonzero(~settled[kept])[0].tolist(),
    )


def _find_anchors(
    one: NDArray[np.int64], two: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places of lines that both have once, in the longest order that both share.

    Where very many are in another order, only some of them are looked at: what lies between those
    is small and looked at next.
    """
    import numpy as np

    lines = int(max(one.max(), two.max())) + 1
    once = (np.bincount(one, minlength=lines) == 1) & (np.bincount(two, minlength=lines) == 1)
    place_of = np.zeros(lines, dtype=np.int64)
    place_of[two] = np.arange(len(two))
    places = np.nonzero(once[one])[0]
    others = place_of[one[places]]
    if not bool((np.diff(others) > 0).all()):
        step = -(-len(others) // _MOST_MOVED)
        places, others = places[::step], others[::step]
        rise = _longest_rise(others.tolist())
        places, others = places[rise], others[rise]
    return places, others


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
    chain: list[int] = []
    place = ends[-1]
    while place >= 0:
        chain.append(place)
        place = before[place]
    return chain[::-1]
