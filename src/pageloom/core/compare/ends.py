"""What two lines share at their beginnings and ends, without looking at every character."""

from __future__ import annotations


def common_ends(one: str, two: str) -> tuple[int, int]:
    """How many characters of whole words two lines share at their beginnings and their ends."""
    start = one.rfind(" ", 0, common_start(one, two)) + 1
    most = min(len(one), len(two)) - start
    tail, other = one[::-1][:most], two[::-1][:most]
    return start, tail.rfind(" ", 0, common_start(tail, other)) + 1


def common_start(one: str, two: str) -> int:
    """How many characters two lines begin with alike.

    By halves: comparing slices is much faster than comparing characters.
    """
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
