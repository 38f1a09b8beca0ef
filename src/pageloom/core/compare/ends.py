"""Common prefix and suffix of two lines."""

from __future__ import annotations

from itertools import compress, count
from operator import ne
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_FEW = 64
"""Characters that are compared one by one."""


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
