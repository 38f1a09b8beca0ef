"""Rows of a side-by-side diff, with word differences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rapidfuzz.distance import Indel

from pageloom.core.compare.align import align
from pageloom.core.compare.pairs import pair_lines
from pageloom.core.compare.side import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PIECE = re.compile(r"\s+|\d+(?:[.,:]\d+)+|\w+|[^\w\s]")
_LARGEST = 30_000_000
"""Pieces of one side times those of the other: paragraphs of 2,500 words, in milliseconds."""
CONTEXT = 2
"""Unchanged lines that are shown around what changed."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters: on both sides, only before, or only after."""

    text: str
    kind: Literal["same", "old", "new"] = "same"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a comparison, or lines left out because nothing changed in them."""

    kind: Literal["same", "edited", "added", "removed", "skipped"]
    pieces: tuple[Piece, ...] = ()
    skipped: int = 0

    @property
    def before(self) -> tuple[Piece, ...]:
        """What the first side has."""
        return tuple(piece for piece in self.pieces if piece.kind != "new")

    @property
    def after(self) -> tuple[Piece, ...]:
        """What the second side has."""
        return tuple(piece for piece in self.pieces if piece.kind != "old")


def make_rows(before: str, after: str, *, context: int = CONTEXT) -> list[Row]:
    """The rows of a comparison; long runs of equal lines are left out but for a few."""
    left, right = split_lines(before), split_lines(after)
    rows: list[Row] = []
    done = 0
    for gap in align(left, right):
        rows += _same(left[done : gap.start], context, first=done == 0, last=False)
        old, new = left[gap.start : gap.end], right[gap.other_start : gap.other_end]
        rows += [_changed(before, after) for before, after in pair_lines(old, new)]
        done = gap.end
    if not rows:
        return []
    return rows + list(_same(left[done:], context, first=False, last=True))


def _same(lines: Sequence[str], context: int, *, first: bool, last: bool) -> Iterator[Row]:
    head = 0 if first else context
    tail = 0 if last else context
    if len(lines) <= head + tail + 1:
        yield from (Row("same", (Piece(line),)) for line in lines)
        return
    yield from (Row("same", (Piece(line),)) for line in lines[:head])
    yield Row("skipped", skipped=len(lines) - head - tail)
    if tail:
        yield from (Row("same", (Piece(line),)) for line in lines[-tail:])


def _changed(before: str, after: str) -> Row:
    if not before:
        return Row("added", (Piece(after, "new"),))
    if not after:
        return Row("removed", (Piece(before, "old"),))
    return Row("edited", tuple(_pieces(before, after)))


def _pieces(before: str, after: str) -> Iterator[Piece]:
    left, right = _split_pieces(before), _split_pieces(after)
    if len(left) * len(right) > _LARGEST:
        yield Piece(before, "old")
        yield Piece(after, "new")
        return
    place = other = 0
    codes = [code for code in Indel.opcodes(left, right) if code.tag == "equal"]
    for code in codes:
        yield from _replaced(left[place : code.src_start], right[other : code.dest_start])
        yield Piece("".join(left[code.src_start : code.src_end]))
        place, other = code.src_end, code.dest_end
    yield from _replaced(left[place:], right[other:])


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    if old:
        yield Piece("".join(old), "old")
    if new:
        yield Piece("".join(new), "new")


def _split_pieces(text: str) -> list[str]:
    """Words, whole numbers and times, white space and marks, which together are the text."""
    return _PIECE.findall(text)
