"""Parse relative dates: ``3 hours ago``, ``gestern``, ``2日前``."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from pageloom.core.months import AGO, DAY_WORDS, ONE, UNITS
from pageloom.core.normalize.calendars import fold
from pageloom.model import Moment

_SPAN = re.compile(
    r"(?<![\d.,:/-])(\d{1,3})\s?([^\W\d_]+(?:[\u0e00-\u0e7f\u0900-\u097f]*[^\W\d_]*)*)"
)
_ONE_SPAN = re.compile(r"([^\W\d_]+)\s([^\W\d_]+)")
_LONGEST = 40
_SECONDS = {"second": 1, "minute": 60, "hour": 3_600}
_DAYS = {"day": 1, "week": 7}


def read_relative(text: str, fetched_at: str, language: str = "") -> Moment | None:
    """The moment a relative date means, counted from the fetch; None without a fetch time."""
    if not fetched_at or len(text) > _LONGEST:
        return None
    try:
        now = datetime.fromisoformat(fetched_at)
    except ValueError:
        return None
    now = now.astimezone(UTC) if now.tzinfo else now.replace(tzinfo=UTC)
    folded = " ".join(text.casefold().replace("\u2019", "'").split())
    days = _day_word(folded, language)
    if days is not None:
        return _day(now - timedelta(days=days))
    span = _span(folded)
    return _back(now, *span) if span and _is_past(folded) else None


def _day_word(text: str, language: str) -> int | None:
    for word, days in DAY_WORDS.items():
        if text.startswith(word) and not text[len(word) : len(word) + 1].isalpha():
            german = word == "hier" and language[:2] not in ("fr", "")
            return None if german else days
    return None


def _span(text: str) -> tuple[int, str] | None:
    units = _units()
    for found in _SPAN.finditer(text):
        word = fold(found[2])
        unit = (
            units.get(word) or units.get(word[:-1])
            if word[-1:] in ("前", "전")
            else units.get(word)
        )
        if unit:
            return int(found[1]), unit
    for found in _ONE_SPAN.finditer(text):
        if found[1] in ONE and (unit := units.get(fold(found[2]))):
            return 1, unit
    return None


@lru_cache(maxsize=1)
def _units() -> dict[str, str]:
    return {fold(word): unit for unit, words in UNITS.items() for word in words.split("|")}


@lru_cache(maxsize=1)
def _past_words() -> tuple[str, ...]:
    return tuple(sorted({word for words in AGO.values() for word in words.split("|")}))


def _is_past(text: str) -> bool:
    padded = f" {text} "
    return any(
        f" {word} " in padded or (not word.isascii() and word in text) for word in _past_words()
    )


def _back(now: datetime, count: int, unit: str) -> Moment:
    if unit in _SECONDS:
        moment = now - timedelta(seconds=count * _SECONDS[unit])
        return Moment(date=f"{moment:%Y-%m-%d}", precision="day", assumed=("fetched_at",))
    if unit in _DAYS:
        return _day(now - timedelta(days=count * _DAYS[unit]))
    months = now.year * 12 + now.month - 1 - count * (12 if unit == "year" else 1)
    precision = "year" if unit == "year" else "month"
    text = f"{months // 12:04d}" if unit == "year" else f"{months // 12:04d}-{months % 12 + 1:02d}"
    return Moment(date=text, precision=precision, assumed=("fetched_at",))


def _day(moment: datetime) -> Moment:
    return Moment(date=f"{moment:%Y-%m-%d}", precision="day", assumed=("fetched_at",))
