"""Tables of plain text that fit the terminal, without loading a toolkit for it."""

from __future__ import annotations

import shutil
import sys
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GAP = "  "
_NARROWEST = 12
_IN_A_FILE = 120


def set_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    flexible: int,
    width: int | None = None,
) -> Iterator[str]:
    """The lines of a table; without rows, none."""
    if not rows:
        return
    names = [header.lstrip(">") for header in headers]
    widths = [
        max(display_width(line[column]) for line in (names, *rows)) for column in range(len(names))
    ]
    room = (width or terminal_width()) - sum(widths) - len(_GAP) * (len(widths) - 1)
    if room < 0:
        widths[flexible] = max(_NARROWEST, widths[flexible] + room)
    right = [header.startswith(">") for header in headers]
    for line in (names, *rows):
        cells = (_set(cell, widths[n], right=right[n]) for n, cell in enumerate(line))
        yield _GAP.join(cells).rstrip()


def terminal_width() -> int:
    """The width of the terminal; a fixed one where there is none."""
    return shutil.get_terminal_size((_IN_A_FILE, 25)).columns if sys.stdout.isatty() else _IN_A_FILE


def display_width(text: str) -> int:
    """How many columns a terminal uses for a text: two for wide characters, none for marks."""
    if text.isascii():
        return len(text)
    return sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _set(text: str, width: int, *, right: bool) -> str:
    text = cut(text, width)
    space = " " * (width - display_width(text))
    return space + text if right else text + space


def cut(text: str, width: int) -> str:
    """The beginning of a text, with a sign where it was cut."""
    if display_width(text) <= width:
        return text
    used, kept = 0, 0
    for char in text:
        used += _char_width(char)
        if used > width - 1:
            break
        kept += 1
    return text[:kept] + "…"
