"""Split a line into segments, at separators, sentences and boxes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pageloom.core.compare import lexicon as group
from pageloom.core.compare.counters import COUNTERS_CJK
from pageloom.core.compare.spans import has_group

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.core.compare.tokens import TextToken

SEPARATORS = frozenset("|·•»›/⁄—–●*¦")
_ENDS = frozenset(".!?。！？…")
SHORT = 14
"""Words of a segment that may still be a line of facts rather than prose."""
_LONGEST_BYLINE = 30
_MOST_NAMES = 8
"""Words of a longer line of facts that are none of its moments and counters."""
_FACTUAL = (
    group.STAMP + group.COUNTED + group.COUNTED_ONE + group.LABELLED + group.PAST + group.UNIT
    + group.MONTH + group.WEEKDAY + group.CURRENT + group.CLOCK_WORD
)  # fmt: skip
FIGURES = frozenset(("number", "clock", "date", "instant", "opaque"))
_CLOSING = group.UNIT + group.PAST + group.CURRENT + group.LIVE + group.ATTENDING


def split_facts(tokens: Sequence[TextToken]) -> Iterator[tuple[int, int]]:
    """The parts of a line that are short enough to be facts rather than prose."""
    for start, end in _split(tokens):
        for part in _facts_of(tokens, start, end):
            if _is_line_of_facts(tokens[slice(*part)]):
                yield part


def _is_line_of_facts(segment: Sequence[TextToken]) -> bool:
    """Whether a part of a line is short, or little else than moments and counters in a row."""
    said = [token for token in segment if token.kind != "mark"]
    if len(said) <= SHORT:
        return True
    names = sum(
        token.kind == "word" and not any(letter in _FACTUAL for letter in token.groups)
        for token in said
    )
    stamped = has_group(said, group.STAMP) and sum(token.kind in FIGURES for token in said) > 2
    return len(said) <= _LONGEST_BYLINE and names <= _MOST_NAMES and stamped


def _split(tokens: Sequence[TextToken]) -> Iterator[tuple[int, int]]:
    """The parts of a line between dots, bars and the ends of sentences."""
    start = 0
    for number, token in enumerate(tokens):
        if token.kind == "mark" and (
            (token.text in SEPARATORS and _stands_apart(tokens, number))
            or (token.text in _ENDS and _is_last(tokens, number))
        ):
            if number > start:
                yield start, number
            start = number + 1
    if start < len(tokens):
        yield start, len(tokens)


def _facts_of(tokens: Sequence[TextToken], start: int, end: int) -> list[tuple[int, int]]:
    """A part of a line, or what it is made of where it is longer than one fact."""
    if _is_line_of_facts(tokens[start:end]):
        return [(start, end)]
    places = [n for n in range(start + 1, end) if _begins_anew(tokens, n)]
    return list(pairwise((start, *places, end)))


def _begins_anew(tokens: Sequence[TextToken], number: int) -> bool:
    """Whether what stands in a box of its own on the page follows another without a mark.

    ``… the last 24 hours 12 people …``, ``… right now Last booked …``, ``…前 阅读 1.2万 评论 86``.
    """
    before, token = tokens[number - 1 : number + 1]
    if token.start == before.end or token.kind == "mark":
        return False
    if token.kind == "number" and has_group(tokens[number + 1 : number + 2], group.UNIT):
        return False  # 4h 12m
    closes = any(letter in _CLOSING for letter in before.groups)
    if token.kind == "word" and token.text[0] > "\u2e7f":
        return closes or before.kind in FIGURES or before.text in COUNTERS_CJK
    opens = token.kind == "number" or token.text[0].isupper()
    return closes and opens and not before.text[0].isupper()


def _stands_apart(tokens: Sequence[TextToken], number: int) -> bool:
    """Whether a bar or dash divides a line, rather than the two ends of a range."""
    if tokens[number].text not in "–—/*":
        return True
    around = [*tokens[max(0, number - 1) : number], *tokens[number + 1 : number + 2]]
    if sum(token.kind in FIGURES for token in around) > 1:  # 8:00 – 16:00
        return False
    before = number == 0 or tokens[number - 1].end < tokens[number].start
    after = number + 1 == len(tokens) or tokens[number].end < tokens[number + 1].start
    return before and after


def _is_last(tokens: Sequence[TextToken], number: int) -> bool:
    """Whether a stop ends something: a space comes after it, and no short word or number before."""
    if number + 1 == len(tokens) or tokens[number].text in "。！？":
        return True
    before, after = tokens[number - 1] if number else None, tokens[number + 1]
    spaced = after.start > tokens[number].end
    short = before is not None and (len(before.text) <= (2 if before.kind == "number" else 3))
    return spaced and not short
