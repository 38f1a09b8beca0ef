"""Emphasis in Markdown: delimiters where CommonMark allows them, otherwise HTML.

A delimiter run opens or closes only when its neighbours allow it (the flanking rules), which text
without spaces, such as Chinese or Japanese, often does not. Then the tag itself is written.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
DELIMITERS = {"em": ("*", "_"), "strong": ("**", "__"), "del": ("~~",)}
_OTHER = {"em": "strong", "strong": "em"}


@dataclass(slots=True, eq=False)
class EmphasisFormat:
    """Something open around the text: emphasis, a tag, or a link."""

    kind: str
    url: str = ""
    title: str = ""
    spent: bool = False
    """Whether a link has already been written on an earlier block."""
    mark: Mark | None = None


@dataclass(slots=True, eq=False)
class Mark:
    """One end of a format inside a run.

    Only the end knows its start: two that knew each other would wait for a search for cycles.
    """

    format: EmphasisFormat
    text: str = ""
    """What is written; empty until decided."""
    start: Mark | None = None
    """The other end of what ends here; None where something starts."""
    at: int = 0
    """Its place among the parts, where marks are settled."""
    end: int = 0
    """The place of the other end of what starts here."""


Part = str | Mark


def settle(parts: list[Part]) -> None:
    """Decide what every mark of emphasis in a run is written as."""
    starts: list[Mark] = []
    for at, part in enumerate(parts):
        if type(part) is Mark:
            part.at = at
            if part.start is not None:
                part.start.end = at
            elif part.format.kind in DELIMITERS:
                starts.append(part)
    for start in starts:
        if not start.text:
            _decide(parts, start, parts[start.end])  # type: ignore[arg-type]


def _decide(parts: list[Part], opening: Mark, closing: Mark) -> None:
    kind = opening.format.kind
    if _is_easy(parts, opening.at, closing.at):
        opening.text = closing.text = DELIMITERS[kind][0]
        return
    if _decide_together(parts, opening, closing):
        return
    for delimiter in DELIMITERS[kind]:
        if _fits(parts, opening, closing, delimiter):
            opening.text = closing.text = delimiter
            return
    opening.text, closing.text = f"<{kind}>", f"</{kind}>"


def _is_easy(parts: list[Part], start: int, end: int) -> bool:
    """Whether both ends are allowed by the text beside them, without another mark near."""
    first, last = parts[start + 1], parts[end - 1]
    if not (type(first) is str and type(last) is str):
        return False
    if start and type(parts[start - 1]) is not str:
        return False
    if end + 1 < len(parts) and type(parts[end + 1]) is not str:
        return False
    return is_allowed(_before(parts, start), first[0], last[-1], _after(parts, end))


def is_allowed(before: str, first: str, last: str, after: str) -> bool:
    """Whether the first delimiter of a kind may stand between these characters."""
    if not (first.isalnum() or _can_open(before, first, "*")):
        return False
    return last.isalnum() or _can_close(last, after, "*")


def _decide_together(parts: list[Part], opening: Mark, closing: Mark) -> bool:
    """Write ``***both***`` when emphasis and strong emphasis hold the very same text."""
    inner = parts[opening.at + 1]
    if type(inner) is not Mark or inner.start is not None or inner.end + 1 != closing.at:
        return False
    if inner.format.kind != _OTHER.get(opening.format.kind):
        return False
    if _touches(parts, opening.at - 1, "*") or _touches(parts, closing.at + 1, "*"):
        return False
    if _touches(parts, inner.at + 1, "*") or _touches(parts, inner.end - 1, "*"):
        return False
    opens = _can_open(_before(parts, opening.at), _after(parts, inner.at), "*")
    if not (opens and _can_close(_before(parts, inner.end), _after(parts, closing.at), "*")):
        return False
    opening.text = closing.text = DELIMITERS[opening.format.kind][0]
    inner.text = parts[inner.end].text = DELIMITERS[inner.format.kind][0]  # type: ignore[union-attr]
    return True


def _fits(parts: list[Part], opening: Mark, closing: Mark, delimiter: str) -> bool:
    sign = delimiter[0]
    for at in (opening.at - 1, opening.at + 1, closing.at - 1, closing.at + 1):
        if _touches(parts, at, sign):
            return False
    opens = _can_open(_before(parts, opening.at), _after(parts, opening.at), sign)
    return opens and _can_close(_before(parts, closing.at), _after(parts, closing.at), sign)


def _touches(parts: list[Part], at: int, sign: str) -> bool:
    if not 0 <= at < len(parts):
        return False
    part = parts[at]
    return type(part) is Mark and part.text[:1] == sign


def _before(parts: list[Part], at: int) -> str:
    if at == 0:
        return " "
    part = parts[at - 1]
    return part[-1] if type(part) is str else "*"


def _after(parts: list[Part], at: int) -> str:
    if at + 1 == len(parts):
        return " "
    part = parts[at + 1]
    return part[0] if type(part) is str else "*"


def _can_open(before: str, after: str, sign: str) -> bool:
    if after.isspace() or (may_be_punctuation(after) and not _parts_words(before)):
        return False
    return sign != "_" or _parts_words(before)


def _can_close(before: str, after: str, sign: str) -> bool:
    if before.isspace() or (may_be_punctuation(before) and not _parts_words(after)):
        return False
    return sign != "_" or _parts_words(after)


def may_be_punctuation(character: str) -> bool:
    """Whether any edition of CommonMark counts it as punctuation (the newer count symbols too)."""
    if character.isalnum():
        return False
    return character.isascii() or unicodedata.category(character)[0] in "PS"


def _parts_words(character: str) -> bool:
    """White space, or what every edition counts as punctuation."""
    if character.isspace() or character in _ASCII_PUNCTUATION:
        return True
    return not character.isascii() and unicodedata.category(character)[0] == "P"
