"""A comparison for people: rows of lines with their words marked, as HTML or plain text."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Literal
from unicodedata import east_asian_width

from rapidfuzz.distance import Indel

from pageloom.core.compare.align import align
from pageloom.core.compare.pairs import pair_lines
from pageloom.core.compare.side import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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


_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_TAGS = {"old": "del", "new": "ins"}
_SIGNS = {"same": " ", "edited": "~", "added": "+", "removed": "-"}
_MARKS = {"old": ("[-", "-]"), "new": ("{+", "+}")}
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}"
    "table.diff{width:100%;border-collapse:collapse;table-layout:fixed}"
    ".diff td{vertical-align:top;padding:.2rem .5rem;overflow-wrap:anywhere}"
    ".diff del{background:#ffd7d5;text-decoration:line-through}"
    ".diff ins{background:#ccffd8;text-decoration:none}"
    ".diff .skipped{color:#666;text-align:center}"
)


def render_diff(before: str, after: str, *, html: bool = False, side_by_side: bool = False) -> str:
    """Two texts with what was added and removed marked, for people.

    Args:
        before: the older text, such as ``document.text``.
        after: the newer text.
        html: a fragment with ``<ins>`` and ``<del>``; plain text with ``{+new+}`` and ``[-old-]``
            by default.
        side_by_side: two columns.
    """
    rows = make_rows(before, after)
    if html:
        return render_html(rows, side_by_side=side_by_side)
    return render_text(rows, side_by_side=side_by_side)


def render_html(rows: Sequence[Row], *, side_by_side: bool = False) -> str:
    """A fragment of HTML: ``<ins>`` and ``<del>`` in paragraphs, or a table of two columns."""
    if side_by_side:
        return f'<table class="diff">{"".join(_table_row(row) for row in rows)}</table>'
    return f'<div class="diff">{"".join(_paragraph(row) for row in rows)}</div>'


def render_html_page(title: str, summary: str, rows: Sequence[Row], *, side_by_side: bool) -> str:
    """A whole page around the fragment, without scripts and without anything from elsewhere."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{_clean(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{_clean(title)}</h1><p>{_clean(summary)}</p>\n"
        f"{render_html(rows, side_by_side=side_by_side)}\n</body></html>\n"
    )


def _clean(text: str) -> str:
    return escape(_CONTROLS.sub("", text))


def _span(pieces: Iterable[Piece]) -> str:
    parts: list[str] = []
    for piece in pieces:
        text = _clean(piece.text)
        tag = _TAGS.get(piece.kind)
        parts.append(f"<{tag}>{text}</{tag}>" if tag else text)
    return "".join(parts)


def _paragraph(row: Row) -> str:
    if row.kind == "skipped":
        return f'<p class="skipped">{_left_out(row)}</p>'
    return f'<p class="{row.kind}">{_span(row.pieces)}</p>'


def _table_row(row: Row) -> str:
    if row.kind == "skipped":
        return f'<tr><td colspan="2" class="skipped">{_left_out(row)}</td></tr>'
    return f'<tr class="{row.kind}"><td>{_span(row.before)}</td><td>{_span(row.after)}</td></tr>'


def _left_out(row: Row) -> str:
    return f"… {row.skipped} unchanged …"


def render_text(rows: Sequence[Row], *, side_by_side: bool = False, width: int = 100) -> str:
    """Plain text: ``[-old-]`` and ``{+new+}`` in lines, or two columns.

    No control character of the texts is left in it, so that it may be shown on a terminal.
    """
    if side_by_side:
        return "\n".join(line for row in rows for line in _columns(row, width))
    return "\n".join(_line(row) for row in rows)


def _line(row: Row) -> str:
    if row.kind == "skipped":
        return f"  {_left_out(row)}"
    if row.kind in ("added", "removed"):
        return f"{_SIGNS[row.kind]} {_plain(row.pieces, marked=False)}"
    return f"{_SIGNS[row.kind]} {_plain(row.pieces, marked=True)}"


def _plain(pieces: Iterable[Piece], *, marked: bool) -> str:
    parts: list[str] = []
    for piece in pieces:
        text = _CONTROLS.sub("", piece.text)
        start, end = _MARKS.get(piece.kind, ("", "")) if marked else ("", "")
        parts.append(f"{start}{text}{end}")
    return "".join(parts)


def _columns(row: Row, width: int) -> Iterable[str]:
    if row.kind == "skipped":
        yield f"  {_left_out(row)}"
        return
    half = max((width - 5) // 2, 10)
    marked = row.kind == "edited"
    left = _wrap(_plain(row.before, marked=marked), half)
    right = _wrap(_plain(row.after, marked=marked), half)
    for number in range(max(len(left), len(right))):
        one = left[number] if number < len(left) else ""
        two = right[number] if number < len(right) else ""
        sign = _SIGNS[row.kind] if number == 0 else " "
        yield f"{sign} {one}{' ' * (half - _width(one))} | {two}".rstrip()


def _wrap(text: str, width: int) -> list[str]:
    """Lines of at most so many columns; wide characters take two."""
    wide = _width(text) > len(text)
    return textwrap.wrap(text, width // 2 if wide else width) or [""]


def _width(text: str) -> int:
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)
