"""Texts with very much changed in them: judged by their words alone, in a tenth of a second.

Nothing is read closely here. Lines that differ in nothing but digits are compared by the pattern
they share; other lines are paired by the words they have in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator  # noqa: TC003  a signature of a generator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.compare import lexicon as group
from pageloom.core.compare.align import align
from pageloom.core.compare.blocks import Block, iter_gaps, name_places
from pageloom.core.compare.ends import common_ends
from pageloom.core.compare.gaps import Gap
from pageloom.core.compare.masks import mask_line
from pageloom.core.compare.sentences import Edit

if TYPE_CHECKING:
    from pageloom.core.compare.blocks import Changes
    from pageloom.core.compare.page import Side

_DIGITS = re.compile("[0-9]+")
_TO_ZERO = str.maketrans("123456789", "0" * 9)
_ALIKE = 0.5
_NEARBY = (0, 1, -1, 2, -2)
_REWRITTEN = 0.6
_SAMPLE = 240
_LONGEST_PATTERN = 300
_MOST_PATTERNS = 400
SHOWN = 200
"""Lines that differ in counters alone and are shown."""
_EDGES = ".,;:!?\"'“”‘’«»()[]…"
_DECISIVE = group.NEGATION + group.MODAL + group.STATE + group.NUMBER_WORD


_NOTHING = Edit()
_ADDED = Edit(reasons=("added",), similarity=0.0)
_REMOVED = Edit(reasons=("removed",), similarity=0.0)


class Found(NamedTuple):
    """A block and what it comes to, without having been read closely."""

    block: Block
    edit: Edit


@dataclass(slots=True)
class Survey:
    """What was looked at of a text with very much changed in it, and what is only counted."""

    found: list[Found] = field(default_factory=list[Found])
    removed: list[str] = field(default_factory=list[str])
    """Lines of the first side that were not looked at."""
    added: list[str] = field(default_factory=list[str])


def survey_large(one: Side, two: Side, changes: Changes, most: int) -> Survey:
    """The blocks that differ between two texts with very much changed in them.

    Args:
        one: the first side.
        two: the second side.
        changes: where they differ.
        most: so many blocks are looked at; lines that differ in counters alone are not among them.
    """
    survey = Survey([Found(_moved(line), _NOTHING) for line in islice(changes.moved, most)])
    if not changes.size:
        return survey
    spelt = _spell_counters(one, two, changes)
    shown = 0
    for number, gap in enumerate(iter_gaps(one, two, changes, with_moved=False)):
        if len(survey.found) >= most:
            known = changes.moved.keys() | spelt.keys()
            survey.removed += _unknown(changes.gaps.old_lines(one.lines, number), known)
            survey.added += _unknown(changes.gaps.new_lines(two.lines, number), known)
            break
        counters, apart = _part_counters(gap.old, gap.new, spelt)
        survey.found += (Found(block, _NOTHING) for block in counters[: max(0, SHOWN - shown)])
        shown += len(counters)
        for left, right in apart:
            room = max(0, most - len(survey.found))
            survey.removed += (block.before for block in left[room:])
            survey.added += (block.after for block in right[room:])
            blocks = name_places(_pairs(left[:room], right[:room]), gap.anchor)
            survey.found += (Found(block, _edit(block)) for block in blocks)
    return survey


def _unknown(lines: Iterable[str], known: set[str]) -> Iterable[str]:
    return [line for line in lines if line not in known] if known else lines


def _moved(line: str) -> Block:
    return Block(before=line, after=line, moved=True)


def _part_counters(
    old: list[Block], new: list[Block], spelt: dict[str, str]
) -> tuple[list[Block], list[tuple[list[Block], list[Block]]]]:
    """Blocks of one gap that differ in counters alone, and the others of both sides in order."""
    if not any(block.before in spelt for block in old):
        return [], [(old, new)]
    keys = [spelt.get(block.before, block.before) for block in old]
    others = [spelt.get(block.after, block.after) for block in new]
    counters: list[Block] = []
    apart: list[tuple[list[Block], list[Block]]] = []
    start = other_start = 0
    for gap in [*align(keys, others), Gap(len(old), len(old), len(new), len(new))]:
        for block, other in zip(
            old[start : gap.start], new[other_start : gap.other_start], strict=True
        ):
            block.after, block.right, block.trivial = other.after, other.right, "counter"
            counters.append(block)
        apart.append((old[gap.start : gap.end], new[gap.other_start : gap.other_end]))
        start, other_start = gap.end, gap.other_end
    return counters, apart


def _spell_counters(one: Side, two: Side, changes: Changes) -> dict[str, str]:
    """Changed lines with digits, without those digits that mean nothing."""
    if not _has_digits(one.document.text) or not _has_digits(two.document.text):
        return {}
    old = [line for line in changes.gone if len(line) <= _LONGEST_PATTERN]
    new = [line for line in changes.come if len(line) <= _LONGEST_PATTERN]
    patterns, others = _blank(old), _blank(new)
    shared = islice(_shared(patterns, old, set(others)), _MOST_PATTERNS)
    masks = {pattern: masked for pattern, line in shared if any(masked := _masked_digits(line))}
    if not masks:
        return {}
    return {
        line: _spell(line, pattern, masks[pattern])
        for lines, spelling in ((old, patterns), (new, others))
        for line, pattern in zip(lines, spelling, strict=True)
        if pattern in masks
    }


def _has_digits(text: str) -> bool:
    """Ten plain searches: over a megabyte without digits far faster than one for a pattern."""
    return any(digit in text for digit in "0123456789")


def _shared(patterns: list[str], lines: list[str], others: set[str]) -> Iterator[tuple[str, str]]:
    """Patterns with digits that both sides have, each once, with the first line of it."""
    first = dict(zip(reversed(patterns), reversed(lines), strict=True))
    for pattern in dict.fromkeys(patterns):
        if pattern in others and "0" in pattern:
            yield pattern, first[pattern]


def _blank(lines: list[str]) -> list[str]:
    """The lines with one digit for every number, all in one go."""
    whole = "\n".join(lines).translate(_TO_ZERO)
    while "00" in whole:
        whole = whole.replace("00", "0")
    return whole.split("\n") if lines else []


def _spell(line: str, pattern: str, masked: tuple[bool, ...]) -> str:
    if all(masked):
        return pattern
    hidden = iter(masked)
    return _DIGITS.sub(lambda found: "0" if next(hidden, False) else found[0], line)


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


def _masked_digits(line: str) -> tuple[bool, ...]:
    """Of each run of digits in a line, whether it means nothing."""
    masked = mask_line(line)
    hidden = [
        (masked.tokens[span.start].start, masked.tokens[span.end - 1].end) for span in masked.spans
    ]
    return tuple(
        any(start <= found.start() < end for start, end in hidden)
        for found in _DIGITS.finditer(line)
    )


def _edit(block: Block) -> Edit:
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
    return Edit(reasons=tuple(reasons), salient=salient[:8], similarity=similarity)


def _signed(sign: str, words: list[str], others: list[str]) -> list[str]:
    known = set(others)
    return [f"{sign}{word}" for word in words[:40] if word not in known and _is_salient(word)]


def _is_salient(word: str) -> bool:
    bare = word.strip(_EDGES)
    if bare[:1].isupper() or (not bare.isalpha() and any(map(str.isdigit, bare))):
        return True
    groups = group.lexicon().words.get(bare.casefold(), "")
    return any(letter in _DECISIVE for letter in groups)
