"""The feature matrix of a page: a row for each feature, a column for each block."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Column = NDArray[np.generic] | float

AT_ONCE = 1_024
"""Blocks whose figures are held, and scored, together."""
_MOST_ROWS = 400


class FeatureMatrix:
    """The figures of a page, in a fixed order of rows.

    Those of a long page are kept as they come: yes and no in a byte, what tells of the whole page
    once. A page of a hundred thousand table cells would fill the memory of a small machine with its
    zeros otherwise. Those of any other page are written where they are read, which is faster.
    """

    __slots__ = (
        "_parts",
        "announced",
        "asked",
        "count",
        "names",
        "page_start",
        "side",
        "small",
        "unmistakable",
    )

    def __init__(self, count: int) -> None:
        self.small: Floats | None = None
        """Rows × blocks of a page that is not long; there are fewer rows than this has."""
        if count <= AT_ONCE:
            self.small = np.empty((_MOST_ROWS, count), np.float32)
        self._parts: list[tuple[int, NDArray[np.generic]]] = []
        """The number of the first row, and rows × blocks, or rows × 1 where all blocks agree."""
        self.count = count
        self.names: list[str] = []
        self.page_start = 0
        """The first of the rows that tell of the whole page; they are the last ones."""
        self.unmistakable: NDArray[np.bool_] = np.zeros(count, np.bool_)
        """Blocks in a small part of the page whose name says that it is no content."""
        self.side: NDArray[np.bool_] = np.zeros(count, np.bool_)
        """Blocks in a small part whose name is for what stands beside an article."""
        self.announced: NDArray[np.bool_] = np.zeros(count, np.bool_)
        """Blocks under a heading that announces comments, related stories and the like."""
        self.asked: NDArray[np.bool_] = np.zeros(count, np.bool_)
        """Blocks in small boxes that ask for an e-mail address, or in advertisements."""

    def row(self, name: str, values: Column) -> None:
        """Add one feature."""
        if self.small is not None:
            self.small[len(self.names)] = values
        else:
            self._parts.append((len(self.names), np.array(values, np.float32, ndmin=2)))
        self.names.append(name)

    def rows(self, prefix: str, names: tuple[str, ...], values: NDArray[np.generic]) -> None:
        """Add several features at once, one row of ``values`` each."""
        first = len(self.names)
        if self.small is not None:
            self.small[first : first + len(names)] = values
        else:
            small = values if values.itemsize == 1 else values.astype(np.float32)
            self._parts.append((first, small))
        self.names.extend(_full_names(prefix, names))

    def room(self, prefix: str, names: tuple[str, ...]) -> Floats:
        """Add several features at once: a row for each, whose figures are still to be written."""
        first = len(self.names)
        self.names.extend(_full_names(prefix, names))
        if self.small is not None:
            return self.small[first : first + len(names)]
        rows = np.empty((len(names), self.count), np.float32)
        self._parts.append((first, rows))
        return rows

    def read(self, name: str) -> Floats:
        """One feature of all blocks."""
        wanted = self.names.index(name)
        if self.small is not None:
            return self.small[wanted].copy()
        first, part = next(each for each in reversed(self._parts) if each[0] <= wanted)
        return np.broadcast_to(part[wanted - first], self.count).astype(np.float32)

    def read_of_page(self, name: str) -> float:
        """One feature that all blocks have alike."""
        return float(
            self.page_figures[self.names.index(name, self.page_start) - self.page_start, 0]
        )

    def between(self, low: int, high: int) -> Floats:
        """One row per feature, one column per block from ``low`` up to ``high``."""
        if self.small is not None:
            return self.small[: len(self.names), low:high]
        figures = np.empty((len(self.names), min(high, self.count) - low), np.float32)
        for first, part in self._parts:
            shown = part if part.shape[1] == 1 else part[:, low:high]
            figures[first : first + len(part)] = shown
        return figures

    @property
    def page_figures(self) -> Floats:
        """The rows that tell of the whole page, in one column: the last that were added."""
        if self.small is not None:
            return self.small[self.page_start : len(self.names), :1]
        return self._parts[-1][1].astype(np.float32, copy=False)

    @property
    def figures(self) -> Floats:
        """All of them, one row per feature, one column per block."""
        return self.between(0, self.count)


@cache
def _full_names(prefix: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """They are the same for every page."""
    return tuple(f"{prefix}.{name}" for name in names) if prefix else names
