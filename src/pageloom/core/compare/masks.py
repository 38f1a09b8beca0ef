"""Mask the volatile parts of a line: times, counters, user names.

A rule looks at what stands around a number, never at whole sentences of known pages: what is
counted, what kind of date it is, how much else the line has to say.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.compare import lexicon as group
from pageloom.core.compare import vocabulary
from pageloom.core.compare.counters import (
    BY,
    COUNTERS_CJK,
    OF,
    find_counters,
    find_personal,
    find_playing,
    find_shares,
    find_tickers,
    spread_counters,
)
from pageloom.core.compare.dates import DateSpan, clock_after, find_dates
from pageloom.core.compare.tokens import (
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    Span,
    TextToken,
    has_group,
    read_tokens,
)
from pageloom.core.months import DAY_WORDS

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


_LONGEST_READING = 18
_HOUR = re.compile(r"\d{1,2}[.:]\d\d")
_VERSION = re.compile(r"v?\d{1,4}(?:\.\d{1,6}){1,3}", re.IGNORECASE)
_NOW = frozenset(
    "now jetzt maintenant ahora agora adesso ora nu nyt teraz teď сейчас зараз şimdi".split()
)
_OPEN = frozenset(vocabulary.OPEN.split("|"))
_FOR_A_SEASON = frozenset(vocabulary.FOR_A_SEASON.split("|"))
_DECIDED = frozenset(vocabulary.DECIDED.split("|"))
_UNTAKEN = frozenset(
    "available free freie freier freies verfügbare verfügbarer disponible libre disponibile libero "
    "disponível livre beschikbare vrije lediga ledige wolny volný свободный".split()
)
_DEGREES = frozenset(("°C", "°F", "°", "℃", "℉"))
_SILENT = frozenset(",.;:!?'\"“”‘’«»„…()[]{}–—-|·•›‹`´*_¶")
_TELLING = (
    group.CURRENT + group.ARRIVAL + group.COUNTED + group.PAST + group.COUNTDOWN + group.HANDLE
    + group.YOURS + group.JUST + group.PLAYING + group.GREETING + group.WEEKDAY
)  # fmt: skip
"""Groups of words without which a line without figures has nothing to mask."""
_LASTING = group.ATTENDING + group.STAMP + group.LABELLED + group.COUNTED_ONE
"""What visitors and pages do for a time: online, listed, members."""
_STEM = 5
"""Letters of a word for what is counted that do not inflect."""
_INFLECTED = group.CROWD + group.TIMES + group.ATTENDING
_LONGEST_IMPRINT = 24
_LONGEST_CREDIT = 8
_LONGEST_WEATHER = 12
_ROMAN = re.compile(r"MM[XVI]{1,6}")
_WHOLE_DATE = 3
"""Numbers of a date with its year."""
_LONGEST_UNIT = 6
_LONGEST_SIGNATURE = 4
_MOST_UNITS = 5
_MOMENTS = ("relative-time", "timestamp")
_AT_THIS_MOMENT = group.CURRENT + group.LIVE
_POINTS = frozenset("points point pts karma punkte puntos punti ポイント".split())
TIME, COUNT = "\ue000", "\ue001"
"""What stands in a masked text for a moment and for a counter."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known about the place of a line."""

    moments: tuple[tuple[int, ...], ...] = ()
    """The numbers of the dates on which the page says it was published or modified."""
    label: str = ""
    """The name before a value: of a table row, of a definition."""
    is_value: bool = False
    """Whether it is the value of such a pair."""
    is_first: bool = False
    """Whether it stands above all else on the page."""
    is_dateline: bool = False
    """Whether it stands under the title of a story."""
    is_aside: bool = False
    """Whether it is no certain part of the page."""
    dated: bool = False
    """Whether the page is about something that takes place on a date."""
    fleeting: tuple[str, ...] = ()
    """Parts of it that the page names as changing by themselves."""
    scored: bool = False
    """Whether readers give points to what is on the page."""


class Masked(NamedTuple):
    """A line as tokens, and what of it means nothing."""

    tokens: list[TextToken]
    spans: list[Span]
    key: str
    """The line without those spans, without case and silent marks: equal keys, equal meaning."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The classes of the spans, each once."""
        return tuple(dict.fromkeys(span.kind for span in self.spans))


def mask_line(line: str, setting: Setting = Setting()) -> Masked:  # noqa: B008  it is frozen
    """Find what may change in a line without meaning anything."""
    return (_mask_known if len(line) <= _MEMORABLE else _mask)(line, setting)


def _mask(line: str, setting: Setting) -> Masked:
    tokens = read_tokens(line)
    spans = _keep_apart(
        sorted([*_find_spans(tokens, setting), *_named_spans(tokens, line, setting)])
    )
    return Masked(tokens, spans, masked_key(tokens, spans))


_mask_known = lru_cache(maxsize=1_024)(_mask)
_MEMORABLE = 2_000
"""Characters: longer lines are not kept in memory."""


def masked_key(tokens: Sequence[TextToken], spans: Sequence[Span]) -> str:
    """What is left of tokens when spans are blanked.

    Beside a counter the words for what it counts stand for each other: they inflect with it.
    """
    parts: list[str] = []
    position = 0
    counts = any(span.kind == "counter" for span in spans)
    for span in [*spans, Span(len(tokens), len(tokens), "")]:
        between = [token for token in tokens[position : span.start] if not _is_silent(token)]
        for token in between:
            if counts and any(letter in _INFLECTED for letter in token.groups):
                parts.append(COUNT)
            elif token is between[0] and parts and parts[-1] == COUNT and token.text.islower():
                parts.append(token.fold[:_STEM])
            else:
                parts.append(token.fold)
        if span.kind:
            parts.append(COUNT if span.kind == "counter" else TIME)
        position = span.end
    return " ".join(parts)


def _is_silent(token: TextToken) -> bool:
    """Whether a mark says nothing: commas, quotes, and pictures of things without a meaning."""
    if token.kind != "mark" or token.groups:
        return False
    return token.text in _SILENT or token.text >= "\U0001f300" or token.text == "\ufe0f"


def _keep_apart(spans: list[Span]) -> list[Span]:
    kept: list[Span] = []
    for span in spans:
        if kept and span.start < kept[-1].end:
            if span.end > kept[-1].end:
                kept[-1] = Span(kept[-1].start, span.end, kept[-1].kind)
            continue
        kept.append(span)
    return kept


def _find_spans(tokens: list[TextToken], setting: Setting) -> Iterator[Span]:
    if not any(
        token.kind in FIGURES or any(letter in _TELLING for letter in token.groups)
        for token in tokens
    ):
        return
    found = [*_relative_times(tokens), *_clocks_of_moment(tokens)]
    if group.GREETING in tokens[0].groups:
        found.append(Span(0, 1, "account"))
    segments = list(split_facts(tokens))
    for start, end in segments:
        found += (
            Span(span.start + start, span.end + start, span.kind)
            for span in _in_segment(tokens[start:end], setting)
        )
        found += _who_was_last(tokens, start, end, found)
        found += _only_says_when(tokens, start, end, found)
    yield from found
    yield from _readings(tokens)
    yield from _in_imprint(tokens)
    yield from _in_credit(tokens)
    yield from _open_now(tokens)
    yield from find_playing(tokens)
    yield from find_shares(tokens, found)
    yield from spread_counters(tokens, segments, found)


def _readings(tokens: list[TextToken]) -> Iterator[Span]:
    """``16 °C, wind 4 (updated 10:05)``, ``wait 45 minutes, as of 9:12``: what was read just then.

    Only where it is a temperature or a length of time, and the hour stands last: a rate or a price
    has its hour too.
    """
    if len(tokens) > _LONGEST_READING or any(_is_money(token) for token in tokens):
        return
    last = len(tokens) - 1
    while last > 1 and tokens[last].kind == "mark":
        last -= 1
    is_hour = tokens[last].kind == "clock" or _HOUR.fullmatch(tokens[last].text) is not None
    if not is_hour or not has_group(tokens[max(0, last - 2) : last], group.STAMP):
        return
    numbers = [n for n, token in enumerate(tokens[:last]) if token.kind == "number"]
    if any(group.UNIT in tokens[n + 1].groups or tokens[n + 1].text in _DEGREES for n in numbers):
        yield from (Span(n, n + 1, "gauge") for n in [*numbers, last])


def _is_money(token: TextToken) -> bool:
    return token.text in CURRENCY_SIGNS or token.fold in CURRENCY_CODES


def _named_spans(tokens: list[TextToken], line: str, setting: Setting) -> Iterator[Span]:
    """Parts of a line that the page itself names as counters, clocks and the like."""
    end = 0
    for part in setting.fleeting:
        start = line.find(part, end)
        if start < 0:
            continue
        end = start + len(part)
        first, after = (bisect_left(tokens, place, key=_start) for place in (start, end))
        if first < after:
            yield Span(first, after, "fleeting")


def _start(token: TextToken) -> int:
    return token.start


def _who_was_last(
    tokens: list[TextToken], start: int, end: int, found: list[Span]
) -> Iterator[Span]:
    """Who it was behind a stamp: ``last edited 5 min ago by anna``."""
    times = [span for span in found if start <= span.start < end and span.kind in _MOMENTS]
    if not times or not has_group(tokens[start:end], group.STAMP):
        return
    place = times[-1].end
    if place < end and tokens[place].fold in BY and 1 < end - place <= _LONGEST_SIGNATURE:
        yield Span(place, end, times[-1].kind)


def _only_says_when(tokens: list[TextToken], start: int, end: int, found: list[Span]) -> list[Span]:
    """The whole of ``Updated today``, ``Last seen 3 hours ago``: a moment in any words."""
    times = [span for span in found if start <= span.start < end and span.kind in _MOMENTS]
    hidden = {place for span in times for place in range(span.start, span.end)}
    said = group.STAMP + group.ATTENDING + group.CURRENT + group.APPROXIMATE + group.CLOCK_WORD
    rest = [n for n in range(start, end) if n not in hidden and tokens[n].kind != "mark"]
    moves = bool(times) or has_group(tokens[start:end], group.CURRENT)
    if not moves or not all(any(letter in said for letter in tokens[n].groups) for n in rest):
        return []
    return [Span(start, end, times[0].kind if times else "relative-time")]


def _relative_times(tokens: list[TextToken]) -> Iterator[Span]:
    for number, token in enumerate(tokens[:-1]):
        counted = token.kind in ("number", "clock") or group.SINGLE in token.groups  # 2 h 14 min
        if not counted or not _is_unit(tokens, number + 1):
            continue
        end = _more_units(tokens, number + 2)
        start = _with_approximation(tokens, number)
        before = tokens[start - 1] if start else None
        if before and before.text in ":：" and start > 1:
            before = tokens[start - 2]
        if end + 1 < len(tokens) and tokens[end].text == ".":
            end += group.PAST in tokens[end + 1].groups  # 5 hrs. ago
        after = tokens[end] if end < len(tokens) else None
        if after and (group.PAST in after.groups or group.COUNTDOWN in after.groups):
            yield Span(start, end + 1, "relative-time")
        elif before and (group.PAST in before.groups or group.COUNTDOWN in before.groups):
            yield Span(start - 1, end, "relative-time")
        elif before and group.STAMP in before.groups and (not after or after.text in SEPARATORS):
            yield Span(start, end, "relative-time")  # last reply 2h


def _clocks_of_moment(tokens: list[TextToken]) -> Iterator[Span]:
    """``ends in 02:14:09``, ``yesterday at 21:10``, ``last seen today at 8:12``."""
    for number, token in enumerate(tokens[1:], start=1):
        if token.kind == "clock" and group.COUNTDOWN in tokens[number - 1].groups:
            yield Span(number, number + 1, "relative-time")
    for number, token in enumerate(tokens):
        days = DAY_WORDS.get(token.fold)
        upcoming = group.CURRENT in token.groups and has_group(tokens[:number], group.NEXT)
        past = days is not None and (days > 0 or has_group(tokens[:number], group.STAMP))
        if not (past or upcoming):
            continue
        end = clock_after(tokens, number + 1)
        if end > number + 1:
            yield Span(number, end, "relative-time")


def _is_unit(tokens: Sequence[TextToken], place: int) -> bool:
    """Whether a word is a length of time, or any short one between a number and ``ago``."""
    token = tokens[place]
    if group.UNIT in token.groups:
        return True
    after = tokens[place + 1 : place + 3]
    if after and after[0].text == ".":
        after = after[1:]
    short = token.kind == "word" and len(token.text) <= _LONGEST_UNIT and token.text.islower()
    return short and has_group(after[:1], group.PAST)


def _with_approximation(tokens: Sequence[TextToken], number: int) -> int:
    """Where ``about 2 weeks``, ``more than 30 days`` starts."""
    while number and group.APPROXIMATE in tokens[number - 1].groups:
        number -= 1
    return number


def _running_times(segment: list[TextToken]) -> Iterator[Span]:
    """``Order within 3 hrs … today``, ``current wait: 12 minutes``, ``replies in 2 hours``."""
    today = has_group(segment, group.CURRENT)
    within = has_group(segment, group.WITHIN)
    live = has_group(segment, group.LIVE) or has_group(segment, group.REPLYING)
    for number, token in enumerate(segment[:-1]):
        if token.kind not in ("number", "clock") or group.UNIT not in segment[number + 1].groups:
            continue
        end = _more_units(segment, number + 2)
        several = end > number + 2 or token.kind == "clock"
        upcoming = has_group((segment[0], *segment[max(0, number - 4) : number]), group.NEXT)
        upcoming = upcoming and (end == len(segment) or segment[end].text in "(（")
        upcoming = upcoming and not has_group(segment[:number], group.MODAL)
        lasting = number > 1 and group.SINCE in segment[number - 1].groups
        lasting = lasting and any(letter in _LASTING for letter in segment[number - 2].groups)
        if (today and (several or within)) or (several and within) or live or upcoming or lasting:
            yield Span(number, end, "relative-time")
            if within:
                yield from _days(segment)


def _days(segment: Sequence[TextToken]) -> Iterator[Span]:
    """``tomorrow``, ``Tuesday``: when it comes that is ordered in time."""
    for number, token in enumerate(segment):
        if group.WEEKDAY in token.groups or group.CURRENT in token.groups:
            yield Span(number, number + 1, "relative-time")


def _gauges(segment: list[TextToken]) -> Iterator[Span]:
    """``response time 48 ms now``, ``currently 62 of 140 taken``: a figure of this very moment."""
    if has_group(segment, group.LIVE):
        for place, (number, of, whole) in enumerate(
            zip(segment, segment[1:], segment[2:], strict=False)
        ):
            if number.kind == whole.kind == "number" and of.fold in OF:
                yield Span(place, place + 1, "gauge")
    if len(segment) == 2 and segment[0].kind == "number" and segment[1].fold == "ms":
        yield Span(0, 1, "gauge")
    yield from _reading_of_now(segment)
    if len(segment) > 2 and group.CURRENT in segment[-1].groups:
        number, unit = segment[-3:-1]
        if number.kind == "number" and unit.kind == "word" and len(unit.text) <= _LONGEST_UNIT:
            yield Span(len(segment) - 3, len(segment) - 2, "gauge")


def _reading_of_now(segment: Sequence[TextToken]) -> Iterator[Span]:
    """``River level now: 1.42 m, steady``: a measure of this moment, and what is said of it."""
    colon = next((n for n, token in enumerate(segment) if token.text in ":："), 0)
    if not colon or not any(each in _AT_THIS_MOMENT for each in segment[colon - 1].groups):
        return
    if any(token.fold in _DECIDED for token in segment[:colon]):
        return
    value = segment[colon + 1 :]
    measured = any(
        a.kind == "number" and (group.MEASURE in b.groups or b.text in _DEGREES)
        for a, b in pairwise(value)
    )
    if measured and not any(map(_is_money, value)):
        yield Span(colon + 1, len(segment), "gauge")


def _more_units(tokens: Sequence[TextToken], end: int) -> int:
    """The end of ``2 hours, 5 minutes`` after its first unit."""
    for _ in range(_MOST_UNITS):
        step = (
            1
            if end < len(tokens)
            and tokens[end].text
            in (",", ".", "and", "und", "et", "y", "e", "i", "и", "en", "och", "og", "ve", "a")
            else 0
        )
        more = tokens[end + step : end + step + 2]
        if len(more) < 2 or more[0].kind != "number" or group.UNIT not in more[1].groups:
            break
        end += step + 2
    to_the_second = end < len(tokens) and tokens[end].kind == "clock" and len(tokens[end].text) > 5
    return end + to_the_second  # 3 days 08:12:44


def _in_segment(segment: list[TextToken], setting: Setting) -> Iterator[Span]:
    if has_group(segment, group.ARRIVAL):
        yield Span(0, len(segment), "counter")
        return
    yield from _running_times(segment)
    yield from _gauges(segment)
    yield from find_personal(segment)
    yield from _copyright_years(segment)
    yield from _reading_time(segment)
    yield from _handles(segment)
    yield from _machine_figures(segment)
    yield from _stamps(segment, setting)
    yield from find_counters(
        segment, setting.label, is_value=setting.is_value, is_aside=setting.is_aside
    )
    yield from find_tickers(segment)
    if setting.scored and len(segment) == 2 and segment[1].fold in _POINTS:
        yield Span(0, 2, "counter")
    if _is_weather(segment, aside=setting.is_aside):
        yield Span(0, len(segment), "ticker")


def _is_weather(segment: Sequence[TextToken], *, aside: bool) -> bool:
    """``Today 14 °C, cloudy``: how warm it is, as seen from today."""
    warm = any(a.kind == "number" and b.text.startswith("°") for a, b in pairwise(segment))
    if not warm or has_group(segment, group.MODAL) or len(segment) > _LONGEST_WEATHER:
        return False
    today = has_group(segment, group.CURRENT)
    bare = sum(token.kind == "word" for token in segment) == 1
    return (today and (aside or bare)) or has_group(segment, group.SKY)


def _in_imprint(tokens: Sequence[TextToken]) -> Iterator[Span]:
    """Versions in a line that opens with a copyright sign: of a theme, of a build."""
    if not tokens or tokens[0].text != "©" or len(tokens) > _LONGEST_IMPRINT:
        return
    for number, token in enumerate(tokens):
        is_year = len(token.text) == 4 and token.text[:2] in ("19", "20")
        if token.kind == "opaque" or (token.kind == "number" and ("." in token.text or is_year)):
            yield Span(number, number + 1, "machine")


def _in_credit(tokens: Sequence[TextToken]) -> Iterator[Span]:
    """``Powered by Quill 4.2``: a short line that ends with a version of the site's machinery."""
    if not 2 < len(tokens) <= _LONGEST_CREDIT or group.POWERED not in tokens[0].groups:
        return
    start = next(
        place for place in range(1, len(tokens)) if _end_of_run(tokens, place) == len(tokens)
    )
    if _VERSION.fullmatch("".join(token.text for token in tokens[start:])):
        yield Span(start, len(tokens), "machine")


def _open_now(tokens: Sequence[TextToken]) -> Iterator[Span]:
    """``Open now``, ``Closed now``: whether somebody is there at this very moment; all of it."""
    if len(tokens) > SHORT or any(_is_money(token) for token in tokens):
        return
    if any(token.fold in _FOR_A_SEASON for token in tokens):
        return
    if any(a.fold in _OPEN and b.fold in _NOW for a, b in pairwise(tokens)):
        yield Span(0, len(tokens), "relative-time")


def _copyright_years(segment: list[TextToken]) -> Iterator[Span]:
    for number, token in enumerate(segment):
        if token.text == "©" or token.fold == "copyright":
            for place in range(number + 1, min(number + 6, len(segment))):
                year = segment[place].kind == "number" and len(segment[place].text) == 4
                if year or _ROMAN.fullmatch(segment[place].text):
                    yield Span(place, place + 1, "copyright-year")


def _reading_time(segment: list[TextToken]) -> Iterator[Span]:
    for number, token in enumerate(segment):
        if token.kind != "number":
            continue
        near = segment[max(0, number - 3) : number + 5]
        unit = number + 1
        if unit < len(segment) and segment[unit].text in "-\u2011":  # 11-minute read
            unit += 1
        units = has_group(segment[unit : unit + 1], group.UNIT)
        phrase = unit < len(segment) and " read" in segment[unit].fold
        if phrase or (units and has_group(near, group.READING)):
            yield Span(number, unit + 1, "reading-time")


def _handles(segment: list[TextToken]) -> Iterator[Span]:
    for number, token in enumerate(segment):
        if group.HANDLE not in token.groups:
            continue
        for place in range(number + 1, min(number + 4, len(segment))):
            end = _end_of_run(segment, place)
            text = "".join(token.text for token in segment[place:end])
            if segment[place].kind == "opaque" or (
                len(text) >= 4 and any(char.isdigit() for char in text)
            ):
                yield Span(place, end, "session")
                break


def _end_of_run(segment: Sequence[TextToken], place: int) -> int:
    """The end of tokens written without a space between: ``8f3a-99-c1``."""
    while place + 1 < len(segment) and segment[place + 1].start == segment[place].end:
        place += 1
    return place + 1


def _machine_figures(segment: list[TextToken]) -> Iterator[Span]:
    first = next((n for n, token in enumerate(segment) if group.MACHINE in token.groups), None)
    if first is None:
        return
    for number, token in enumerate(segment[first:], start=first):
        named = token.kind == "word" and any(map(str.isdigit, token.text))  # node-3
        if named or token.kind in ("number", "instant", "clock", "opaque"):
            yield Span(number, _end_of_run(segment, number), "machine")


def _stamps(segment: list[TextToken], setting: Setting) -> Iterator[Span]:
    binding = has_group(segment, group.BINDING) or (
        bool(setting.label) and has_group(read_tokens(setting.label), group.BINDING)
    )
    dates = list(find_dates(segment))
    said = has_group(segment, group.STAMP) or (
        bool(setting.label) and has_group(read_tokens(setting.label), group.STAMP)
    )
    yield from _weekdays_of_stamp(segment)
    if _is_next_slot(segment):
        yield from _days(segment)
    for date in dates:
        if not setting.dated and _is_of_delivery(segment, date):
            yield Span(date.start, date.end, "relative-time")
        elif _is_stamp(segment, date.start, date.end, setting, said=said and not binding) or (
            not binding and _is_of_page(segment[date.start : date.end], date.numbers, setting)
        ):
            yield Span(date.start, date.end, "timestamp")
    current = [n for n, token in enumerate(segment) if group.CURRENT in token.groups]
    if current and _only_moments(segment) and not any(date.is_range for date in dates):
        yield Span(0, len(segment), "relative-time")
    elif current and (said or has_group(segment, group.ATTENDING)):
        yield from (Span(number, number + 1, "relative-time") for number in current)


def _weekdays_of_stamp(segment: Sequence[TextToken]) -> Iterator[Span]:
    """``Posted on Monday``, and who did it in ``updated by admin on 3 May``."""
    for place, token in enumerate(segment):
        if group.STAMP not in token.groups:
            continue
        after = segment[place + 1 : place + 3]
        if after and after[-1] is segment[-1] and group.WEEKDAY in after[-1].groups:
            yield Span(place + 1, place + 1 + len(after), "relative-time")
        if len(after) > 1 and after[0].fold in BY and after[1].kind == "word":
            yield Span(place + 1, place + 3, "timestamp")


def _is_next_slot(segment: Sequence[TextToken]) -> bool:
    """``Next delivery slot``, ``Next free appointment``: the first that nobody has taken yet."""
    return has_group(segment, group.NEXT) and (
        has_group(segment, group.DELIVERY) or any(token.fold in _UNTAKEN for token in segment)
    )


def _is_of_delivery(segment: Sequence[TextToken], date: DateSpan) -> bool:
    """``Get it by Tuesday, May 14``: when it would come if it were ordered now, without a year."""
    signs = (
        has_group(segment[: date.start], group.DELIVERY),
        has_group(segment[: date.start], group.ESTIMATED),
        has_group(segment[date.start : date.end], group.WEEKDAY)
        or has_group(segment[date.start : date.end], group.CURRENT),
    )
    return _is_next_slot(segment[: date.start]) or (
        0 < len(date.numbers) < _WHOLE_DATE and sum(signs) > 1
    )


def _is_of_page(date: Sequence[TextToken], numbers: tuple[int, ...], setting: Setting) -> bool:
    """Whether a page was made on a date, or shows it in its margin as that of today."""
    if setting.dated or not numbers:
        return False
    return numbers in setting.moments or (setting.is_aside and has_group(date, group.WEEKDAY))


def _is_stamp(
    segment: list[TextToken], start: int, end: int, setting: Setting, *, said: bool
) -> bool:
    if said:
        return True
    token = segment[start]
    if token.kind == "instant" and len(token.text) >= 19:
        return True
    bare = all(
        place in range(start, end) or each.kind == "mark" for place, each in enumerate(segment)
    )
    if not bare or setting.is_value:
        return False
    if setting.is_dateline:
        return True
    is_clock = all(each.kind in ("clock", "mark") or "z" in each.groups for each in segment)
    return setting.is_first or (is_clock and end - start <= 2 and not setting.dated)


def _only_moments(segment: Sequence[TextToken]) -> bool:
    words = [token for token in segment if token.kind not in ("mark", "clock", "date", "number")]
    known = group.CURRENT + group.CLOCK_WORD + group.WEEKDAY + group.MONTH
    return all(any(letter in known for letter in token.groups) for token in words)
