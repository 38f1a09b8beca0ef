"""Collect the lines of the Markdown with their list and quote prefixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.render.escape import AT_START, guard_line

if TYPE_CHECKING:
    from collections.abc import Sequence


class Writer:
    """Writes every line once, under all the prefixes it needs.

    A list item or a quote changes ``prefix``; its own sign waits in ``lead`` until there is a line
    to stand before, so that empty items and quotes leave no trace.
    """

    __slots__ = ("after_list", "gap", "glue", "lead", "lines", "prefix", "wrap")

    def __init__(self, wrap: int | None = None) -> None:
        self.lines: list[str] = []
        self.prefix = ""
        self.lead = ""
        self.gap: str | None = None
        """The prefix of the empty line owed before the next block; None when none is."""
        self.after_list = ""
        """The sign of the list that has just ended here: the next one must take another."""
        self.glue = False
        """Whether the next paragraph belongs under the line before it."""
        self.wrap = wrap

    def paragraph(self, text: str) -> None:
        """Write running text; each of its lines is kept from looking like anything else."""
        self.glue = False
        if "\n" not in text and self.wrap is None:
            # most blocks by far: written here, where nothing has to be asked of the lines
            if self.gap is not None:
                self.lines.append(self.gap.rstrip(" "))
            self.lines.append(self.lead + (guard_line(text) if text[0] in AT_START else text))
            self.lead = self.gap = self.prefix
            self.after_list = ""
            return
        lines = [guard_line(line) for line in text.split("\n")]
        if self.wrap is not None:
            lines = [piece for line in lines for piece in _wrap(line, self.wrap)]
        self.block(lines)

    def block(self, lines: Sequence[str]) -> None:
        """Write the lines of one block, and owe an empty line after it."""
        if self.gap is not None:
            self.lines.append(self.gap.rstrip(" "))
        elif self.glue:
            self.lines.append(self.prefix.rstrip(" "))
        prefix = self.prefix
        first = self.lead + lines[0]
        self.lines.append(first)
        if len(lines) > 1:
            self.lines.extend([prefix + line if line else prefix.rstrip(" ") for line in lines[1:]])
        self.lead = prefix
        self.gap = prefix
        self.after_list = ""
        self.glue = False

    def enter(self, sign: str, indent: str) -> tuple[str, str, str]:
        """Go into a list item or quote; give what ``leave`` needs to come back."""
        saved = (self.prefix, self.lead, self.after_list)
        self.lead += sign
        self.prefix += indent
        self.after_list = ""
        return saved

    def leave(self, saved: tuple[str, str, str], lines_before: int) -> bool:
        """Come back; tells whether anything was written inside."""
        self.prefix, lead, after_list = saved
        if len(self.lines) == lines_before:
            self.lead, self.after_list = lead, after_list
            return False
        self.lead = self.prefix
        self.gap = self.prefix
        self.after_list = ""
        return True

    @property
    def marker_waits(self) -> bool:
        """Whether the sign of a list item or quote is still to be written."""
        return self.lead != self.prefix

    def text(self) -> str:
        """Everything written, ending in one newline; nothing when nothing was."""
        return "\n".join(self.lines) + "\n" if self.lines else ""


def _wrap(line: str, width: int) -> list[str]:
    """Break at spaces where the next line then starts with nothing that has a meaning there."""
    pieces: list[str] = []
    current = ""
    for word in line.split(" "):
        longer = f"{current} {word}" if current else word
        fits = len(longer) <= width
        if current and not fits and _may_start(word) and not current.endswith((" ", "\\")):
            pieces.append(current)
            current = word
        else:
            current = longer
    pieces.append(current)
    return pieces


def _may_start(word: str) -> bool:
    if not word or word[0] in "<|" or guard_line(word) != word:
        return False
    return bool(word.strip("*_~")) and not word.startswith(("```", "~~~"))
