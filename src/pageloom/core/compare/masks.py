"""Mask the volatile parts of a line: times, counters, names of visitors.

A line is cut into short facts, and a fact into cells; ``rules`` tells what of them moves by itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.compare.dates import DateSpan, find_dates
from pageloom.core.compare.lexicon import Group
from pageloom.core.compare.rules import (
    CELLS,
    FACT_RULES,
    LINE_RULES,
    Move,
    compile_pattern,
    letters_of,
)
from pageloom.core.compare.tokens import (
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    SUFFIXES,
    Span,
    TextToken,
    has_group,
    read_tokens,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SEPARATORS = frozenset("|·•»›/⁄—–●*¦")
_ENDS = frozenset(".!?。！？…")
SHORT = 14
"""Words of a segment that may still be a line of facts rather than prose."""
_LONGEST_BYLINE = 30
_MOST_NAMES = 8
"""Words of a longer line of facts that are none of its moments and counters."""
_FACTUAL = (
    Group.STAMP + Group.COUNTED + Group.COUNTED_ONE + Group.LABELLED + Group.PAST + Group.UNIT
    + Group.MONTH + Group.WEEKDAY + Group.CURRENT + Group.CLOCK_WORD
)  # fmt: skip
FIGURES = frozenset(("number", "clock", "date", "instant", "opaque"))
_CLOSING = Group.UNIT + Group.PAST + Group.CURRENT + Group.LIVE + Group.ATTENDING


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
    stamped = has_group(said, Group.STAMP) and sum(token.kind in FIGURES for token in said) > 2
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
    if token.kind == "number" and has_group(tokens[number + 1 : number + 2], Group.UNIT):
        return False  # 4h 12m
    closes = any(letter in _CLOSING for letter in before.groups)
    if token.kind == "word" and token.text[0] > "\u2e7f":
        return closes or before.kind in FIGURES or before.text in _COUNTERS_CJK
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


_SILENT = frozenset(",.;:!?'\"“”‘’«»„…()[]{}–—-|·•›‹`´*_¶")
_COUNTERS_CJK = frozenset("件条條則则개건")
_SIGNS = frozenset("+▲▼↑↓±")
_MEASURED = Group.MEASURE + Group.UNIT + Group.MONTH + Group.READING
_BARRED = Group.LIMIT + Group.MODAL + Group.BINDING
_NAME_WORDS = 3
_SEVERAL = 2
_SHORT_WORD = 6
_TO_THE_SECOND = len("2026-11-03 14:05:11")
_PLAIN = re.compile(r"[^\d.]|\.(?=.*\.)")
"""What a number has beside its digits and its point."""
_TELLING = (
    Group.ARRIVAL + Group.COUNTED + Group.CURRENT + Group.GREETING + Group.NEARBY + Group.ONLINE
    + Group.OPEN + Group.PAST + Group.PLAYING + Group.STAMP
)  # fmt: skip
"""Groups of words without which a line without figures has nothing to mask."""
_START = attrgetter("start")
_STEM = 5
"""Letters of a word for what is counted that do not inflect."""
_INFLECTED = Group.CROWD + Group.TIMES + Group.ATTENDING
TIME, COUNT = "\ue000", "\ue001"
"""What stands in a masked text for a moment and for a counter."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known about the place of a line."""

    label: str = ""
    """The name before a value: of a table row, of a definition."""
    is_value: bool = False
    """Whether it is the value of such a pair."""
    fleeting: tuple[str, ...] = ()
    """Parts of it that the page names as changing by themselves."""


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
    """Find what may change in a line without meaning anything; a very long one is left alone."""
    if len(line) > _LONGEST:
        return Masked([], [], line)
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
_LONGEST = 20_000


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


def _named_spans(tokens: list[TextToken], line: str, setting: Setting) -> Iterator[Span]:
    """Parts of a line that the page itself names as counters, clocks and the like."""
    end = 0
    for part in setting.fleeting:
        start = line.find(part, end)
        if start < 0:
            continue
        end = start + len(part)
        first, after = (bisect_left(tokens, place, key=_START) for place in (start, end))
        if first < after:
            yield Span(first, after, "fleeting")


def _find_spans(tokens: list[TextToken], setting: Setting) -> Iterator[Span]:
    if not has_group(tokens, _TELLING) and not any(token.kind in FIGURES for token in tokens):
        return
    row = _make_row(tokens, 0, setting, {})
    found = list(_apply(LINE_RULES, row))
    facts = list(split_facts(tokens))
    for start, end in facts:
        fact = tokens[start:end]
        dates = {date.start: date for date in find_dates(fact)}
        found += _apply(FACT_RULES, _make_row(fact, start, setting, dates))
    yield from found
    yield from _spread_counters(tokens, facts, found)


class _Row(NamedTuple):
    """The cells of a fact."""

    text: str
    """The letters of each cell, with a semicolon behind it."""
    has: str
    """What the fact, its label and its place have."""
    places: dict[int, int]
    """By where a cell stands in the text: the number of its first token."""


def _make_row(
    fact: Sequence[TextToken], start: int, setting: Setting, dates: dict[int, DateSpan]
) -> _Row:
    text = ";^;"
    places: dict[int, int] = {}
    number = 0
    while number < len(fact):
        places[len(text)] = start + number
        date = dates.get(number)
        if date is None or has_group(fact[number : date.end], Group.PAST):  # ago is August, too
            text += _cell(fact, number) + ";"
            number += 1
        else:
            text += _date_cell(fact[number : date.end], date) + ";"
            number = date.end
    places[len(text)] = start + number
    return _Row(text + "$;", text + _place_letters(setting), places)


def _apply(rules: Sequence[Move], row: _Row) -> Iterator[Span]:
    for rule in rules:
        if _holds(rule, row.has):
            for found in compile_pattern(rule.pattern).finditer(row.text):
                start, end = row.places[found.start(1)], row.places[found.end(1)]
                if start < end:
                    yield Span(start, end, rule.kind)


def _holds(rule: Move, has: str) -> bool:
    needs, bars = _conditions(rule)
    return all(any(letter in has for letter in each) for each in needs) and not any(
        letter in has for letter in bars
    )


@lru_cache(maxsize=256)
def _conditions(rule: Move) -> tuple[tuple[str, ...], str]:
    return tuple(map(letters_of, rule.needs.split())), letters_of(rule.bars) if rule.bars else ""


def _place_letters(setting: Setting) -> str:
    """What is known of the place of a fact: whether it has a label, and what that is about."""
    if not setting.label:
        return "" if setting.is_value else CELLS["loose"]
    kept = Group.STAMP + Group.BINDING + Group.COUNTED
    groups = "".join(token.groups for token in read_tokens(setting.label))
    return "".join(letter for letter in groups if letter in kept)


def _date_cell(tokens: Sequence[TextToken], date: DateSpan) -> str:
    letters = CELLS["date" if date.stated else "clock"]
    if date.stated in (1, 2):
        letters += CELLS["partial"]
    if any(token.kind == "instant" and len(token.text) >= _TO_THE_SECOND for token in tokens):
        letters += CELLS["instant"]
    named = Group.WEEKDAY + Group.CURRENT
    return letters + "".join(token.groups for token in tokens if has_group([token], named))


def _cell(fact: Sequence[TextToken], number: int) -> str:
    token = fact[number]
    if token.kind == "number":
        letters = _number_letters(fact, number)
    elif token.kind == "clock":
        letters = CELLS["clock"] + (CELLS["second"] if len(token.text) > len("23:59") else "")
    elif token.kind == "mark":
        letters = token.text.replace(";", ",") + token.groups + CELLS["mark"]
        letters += CELLS["money"] if token.text in CURRENCY_SIGNS else ""
    elif token.kind == "opaque":
        letters = CELLS["opaque"]
    else:
        letters = _word_letters(fact, number)
    if any(map(str.isdigit, token.text)):
        letters += CELLS["figure"]
    glued = number > 0 and fact[number - 1].end == token.start
    return letters + CELLS["glued"] if glued else letters


def _word_letters(fact: Sequence[TextToken], number: int) -> str:
    token, after = fact[number], fact[number + 1 : number + 2]
    named = Group.ONLINE in token.groups and bool(after) and after[0].text in ":："
    said = {
        "word": True,
        "limit": _limits(fact, number),
        "money": token.fold in CURRENCY_CODES,
        "short": len(token.text) <= _SHORT_WORD and token.text.islower(),
        "capital": token.text[0].isupper(),
        "degree": token.text[0] == "°",
        "tick": token.fold == "ms",
        "copyright": token.fold == "copyright",
    }
    # «Order online: 3 maps» does not tell what visitors do
    groups = token.groups.replace(Group.ATTENDING, "") if named else token.groups
    return groups + "".join(CELLS[name][0] for name, holds in said.items() if holds)


def _number_letters(fact: Sequence[TextToken], number: int) -> str:
    fold, text = fact[number].fold, fact[number].text
    before, after = fact[max(0, number - 1) : number], fact[number + 1 : number + 2]
    whole = "." not in fold or fold[-1] in SUFFIXES
    amount = _is_amount(before, after)
    size = float(_PLAIN.sub("", fold) or 0) * (1_000 if fold[-1] in SUFFIXES else 1)
    said = {
        "amount": amount,
        "whole": whole and not amount,
        "decimal": not whole and not amount,
        "signed": not whole and (text[0] in "-−" or (bool(before) and before[0].text in _SIGNS)),
        "ten": size >= 10,
        "twenty": size >= 20,
        "year": len(text) == 4 and text[:2] in ("19", "20"),
    }
    return "".join(CELLS[name] for name, holds in said.items() if holds)


def _is_amount(before: Sequence[TextToken], after: Sequence[TextToken]) -> bool:
    """Whether a number is money, a share or a degree by what stands beside it."""
    near = [*before, *after]
    money = any(t.text in CURRENCY_SIGNS or t.fold in CURRENCY_CODES for t in near)
    return money or (bool(after) and after[0].text in "%‰°")


def _limits(fact: Sequence[TextToken], number: int) -> bool:
    """Whether a word makes an offer or a limit of a line; ``May 2019`` is a month."""
    token, after = fact[number], fact[number + 1 : number + 2]
    if not has_group([token], Group.LIMIT + Group.MODAL):
        return False
    if token.fold in ("al", "je") and not has_group(after, Group.UNIT):
        return False
    if number and Group.UNIT in token.groups and fact[number - 1].kind == "number":
        return False  # 2 min
    if number and Group.ATTENDING in fact[number - 1].groups:
        return False  # 6 viewed per hour
    return not (Group.MONTH in token.groups and after and after[0].kind == "number")


def _spread_counters(
    tokens: Sequence[TextToken], facts: Sequence[tuple[int, int]], found: Sequence[Span]
) -> Iterator[Span]:
    """Numbers of things in a line that has other counters and times: a line of figures."""
    words = [sum(token.kind == "word" for token in tokens[start:end]) for start, end in facts]
    figures = len(facts) > 1 and max(words) <= _NAME_WORDS
    for start, end in facts:
        others = sum(not start <= span.start < end or span.kind != "counter" for span in found)
        if others + figures < _SEVERAL or has_group(tokens[start:end], _BARRED):
            continue
        for number in range(start, end - 1):
            after = tokens[number + 1]
            letters = _cell(tokens, number)
            many = CELLS["whole"] in letters and CELLS["ten"] in letters
            if many and after.kind == "word" and not has_group([after], _MEASURED):
                yield Span(number, number + 1, "counter")


def says_little(masked: Masked) -> bool:
    """Whether a line has little beside a moment or a counter: ``ada_k 3 days ago``."""
    rest = [token for token in read_tokens(masked.key) if token.kind != "mark"]
    deciding = Group.NEGATION + Group.STATE + Group.NUMBER_WORD + Group.WEEKDAY
    return bool(masked.spans) and len(rest) <= _NAME_WORDS and not has_group(rest, deciding)
