"""Where two texts differ: runs of lines of either between lines that both have."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Gap(NamedTuple):
    """Lines that only one of the texts has between two lines that both have."""

    start: int
    end: int
    other_start: int
    other_end: int


class Gaps:
    """Gaps in the order of the texts.

    Kept as four columns: a text may have tens of thousands, and a value for each would take longer
    to make, and to be walked over by the garbage collector, than finding them.
    """

    __slots__ = ("_columns",)

    def __init__(self, columns: Sequence[list[int]] = ()) -> None:
        self._columns = tuple(columns) or ([], [], [], [])

    def __len__(self) -> int:
        return len(self._columns[0])

    def __iter__(self) -> Iterator[Gap]:
        return map(Gap._make, zip(*self._columns, strict=True))

    def __getitem__(self, number: int) -> Gap:
        return Gap._make(column[number] for column in self._columns)

    def add(self, gap: Gap) -> None:
        """Put one at the end."""
        for column, place in zip(self._columns, gap, strict=True):
            column.append(place)

    def extend(self, other: Gaps, start: int, end: int) -> None:
        """Put some of other gaps at the end."""
        for column, places in zip(self._columns, other._columns, strict=True):
            column.extend(places[start:end])

    def old_lines(self, lines: list[str], start: int = 0) -> Iterable[str]:
        """The lines of the first text in these gaps, from one of them on."""
        return self._lines(lines, self._columns[0][start:], self._columns[1][start:])

    def new_lines(self, lines: list[str], start: int = 0) -> Iterable[str]:
        """The lines of the second text, likewise."""
        return self._lines(lines, self._columns[2][start:], self._columns[3][start:])

    @staticmethod
    def _lines(lines: list[str], starts: list[int], ends: list[int]) -> Iterable[str]:
        return chain.from_iterable(map(lines.__getitem__, map(slice, starts, ends)))
