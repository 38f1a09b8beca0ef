"""A summary of two or three of the text's own sentences."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from pageloom.core.non_ascii import (
    MOST_KINDS,
    beyond_ascii,
    beyond_ascii_in,
    blank_marks,
    lower_beyond,
)
from pageloom.core.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\w{2,}", re.UNICODE)
_SPACED = bytes(
    code if code > 127 or chr(code).isalnum() or chr(code) in "_\n" else ord(" ")
    for code in range(256)
)
"""Letters and line ends as they are, and a space for anything else."""
_SINGLE = frozenset(chr(code) for code in range(128))
_STOPS = ".!?。！？।؟۔"
_CLOSERS = "\"'”’»)]」』）"
_MOST = 3
_LONGEST = 600
_SHORT, _LONG = 40, 320
_LOOKED_AT = 60
_SAME = 0.7
"""Share of the words of the shorter of two sentences from which on they say the same."""


def summarise(sentences: Sequence[str], title: str = "", language: str = "", text: str = "") -> str:
    """Two or three sentences that say most, in the order of the text.

    A sentence is worth the share of its words that the whole text repeats, a little more where it
    stands early or speaks of the title.

    Args:
        sentences: those of the text, in order.
        title: the page's title.
        language: ISO 639-1, for the words that do not count.
        text: all of it, where that is at hand.
    """
    fitting = [
        sentence
        for sentence in sentences[:_LOOKED_AT]
        if _SHORT <= len(sentence) <= _LONG and sentence[0] not in "-*#|"
    ]
    whole = [sentence for sentence in fitting if sentence.rstrip(_CLOSERS)[-1:] in _STOPS]
    usable = whole or fitting
    if len(usable) <= 2:
        return " ".join(usable)[:_LONGEST]
    stop = STOP_WORDS.get(language, frozenset[str]())
    lines = "\n".join([line.replace("\n", " ") for line in (title, *usable)])
    beyond = beyond_ascii(title) + beyond_ascii_in(lines, text) if text else beyond_ascii(lines)
    named, *bags = _bags(lines, beyond, stop)
    weights = Counter(chain.from_iterable(bags))
    scores = [_score(bag, weights, named, place) for place, bag in enumerate(bags)]
    ranked = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    return _joined([usable[place] for place in sorted(_different(ranked, bags))])


def _different(ranked: list[int], bags: list[set[str]]) -> list[int]:
    """The best places, without those that say what a better one has said."""
    chosen: list[int] = []
    for place in ranked:
        if all(_overlap(bags[place], bags[other]) < _SAME for other in chosen):
            chosen.append(place)
        if len(chosen) == _MOST:
            break
    return chosen


def _overlap(one: set[str], two: set[str]) -> float:
    return len(one & two) / max(min(len(one), len(two)), 1)


def _bags(lines: str, beyond: str, stop: frozenset[str]) -> list[set[str]]:
    """The words of each line, in lower case and without those that do not count.

    A table of bytes and the spaces find what the pattern finds, many times faster. ``beyond`` are
    the characters beyond ASCII.
    """
    joined, rest = lower_beyond(lines, beyond)
    kinds = set(rest)
    if len(kinds) > MOST_KINDS:
        found = [_WORD.findall(line) for line in joined.lower().split("\n")]
    else:
        lowered = blank_marks(joined, kinds).encode("utf-8", "surrogatepass").lower()
        spaced = lowered.translate(_SPACED).decode()
        found = [line.split() for line in spaced.split("\n")]
    uncounted = stop.union(_SINGLE, kinds)
    return [set(words).difference(uncounted) for words in found]


def _score(bag: set[str], weights: Counter[str], named: set[str], place: int) -> float:
    if not bag:
        return 0.0
    repeated = (sum(map(weights.__getitem__, bag)) - len(bag)) / (len(bag) + 3)
    early = 1.5 if place == 0 else 1.2 if place < 4 else 1.0
    return (repeated + len(bag & named) / (len(named) + 1)) * early


def _joined(sentences: list[str]) -> str:
    """As many of the sentences as fit."""
    text = ""
    for sentence in sentences:
        if text and len(text) + len(sentence) > _LONGEST:
            break
        text = f"{text} {sentence}".strip()
    return text
