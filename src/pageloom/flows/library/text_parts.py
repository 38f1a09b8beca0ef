"""A long Markdown text in parts that end where its blocks do, and its outline.

The parts of a text, joined, are the text, byte for byte. Where a table or a code block is longer
than a part, the parts behind the first come with its head, which is not of the text there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from pageloom.errors import InvalidArgument, InvalidQuery

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,6}) +(.+?)(?: +#+)?\s*$")
_DELIMITER = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$")
_CURSOR = re.compile(r"([0-9a-f]{16})-(\d{1,12})-(\d{1,12})")
_SENTENCE = re.compile(r"[.!?…。！？][\"'”’)]*\s+")
_NEAR = 400
"""A heading at most so far above words that are looked for is shown with them."""


class TextBlock(NamedTuple):
    """Lines that belong together."""

    start: int
    head: str
    """What stands above each part of it: the head of a table, the first line of a code block."""
    tail: str
    """What ends a part of it that does not reach its end."""


class TextSection(NamedTuple):
    """A heading with all that is below it."""

    number: str
    """Its place in the outline: ``3.2``."""
    level: int
    title: str
    start: int
    end: int


class TextPart(NamedTuple):
    """A piece of a text."""

    start: int
    end: int
    text: str
    head: str
    """To be shown before it, and not of the text here."""
    tail: str
    """To be shown behind it, likewise."""
    next: str | None
    """The cursor of the part behind it; None at the end."""


@dataclass(frozen=True)
class LongText:
    """A Markdown text that is read in parts."""

    text: str

    @cached_property
    def hash(self) -> str:
        """What cursors are bound to."""
        return sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @cached_property
    def blocks(self) -> list[TextBlock]:
        """The blocks, in their order; the first begins at 0."""
        return _blocks(self.text) or [TextBlock(0, "", "")]

    @cached_property
    def sections(self) -> list[TextSection]:
        """The sections, numbered; a heading above all others is the title and none of them."""
        return _sections(self.text)

    def part(self, most: int, *, cursor: str = "", section: str = "", find: str = "") -> TextPart:
        """A piece of at most so many characters.

        Args:
            most: its length.
            cursor: ``next`` of the part before.
            section: the number of a section to read instead of the whole text.
            find: words; the piece begins where they first stand.

        Raises:
            InvalidQuery: a cursor of another text: this one has changed.
            InvalidArgument: there is no such section, or the words are not there.
        """
        start, end = self._range(cursor, section)
        if find and not cursor:
            start = self._place(find, start, end)
        stop = self._end(start, min(end, start + most)) if start + most < end else end
        behind = f"{self.hash}-{stop}-{end}" if stop < end else None
        head, tail = self._around(start)[0], self._around(stop)[1]
        return TextPart(start, stop, self.text[start:stop], head, tail, behind)

    def _range(self, cursor: str, section: str) -> tuple[int, int]:
        if cursor:
            return self._behind(cursor)
        if not section:
            return 0, len(self.text)
        found = next((each for each in self.sections if each.number == section.strip(" .")), None)
        if found is None:
            raise InvalidArgument(
                f"The page has no section {section[:40]}.",
                suggestions=("Look at its outline, which numbers the sections.",),
            )
        return found.start, found.end

    def _behind(self, cursor: str) -> tuple[int, int]:
        found = _CURSOR.fullmatch(cursor)
        if found is None or found[1] != self.hash:
            raise InvalidQuery(
                "The page has changed since the part before, or the cursor is of another page.",
                suggestions=("Read it from the beginning, or read the version that you began.",),
            )
        end = min(int(found[3]), len(self.text))
        return min(int(found[2]), end), end

    def _place(self, words: str, start: int, end: int) -> int:
        """Where the block with these words begins, or a heading close above."""
        found = re.search(re.escape(words.strip()), self.text[start:end], re.IGNORECASE)
        if not words.strip() or found is None:
            raise InvalidArgument(
                f"The text does not contain {words[:60]}.",
                suggestions=("Search for a single word, or look at the outline.",),
            )
        hit = start + found.start()
        above = [each.start for each in self.sections if start <= each.start <= hit]
        if above and hit - above[-1] <= _NEAR:
            return above[-1]
        return max(start, self._block_at(hit).start)

    def _block_at(self, place: int) -> TextBlock:
        return self.blocks[max(0, bisect_right(self.blocks, place, key=lambda one: one.start) - 1)]

    def _end(self, start: int, limit: int) -> int:
        """The last border before a limit: of a block; else of a line, a sentence, a word."""
        border = self._block_at(limit).start
        if border - start >= (limit - start) // 3:
            return border
        inside = max(start, border)  # a block that is longer than most of a part
        line = self.text.rfind("\n", inside + 1, limit) + 1
        if line > inside:
            return line
        ends = [found.end() for found in _SENTENCE.finditer(self.text, inside, limit)]
        space = self.text.rfind(" ", inside, limit) + 1
        return ends[-1] if ends else space if space > inside else limit

    def _around(self, place: int) -> tuple[str, str]:
        """Head and tail of the block that a place is inside of; nothing at its border."""
        block = self._block_at(place)
        inside = block.start < place < len(self.text)
        return (block.head, block.tail) if inside else ("", "")


def _lines(text: str) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    place = 0
    for line in text.split("\n"):
        found.append((place, line))
        place += len(line) + 1
    return found


def _blocks(text: str) -> list[TextBlock]:
    """Code from fence to fence; else what stands between empty lines."""
    lines, blocks = _lines(text), list[TextBlock]()
    fence, after_blank = "", True
    for number, (place, line) in enumerate(lines):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip(" \t>`~"):
                fence, after_blank = "", True
        elif mark:
            fence = mark[1]
            blocks.append(TextBlock(place, f"{line}\n", f"{line[: mark.start(1)]}{fence}\n"))
        elif not line.strip():
            after_blank = True
        elif after_blank:
            blocks.append(TextBlock(place, _table_head(lines, number), ""))
            after_blank = False
    return [blocks[0]._replace(start=0), *blocks[1:]] if blocks else blocks


def _table_head(lines: list[tuple[int, str]], number: int) -> str:
    line = lines[number][1]
    under = lines[number + 1][1] if number + 1 < len(lines) else ""
    if "|" not in line or "-" not in under or not _DELIMITER.match(under):
        return ""
    return f"{line}\n{under}\n"


def _sections(text: str) -> list[TextSection]:
    found = _headings(text)
    if found and all(level > found[0][0] for level, _, _ in found[1:]):
        found = found[1:]
    sections, open_levels, numbers = list[TextSection](), list[int](), list[int]()
    for place, (level, title, start) in enumerate(found):
        while open_levels and open_levels[-1] > level:
            open_levels.pop()
            numbers.pop()
        if open_levels and open_levels[-1] == level:
            numbers[-1] += 1
        else:
            open_levels.append(level)
            numbers.append(1)
        behind = (other for depth, _, other in found[place + 1 :] if depth <= level)
        number = ".".join(map(str, numbers))
        sections.append(TextSection(number, level, title, start, next(behind, len(text))))
    return sections


def _headings(text: str) -> list[tuple[int, str, int]]:
    found: list[tuple[int, str, int]] = []
    fence = ""
    for place, line in _lines(text):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line.strip(" \t>`~"):
            fence = ""
        elif not fence and (heading := _HEADING.match(line)):
            found.append((len(heading[1]), heading[2], place))
    return found
