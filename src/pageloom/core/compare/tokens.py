"""Tokenize text, with the type and possible meanings of each token."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from pageloom.core.compare.lexicon import (
    CJK,
    SHORTEST_STEM,
    Group,
    lexicon,
    plural_groups,
    stem_groups,
)
from pageloom.core.memoize import memoize

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Kind = Literal["address", "instant", "date", "clock", "opaque", "number", "word", "mark"]

_PARTS = (
    ("address", r"https?://[^\s<>\"']+|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"),
    (
        "instant",
        (
            r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:\s?Z|\s?UTC|[+-]\d\d:?\d\d)?"
            r"|(?<!\d)(?:19|20)\d\d(?:0\d|1[0-2])[0-3]\d[0-2]\d[0-5]\d[0-5]\d(?!\d)"
        ),
    ),
    (
        "date",
        (
            r"\d{2,4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]|\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]"
            r"|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?![\d.])|\d{1,2}[./-]\d{1,2}[./-]\d{4}(?![\d.])"
            r"|\d\d[./]\d\d[./]\d\d(?![\d.])|(?<![\d/])[01]?\d/20\d\d(?![\d/])"
        ),
    ),
    ("clock", r"\d{1,2}:\d\d(?::\d\d)?(?!\d)|[012]?\d\s?h\s?[0-5]\d(?!\w)"),
    ("opaque", r"(?=[A-Za-z_-]{0,64}\d)(?=[\d_-]{0,64}[A-Za-z])[A-Za-z0-9_-]{16,}"),
    (
        "number",
        (
            r"(?<![\w.,])[-−]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d\w])(?:[.,]\d+)?"
            r"|(?:(?<![\w.,)])[-−])?\d+(?:[.,'’]\d+)*(?:[kKM](?!\w)|[万萬만](?![円元원圓]))?"
        ),
    ),
    ("word", rf"(?![{CJK}])[^\W\d_](?:(?![{CJK}])\w|['’_-](?=[^\W_])|(?<=[lL])·(?=[lL]))*"),
)
SUFFIXES = "kKM万萬만"
"""What stands behind a number of thousands or more."""
_THOUSANDS = re.compile(r"\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3})(?:\1\d{3})*")
_LAST_ZERO = re.compile(r"\d{1,3}\.[1-9]0")
_NUMBER_SHAPE = re.compile(r"(\d+)(?:[.,](\d+))?")


class TextToken(NamedTuple):
    """One word, number or mark, where it stands and what it may be."""

    kind: Kind
    text: str
    start: int
    end: int
    fold: str
    """Without case; of a number, the one spelling of its value."""
    groups: str
    """The letters of the groups of words it belongs to (see ``lexicon``)."""


@cache
def _pattern() -> re.Pattern[str]:
    named = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _PARTS)
    known = lexicon().unspaced
    return re.compile(rf"{named}|(?P<run>{known}|[{CJK}])|(?P<mark>\S)")


def read_tokens(text: str) -> list[TextToken]:
    """The tokens of a text in order; phrases that mean something together are one token."""
    tokens = [_token(found) for found in _pattern().finditer(text)]
    return _join_phrases(tokens, text)


def _token(found: re.Match[str]) -> TextToken:
    kind, text = found.lastgroup, found[0]
    if kind in ("number", "clock", "date", "instant"):
        return TextToken(kind, text, *found.span(), number_value(text), "")
    fold = _MONEY.get(text) or text.casefold().replace("’", "'")
    groups = "" if kind in ("address", "opaque") else _groups(fold)
    return TextToken(_KINDS[kind or "mark"], text, *found.span(), fold, groups)


_MONEY = {
    pair.partition(":")[0]: pair.partition(":")[2]
    for pair in (
        "€:eur £:gbp $:usd ¥:jpy ￥:jpy ₹:inr ₽:rub ₺:try ₴:uah ₩:krw ₪:ils ₫:vnd zł:pln Kč:czk "
        "Ft:huf руб:rub 円:jpy 元:cny 원:krw euros:eur euro:eur Euro:eur"
    ).split()
}
"""A sign and a code are the same money."""
CURRENCY_CODES = frozenset(_MONEY.values())
CURRENCY_SIGNS = frozenset("$€£¥￥₹₽₺₴₩₪₫₱฿")

_KINDS: dict[str, Kind] = {
    "address": "address",
    "opaque": "opaque",
    "word": "word",
    "run": "word",
    "mark": "mark",
}


@memoize(8_192)
def _groups(fold: str) -> str:
    words = lexicon().words
    found = words.get(fold)
    if found is not None:
        return found
    if "'" in fold:  # n'est, d'avril
        head, _, tail = fold.partition("'")
        return words.get(f"{head}'", "") + words.get(tail, "") + ("x" if head == "n" else "")
    return plural_groups(fold) or (stem_groups(fold) if len(fold) > SHORTEST_STEM else "")


def _join_phrases(tokens: list[TextToken], text: str) -> list[TextToken]:
    phrases = lexicon().phrases
    joined: list[TextToken] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        length = 1
        for words, groups in phrases.get(token.fold, ()):
            if _spells(tokens, position, words):
                length = len(words)
                end = tokens[position + length - 1].end
                token = TextToken(
                    "word", text[token.start : end], token.start, end, " ".join(words), groups
                )
                break
        if _is_version(tokens, position):  # Python 3.10 is not Python 3.1
            token = token._replace(fold=token.text)
        joined.append(token)
        position += length
    return joined


def _is_version(tokens: Sequence[TextToken], position: int) -> bool:
    """Whether the last zero of a number counts: after a name, and with no unit behind it."""
    token = tokens[position]
    if token.kind != "number" or not position or not _LAST_ZERO.fullmatch(token.text):
        return False
    name, after = tokens[position - 1], tokens[position + 1 : position + 2]
    named = name.kind == "word" and (name.text[0].isupper() or name.fold == "version")
    measured = bool(after) and (
        after[0].fold in CURRENCY_CODES
        or any(letter in Group.MEASURE + Group.UNIT for letter in after[0].groups)
    )
    return named and name.fold not in CURRENCY_CODES and not measured


def _spells(tokens: Sequence[TextToken], position: int, words: tuple[str, ...]) -> bool:
    if position + len(words) > len(tokens):
        return False
    return all(tokens[position + step].fold == word for step, word in enumerate(words))


def number_value(text: str) -> str:
    """One spelling for each number, however a country writes it: ``1.299,00`` is ``1299``."""
    if not text.isascii():
        text = "".join(_ascii_digit(char) for char in text)
    sign = "-" if text[0] in "-−" else ""
    bare = text.lstrip("-−")
    if not bare[:1].isdigit():
        return text
    suffix = bare[-1] if bare[-1] in SUFFIXES else ""
    whole, part = _split_decimals(bare.rstrip(SUFFIXES))
    return f"{sign}{whole}.{part}{suffix}" if part else f"{sign}{whole}{suffix}"


def _ascii_digit(char: str) -> str:
    value = unicodedata.decimal(char, None)
    return char if value is None else str(value)


def _split_decimals(bare: str) -> tuple[str, str]:
    grouped = _THOUSANDS.match(bare)
    if grouped and bare[0] != "0":
        whole = "".join(filter(str.isdigit, grouped[0]))
        rest = bare[grouped.end() :]
        if not rest:
            return whole, ""
        if rest[0] in ".," and rest[1:].isdigit():
            return whole, rest[1:].rstrip("0")
    plain = _NUMBER_SHAPE.fullmatch(bare)
    if plain:
        return plain[1], (plain[2] or "").rstrip("0")
    return bare, ""


class Span(NamedTuple):
    """Tokens ``start`` to ``end`` (without it) that mean nothing when they change."""

    start: int
    end: int
    kind: str


def has_group(tokens: Iterable[TextToken], letters: str) -> bool:
    """Whether a token belongs to one of some groups of words (see ``lexicon``)."""
    for token in tokens:
        if token.groups and any(letter in token.groups for letter in letters):
            return True
    return False
