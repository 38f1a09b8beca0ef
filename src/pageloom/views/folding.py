"""A comparison for a terminal: the clause around each edit, and the rest folded.

It is made of rows of pieces and only shortens what is the same on both sides, and what came or
went as a whole where that is long.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.views.comparison import Piece, Row

FOLD = "…"
_BORDER = re.compile(r"[.!?;:,](?=\s)|[。！？；：，、\n]|\s[—–-](?=\s)")
"""Where a clause ends."""
_ENDS = frozenset(".!?。！？\n")
"""Where a sentence ends: nothing beyond is needed to understand an edit."""
_LEAST, _MOST = 24, 100
"""Characters that a clause is shown with: with fewer, the clause beside it is shown too."""
_LINE = 70
"""Of a line that is only there to show where one is."""
_WHOLE = 600
"""Of what came or went as a whole."""


def fold_rows(rows: Sequence[Row]) -> list[Row]:
    """The rows with whatever is far from a change folded into ``…``."""
    return [replace(row, pieces=tuple(_fold(row))) for row in rows]


def _fold(row: Row) -> Iterator[Piece]:
    if row.kind == "same":
        yield from (replace(piece, text=_beginning(piece.text, _LINE)) for piece in row.pieces)
    elif row.kind in ("added", "removed"):
        yield from (replace(piece, text=_beginning(piece.text, _WHOLE)) for piece in row.pieces)
    else:
        last = len(row.pieces) - 1
        for place, piece in enumerate(row.pieces):
            same = piece.kind == "same"
            text = _between(piece.text, place > 0, place < last) if same else piece.text
            yield replace(piece, text=text)


def _between(text: str, has_before: bool, has_after: bool) -> str:  # noqa: FBT001  two sides
    """The text next to the edits before and after it; the fold where the rest was."""
    end = _clause_end(text) if has_before else 0
    start = _clause_start(text) if has_after else len(text)
    if start - end <= _LEAST // 2:
        return text
    return f"{text[:end].rstrip()}{' ' * bool(end)}{FOLD}{' ' * has_after}{text[start:].lstrip()}"


def _clause_start(text: str) -> int:
    """Where the clause begins that leads to the end of a text."""
    first = max(len(text) - _MOST, 0)
    for found in reversed(list(_BORDER.finditer(text, first))):
        if found[0] in _ENDS or len(text) - found.end() >= _LEAST:
            return found.end()
    return _word_start(text, first)


def _clause_end(text: str) -> int:
    """Where the clause ends that a text begins with."""
    for found in _BORDER.finditer(text[: _MOST + 1]):
        if found[0] in _ENDS or found.end() >= _LEAST:
            return found.end()
    return len(text) if len(text) <= _MOST else _word_end(text, _MOST)


def _word_start(text: str, place: int) -> int:
    if place <= 0:
        return 0
    space = text.find(" ", place, place + 20)
    return space + 1 if space >= 0 else place


def _word_end(text: str, place: int) -> int:
    space = text.rfind(" ", place - 20, place)
    return space if space > 0 else place


def _beginning(text: str, length: int) -> str:
    if len(text) <= length + 20:
        return text
    end = _word_end(text, length)
    words = len(text[end:].split())
    more = f" ({words:,} more words)" if length == _WHOLE else ""
    return f"{text[:end].rstrip()} {FOLD}{more}"
