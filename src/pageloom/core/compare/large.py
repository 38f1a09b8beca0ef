"""Texts with very much changed in them: judged by their words alone, in a tenth of a second.

Nothing is read closely here. Lines that differ in nothing but digits are compared by the pattern
they share; other lines are paired by the words they have in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterator  # noqa: TC003  a signature of a generator
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.compare import lexicon as group
from pageloom.core.compare.blocks import Block, find_gaps
from pageloom.core.compare.ends import common_ends
from pageloom.core.compare.masks import mask_line
from pageloom.core.compare.sentences import Edit

if TYPE_CHECKING:
    from pageloom.core.compare.page import Side

_DIGITS = re.compile(r"\d+")
_ALIKE = 0.5
_NEARBY = (0, 1, -1, 2, -2)
_REWRITTEN = 0.6
_SAMPLE = 240
_LONGEST_PATTERN = 300
_EDGES = ".,;:!?\"'“”‘’«»()[]…"
_DECISIVE = group.NEGATION + group.MODAL + group.STATE + group.NUMBER_WORD


_NOTHING = Edit()
_ADDED = Edit(reasons=("added",), similarity=0.0)
_REMOVED = Edit(reasons=("removed",), similarity=0.0)


class Found(NamedTuple):
    """A block and what it comes to, without having been read closely."""

    block: Block
    edit: Edit


def judge_large(one: Side, two: Side) -> list[Found]:
    """All blocks that differ between two texts with very much changed in them."""
    patterns: dict[str, tuple[bool, ...]] = {}
    return [
        Found(block, _edit(block))
        for gap in find_gaps(one, two)
        for block in _pairs(gap.old, gap.new)
        if not _only_counters_moved(block, patterns) or block.trivial
    ]


def _pairs(old: list[Block], new: list[Block]) -> Iterator[Block]:
    done = 0
    sets: dict[int, set[str]] = {}
    for number, block in enumerate(old):
        middle = number * len(new) // max(len(old), 1)
        partner = -1 if block.moved else _partner(block.before, new, middle, done, sets)
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
        if not done <= place < len(new) or new[place].moved:
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


def _only_counters_moved(block: Block, patterns: dict[str, tuple[bool, ...]]) -> bool:
    """Whether two lines differ in nothing but digits that mean nothing; the block then says so."""
    if not block.edited or max(len(block.before), len(block.after)) > _LONGEST_PATTERN:
        return False
    pattern = _DIGITS.sub("0", block.before)
    if pattern != _DIGITS.sub("0", block.after):
        return False
    if pattern not in patterns:
        patterns[pattern] = _masked_digits(block.before)
    pairs = zip(
        _DIGITS.findall(block.before),
        _DIGITS.findall(block.after),
        patterns[pattern],
        strict=False,
    )
    if all(masked or old == new for old, new, masked in pairs):
        block.trivial = "counter"
        return True
    return False


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
