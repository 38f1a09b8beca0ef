"""Lines that differ only in digits, by their common pattern.

Of long lists every step reads all lines in one go, and one line of each pattern closely.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from pageloom.core.compare.masks import mask_line

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from pageloom.core.compare.moves import Changes
    from pageloom.core.compare.page import Side

_DIGITS = re.compile("[0-9]+")
_TO_ZERO = str.maketrans("123456789", "0" * 9)
_LONGEST_PATTERN = 300
_MOST_PATTERNS = 400


def spell_counters(one: Side, two: Side, changes: Changes) -> dict[str, str]:
    """Changed lines with digits, each with what is left of it without those that mean nothing."""
    if not changes.size or not _has_digits(one.document.text) or not _has_digits(two.document.text):
        return {}
    old, new = _without_long(changes.gone), _without_long(changes.come)
    patterns, others = _find_patterns(old), _find_patterns(new)
    shared = islice(_shared(patterns, old, set(others)), _MOST_PATTERNS)
    masks = {pattern: masked for pattern, line in shared if any(masked := _masked_digits(line))}
    if not masks:
        return {}
    spelt: dict[str, str] = {}
    for lines, found in ((old, patterns), (new, others)):
        for pattern, alike in _group(lines, found, masks).items():
            spelt.update(zip(alike, _spell(alike, pattern, masks[pattern]), strict=True))
    return spelt


def _has_digits(text: str) -> bool:
    """Ten plain searches: over a megabyte without digits far faster than one for a pattern."""
    return any(digit in text for digit in "0123456789")


def _without_long(lines: list[str]) -> list[str]:
    if max(map(len, lines), default=0) <= _LONGEST_PATTERN:
        return lines
    return [line for line in lines if len(line) <= _LONGEST_PATTERN]


def _find_patterns(lines: list[str]) -> list[str]:
    """The lines with one digit for every number."""
    if not lines:
        return []
    shapes = _to_zeros("\n".join(lines)).split("\n")
    distinct = list(dict.fromkeys(shapes))  # a long list has few
    whole = "\n".join(distinct)
    while "00" in whole:
        whole = whole.replace("00", "0")
    pattern_of = dict(zip(distinct, whole.split("\n"), strict=True))
    return list(map(pattern_of.__getitem__, shapes))


def _to_zeros(text: str) -> str:
    if text.isascii():
        return text.translate(_TO_ZERO)
    for digit in "123456789":  # beside other letters a table takes thirty times as long
        text = text.replace(digit, "0")
    return text


def _shared(patterns: list[str], lines: list[str], others: set[str]) -> Iterator[tuple[str, str]]:
    """Patterns with digits that both sides have, each once, with the first line of it."""
    first: dict[str, str] = {}
    list(map(first.setdefault, patterns, lines))
    for pattern, line in first.items():
        if pattern in others and "0" in pattern:
            yield pattern, line


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


def _group(lines: list[str], patterns: list[str], wanted: Container[str]) -> dict[str, list[str]]:
    """The lines of each pattern that is wanted."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for line, pattern in zip(lines, patterns, strict=True):
        if pattern in wanted:
            groups[pattern].append(line)
    return groups


def _spell(lines: list[str], pattern: str, masked: tuple[bool, ...]) -> Iterable[str]:
    """Lines of one pattern, each as that pattern and those of its numbers that mean something."""
    if all(masked):
        return [pattern] * len(lines)
    numbers = _DIGITS.findall("\n".join(lines))
    columns = [numbers[at :: len(masked)] for at, hidden in enumerate(masked) if not hidden]
    return map(f"{pattern}\n".__add__, map(" ".join, zip(*columns, strict=True)))
