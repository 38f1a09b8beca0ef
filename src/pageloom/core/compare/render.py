"""Render a comparison as HTML or plain text, inline or side by side."""

from __future__ import annotations

import re
import textwrap
from html import escape
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from pageloom.core.compare.rows import make_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.core.compare.rows import Piece, Row

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
