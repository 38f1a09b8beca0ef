"""The non-ASCII characters of a text: few in most texts, so they are handled separately."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_KINDS = 200
"""Different characters up to which ``blank_marks`` is faster than a pattern."""
_FEW = 1_000
_ASCII = bytes(range(128))
_ASCII_DIGIT = re.compile("[0-9]")
_ASCII_MARKS = bytes(code for code in _ASCII if not chr(code).isalnum())


def beyond_ascii(text: str) -> str:
    """The characters of a text that are not ASCII, in order.

    In most texts these are few, and a pattern that can only match there is soon done with them.
    """
    return utf8(text)[1]


def utf8(text: str) -> tuple[bytes, str]:
    """A text in UTF-8, and its characters that are not ASCII, in order."""
    encoded = text.encode("utf-8", "surrogatepass")
    return encoded, encoded.translate(None, _ASCII).decode("utf-8", "surrogatepass")


@lru_cache(maxsize=2)
def passage_utf8(text: str) -> tuple[bytes, str]:
    """The same for a long text, of which first one thing and then another is asked."""
    return utf8(text)


def beyond_ascii_in(part: str, passage: str) -> str:
    """The characters that are not ASCII in a part of a passage, or all those of the passage.

    The latter where they are few, for the passage has been looked at and is remembered.
    """
    rest = passage_utf8(passage)[1]
    return rest if len(rest) <= _FEW else beyond_ascii(part)


def lower_beyond(text: str, rest: str) -> tuple[str, str]:
    """A text whose letters beyond ASCII are in lower case, and its characters that are not ASCII.

    Those of ASCII are put in lower case many times faster once they are bytes.

    Args:
        text: any text.
        rest: its characters that are not ASCII; there may be others among them.
    """
    if rest == rest.lower():
        return text, rest
    text = text.lower()
    return text, beyond_ascii(text)


def only_alnum(text: str) -> str:
    """The letters and digits of a text."""
    if text.isascii():
        return text.encode().translate(None, _ASCII_MARKS).decode()
    return "".join(filter(str.isalnum, text))


def has_digit(text: str) -> bool:
    """Whether there is a digit of any kind in a text."""
    if text.isascii():
        return _ASCII_DIGIT.search(text) is not None
    return any(map(str.isdigit, text))


def blank_marks(text: str, chars: Iterable[str]) -> str:
    """A text with a tab for each of some characters, unless it is a letter or digit."""
    for char in chars:
        if not char.isalnum():
            text = text.replace(char, "\t")
    return text
