"""Coarse comparison of texts with very many changes, by words only.

Nothing is read closely here. Lines that differ in nothing but digits are compared by the pattern
they share; other lines are paired by the words they have in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence  # noqa: TC003  of a generator, of a field
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.compare import lexicon as group
from pageloom.core.compare.align import align
from pageloom.core.compare.blocks import Block, name_places
from pageloom.core.compare.ends import common_ends
from pageloom.core.compare.gaps import Gap
from pageloom.core.compare.sentences import SentenceEdit

if TYPE_CHECKING:
    from pageloom.core.compare.moves import Changes
    from pageloom.core.compare.page import Side

_ALIKE = 0.5
_NEARBY = (0, 1, -1, 2, -2)
_REWRITTEN = 0.6
_SAMPLE = 240
SHOWN = 200
"""Lines that differ in counters alone, or moved, and are shown."""
_EDGES = ".,;:!?\"'“”‘’«»()[]…"
_DECISIVE = group.NEGATION + group.MODAL + group.STATE + group.NUMBER_WORD


_NOTHING = SentenceEdit()
_ADDED = SentenceEdit(reasons=("added",), similarity=0.0)
_REMOVED = SentenceEdit(reasons=("removed",), similarity=0.0)


class CoarseMatch(NamedTuple):
    """A block and what it comes to, without having been read closely."""

    block: Block
    edit: SentenceEdit


@dataclass(slots=True)
class CoarseSurvey:
    """What was looked at of a text with very much changed in it, and what is only counted."""

    found: list[CoarseMatch] = field(default_factory=list[CoarseMatch])
    removed: list[str] = field(default_factory=list[str])
    """Lines of the first side that were not looked at."""
    added: list[str] = field(default_factory=list[str])


class _Lines(NamedTuple):
    """Lines of one side of a gap, by their numbers: most of them are never looked at."""

    lines: list[str]
    numbers: Sequence[int]

    def texts(self, start: int = 0, end: int | None = None) -> Iterator[str]:
        return map(self.lines.__getitem__, self.numbers[start:end])


def survey_large(
    one: Side, two: Side, changes: Changes, spelt: dict[str, str], most: int
) -> CoarseSurvey:
    """The blocks that differ between two texts with very much changed in them.

    Args:
        one: the first side.
        two: the second side.
        changes: where they differ.
        spelt: what is left of lines without their counters.
        most: so many blocks are looked at; lines that moved or differ in counters alone are not
            among them.
    """
    survey = CoarseSurvey(
        [CoarseMatch(_moved(line), _NOTHING) for line in islice(changes.moved, SHOWN)]
    )
    most += len(survey.found)
    if not changes.size:
        return survey
    left, right = changes.count_moved(), changes.count_moved()
    shown = 0
    for number, gap in enumerate(changes.gaps):
        if len(survey.found) >= most:
            known = spelt.keys() | changes.moved
            survey.removed += _unknown(changes.gaps.old_lines(one.lines, number), known)
            survey.added += _unknown(changes.gaps.new_lines(two.lines, number), known)
            break
        old = _unmoved(one.lines, gap.start, gap.end, left)
        new = _unmoved(two.lines, gap.other_start, gap.other_end, right)
        apart = _part_counters(old, new, spelt)
        if spelt and shown < SHOWN:
            counters = list(islice(_counters(old, new, apart), SHOWN - shown))
            shown += len(counters)
            survey.found += counters
        anchor = one.lines[gap.start - 1] if gap.start else ""
        for part in apart:
            _look_at(survey, old, new, part, max(0, most - len(survey.found)), anchor)
    return survey


def _unknown(lines: Iterable[str], known: set[str]) -> Iterable[str]:
    return [line for line in lines if line not in known] if known else lines


def _moved(line: str) -> Block:
    return Block(before=line, after=line, moved=True)


def _unmoved(lines: list[str], start: int, end: int, moved: dict[str, int]) -> _Lines:
    """Lines of a gap but for those that moved, as often as they did."""
    if not moved:
        return _Lines(lines, range(start, end))
    numbers: list[int] = []
    for number in range(start, end):
        if moved.get(lines[number]):
            moved[lines[number]] -= 1
        else:
            numbers.append(number)
    return _Lines(lines, numbers)


def _part_counters(old: _Lines, new: _Lines, spelt: dict[str, str]) -> Iterable[Gap]:
    """The parts of a gap that differ in more than counters."""
    if not spelt or not any(line in spelt for line in old.texts()):
        return (Gap(0, len(old.numbers), 0, len(new.numbers)),)
    keys = list(map(spelt.get, old.texts(), old.texts()))
    return align(keys, list(map(spelt.get, new.texts(), new.texts())))


def _counters(old: _Lines, new: _Lines, apart: Iterable[Gap]) -> Iterator[CoarseMatch]:
    """The blocks between these parts."""
    start = other_start = 0
    sizes = len(old.numbers), len(new.numbers)
    for part in [*apart, Gap(sizes[0], sizes[0], sizes[1], sizes[1])]:
        for left, right in zip(
            old.numbers[start : part.start],
            new.numbers[other_start : part.other_start],
            strict=True,
        ):
            yield CoarseMatch(
                Block(old.lines[left], new.lines[right], left, right, trivial="counter"), _NOTHING
            )
        start, other_start = part.end, part.other_end


def _look_at(
    survey: CoarseSurvey, old: _Lines, new: _Lines, part: Gap, room: int, anchor: str
) -> None:
    """Put the blocks of a part of a gap into a survey; those for which there is room."""
    end = min(part.end, part.start + room)
    other_end = min(part.other_end, part.other_start + room)
    survey.removed += old.texts(end, part.end)
    survey.added += new.texts(other_end, part.other_end)
    went = [Block(before=old.lines[n], left=n) for n in old.numbers[part.start : end]]
    came = [Block(after=new.lines[n], right=n) for n in new.numbers[part.other_start : other_end]]
    for block in name_places(_pairs(went, came), anchor):
        survey.found.append(CoarseMatch(block, _edit(block)))


def _pairs(old: list[Block], new: list[Block]) -> Iterator[Block]:
    done = 0
    sets: dict[int, set[str]] = {}
    for number, block in enumerate(old):
        middle = number * len(new) // max(len(old), 1)
        partner = _partner(block.before, new, middle, done, sets)
        if partner < 0:
            yield block
            continue
        yield from new[done:partner]
        block.after, block.right = new[partner].after, new[partner].right
        yield block
        done = partner + 1
    yield from new[done:]


def _partner(line: str, new: list[Block], middle: int, done: int, sets: dict[int, set[str]]) -> int:
    """The place of the line that this one became: most of its ends, or of its first words."""
    words: set[str] | None = None
    for step in _NEARBY:
        place = middle + step
        if not done <= place < len(new):
            continue
        other = new[place].after
        if step == 0 and 2 * sum(common_ends(line, other)) >= max(len(line), len(other)):
            return place
        words = _word_set(line) if words is None else words
        if place not in sets:
            sets[place] = _word_set(other)
        shared = len(words & sets[place])
        if shared >= _ALIKE * max(len(words), len(sets[place]), 1):
            return place
    return -1


def _word_set(line: str) -> set[str]:
    """The first words of a line: enough to know it again."""
    return set(line[:_SAMPLE].split())


def _edit(block: Block) -> SentenceEdit:
    if block.trivial or block.moved:
        return _NOTHING
    if not block.edited:
        return _ADDED if block.after else _REMOVED
    start, end = common_ends(block.before, block.after)
    old = block.before[start : len(block.before) - end].split()
    new = block.after[start : len(block.after) - end].split()
    words = max(block.before.count(" "), block.after.count(" ")) + 1
    similarity = max(0.0, 1 - max(len(old), len(new)) / words)
    salient = (*_signed("-", old, new), *_signed("+", new, old))
    reasons = ["salient"] if salient else []
    if similarity < _REWRITTEN:
        reasons.append("rewritten")
    return SentenceEdit(reasons=tuple(reasons), salient=salient[:8], similarity=similarity)


def _signed(sign: str, words: list[str], others: list[str]) -> list[str]:
    known = set(others)
    return [f"{sign}{word}" for word in words[:40] if word not in known and _is_salient(word)]


def _is_salient(word: str) -> bool:
    bare = word.strip(_EDGES)
    if bare[:1].isupper() or (not bare.isalpha() and any(map(str.isdigit, bare))):
        return True
    groups = group.lexicon().words.get(bare.casefold(), "")
    return any(letter in _DECISIVE for letter in groups)
