"""What words may mean: groups of words and phrases in many languages, kept as data by language.

``words.json`` has, for each language, the words of each group (lower case) and some patterns. All
languages are looked up together, because a page mixes them.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec

from pageloom.core.months import AGO, MONTHS, ONE, UNITS


class Group(StrEnum):
    """Groups of words, each known by a letter, so that the groups of a word are a short string."""

    ALREADY = "R"  # already, so far: how many have come together by now
    AND = "Q"
    APPROXIMATE = "3"  # about, more than: a length of time that is not exact
    ARRIVAL = "n"  # signed in as, newest member: before the name of whoever came last
    ATTENDING = "g"  # viewing, in their cart: what visitors do
    BINDING = "d"  # deadline, valid: makes a date matter wherever it stands
    BOUGHT = "B"  # booked, ordered
    BY = "V"
    CLOCK_WORD = "z"  # am, Uhr, UTC
    COUNTDOWN = "e"  # ends in, left
    COUNTED = "c"  # views, comments: what a counter counts
    COUNTED_ONE = "6"  # the same, as one or as many only
    CROWD = "p"  # people, customers: visitors without names
    CURRENT = "y"  # today, just now: a moment that moves with the reader
    DECIDED = "8"  # limit, age: what a rule sets, and no reading of this moment
    DELIVERY = "D"  # arrives, delivery: beside the day on which something would come
    ESTIMATED = "E"  # expected: beside a day that nobody promises
    FILLER = "0"  # see all, be the first: what a counter is said with
    FOUND = "F"  # found: beside how many of something a list has
    GREETING = "G"  # good evening
    HANDLE = "i"  # session id, build: before a token that is new at each visit
    IN = "I"
    ITEMS = "H"  # products: what a list has so many of
    LABELLED = "l"  # members: counted too, but also offered; a counter only as «Members: 140»
    LIMIT = "L"  # per, max, goal: makes a number an offer, a limit or an outcome
    LIVE = "j"  # currently: beside a figure of this very moment
    MACHINE = "f"  # rendered in
    MEASURE = "q"  # kg, km: changed beside a number, it changes what the number means
    MODAL = "o"  # must, only, up to: binds, allows, forbids or limits
    MONTH = "m"
    NEARBY = "N"  # branch, store: what a page takes a visitor to be near
    NEGATION = "x"  # not, without, yes
    NEXT = "5"
    NOW = "C"
    NUMBER_WORD = "b"  # three, twice
    OF = "O"
    ONLINE = "Z"
    OPEN = "M"  # open, closed: what a shop is by the hour
    PAST = "a"  # ago
    PLAYING = "P"  # now playing
    POWERED = "W"  # powered by
    READING = "r"  # min read
    REPLYING = "2"  # response time: how long somebody takes to answer
    SEASON = "X"  # applications: what opens and closes once, not every day
    SHOWING = "h"  # page, showing: beside how much of a list is shown
    SIGNED = "S"  # signed, cooked: what many did, each alike
    SINCE = "7"  # for, since: before how long something has lasted
    SINGLE = "1"  # a, one
    SKY = "K"  # cloudy
    STAMP = "s"  # updated, as of: when the page was made, not what it is about
    STATE = "v"  # free, cancelled, open: what a thing is or is not
    THIS = "t"  # this: points at the thing on the page
    TIMES = "4"
    TOTAL = "T"
    UNIT = "u"  # hours, min
    UNREAD = "U"
    UNTAKEN = "9"  # available: the first that nobody has taken yet
    WEEKDAY = "k"
    WITHIN = "w"
    YOURS = "Y"  # your: how a page speaks to whoever looks at it


CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f\u3005\u3006"
"""Scripts whose words are not written apart, or carry their endings with them."""
SHORTEST_STEM = 7
_SHORT_UNITS = "h ч мин сек дн ms msec µs std stdn sek tg hr hrs m min mins d w s sec mo yr y"
_CJK = re.compile(f"[{CJK}]")
_SPACED = re.compile(r"[\w’']+(?:[-.][\w’']+)*|\S")
_LONGEST_HEAD = 40
_LONGEST_BOILERPLATE = 45
"""Words of a line that may be the site's and not the page's."""


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
def _data() -> dict[str, dict[str, list[str]]]:
    data = files("pageloom.core.compare").joinpath("words.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, dict[str, list[str]]])


def _all(name: str) -> list[str]:
    """The words of a group in all languages."""
    return [word for groups in _data().values() for word in groups.get(name, ())]


@cache
def lexicon() -> Lexicon:
    """The look-up; made when the first changed text has to be understood."""
    by_group = {letter: _all(name.lower()) for name, letter in Group.__members__.items()}
    by_group[Group.MONTH] = ", ".join(MONTHS.values()).replace("|", ", ").split(", ")
    by_group[Group.UNIT] = [*"|".join(UNITS.values()).split("|"), *_SHORT_UNITS.split()]
    by_group[Group.PAST] = "|".join(AGO.values()).split("|")
    by_group[Group.SINGLE] = sorted(ONE)
    words: dict[str, str] = {}
    for letter, group in by_group.items():
        for word in group:
            entry = word.strip().casefold()
            if entry and letter not in words.get(entry, ""):
                words[entry] = words.get(entry, "") + letter
    return Lexicon(
        words=words, phrases=_phrases(words), stems=_stems(words), unspaced=_unspaced(words)
    )


def _stems(words: dict[str, str]) -> dict[str, str]:
    kept = Group.COUNTED + Group.ATTENDING + Group.STAMP
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
    return Group.COUNTED_ONE if len(word) > 3 and Group.COUNTED in words.get(other, "") else ""


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


@cache
def _pattern(name: str, around: str = "{}") -> re.Pattern[str]:
    """A pattern for one of the groups of patterns; words of spaced scripts begin and end there."""
    spaced = [each for each in _all(name) if not _CJK.search(each)]
    dense = [each for each in _all(name) if _CJK.search(each)]
    joined = "|".join((rf"\b(?:{'|'.join(spaced)})\b", *dense))
    return re.compile(around.format(f"(?:{joined})"), re.IGNORECASE)


def is_lead_in(line: str) -> bool:
    """Whether a line is a suggestion, a tip or an advert and says so: ``Read also: …``."""
    if (
        _pattern("daily", r"\w+ {}\W{{0,3}} [^\W_]").match(line)
        or _pattern("did_you_know", r"{}\W{{0,5}}\w").match(line)
        or _pattern("advert", r"{}\s?[:：] ?\w").match(line)
    ):
        return True
    head, colon, rest = line.replace("：", ":", 1).partition(":")
    named = bool(colon and rest.strip()) and len(head) <= _LONGEST_HEAD
    return named and _pattern("suggests").search(head) is not None


def is_boilerplate(line: str, title: str = "") -> bool:
    """Whether a line is the site's and not the page's: consent, newsletters, offers of help.

    On a page about cookies or privacy, by its title, consent is the matter.
    """
    if line.count(" ") >= _LONGEST_BOILERPLATE or len(line) > _LONGEST_BOILERPLATE * 12:
        return False
    asks = "cookie" in line.casefold() and _begins("cookie").search(line)
    if (asks or _begins("consent").search(line)) and not _begins("policy").search(title):
        return True
    return _begins("boilerplate").search(line) is not None


@cache
def _begins(name: str) -> re.Pattern[str]:
    """The same, where only the beginnings of words are known."""
    return re.compile("|".join(_all(name)), re.IGNORECASE)
