"""Passages of a page: found by their words, found again in the next version, marked in its HTML.

A text is read off clean HTML as a reader shows it: a line for each block. What is compared leaves
out white space and the shapes of quotation marks and dashes, so that a passage that a browser
selected is found whatever it put between the cells of a table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import unescape
from typing import TYPE_CHECKING

from rapidfuzz.fuzz import ratio

from pageloom.core.compare.align import align, common_start
from pageloom.model.highlights import MarkSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.model.highlights import HighlightState

AROUND = 32
"""Characters before and after a passage that tell it from others with the same words."""
_PIECE = re.compile(r"<[^>]*>|&[^;<&\s]{1,32};|\s+|[^<&\s]+|.")
_BLOCK = re.compile(
    r"</?(?:p|h[1-6]|li|ul|ol|d[ltd]|t[hdr]|table|thead|tbody|caption|fig\w+|blockquote|pre|div"
    r"|section|article|aside|details|summary|hr)\b"
)
_FOLDED = str.maketrans("“”„«»‘’‚‹›–—‐‑−", "\"\"\"\"\"'''''-----")
_WORD = re.compile(r"\w+|[^\w\s]")
_SENTENCE = re.compile(r"[^\n.!?。！？]*(?:[.!?。！？]+(?=\s|$|[^\x00-\x7f])|[.!?]|\n|$)")
_LONGEST_RUN = 6
"""Sentences that are taken for one passage at most, when it is looked for elsewhere."""
_EDITED = 0.4
"""The share of the words of a passage that its place must still have; less is another passage."""
_ALIKE = 70
"""How alike, of 100, words elsewhere on the page must be to be taken for the passage."""
_LARGEST = 200_000
"""Characters that are searched for words that are alike."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of characters, in the text and in the HTML."""

    start: int
    end: int
    html_start: int
    html_end: int


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page: its lines, and where in the HTML each piece of it stands."""

    lines: tuple[str, ...]
    pieces: tuple[_Piece, ...] = ()

    @property
    def flat(self) -> str:
        """The lines as one text, to which spans refer."""
        return "\n".join(self.lines)

    def line_at(self, place: int) -> int:
        """The line in which a character stands."""
        return self.flat.count("\n", 0, place)


@dataclass(frozen=True, slots=True)
class Passage:
    """What became of a passage: where it stands now, and its words."""

    state: HighlightState
    span: MarkSpan | None = None
    text: str = ""


def read_text(html: str) -> PageText:
    """The text of clean HTML, as a reader shows it."""
    lines: list[str] = []
    pieces: list[_Piece] = []
    line, place, space = "", 0, ""
    for found in _PIECE.finditer(html):
        token = found[0]
        if token[0] == "<":
            if _BLOCK.match(token) and line:
                lines.append(line)
                place, line, space = place + len(line) + 1, "", ""
            elif token.startswith("<br"):
                space = " "
        elif token.isspace():
            space = " "
        else:
            shown = unescape(token) if token[0] == "&" else token
            line += (space if line else "") + shown
            end = place + len(line)
            pieces.append(_Piece(end - len(shown), end, *found.span()))
            space = ""
    return PageText((*lines, line) if line else tuple(lines), tuple(pieces))


def mark_html(html: str, text: PageText, marks: Iterable[tuple[MarkSpan, str]]) -> str:
    """The HTML with passages wrapped in elements; ``marks`` are spans and their start tags."""
    parts: list[str] = []
    end = 0
    for piece, tag in _marked_pieces(text, marks):
        joined = parts and html[end : piece.html_start].isspace() and parts[-1] == "</mark>"
        if joined and parts[-3] == tag:  # the space between two words is marked with them
            parts[-2] += html[end : piece.html_end]
        else:
            shown = html[piece.html_start : piece.html_end]
            parts += [html[end : piece.html_start], tag, shown, "</mark>"]
        end = piece.html_end
    return "".join([*parts, html[end:]])


def _marked_pieces(
    text: PageText, marks: Iterable[tuple[MarkSpan, str]]
) -> Iterable[tuple[_Piece, str]]:
    """What of the HTML each mark covers, in its order; where two overlap, the shorter has it."""
    waiting = sorted(marks, key=lambda mark: (mark[0].end - mark[0].start, mark[0].start))
    for piece in text.pieces:
        for span, tag in waiting:
            start, end = max(span.start, piece.start), min(span.end, piece.end)
            if start >= end:
                continue
            is_whole = piece.html_end - piece.html_start != piece.end - piece.start
            if is_whole:  # a character that is written as an entity
                yield piece, tag
            else:
                shift = piece.html_start - piece.start
                yield _Piece(start, end, start + shift, end + shift), tag
            break


def find_passage(text: PageText, quote: str, before: str = "", after: str = "") -> MarkSpan | None:
    """Where these words stand: of several places, the one with the most alike around it."""
    flat = text.flat
    squeezed, places = _squeeze(flat)
    wanted = _squeeze(quote)[0]
    if not wanted:
        return None
    head, tail = _squeeze(before)[0][::-1], _squeeze(after)[0]
    best, best_score, at = -1, -1, squeezed.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        score = common_start(squeezed[max(0, at - AROUND) : at][::-1], head) + common_start(
            squeezed[end : end + AROUND], tail
        )
        if score > best_score:
            best, best_score = at, score
        at = squeezed.find(wanted, at + 1)
    if best < 0:
        return None
    start, end = places[best], places[best + len(wanted) - 1] + 1
    return MarkSpan(start=start, end=end, line=text.line_at(start))


def around(text: PageText, span: MarkSpan) -> tuple[str, str]:
    """What stands before and after a passage."""
    flat = text.flat
    return flat[max(0, span.start - AROUND) : span.start], flat[span.end : span.end + AROUND]


def _squeeze(text: str) -> tuple[str, list[int]]:
    """A text without white space and with plain quotation marks, and where each character was."""
    folded = text.translate(_FOLDED)
    places = [place for place, char in enumerate(folded) if not char.isspace()]
    return "".join(folded[place] for place in places), places


def same_words(one: str, two: str) -> bool:
    """Whether two passages differ in nothing but spaces and the shapes of marks."""
    return _squeeze(one)[0] == _squeeze(two)[0]


def follow_passage(
    old: PageText | None, span: MarkSpan, new: PageText, quote: str, around_it: tuple[str, str]
) -> Passage:
    """A passage of one version in the next: same, moved, edited or gone.

    Args:
        old: the text of the version in which it was found last; None where that is not kept.
        span: where it stood there.
        new: the text of the next version.
        quote: its words there.
        around_it: what stood around them.
    """
    exact = find_passage(new, quote, *around_it)
    if old is None or span.end > len(old.flat):
        return _passage(new, exact, "same") if exact else _alike(new, quote)
    place = _expected(old, new, span)
    if place.span is not None and same_words(place.text, quote):
        return _passage(new, place.span, "same")
    if exact is not None:
        is_near = place.first <= exact.line <= place.last
        return _passage(new, exact, "same" if is_near else "moved")
    if place.span is not None and place.share >= _EDITED:
        return _passage(new, place.span, "edited")
    return _alike(new, quote, old)


def _passage(text: PageText, span: MarkSpan, state: HighlightState) -> Passage:
    return Passage(state, span, text.flat[span.start : span.end])


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a passage is expected by what stands around it."""

    first: int
    last: int
    """The lines between which it should be."""
    span: MarkSpan | None = None
    text: str = ""
    share: float = 0.0
    """How much of its words is there."""


def _expected(old: PageText, new: PageText, span: MarkSpan) -> _Place:
    """Where the alignment of the lines puts a passage, and what stands there."""
    start, end = old.line_at(span.start), old.line_at(max(span.start, span.end - 1)) + 1
    gaps = align(old.lines, new.lines)
    for gap in gaps:
        if gap.start < end and gap.end > start:
            start, end = min(start, gap.start), max(end, gap.end)
    first, last = start, end
    for gap in gaps:  # what came and went before
        if gap.end <= start:
            first = start + gap.other_end - gap.end
        if gap.end <= end and gap.start < end:
            last = end + gap.other_end - gap.end
    where = _Place(first, max(first, last - 1))
    region = _Region.of(old, new, (start, end), (first, last))
    return region.place_of(where, span) if region else where


@dataclass(frozen=True, slots=True)
class _Region:
    """The words of some lines of both texts, and where each of them stands."""

    one: list[re.Match[str]]
    two: list[re.Match[str]]
    shift: int
    other_shift: int
    new: PageText

    @classmethod
    def of(
        cls, old: PageText, new: PageText, lines: tuple[int, int], others: tuple[int, int]
    ) -> _Region | None:
        one, two = "\n".join(old.lines[slice(*lines)]), "\n".join(new.lines[slice(*others)])
        if not one or not two or len(one) * len(two) > _LARGEST * 100:
            return None
        shift = sum(len(line) + 1 for line in old.lines[: lines[0]])
        other = sum(len(line) + 1 for line in new.lines[: others[0]])
        return cls(list(_WORD.finditer(one)), list(_WORD.finditer(two)), shift, other, new)

    def place_of(self, where: _Place, span: MarkSpan) -> _Place:
        """Where the words of a passage are in the other lines, and what share of them."""
        inside = [
            number
            for number, word in enumerate(self.one)
            if word.start() + self.shift < span.end and word.end() + self.shift > span.start
        ]
        if not inside:
            return where
        low, high = inside[0], inside[-1] + 1
        matcher = SequenceMatcher(None, _words(self.one), _words(self.two), autojunk=False)
        first, last, matched = len(self.two), 0, 0
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            start, end = max(low, i1), min(high, i2)
            if tag == "equal" and start < end:
                first, last = min(first, j1 + start - i1), max(last, j1 + end - i1)
                matched += sum(_weight(word[0]) for word in self.one[start:end])
            elif tag == "replace" and low <= i1 and i2 <= high and j1 < j2:  # words within it
                first, last = min(first, j1), max(last, j2)
        size = sum(_weight(word[0]) for word in self.one[low:high])
        if not matched or first >= last:
            return where
        start = self.two[first].start() + self.other_shift
        end = self.two[last - 1].end() + self.other_shift
        found = MarkSpan(start=start, end=end, line=self.new.line_at(start))
        words = self.new.flat[start:end]
        return _Place(where.first, where.last, found, words, matched / size)


def _words(found: list[re.Match[str]]) -> list[str]:
    return [word[0].casefold() for word in found]


def _weight(word: str) -> int:
    """Long words say more about what a passage is than short ones."""
    return len(word) if len(word) > 3 else 1


def _alike(text: PageText, quote: str, old: PageText | None = None) -> Passage:
    """The passage that is most like these words, anywhere; gone where none is.

    What the version before had as well, in other places, is not the passage.
    """
    if len(quote) < AROUND or len(text.flat) > _LARGEST:
        return Passage("gone")
    known = {one[0].strip() for one in _SENTENCE.finditer(old.flat)} if old else set[str]()
    best, span = float(_ALIKE), None
    for start, end in _fresh(text.flat, known):
        score = ratio(quote, text.flat[start:end], score_cutoff=best)
        if score > best:
            best, span = score, MarkSpan(start=start, end=end, line=text.line_at(start))
    return _passage(text, span, "edited") if span else Passage("gone")


def _fresh(flat: str, known: set[str]) -> Iterator[tuple[int, int]]:
    """Where the sentences stand that are not known, and the runs of them."""
    run: list[tuple[int, int]] = []
    for found in _SENTENCE.finditer(flat):
        words = found[0].strip()
        if not words or words in known:
            run = []
            continue
        start = found.start() + found[0].index(words)
        run.append((start, start + len(words)))
        for first, _ in run[-_LONGEST_RUN:]:
            yield first, run[-1][1]
