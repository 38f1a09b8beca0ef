"""A text as changes to another: exact, small, and good in both directions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from pageloom.core.compare.align import align

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PIECE = re.compile(r"\s+|\d+(?:[.,:]\d+)+|\w+|[^\w\s]")
_LARGEST = 4_000_000
"""Pieces times pieces of one gap that are compared one by one."""


@dataclass(frozen=True, slots=True)
class Edit:
    """At ``at`` characters of the first text, ``old`` stands; in the second, ``new``."""

    at: int
    old: str = ""
    new: str = ""


def make_patch(before: str, after: str) -> tuple[Edit, ...]:
    """What has to be done to the first text to get the second: lines first, then words in them."""
    if before == after:
        return ()
    left, right = _lines(before), _lines(after)
    starts = _offsets(left)
    edits: list[Edit] = []
    for gap in align(left, right):
        old, new = left[gap.start : gap.end], right[gap.other_start : gap.other_end]
        edits += _within(starts[gap.start], "".join(old), "".join(new))
    return tuple(edits)


def apply_patch(before: str, patch: Sequence[Edit]) -> str:
    """The second text, from the first and the patch.

    Raises:
        ValueError: the patch was made for another text.
    """
    parts: list[str] = []
    done = 0
    for edit in patch:
        if before[edit.at : edit.at + len(edit.old)] != edit.old or edit.at < done:
            raise ValueError("The patch was made for another text.")
        parts += [before[done : edit.at], edit.new]
        done = edit.at + len(edit.old)
    return "".join([*parts, before[done:]])


def invert_patch(patch: Sequence[Edit]) -> tuple[Edit, ...]:
    """The patch that leads back."""
    shift = 0
    turned: list[Edit] = []
    for edit in patch:
        turned.append(Edit(edit.at + shift, edit.new, edit.old))
        shift += len(edit.new) - len(edit.old)
    return tuple(turned)


def _lines(text: str) -> list[str]:
    """The lines with their ends."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines


def _offsets(lines: Sequence[str]) -> list[int]:
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    return offsets


def _within(start: int, old: str, new: str) -> Iterator[Edit]:
    left, right = split_pieces(old), split_pieces(new)
    if len(left) * len(right) > _LARGEST:
        yield Edit(start, old, new)
        return
    places, others = _offsets(left), _offsets(right)
    place = other = 0
    same = [code for code in Indel.opcodes(left, right) if code.tag == "equal"]
    ends = [(code.src_start, code.src_end, code.dest_start, code.dest_end) for code in same]
    for src_start, src_end, dest_start, dest_end in [
        *ends,
        (len(left), len(left), len(right), len(right)),
    ]:
        if src_start > place or dest_start > other:
            yield Edit(
                start + places[place],
                old[places[place] : places[src_start]],
                new[others[other] : others[dest_start]],
            )
        place, other = src_end, dest_end


def split_pieces(text: str) -> list[str]:
    """Words, whole numbers and times, white space and marks, which together are the text."""
    return _PIECE.findall(text)
