"""Spans of a line that change without meaning anything: times, stamps, counters, handles.

A rule looks at what stands around a number, never at whole sentences of known pages: what is
counted, what kind of date it is, how much else the line has to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.compare import lexicon as group
from pageloom.core.compare.dates import find_dates
from pageloom.core.compare.tokens import Token, read_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SEPARATORS = frozenset("|·•»›/⁄—–●*¦")
_ENDS = frozenset(".!?。！？…")
_SHORT = 14
"""Words of a segment that may still be a line of facts rather than prose."""
_LIMITS = frozenset("per pro par por al je monatlich max max. maximum unlimited".split())
_LINKING = frozenset(": ( # = - – — [ +".split())
_SILENT = frozenset(",.;:!?'\"“”‘’«»„…()[]{}–—-|·•›‹`´*_")
TIME, COUNT = "\ue000", "\ue001"
"""What stands in a masked text for a moment and for a counter."""


class Span(NamedTuple):
    """Tokens ``start`` to ``end`` (without it) that mean nothing when they change."""

    start: int
    end: int
    kind: str


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
    dated: bool = False
    """Whether the page is about something that takes place on a date."""


class Masked(NamedTuple):
    """A line as tokens, and what of it means nothing."""

    tokens: list[Token]
    spans: list[Span]
    key: str
    """The line without those spans, without case and silent marks: equal keys, equal meaning."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The classes of the spans, each once."""
        return tuple(dict.fromkeys(span.kind for span in self.spans))


def mask_line(line: str, setting: Setting = Setting()) -> Masked:  # noqa: B008  it is frozen
    """Find what may change in a line without meaning anything."""
    tokens = read_tokens(line)
    spans = _keep_apart(sorted(_find_spans(tokens, setting)))
    return Masked(tokens, spans, masked_key(tokens, spans))


def masked_key(tokens: Sequence[Token], spans: Sequence[Span]) -> str:
    """What is left of tokens when spans are blanked."""
    parts: list[str] = []
    position = 0
    for span in [*spans, Span(len(tokens), len(tokens), "")]:
        parts += [
            token.fold for token in tokens[position : span.start] if token.text not in _SILENT
        ]
        if span.kind:
            parts.append(COUNT if span.kind == "counter" else TIME)
        position = span.end
    return " ".join(parts)


def _keep_apart(spans: list[Span]) -> list[Span]:
    kept: list[Span] = []
    for span in spans:
        if kept and span.start < kept[-1].end:
            if span.end > kept[-1].end:
                kept[-1] = Span(kept[-1].start, span.end, kept[-1].kind)
            continue
        kept.append(span)
    return kept


def _find_spans(tokens: list[Token], setting: Setting) -> Iterator[Span]:
    yield from _relative_times(tokens)
    for start, end in split_segments(tokens):
        segment = tokens[start:end]
        words = sum(token.kind != "mark" for token in segment)
        if words > _SHORT:
            continue
        for span in _in_segment(segment, setting):
            yield Span(span.start + start, span.end + start, span.kind)


def split_segments(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The parts of a line between dots, bars and the ends of sentences."""
    start = 0
    for number, token in enumerate(tokens):
        if token.kind == "mark" and (
            (token.text in _SEPARATORS and _stands_apart(tokens, number))
            or (token.text in _ENDS and _is_last(tokens, number))
        ):
            if number > start:
                yield start, number
            start = number + 1
    if start < len(tokens):
        yield start, len(tokens)


def _stands_apart(tokens: Sequence[Token], number: int) -> bool:
    """Whether a bar or dash divides a line, rather than the two ends of a range."""
    if tokens[number].text not in "–—/*":
        return True
    before = number == 0 or tokens[number - 1].end < tokens[number].start
    after = number + 1 == len(tokens) or tokens[number].end < tokens[number + 1].start
    return before and after


def _is_last(tokens: Sequence[Token], number: int) -> bool:
    """Whether a stop ends something: a space comes after it, and no short word or number before."""
    if number + 1 == len(tokens) or tokens[number].text in "。！？":
        return True
    before, after = tokens[number - 1] if number else None, tokens[number + 1]
    spaced = after.start > tokens[number].end
    short = before is not None and (len(before.text) <= (2 if before.kind == "number" else 3))
    return spaced and not short


def _relative_times(tokens: list[Token]) -> Iterator[Span]:
    for number, token in enumerate(tokens[:-1]):
        counted = token.kind == "number" or group.SINGLE in token.groups
        if not counted or group.UNIT not in tokens[number + 1].groups:
            continue
        end = _more_units(tokens, number + 2)
        before = tokens[number - 1] if number else None
        after = tokens[end] if end < len(tokens) else None
        if after and (group.PAST in after.groups or group.COUNTDOWN in after.groups):
            yield Span(number, end + 1, "relative-time")
        elif before and (group.PAST in before.groups or group.COUNTDOWN in before.groups):
            yield Span(number - 1, end, "relative-time")


def _more_units(tokens: Sequence[Token], end: int) -> int:
    """The end of ``2 hours, 5 minutes`` after its first unit."""
    while end + 1 < len(tokens):
        step = 1 if tokens[end].text in (",", "and", "und", "et", "y", "e", "i", "и") else 0
        more = tokens[end + step : end + step + 2]
        if len(more) < 2 or more[0].kind != "number" or group.UNIT not in more[1].groups:
            break
        end += step + 2
    return end


def _in_segment(segment: list[Token], setting: Setting) -> Iterator[Span]:
    if _has(segment, group.ARRIVAL):
        yield Span(0, len(segment), "counter")
        return
    yield from _copyright_years(segment)
    yield from _reading_time(segment)
    yield from _handles(segment)
    yield from _machine_figures(segment)
    yield from _stamps(segment, setting)
    yield from _counters(segment, setting)
    yield from _tickers(segment)


def _has(tokens: Sequence[Token], letter: str) -> bool:
    return any(letter in token.groups for token in tokens)


def _copyright_years(segment: list[Token]) -> Iterator[Span]:
    for number, token in enumerate(segment):
        if token.text == "©" or token.fold == "copyright":
            for place in range(number + 1, min(number + 6, len(segment))):
                if segment[place].kind == "number" and len(segment[place].text) == 4:
                    yield Span(place, place + 1, "copyright-year")


def _reading_time(segment: list[Token]) -> Iterator[Span]:
    for number, token in enumerate(segment):
        if token.kind != "number":
            continue
        near = segment[max(0, number - 3) : number + 5]
        units = _has(segment[number + 1 : number + 2], group.UNIT)
        phrase = number + 1 < len(segment) and " read" in segment[number + 1].fold
        if phrase or (units and _has(near, group.READING)):
            yield Span(number, number + 1, "reading-time")


def _handles(segment: list[Token]) -> Iterator[Span]:
    for number, token in enumerate(segment):
        if group.HANDLE not in token.groups:
            continue
        for place in range(number + 1, min(number + 4, len(segment))):
            text = segment[place].text
            if segment[place].kind == "opaque" or (
                len(text) >= 4 and any(char.isdigit() for char in text)
            ):
                yield Span(place, _end_of_run(segment, place), "session")
                break


def _end_of_run(segment: Sequence[Token], place: int) -> int:
    """The end of tokens written without a space between: ``8f3a-99-c1``."""
    while place + 1 < len(segment) and segment[place + 1].start == segment[place].end:
        place += 1
    return place + 1


def _machine_figures(segment: list[Token]) -> Iterator[Span]:
    first = next((n for n, token in enumerate(segment) if group.MACHINE in token.groups), None)
    if first is None:
        return
    for number, token in enumerate(segment[first:], start=first):
        if token.kind in ("number", "instant", "clock", "opaque"):
            yield Span(number, _end_of_run(segment, number), "machine")


def _stamps(segment: list[Token], setting: Setting) -> Iterator[Span]:
    binding = _has(segment, group.BINDING) or (
        bool(setting.label) and _has(read_tokens(setting.label), group.BINDING)
    )
    dates = list(find_dates(segment))
    said = _has(segment, group.STAMP) or (
        bool(setting.label) and _has(read_tokens(setting.label), group.STAMP)
    )
    for date in dates:
        if _is_stamp(segment, date.start, date.end, setting, said=said and not binding) or (
            not binding and date.numbers and date.numbers in setting.moments and not setting.dated
        ):
            yield Span(date.start, date.end, "timestamp")
    current = [n for n, token in enumerate(segment) if group.CURRENT in token.groups]
    if current and _only_moments(segment) and not any(date.is_range for date in dates):
        yield Span(0, len(segment), "relative-time")
    elif current and said:
        yield from (Span(number, number + 1, "relative-time") for number in current)


def _is_stamp(segment: list[Token], start: int, end: int, setting: Setting, *, said: bool) -> bool:
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
    is_clock = all(each.kind in ("clock", "mark") or "z" in each.groups for each in segment)
    return setting.is_first or (is_clock and end - start <= 2 and not setting.dated)


def _only_moments(segment: Sequence[Token]) -> bool:
    words = [token for token in segment if token.kind not in ("mark", "clock", "date", "number")]
    known = group.CURRENT + group.CLOCK_WORD + group.WEEKDAY + group.MONTH
    return all(any(letter in known for letter in token.groups) for token in words)


def _counters(segment: list[Token], setting: Setting) -> Iterator[Span]:
    if any(token.fold in _LIMITS or group.MODAL in token.groups for token in segment):
        return
    if any(a.text == "/" and group.UNIT in b.groups for a, b in pairwise(segment)):
        return
    attended = _has(segment, group.ATTENDING)
    for number, token in enumerate(segment):
        if (
            _is_whole(token)
            and not _is_amount(segment, number)
            and (attended or _is_counter(segment, number))
        ):
            yield Span(number, number + 1, "counter")
    words = [token for token in segment if token.kind != "mark"]
    if len(words) == 1 and _is_whole(words[0]):
        counted = bool(setting.label) and _has(read_tokens(setting.label), group.COUNTED)
        if counted or not (setting.is_value or setting.label):
            place = segment.index(words[0])
            if not _is_amount(segment, place):
                yield Span(place, place + 1, "counter")


def _is_whole(token: Token) -> bool:
    """Whether a token is a number of things: 12,345 or 1.2K, but not 4.6."""
    return token.kind == "number" and ("." not in token.fold or token.fold[-1] in "kKM")


def _is_counter(segment: list[Token], number: int) -> bool:
    after = segment[number + 1 : number + 4]
    before = segment[max(0, number - 3) : number]
    if after and group.COUNTED in after[0].groups:
        return True
    plain = [token for token in after if token.kind == "word"][:2]
    if len(plain) == 2 and group.COUNTED in plain[1].groups and plain[1] in after[:3]:
        return plain[0].text.islower() or not plain[0].text.isalpha()
    return _follows_name(before)


def _follows_name(before: list[Token]) -> bool:
    """Whether ``Comments:``, ``Posts (`` or a star stands before the number."""
    if not before:
        return False
    last = before[-1]
    if group.COUNTED in last.groups:
        return True
    if group.LABELLED in last.groups:
        return True
    if len(before) < 2 or last.text not in _LINKING:
        return False
    name = before[-2]
    is_rating = last.text == "(" and (name.kind == "number" or name.text in "★☆⭐")
    far = len(before) > 2 and last.text == ":" and group.COUNTED in before[-3].groups
    return group.COUNTED in name.groups or group.LABELLED in name.groups or is_rating or far


def _is_amount(segment: list[Token], number: int) -> bool:
    """Whether a number is money, a share or a measure."""
    near = [*segment[max(0, number - 1) : number], *segment[number + 1 : number + 2]]
    return any(token.text in "$€£¥₹₽₺₴₩₪₫%‰°" for token in near if token.kind == "mark")


def _tickers(segment: list[Token]) -> Iterator[Span]:
    """``DAX 18.234,50 +0,42 %``: a figure with its signed change, exact to parts of a percent."""
    numbers = [n for n, token in enumerate(segment) if token.kind == "number"]
    words = [token for token in segment if token.kind == "word"]
    if len(numbers) < 2 or len(words) > 4 or "%" not in {token.text for token in segment}:
        return
    last = numbers[-1]
    signed = segment[last].text[0] in "-−" or (
        last > 0 and segment[last - 1].text in ("+", "▲", "▼", "↑", "↓", "±")
    )
    if signed and "." in segment[last].fold:
        yield from (Span(number, number + 1, "ticker") for number in numbers[:-1])
        sign = last - 1 if segment[last - 1].kind == "mark" else last
        yield Span(sign, last + 1, "ticker")
