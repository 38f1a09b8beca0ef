"""The letters and marks beyond ASCII: few in most texts, and soon looked at by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_KINDS = 200
"""Different characters up to which ``blank_marks`` is faster than a pattern."""
_ASCII = bytes(range(128))
_ASCII_MARKS = bytes(code for code in _ASCII if not chr(code).isalnum())


def beyond_ascii(text: str) -> str:
    """The characters of a text that are not ASCII, in order.

    In most texts these are few, and a pattern that can only match there is soon done with them.
    """
    encoded = text.encode("utf-8", "surrogatepass")
    return encoded.translate(None, _ASCII).decode("utf-8", "surrogatepass")


def only_alnum(text: str) -> str:
    """The letters and digits of a text."""
    if text.isascii():
        return text.encode().translate(None, _ASCII_MARKS).decode()
    return "".join(filter(str.isalnum, text))


def blank_marks(encoded: bytes, chars: Iterable[str]) -> bytes:
    """A text in UTF-8 with a space for each of some characters, unless it is a letter or digit."""
    for char in chars:
        if not char.isalnum():
            encoded = encoded.replace(char.encode("utf-8", "surrogatepass"), b" ")
    return encoded
