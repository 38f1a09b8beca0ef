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
_NARROW = 16
"""To where columns beside the flexible one may be cut: times of day are whole then."""
_IN_A_FILE = 120


def set_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    flexible: int,
    drop: Sequence[int] = (),
    width: int | None = None,
) -> Iterator[str]:
    """The lines of a table; without rows, none.

    Args:
        headers: the names of the columns; one that starts with ``>`` is set to the right.
        rows: cells of safe text on one line.
        flexible: the column that may be cut shortest.
        drop: the columns that are left out first where there is no room; then those at the end.
        width: how many columns of characters there are; those of the terminal when left out.
    """
    if not rows:
        return
    names = [header.lstrip(">") for header in headers]
    right = [header.startswith(">") for header in headers]
    widths = {
        n: max(display_width(line[n]) for line in (names, *rows)) for n in range(len(headers))
    }
    least = {n: each if right[n] else min(each, _NARROW) for n, each in widths.items()}
    least[flexible] = min(widths[flexible], _NARROWEST)
    room = width or terminal_width()
    if width or sys.stdout.isatty():  # whoever reads a file wants all of it
        _drop(least, room, (*drop, *range(len(headers) - 1, 0, -1)), flexible)
    widths = _shrink({n: widths[n] for n in least}, least, room)
    for line in (names, *rows):
        cells = (_set(line[n], each, right=right[n]) for n, each in widths.items())
        yield _GAP.join(cells).rstrip()


def _excess(widths: dict[int, int], room: int) -> int:
    return sum(widths.values()) + len(_GAP) * (len(widths) - 1) - room


def _drop(least: dict[int, int], room: int, order: Sequence[int], flexible: int) -> None:
    """Leave out columns until the others fit."""
    for column in order:
        if column != flexible and column in least and _excess(least, room) > 0:
            del least[column]


def _shrink(widths: dict[int, int], least: dict[int, int], room: int) -> dict[int, int]:
    """The widths of columns that together fit, as far as may be: the widest give way first."""
    for _ in range(_excess(widths, room)):
        loose = [n for n in widths if widths[n] > least[n]]
        if loose:
            widths[max(loose, key=lambda n: widths[n])] -= 1
    return widths


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
