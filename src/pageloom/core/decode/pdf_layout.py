"""The layout of a PDF as HTML: words with their places become headings, paragraphs, lists, tables.

A PDF says where each word is, not what it is. Lines are words beside each other; lines that follow
each other closely in one size are a paragraph; larger or bold lines are headings; rows with gaps at
the same places are a table; what stands on every page in the margin is left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BULLET = re.compile(r"([•◦▪▸‣●○■∙·–—*\uf0b7\u2043-])(?:\s+|$)")
_NUMBERED = re.compile(r"(?:\(?(?:\d{1,3}|[a-z])[.)]|\d{1,2})\s+(?=\S|$)")
_NUMBER_ALONE = re.compile(
    r"[\W_]*(?:page|seite|p\.)?[\s\W]*\d{1,4}(?:\s*(?:/|of|von)\s*\d{1,4})?[\W_]*", re.IGNORECASE
)
_DATE = re.compile(r"D?:?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(Z|[+-]\d{2})?'?(\d{2})?")
_POOR = re.compile(
    r"\(?(?:untitled|unspecified|anonymous|unknown)\)?$|microsoft (?:word|powerpoint|excel) - "
    r"|.*\.(?:docx?|pptx?|xlsx?|tex|dvi|indd|pdf|rtf)$|slide 1|document\d*$|\W*$",
    re.IGNORECASE,
)
_ENDS = tuple(".!?:;。！？…»”\"')")
_MARGIN = 0.09
"""The part of a page's height at either end in which headers and footers stand."""
_LARGER = 1.12
_LONGEST_HEADING = 200
_GAP = 1.0
"""Between cells, in parts of the size of the letters."""
_ALIGNED = 4.0
"""Points by which cells of a column may be off."""
_MOST_HEADINGS = 200
_HYPHENS = ("\u00ad", "\u2010", "-")

Kind = Literal["heading", "paragraph", "bullet", "number", "row"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfWord:
    """A word and its place on the page, in points from the lower left corner."""

    text: str
    left: float
    right: float
    base: float
    """The line that its letters stand on."""
    size: float
    """Of its letters, in points."""
    bold: bool = False
    href: str = ""
    """Where it leads, if it is a link to the web."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfPage:
    """One page."""

    number: int
    height: float = 0.0
    words: tuple[PdfWord, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfFacts:
    """What a PDF says of itself."""

    pages: int
    title: str = ""
    author: str = ""
    subject: str = ""
    keywords: str = ""
    created: str = ""
    modified: str = ""


@dataclass(slots=True)
class _Line:
    """Words beside each other, without a gap as between columns."""

    words: list[PdfWord]
    page: int

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        return min(word.left for word in self.words)

    @property
    def right(self) -> float:
        return max(word.right for word in self.words)

    @property
    def base(self) -> float:
        return self.words[0].base

    @property
    def size(self) -> float:
        return Counter(word.size for word in self.words).most_common(1)[0][0]

    @property
    def is_bold(self) -> bool:
        return all(word.bold for word in self.words)


@dataclass(slots=True)
class _Block:
    """What becomes one element."""

    kind: Kind
    lines: list[_Line] = field(default_factory=list["_Line"])
    level: int = 0


def write_html(pages: Sequence[PdfPage], facts: PdfFacts) -> str:
    """The HTML page that reads as the PDF does."""
    lines = [line for page in pages for line in _lines(page)]
    kept = _without_margins(lines, pages)
    body = _body_size(kept)
    blocks = _blocks(kept, body)
    head = _head(facts, _outline(blocks))
    return f"<!doctype html><html><head>{head}</head><body>{_write(blocks)}</body></html>"


def _lines(page: PdfPage) -> Iterator[_Line]:
    """Words in the order of the file, cut where the line or the column ends."""
    line: list[PdfWord] = []
    for word in page.words:
        if line and not _continues(line[-1], word):
            yield _Line(line, page.number)
            line = []
        line.append(word)
    if line:
        yield _Line(line, page.number)


def _continues(before: PdfWord, word: PdfWord) -> bool:
    if not _is_beside(before, word):
        return False
    gap = max(word.left - before.right, before.left - word.right)
    return gap < _GAP * max(word.size, before.size, 4.0)


def _is_beside(before: PdfWord, word: PdfWord) -> bool:
    """Whether two words stand on one line; a small mark may stand above it."""
    return abs(before.base - word.base) < 0.45 * max(before.size, word.size)


def _without_margins(lines: Sequence[_Line], pages: Sequence[PdfPage]) -> list[_Line]:
    """Without headers and footers: what the margins of several pages repeat, and page numbers."""
    heights = {page.number: page.height for page in pages}
    marginal = [line for line in lines if _is_marginal(line, heights[line.page])]
    seen: dict[str, set[int]] = {}
    for line in marginal:
        seen.setdefault(_mask(line.text), set()).add(line.page)
    dropped = {
        id(line)
        for line in marginal
        if (len(pages) > 1 and len(seen[_mask(line.text)]) > max(1, len(pages) // 3))
        or _NUMBER_ALONE.fullmatch(line.text)
    }
    return [line for line in lines if id(line) not in dropped]


def _is_marginal(line: _Line, height: float) -> bool:
    return not height * _MARGIN < line.base < height * (1 - _MARGIN)


def _mask(text: str) -> str:
    return re.sub(r"\d+", "0", text)


def _body_size(lines: Iterable[_Line]) -> float:
    """The size of most letters."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def _blocks(lines: Sequence[_Line], body: float) -> list[_Block]:
    levels = _levels(lines, body)
    rows = _rows(lines)
    tabular = _in_tables(rows)
    whole = [row if place in tabular else [_whole(row)] for place, row in enumerate(rows)]
    leading = _leading(whole)
    blocks: list[_Block] = []
    for place, row in enumerate(whole):
        block = _Block("row", row) if place in tabular else _begin(row[0], levels)
        if blocks and _joins(blocks[-1], block, leading):
            blocks[-1].lines += block.lines
        else:
            blocks.append(block)
    return blocks


def _rows(lines: Sequence[_Line]) -> list[list[_Line]]:
    """Lines that follow each other at the same height: the cells of a row, or parts of a line."""
    rows: list[list[_Line]] = []
    for line in lines:
        if rows and rows[-1][-1].page == line.page and _is_level(rows[-1][-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _is_level(before: _Line, line: _Line) -> bool:
    apart = line.left >= before.right or line.right <= before.left
    return apart and _is_beside(before.words[-1], line.words[0])


def _whole(row: list[_Line]) -> _Line:
    return _Line([word for line in row for word in line.words], row[0].page)


def _in_tables(rows: Sequence[list[_Line]]) -> set[int]:
    """The places of rows that are in tables: cells below each other, not only the first."""
    found: set[int] = set()
    for place in range(1, len(rows)):
        above, below = rows[place - 1], rows[place]
        if len(above) > 1 < len(below) and not _is_item(below) and _is_aligned(above, below):
            found |= {place - 1, place}
    return found


def _is_item(row: Sequence[_Line]) -> bool:
    """Whether a row is an item of a list: a bullet or a number, and a gap behind it."""
    first = row[0].text + " "
    return len(row) == 2 and bool(_BULLET.match(first) or _NUMBERED.match(first))


def _is_aligned(above: Sequence[_Line], below: Sequence[_Line]) -> bool:
    if above[0].page != below[0].page or not _is_next(_whole([*above]), _whole([*below]), 4.0):
        return False
    # Not by their right edges: those of justified text are all below each other.
    return any(
        abs(one.left - other.left) < _ALIGNED
        or abs(one.left + one.right - other.left - other.right) < _ALIGNED
        for one in above[1:]
        for other in below[1:]
    )


def _leading(rows: Sequence[list[_Line]]) -> float:
    """The distance of two lines of a paragraph, in parts of their size.

    The smallest that is frequent: short paragraphs have as many gaps between them.
    """
    distances: Counter[float] = Counter()
    for above, below in pairwise(rows):
        last, line = above[0], below[0]
        distance = (last.base - line.base) / max(line.size, 4.0)
        if last.page == line.page and last.size == line.size and 0.8 < distance < 2.5:
            distances[round(distance, 1)] += len(line.text)
    most = max(distances.values(), default=0)
    return min((each for each, count in distances.items() if count > most / 3), default=1.3)


def _levels(lines: Iterable[_Line], body: float) -> dict[float, int]:
    """The level of a heading by its size: the largest is the first."""
    sizes = {line.size for line in lines if line.size >= body * _LARGER and _is_short(line)}
    return {size: min(place, 4) for place, size in enumerate(sorted(sizes, reverse=True), 1)}


def _is_short(line: _Line) -> bool:
    return len(line.text) <= _LONGEST_HEADING and any(char.isalpha() for char in line.text)


def _begin(line: _Line, levels: dict[float, int]) -> _Block:
    """The block that a line begins, unless it goes on with the one before."""
    text = line.text
    if _BULLET.match(text):
        return _Block("bullet", [line])
    if line.size in levels and _is_short(line):
        return _Block("heading", [line], levels[line.size])
    if _NUMBERED.match(text):
        return _Block("number", [line])
    if line.is_bold and _is_short(line) and len(text) < 90 and not text.endswith((".", ",")):
        return _Block("heading", [line], min(max(levels.values(), default=1) + 1, 5))
    return _Block("paragraph", [line])


def _joins(before: _Block, block: _Block, leading: float) -> bool:
    """Whether a block goes on with the one before it."""
    last, line = before.lines[-1], block.lines[0]
    if block.kind == "row" or before.kind == "row":
        return block.kind == before.kind and last.page == line.page and _is_next(last, line, 4.0)
    if block.kind == "heading" or before.kind == "heading":
        same = block.kind == before.kind and block.level == before.level
        near = same and last.page == line.page and _is_next(last, line, leading + 0.35)
        return near and _overlaps(last, line)
    if block.kind in {"bullet", "number"} or abs(last.size - line.size) > 0.6:
        return False
    if last.page == line.page and _is_next(last, line, leading + 0.25) and _overlaps(last, line):
        return not _is_indented(before, last, line)
    # Another column or page: a sentence that has not ended goes on there.
    return not last.text.endswith(_ENDS) and line.base > last.base - 1


def _is_next(last: _Line, line: _Line, factor: float) -> bool:
    """Whether a line is below another, at most so many times its size."""
    return 0 < last.base - line.base <= factor * max(last.size, line.size, 4.0)


def _overlaps(last: _Line, line: _Line) -> bool:
    return line.left < last.right and line.right > last.left


def _is_indented(block: _Block, last: _Line, line: _Line) -> bool:
    """Whether a line begins a paragraph by its indent, after a line that ended early."""
    if block.kind != "paragraph":
        return line.left < block.lines[0].left + 1 and last.text.endswith(_ENDS)
    return line.left - last.left > line.size * 0.9 and last.text.endswith(_ENDS)


def _write(blocks: Sequence[_Block]) -> str:
    parts: list[str] = []
    for _, group in groupby(blocks, lambda block: block.kind):
        members = list(group)
        last = len(members) - 1
        parts += [
            _element(block, is_first=place == 0, is_last=place == last)
            for place, block in enumerate(members)
        ]
    return "".join(parts)


def _outline(blocks: Iterable[_Block]) -> str:
    """The headings with the numbers of their pages."""
    headings = [block.lines for block in blocks if block.kind == "heading"][:_MOST_HEADINGS]
    texts = (" ".join(line.text for line in lines) for lines in headings)
    return "; ".join(f"{lines[0].page} {text}" for lines, text in zip(headings, texts, strict=True))


def _element(block: _Block, *, is_first: bool, is_last: bool) -> str:
    if block.kind == "heading":
        return f"<h{block.level}>{_text(block.lines)}</h{block.level}>\n"
    if block.kind == "row":
        return _table(block.lines)
    if block.kind == "paragraph":
        return f"<p>{_text(block.lines)}</p>\n"
    tag, mark = ("ul", _BULLET) if block.kind == "bullet" else ("ol", _NUMBERED)
    item = f"<li>{mark.sub('', _text(block.lines), count=1)}</li>\n"
    return (f"<{tag}>" if is_first else "") + item + (f"</{tag}>\n" if is_last else "")


def _table(lines: Sequence[_Line]) -> str:
    """Cells by the columns that the rows share."""
    rows: list[list[_Line]] = []
    for line in lines:
        if rows and _is_level(rows[-1][-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    starts = _columns(rows)
    written = "".join(f"<tr>{_cells(row, starts)}</tr>" for row in rows)
    return f"<table>{written}</table>\n"


def _columns(rows: Sequence[Sequence[_Line]]) -> list[float]:
    """Where columns begin: by the row with the most cells."""
    widest = max(rows, key=len)
    return sorted(line.left for line in widest)


def _cells(row: Sequence[_Line], starts: Sequence[float]) -> str:
    cells: dict[int, list[_Line]] = {}
    for line in row:
        nearest = min(range(len(starts)), key=lambda place: abs(starts[place] - line.left))
        cells.setdefault(nearest, []).append(line)
    return "".join(f"<td>{_text(cells.get(place, []))}</td>" for place in range(len(starts)))


def _text(lines: Sequence[_Line]) -> str:
    """The words of lines as one text, words that a hyphen parts joined again, links marked."""
    words: list[tuple[str, str]] = []
    for line in lines:
        for place, word in enumerate(line.words):
            text = unicodedata.normalize("NFKC", word.text) if _is_shaped(word.text) else word.text
            if place == 0 and words and _is_parted(words[-1][0], text):
                words[-1] = (words[-1][0].rstrip("".join(_HYPHENS)) + text, words[-1][1])
            else:
                words.append((text, word.href))
    clean = [(text.replace("\u00ad", ""), href) for text, href in words]
    pieces = [
        (" ".join(escape(text, quote=False) for text, _ in group), href)
        for href, group in groupby(clean, lambda word: word[1])
    ]
    return " ".join(
        f'<a href="{escape(href)}">{text}</a>' if href else text for text, href in pieces
    )


def _is_shaped(text: str) -> bool:
    """Whether a text has letters in the shape that they have on paper: ﬁ, ﻻ."""
    return any("\ufb00" <= char <= "\ufefc" for char in text)


def _is_parted(before: str, after: str) -> bool:
    if len(before) < 2 or not before.endswith(_HYPHENS) or not after[:1].isalpha():
        return False
    return before[-1] == "\u00ad" or (before[-2].isalpha() and after[0].islower())


def _head(facts: PdfFacts, outline: str) -> str:
    """What the PDF says of itself, as pages say it."""
    title = "" if _POOR.match(facts.title) else facts.title
    metas = {
        "author": facts.author,
        "description": facts.subject,
        "keywords": facts.keywords,
        "article:published_time": _date(facts.created),
        "article:modified_time": _date(facts.modified),
        "pdf:pages": str(facts.pages),
        "pdf:outline": outline,
    }
    written = "".join(
        f'<meta name="{name}" content="{escape(value)}">'
        for name, value in metas.items()
        if value and (name == "pdf:pages" or not _POOR.match(value))
    )
    return (f"<title>{escape(title)}</title>" if title else "") + written


def _date(text: str) -> str:
    """``D:20260305083000+01'00'`` as ISO 8601; empty for anything else."""
    found = _DATE.match(text)
    if not found or not 1980 <= int(found[1]) <= 2200:
        return ""
    year, month, day, hour, minute, second, zone, minutes = found.groups()
    date = f"{year}-{month or '01'}-{day or '01'}"
    if not hour or not zone:
        return date
    offset = "Z" if zone == "Z" else f"{zone}:{minutes or '00'}"
    return f"{date}T{hour}:{minute or '00'}:{second or '00'}{offset}"
