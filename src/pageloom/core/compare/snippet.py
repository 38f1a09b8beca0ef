"""A short snippet of a change: ``[+ new - old]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from pageloom.core.compare.ends import common_ends

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LONGEST = 280
_WORDS = 400


def make_snippet(pairs: Iterable[tuple[str, str]], limit: int = _LONGEST) -> str:
    """The words that came and went, in one line, cut where it gets long."""
    came: list[str] = []
    went: list[str] = []
    for before, after in pairs:
        old, new = changed_words(before, after)
        came += [new] if new else []
        went += [old] if old else []
        if sum(map(len, came)) > limit and sum(map(len, went)) > limit:
            break
    new, old = _cut(" … ".join(came), limit), _cut(" … ".join(went), limit)
    if not new and not old:
        return ""
    parts = ([f"+ {new}"] if new else []) + ([f"- {old}"] if old else [])
    return f"[{' '.join(parts)}]"


def changed_words(before: str, after: str) -> tuple[str, str]:
    """What a block lost and what it gained, without the words that both have."""
    if not before or not after:
        return before, after
    start, end = common_ends(before, after)
    left = before[start : len(before) - end].split()
    right = after[start : len(after) - end].split()
    if len(left) > _WORDS or len(right) > _WORDS:
        return " ".join(left[:_WORDS]), " ".join(right[:_WORDS])
    old: list[str] = []
    new: list[str] = []
    for code in Indel.opcodes(left, right):
        if code.tag in ("delete", "replace"):
            old += left[code.src_start : code.src_end]
        if code.tag in ("insert", "replace"):
            new += right[code.dest_start : code.dest_end]
    return " ".join(old), " ".join(new)


def excerpt(pieces: Sequence[str], limit: int) -> str:
    """The pieces, one a line, at most so many characters."""
    kept: list[str] = []
    room = limit
    for piece in pieces:
        if not piece:
            continue
        kept.append(_cut(piece, room))
        room -= len(piece) + 1
        if room <= 0:
            break
    return "\n".join(kept)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"
