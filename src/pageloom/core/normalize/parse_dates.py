"""Parse dates in any language and format into Moments."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from pageloom.core.lazy_regex import lazy_regex
from pageloom.core.normalize.calendars import ERAS, fold, from_jalali, month_of, to_western_digits
from pageloom.core.normalize.relative import read_relative
from pageloom.core.normalize.zones import clock_text, find_clock, instant_of, read_zone, zone_after
from pageloom.model import Moment

if TYPE_CHECKING:
    from collections.abc import Iterator

DayOrder = Literal["dmy", "mdy", "ymd"]
EARLIEST_YEAR = 1980
LATEST_YEAR = 2100
_FEWEST_DIGITS = 3
"""Of a day, a month in words and a year of two digits."""
_NO_DIGITS = bytes(code for code in range(128) if not chr(code).isdigit())


@dataclass(frozen=True, slots=True, kw_only=True)
class DateContext:
    """What helps to read a date that does not say everything."""

    language: str = ""
    """ISO 639-1; decides between month names, and the order of day and month."""
    order: DayOrder | None = None
    """The order the page's other dates use, where known."""
    zone: str = ""
    """The zone to assume for a time without one."""
    fetched_at: str = ""
    """The ISO instant the page was fetched: what relative dates are relative to."""


@dataclass(frozen=True, slots=True)
class _Found:
    year: int
    month: int = 0
    day: int = 0
    end: int = 0
    start: int = 0
    assumed: tuple[str, ...] = ()


EMPTY = DateContext()

UPDATED = lazy_regex(
    r"\b(?:updated|edited|modified|changed|revised|geändert|aktualisiert|bearbeitet|modifiée?"
    r"|mise? à jour|actualizad[oa]|editad[oa]|modificad[oa]|aggiornat[oa]|modificat[oa]"
    r"|atualizad[oa]|bijgewerkt|gewijzigd|uppdatera(?:d|t)|zaktualizowan[oay]|обновлен[оа]?|изменен[оа]?)\b|更新",
    re.IGNORECASE,
)
"""Words of a date that is not the first one."""

_SEPARATORS = r"[-\u2010-\u2015/.\u2044]"
_ISO = re.compile(
    r"(?<!\d)((?:19|20)\d\d)-(\d{1,2})-(\d{1,2})(?:[T\s_,]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d{1,9})?)?"
    r"(?:\s*(Z|[+\u2212-]\d{2}:?\d{2}|[+-]\d{2}(?!\d)))?",
    re.IGNORECASE,
)
_YMD = lazy_regex(
    rf"(?<!\d)((?:19|20)\d\d)\s?{_SEPARATORS}\s?(\d{{1,2}})\s?{_SEPARATORS}\s?(\d{{1,2}})(?!\d)"
)
_DMY = lazy_regex(
    rf"(?<![\d.,])(\d{{1,2}})\s?({_SEPARATORS})\s?(\d{{1,2}})\s?{_SEPARATORS}\s?((?:19|20)?\d\d)(?![\d])"
)
_CJK = lazy_regex(
    r"(?:((?:19|20)\d\d)|(令和|平成|昭和|民國|民国)\s?(元|\d{1,3}))\s?[年년]\s?(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日號号일])?"
)
_COMPACT = re.compile(r"^(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?)?(Z|[+-]\d{2}:?\d{2})?$")
_EPOCH = re.compile(r"^(\d{9,10})(\d{3})?(?:\.\d+)?$")
_UNIX = re.compile(
    r"^(?:[A-Z][a-z]{2},? )?([A-Z][a-z]{2}) (\d{1,2}) (\d{2}):(\d{2})(?::(\d{2}))?"
    r"(?: ([A-Z]{1,5}|[+-]\d{4}))? ((?:19|20)\d\d)$"
)
"""As Unix and Java write a moment, the year last: ``Mon Aug 03 12:45:00 EDT 2015``."""
_MONTH_ONLY = re.compile(r"^\s*((?:19|20)\d\d)[-/.](\d{1,2})\s*$")
_YEAR_ONLY = re.compile(r"^\s*((?:19|20)\d\d)\s*$")
_WORD = re.compile(
    r"[^\W\d_]+(?:[\u0300-\u036f\u0900-\u0dff\u0e00-\u0e7f\u200c\u200d'\u2019]+[^\W\d_]*)*",
    re.UNICODE,
)
_NEXT_WORD = re.compile(r"\s([^\W_]+)")
_DAY_BEFORE = re.compile(
    r"(?<![\d:])(\d{1,2})\s?(?:st|nd|rd|th|er|re|º|°|ª|\.|-?(?:го|е|ви|ти|ого|η|ης))?\s?[,/-]?\s?"
    r"(?:of|de|d'|di|do|del|den|ta'|ngày|วัน|ไป)?\s*$",
    re.IGNORECASE,
)
_DAY_AFTER = re.compile(
    r"^\.?\s*,?\s*(\d{1,2})(?:st|nd|rd|th|\.|º|-(?:an|en|a|ean|án|én|jén|i))?(?![\d:])",
    re.IGNORECASE,
)
_YEAR_AFTER = lazy_regex(
    r"^[.,\s'\u2019/-]{0,4}(?:(?:de|del|of|do|da|a|г|р|lugu|พ\.ศ\.|ค\.ศ\.|năm|रा)[\s.,]{0,2})?[\s,]{0,2}(\d{4}(?!\d)|(?<=['\u2019./-])\d{2}(?![\d:.h])|\d{2}$|\d{2}(?=,?\s\d{1,2}:\d\d))",
    re.IGNORECASE,
)
_YEAR_BEFORE = lazy_regex(
    r"((?:19|20)\d\d)(?:\.|,|\s?m\.|\.?\s?gada|-?(?:ko|eko|(?:a|e)ko))?\s*(?:de\s+)?(?:\d{1,2}\.?\s*)?$",
    re.IGNORECASE,
)


def parse_date(raw: str, context: DateContext = EMPTY, source: str = "") -> Moment | None:
    """The moment a text states, or None when it states none.

    The text should be a date and little else; ``find_date`` looks inside longer ones.

    Example:
        >>> parse_date("3 mars 2026").date
        '2026-03-03'
    """
    text = _prepare(raw)
    if not text:
        return None
    moment = (
        _read_whole(text)
        or _read_inside(text, context)
        or _read_partial(text)
        or _read_ago(text, context)
    )
    return _finish(moment, context, raw, source) if moment is not None else None


def find_date(raw: str, context: DateContext = EMPTY, source: str = "") -> Moment | None:
    """The first full date (day, month and year) inside a text."""
    text = raw[:2_000]
    moment = _read_inside(_prepare(text), context) if _may_have_year(text) else None
    if moment is None or moment.precision in ("year", "month") or "year" in moment.assumed:
        return None
    return _finish(moment, context, raw, source)


def _may_have_year(text: str) -> bool:
    """Whether there are digits enough for a day and a year: asked first, because few texts have."""
    if text.isascii():
        return len(text.encode().translate(None, _NO_DIGITS)) >= _FEWEST_DIGITS
    return sum(map(str.isdigit, text)) >= _FEWEST_DIGITS or "元" in text


def _prepare(raw: str) -> str:
    return " ".join(to_western_digits(raw).split())[:2_000]


def _finish(moment: Moment, context: DateContext, raw: str, source: str) -> Moment:
    zone, assumed = moment.zone, moment.assumed
    if moment.time and not zone and context.zone:
        zone, assumed = context.zone, (*assumed, "zone")
    utc = instant_of(moment.date, moment.time, zone) if moment.time and zone else ""
    short = " ".join(raw.split())[:120]
    return Moment(
        date=moment.date,
        time=moment.time,
        zone=zone,
        utc=utc,
        precision=moment.precision,
        assumed=assumed,
        raw=short,
        source=source,
    )


def _read_whole(text: str) -> Moment | None:
    """A text that is one number or one compact date."""
    if found := _EPOCH.match(text):
        instant = datetime.fromtimestamp(int(found[1]), UTC)
        if not EARLIEST_YEAR <= instant.year <= LATEST_YEAR:
            return None
        return Moment(
            date=f"{instant:%Y-%m-%d}", time=f"{instant:%H:%M:%S}", zone="Z", precision="second"
        )
    if found := _COMPACT.match(text):
        day = _checked(int(found[1]), int(found[2]), int(found[3]))
        return (
            _timed(day, clock_text(found[4], found[5], found[6]), read_zone(found[7] or ""))
            if day
            else None
        )
    if (found := _UNIX.match(text)) and (month := month_of(fold(found[1]), "en")):
        day = _checked(int(found[7]), month, int(found[2]))
        clock = clock_text(found[3], found[4], found[5])
        return _timed(day, clock, read_zone(found[6] or "")) if day else None
    return None


def _read_inside(text: str, context: DateContext) -> Moment | None:
    """The earliest date in a text, with the time beside it."""
    if "-" in text and (found := _ISO.search(text)):
        day = _checked(int(found[1]), int(found[2]), int(found[3])) or _checked(
            int(found[1]), int(found[3]), int(found[2])
        )
        if day and (found.start() < 40 or not _earlier_date(text[: found.start()], context)):
            clock = clock_text(found[4], found[5], found[6])
            if clock or found.end() == len(text):
                return _timed(
                    day, clock, read_zone(found[7] or "") or zone_after(text[found.end() :])
                )
            return _with_time(
                _Found(day.year, day.month, day.day, found.end(), found.start()), text
            )
    best: _Found | None = None
    for reader in (_read_ymd, _read_cjk, _read_dmy, _read_words):
        one = next(reader(text, context), None)
        if one is not None and (best is None or one.start < best.start):
            best = one
    return _with_time(best, text) if best else None


def _earlier_date(text: str, context: DateContext) -> bool:
    return (
        next(_read_words(text, context), None) is not None
        or next(_read_dmy(text, context), None) is not None
    )


def _read_ymd(text: str, context: DateContext) -> Iterator[_Found]:
    for found in _YMD.finditer(text):
        if _checked(int(found[1]), int(found[2]), int(found[3])):
            yield _Found(int(found[1]), int(found[2]), int(found[3]), found.end(), found.start())


def _read_cjk(text: str, context: DateContext) -> Iterator[_Found]:
    if "年" not in text and "년" not in text:
        return
    for found in _CJK.finditer(text):
        year = (
            int(found[1])
            if found[1]
            else ERAS[found[2]] + (1 if found[3] == "元" else int(found[3]))
        )
        if _checked(year, int(found[4]), int(found[5] or 1)):
            yield _Found(year, int(found[4]), int(found[5] or 0), found.end(), found.start())


def _read_dmy(text: str, context: DateContext) -> Iterator[_Found]:
    for found in _DMY.finditer(text):
        first, second = int(found[1]), int(found[3])
        year = _full_year(int(found[4]), len(found[4]), context)
        if (
            len(found[4]) == 2
            and found[2] == "."
            and "." not in text[found.end(3) : found.start(4)]
        ):
            continue
        day, month, assumed = _order(first, second, found[2], context)
        if _checked(year, month, day):
            yield _Found(year, month, day, found.end(), found.start(), assumed)


def _order(
    first: int, second: int, separator: str, context: DateContext
) -> tuple[int, int, tuple[str, ...]]:
    """Day, month, and what had to be assumed to tell them apart."""
    if first > 12 or first == second:
        return first, second, ()
    if second > 12:
        return second, first, ()
    if context.order is not None:
        return (second, first, ()) if context.order == "mdy" else (first, second, ())
    if separator == ".":
        return first, second, ()
    if day_order(context.language) == "mdy":
        return second, first, ("day_order",)
    return first, second, ("day_order",)


def day_order(language: str) -> DayOrder:
    """The usual order of a language's numeric dates; English without a country is American."""
    tag = language.replace("_", "-").lower()
    if tag in ("en", "en-us", "en-ph", "es-us", "fil", "tl", "sw-ke"):
        return "mdy"
    if tag.split("-")[0] in ("zh", "ja", "ko", "hu", "lt", "mn"):
        return "ymd"
    return "dmy"


def _full_year(year: int, digits: int, context: DateContext) -> int:
    if digits == 4:
        return year
    now = int(context.fetched_at[:4]) if context.fetched_at[:4].isdigit() else 2069 - 1
    century = 2000 if 2000 + year <= now + 1 else 1900
    return century + year


def _read_words(text: str, context: DateContext) -> Iterator[_Found]:
    """Dates with the month as a word, in any order."""
    language = context.language.replace("_", "-").split("-")[0].lower()
    for word in _WORD.finditer(text):
        month = month_of(fold(word[0]), language) or _two_word_month(text, word, language)
        if month:
            one = _around(text, word, month, context)
            if one is not None:
                yield one


def _two_word_month(text: str, word: re.Match[str], language: str) -> int:
    """Months of two words (``tháng 3``, ``تشرين الأول``, ``meán fómhair``)."""
    rest = _NEXT_WORD.match(text, word.end())
    return month_of(fold(f"{word[0]} {rest[1]}"), language) if rest else 0


def _around(text: str, word: re.Match[str], month: int, context: DateContext) -> _Found | None:
    before = text[max(0, word.start() - 24) : word.start()]
    after = text[word.end() : word.end() + 30]
    if month > 12:
        return _read_jalali(before, after, word, month - 12)
    if re.match(r"^\s\d{1,2}\b", after) and fold(word[0]) == "thang":
        after = re.sub(r"^\s\d{1,2}", "", after)
    if re.match(r"^\s[^\W\d_]+", after) and _two_word_month(text, word, context.language):
        after = re.sub(r"^\s[^\W\d_]+", "", after)
    if found := _DAY_BEFORE.search(before):
        tail = _YEAR_AFTER.search(after)
        year = _year_of(tail[1], context) if tail else 0
        end = word.end() + (tail.end() if tail else 0)
        return _dated(
            year, month, int(found[1]), word.start() - len(before) + found.start(), end, context
        )
    if found := _DAY_AFTER.search(after):
        return _day_after(text, word, month, found, context)
    if tail := re.match(r"^[.,]?\s?(?:de\s|of\s)?((?:19|20)\d\d)(?!\d)", after):
        return _Found(int(tail[1]), month, 0, word.end() + tail.end(), word.start())
    return None


def _day_after(
    text: str, word: re.Match[str], month: int, found: re.Match[str], context: DateContext
) -> _Found | None:
    before = text[max(0, word.start() - 14) : word.start()]
    after = text[word.end() + found.end() : word.end() + found.end() + 16]
    end = word.end() + found.end()
    if tail := _YEAR_AFTER.search(after):
        return _dated(
            _year_of(tail[1], context),
            month,
            int(found[1]),
            word.start(),
            end + tail.end(),
            context,
        )
    if head := _YEAR_BEFORE.search(before):
        return _dated(
            int(head[1]),
            month,
            int(found[1]),
            word.start() - len(before) + head.start(),
            end,
            context,
        )
    return _dated(0, month, int(found[1]), word.start(), end, context)


def _year_of(text: str, context: DateContext) -> int:
    year = _full_year(int(text), len(text), context)
    return year - 543 if 2400 < year < 2700 else year


def _dated(
    year: int, month: int, day: int, start: int, end: int, context: DateContext
) -> _Found | None:
    if year:
        return _Found(year, month, day, end, start) if _checked(year, month, day) else None
    guessed = _latest_year(month, day, context)
    return _Found(guessed, month, day, end, start, ("year",)) if guessed else None


def _latest_year(month: int, day: int, context: DateContext) -> int:
    """The year that puts a day without one at or before the fetch."""
    fetched = _fetched_day(context)
    if fetched is None:
        return 0
    for year in (fetched.year, fetched.year - 1):
        one = _checked(year, month, day)
        if one and one <= fetched + timedelta(days=1):
            return year
    return 0


def _fetched_day(context: DateContext) -> date | None:
    try:
        return date.fromisoformat(context.fetched_at[:10]) if context.fetched_at else None
    except ValueError:
        return None


def _read_jalali(before: str, after: str, word: re.Match[str], month: int) -> _Found | None:
    day, year = (
        re.search(r"(\d{1,2})\s*(?:ام|م)?\s*$", before),
        re.match(r"^\s*(?:ماه)?\s*،?\s*(1[34]\d\d)", after),
    )
    if not day or not year:
        return None
    western = from_jalali(int(year[1]), month, int(day[1]))
    if western is None:
        return None
    return _Found(
        western.year, western.month, western.day, word.end() + year.end(), max(0, word.start() - 6)
    )


def _read_partial(text: str) -> Moment | None:
    """A year alone, or a year and a month."""
    if (found := _MONTH_ONLY.match(text)) and 1 <= int(found[2]) <= 12:
        return Moment(date=f"{found[1]}-{int(found[2]):02d}", precision="month")
    if found := _YEAR_ONLY.match(text):
        return Moment(date=found[1], precision="year")
    return None


def _read_ago(text: str, context: DateContext) -> Moment | None:
    return read_relative(text, context.fetched_at, context.language)


def _with_time(found: _Found, text: str) -> Moment:
    if not found.day:
        return Moment(
            date=f"{found.year:04d}-{found.month:02d}", precision="month", assumed=found.assumed
        )
    day = date(found.year, found.month, found.day)
    after = text[found.end : found.end + 40]
    clock, end = find_clock(after)
    zone = zone_after(after[end:]) if clock else ""
    if not clock:
        clock, _ = find_clock(text[max(0, found.start - 16) : found.start])
    return replace(_timed(day, clock, zone), assumed=found.assumed)


def _timed(day: date, clock: str, zone: str) -> Moment:
    if not clock:
        return Moment(date=day.isoformat(), precision="day")
    return Moment(
        date=day.isoformat(),
        time=clock,
        zone=zone,
        precision="second" if len(clock) > 5 else "minute",
    )


def _checked(year: int, month: int, day: int) -> date | None:
    """The day, if there is such a day in a year that a page may speak of."""
    if not EARLIEST_YEAR <= year <= LATEST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
