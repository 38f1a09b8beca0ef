"""Look up what a word or phrase may mean in the vocabulary."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from pageloom.core.compare import vocabulary
from pageloom.core.months import AGO, MONTHS, ONE, UNITS

# One letter for each group of words, so that the groups of a word are a short string.
STAMP, COUNTED, ATTENDING, READING = "s", "c", "g", "r"
COUNTDOWN, CURRENT, MACHINE, HANDLE = "e", "y", "f", "i"
CLOCK_WORD, NEGATION, MODAL, STATE = "z", "x", "o", "v"
NUMBER_WORD, MEASURE, WEEKDAY, MONTH = "b", "q", "k", "m"
UNIT, PAST, SINGLE, LABELLED, BINDING = "u", "a", "1", "l", "d"
ARRIVAL, CROWD, THIS, SHOWING = "n", "p", "t", "h"
LIVE, WITHIN, FILLER, REPLYING = "j", "w", "0", "2"
APPROXIMATE, TIMES, NEXT, COUNTED_ONE = "3", "4", "5", "6"
SINCE = "7"
YOURS, NEARBY, ARTICLES, BOUGHT, JUST, PLAYING = "Y", "N", "A", "B", "J", "P"
FOUND, SIGNED, GREETING = "F", "S", "G"
DELIVERY, ESTIMATED, POWERED = "D", "E", "W"
ALREADY, SKY, UNREAD = "R", "K", "U"

_GROUPS = {
    STAMP: vocabulary.STAMPS,
    COUNTED: vocabulary.COUNTED,
    LABELLED: vocabulary.LABELLED,
    ATTENDING: vocabulary.ATTENDING,
    BINDING: vocabulary.BINDING,
    ARRIVAL: vocabulary.ARRIVALS,
    CROWD: vocabulary.CROWD,
    THIS: vocabulary.THIS,
    SHOWING: vocabulary.SHOWING,
    LIVE: vocabulary.LIVE,
    WITHIN: vocabulary.WITHIN,
    REPLYING: vocabulary.REPLYING,
    APPROXIMATE: vocabulary.APPROXIMATE,
    TIMES: vocabulary.TIMES,
    SINCE: vocabulary.SINCE,
    NEXT: vocabulary.NEXT,
    DELIVERY: vocabulary.DELIVERIES,
    ESTIMATED: vocabulary.ESTIMATED,
    POWERED: vocabulary.POWERED,
    ALREADY: vocabulary.ALREADY,
    SKY: vocabulary.WEATHER,
    UNREAD: vocabulary.UNREAD,
    YOURS: vocabulary.YOURS,
    NEARBY: vocabulary.NEARBY,
    ARTICLES: vocabulary.ARTICLES,
    BOUGHT: vocabulary.BOUGHT,
    JUST: vocabulary.JUST,
    PLAYING: vocabulary.PLAYING,
    FOUND: vocabulary.FOUND,
    SIGNED: vocabulary.SIGNED,
    GREETING: vocabulary.GREETINGS,
    FILLER: vocabulary.FILLERS,
    READING: vocabulary.READING,
    COUNTDOWN: vocabulary.COUNTDOWN,
    CURRENT: vocabulary.CURRENT,
    MACHINE: vocabulary.MACHINE,
    HANDLE: vocabulary.HANDLES,
    CLOCK_WORD: vocabulary.CLOCK_WORDS,
    NEGATION: vocabulary.NEGATIONS,
    MODAL: vocabulary.MODALS,
    STATE: vocabulary.STATES,
    NUMBER_WORD: vocabulary.NUMBER_WORDS,
    MEASURE: vocabulary.MEASURES,
    WEEKDAY: vocabulary.WEEKDAYS,
    MONTH: ", ".join(MONTHS.values()).replace(", ", "|"),
    UNIT: "|".join(UNITS.values())
    + "|h|ч|мин|сек|дн|ms|msec|µs|std|stdn|sek|tg|hr|hrs|m|min|mins|d|w|s|sec|mo|yr|y",
    PAST: "|".join(AGO.values()),
    SINGLE: "|".join(ONE),
}
CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f\u3005\u3006"
"""Scripts whose words are not written apart, or carry their endings with them."""
SHORTEST_STEM = 7
_CJK = re.compile(f"[{CJK}]")
_SPACED = re.compile(r"[\w’']+(?:[-.][\w’']+)*|\S")


class Lexicon(NamedTuple):
    """What is known of words."""

    words: dict[str, str]
    """A word in lower case, and the letters of its groups."""
    phrases: dict[str, tuple[tuple[tuple[str, ...], str], ...]]
    """By their first word: the words of each phrase, the longest first, and its groups."""
    stems: dict[str, str]
    """Long words of counters and stamps without their last two letters, which inflect."""
    unspaced: str
    """A pattern for known words of scripts that are not written apart, the longest first."""


@cache
def lexicon() -> Lexicon:
    """The look-up; made when the first changed text has to be understood."""
    words: dict[str, str] = {}
    for letter, group in _GROUPS.items():
        for word in group.split("|"):
            entry = word.strip().casefold()
            if entry and letter not in words.get(entry, ""):
                words[entry] = words.get(entry, "") + letter
    return Lexicon(
        words=words, phrases=_phrases(words), stems=_stems(words), unspaced=_unspaced(words)
    )


def _stems(words: dict[str, str]) -> dict[str, str]:
    kept = COUNTED + ATTENDING + STAMP
    return {
        word[:-2]: "".join(letter for letter in letters if letter in kept)
        for word, letters in words.items()
        if len(word) >= SHORTEST_STEM + 2 and word.isalpha() and not _CJK.search(word)
    }


def stem_groups(word: str) -> str:
    """The groups of a word that differs from a known one in its ending."""
    stems = lexicon().stems
    for cut in (1, 2, 3):
        if len(word) - cut >= SHORTEST_STEM and (found := stems.get(word[:-cut])):
            return found
    return ""


def plural_groups(word: str) -> str:
    """The group of a word that is known to be counted as one, or as many, only."""
    words = lexicon().words
    other = word[:-1] if word.endswith("s") else f"{word}s"
    return COUNTED_ONE if len(word) > 3 and COUNTED in words.get(other, "") else ""


def _phrases(words: dict[str, str]) -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for entry, letters in words.items():
        if _CJK.search(entry):
            continue
        parts = tuple(_SPACED.findall(entry))
        if len(parts) > 1:
            found.setdefault(parts[0], []).append((parts, letters))
    return {
        first: tuple(sorted(entries, key=lambda entry: (-len(entry[0]), entry[0])))
        for first, entries in found.items()
    }


def _unspaced(words: dict[str, str]) -> str:
    entries = [entry for entry in words if _CJK.match(entry) and len(entry) > 1]
    return "|".join(re.escape(entry) for entry in sorted(entries, key=lambda e: (-len(e), e)))
