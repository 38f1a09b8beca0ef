"""Dates and times of day among tokens, in the spellings of many languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.compare.lexicon import Group

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.core.compare.tokens import TextToken

_BETWEEN = frozenset(". , de of del di do der den st nd rd th er º ° , / -".split())
_DOTTED = re.compile(r"[012]?\d\.[0-5]\d")
_DIGITS = re.compile(r"\d+")
_BEFORE_CLOCK = frozenset(
    ", - – — | · at um à às alle om kl kl. klo lúc pukul в о o v ve a las 於".split()
)


_WEEKDAY_SIGNS = frozenset("月火水木金土日월화수목금토일一二三四五六")


class DateSpan(NamedTuple):
    """Tokens ``start`` to ``end`` (without it) that tell a date, a time of day, or both."""

    start: int
    end: int
    stated: int
    """How many of year, month and day; 0 for a time of day alone."""
    is_range: bool = False


def find_dates(tokens: Sequence[TextToken]) -> Iterator[DateSpan]:
    """Every date and every time of day, in order, each with the weekday and time beside it."""
    position = 0
    while position < len(tokens):
        found = _date_at(tokens, position)
        if found is None:
            position += 1
        else:
            yield found
            position = max(found.end, position + 1)


def _date_at(tokens: Sequence[TextToken], position: int) -> DateSpan | None:
    token = tokens[position]
    if token.kind in ("date", "instant"):
        stated = min(3, len(_DIGITS.findall(token.text)))
        return _with_clock(tokens, _weekday_before(tokens, position), position + 1, stated)
    if Group.MONTH in token.groups:
        return _around_month(tokens, position)
    if token.kind == "clock" or _is_hour(tokens, position) or _is_dotted(tokens, position):
        return _clock(tokens, position)
    return None


def _around_month(tokens: Sequence[TextToken], position: int) -> DateSpan | None:
    day_at = _number_near(tokens, position, -1, most=31)
    year_from = position + 1
    if day_at is None:
        after = _number_near(tokens, position, 1, most=31)
        if after is not None:
            day_at, year_from = after, after + 1
    year_at = _number_near(tokens, year_from - 1, 1, least=1000, most=2999)
    places = [place for place in (day_at, year_at) if place is not None]
    if not places:
        return None
    start = _weekday_before(tokens, min(position, *places))
    return _with_clock(tokens, start, max(position, *places) + 1, 1 + len(places))


def _number_near(
    tokens: Sequence[TextToken], position: int, step: int, *, least: int = 1, most: int
) -> int | None:
    place = position + step
    for _ in range(3):
        if not 0 <= place < len(tokens):
            return None
        token = tokens[place]
        if token.kind == "number":
            fits = token.fold.isdigit() and least <= int(token.fold[:9]) <= most
            return place if fits else None
        if token.fold not in _BETWEEN:
            return None
        place += step
    return None


def _weekday_before(tokens: Sequence[TextToken], start: int) -> int:
    place = start - 1
    while place >= 0 and tokens[place].fold in (",", ".", "den", "der", "the", "le", "el"):
        place -= 1
    named = Group.WEEKDAY + Group.CURRENT  # tomorrow, 4 March
    is_weekday = place >= 0 and any(letter in named for letter in tokens[place].groups)
    return place if is_weekday else start


def _weekday_after(tokens: Sequence[TextToken], end: int) -> int:
    """The end of a date with the weekday behind it, as in Japan and Korea."""
    place = end + (end < len(tokens) and tokens[end].text in "(（")
    if place >= len(tokens):
        return end
    bracketed = place > end and tokens[place].text in _WEEKDAY_SIGNS
    return place + 1 if bracketed or Group.WEEKDAY in tokens[place].groups else end


def _with_clock(tokens: Sequence[TextToken], start: int, end: int, stated: int) -> DateSpan:
    """The date together with the weekday and the time of day that follow it."""
    place = end = _weekday_after(tokens, end)
    while place < len(tokens) and place - end < 2 and tokens[place].fold in _BEFORE_CLOCK:
        place += 1
    if place < len(tokens) and (
        tokens[place].kind == "clock" or _is_hour(tokens, place) or _is_dotted(tokens, place)
    ):
        clock = _clock(tokens, place)
        return DateSpan(start, clock.end, stated, clock.is_range)
    return DateSpan(start, end, stated)


def _clock(tokens: Sequence[TextToken], position: int) -> DateSpan:
    end = position + 1
    while end < len(tokens) and end - position < 3 and Group.CLOCK_WORD in tokens[end].groups:
        end += 1
    is_range = (
        end + 1 < len(tokens)
        and tokens[end].text in "-–—~"
        and tokens[end + 1].kind in ("clock", "number")
    )
    return DateSpan(position, end, 0, is_range)


def _is_hour(tokens: Sequence[TextToken], position: int) -> bool:
    """Whether a number is an hour by the word after it: ``2 pm``, ``14 Uhr``."""
    token = tokens[position]
    if token.kind != "number" or position + 1 >= len(tokens):
        return False
    return tokens[position + 1].fold in ("am", "pm", "a.m", "p.m", "a.m.", "p.m.", "uhr", "o'clock")


def _is_dotted(tokens: Sequence[TextToken], position: int) -> bool:
    """Whether a number is a time of day written with a dot: ``klo 14.05``, ``kl. 9.30``."""
    if tokens[position].kind != "number" or not _DOTTED.fullmatch(tokens[position].text):
        return False
    before = tokens[position - 1].fold if position else ""
    before = tokens[position - 2].fold if before == "." and position > 1 else before
    after = tokens[position + 1].fold if position + 1 < len(tokens) else ""
    return before in ("klo", "kl", "kl .", "um", "ore") or after in ("uhr", "hrs", "am", "pm")
