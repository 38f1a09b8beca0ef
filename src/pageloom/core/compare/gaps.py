"""Gaps between aligned lines: where two texts differ."""

from __future__ import annotations

from array import array
from itertools import chain, compress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

_MANY = 2_000
"""Gaps that are no longer looked at one by one."""


class Gap(NamedTuple):
    """Lines that only one of the texts has between two lines that both have."""

    start: int
    end: int
    other_start: int
    other_end: int


class Gaps:
    """Gaps in the order of the texts.

    Kept as four columns of plain numbers: a text may have tens of thousands, and a value for each
    would take longer to make, and to be walked over by the garbage collector, than finding them.
    """

    __slots__ = ("columns",)

    def __init__(self, columns: Sequence[array[int]] = ()) -> None:
        self.columns = tuple(columns) or tuple(array("q") for _ in Gap._fields)

    def __len__(self) -> int:
        return len(self.columns[0])

    def __iter__(self) -> Iterator[Gap]:
        return map(Gap._make, zip(*self.columns, strict=True))

    def __getitem__(self, number: int) -> Gap:
        return Gap._make(column[number] for column in self.columns)

    @property
    def size(self) -> int:
        """How many lines of both texts are in them."""
        start, end, other_start, other_end = map(_sum, self.columns)
        return end - start + other_end - other_start

    def add(self, gap: Gap) -> None:
        """Put one at the end."""
        for column, place in zip(self.columns, gap, strict=True):
            column.append(place)

    def extend(self, other: Gaps, start: int, end: int) -> None:
        """Put some of other gaps at the end."""
        for column, places in zip(self.columns, other.columns, strict=True):
            column.extend(places[start:end])

    def old_lines(self, lines: list[str], start: int = 0) -> Iterable[str]:
        """The lines of the first text in these gaps, from one of them on."""
        return _pick(lines, self.columns[0][start:], self.columns[1][start:])

    def new_lines(self, lines: list[str], start: int = 0) -> Iterable[str]:
        """The lines of the second text, likewise."""
        return _pick(lines, self.columns[2][start:], self.columns[3][start:])


def _sum(column: array[int]) -> int:
    if len(column) < _MANY:
        return sum(column)
    import numpy as np  # loaded for long texts only

    return int(np.sum(column))


def _pick(lines: list[str], starts: array[int], ends: array[int]) -> Iterable[str]:
    if len(starts) < _MANY:
        return chain.from_iterable(map(lines.__getitem__, map(slice, starts, ends)))
    return compress(lines, lie_within(starts, ends, len(lines)).tobytes())


def lie_within(starts: array[int], ends: array[int], lines: int) -> NDArray[np.bool_]:
    """Of each line of a text, whether it is in a gap."""
    import numpy as np  # loaded for long texts only

    opened = np.bincount(starts, minlength=lines + 1)
    closed = np.bincount(ends, minlength=lines + 1)
    return np.cumsum(opened - closed)[:lines] > 0
