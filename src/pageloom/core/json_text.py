"""JSON read without fear: any depth, any number, slightly broken or not JSON at all."""

from __future__ import annotations

import json
import re

import msgspec

_DEEPEST = 500
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
_PADDING = re.compile(r"\A[^{\[]{0,20}(?:\)\]\}',?|while\(1\);|for\(;;\);|[\w.$]+\()\s*(?=[{\[])")


def load_json(text: str) -> object:
    """The value of a JSON text; None if there is none.

    Later duplicates of a key win, as everywhere; numbers of any length stay as they are spelt.
    """
    text = mend_pairs(text.strip("\ufeff\x00 \t\r\n"))
    if is_deeper(text, _DEEPEST):
        return None
    for attempt in (text, _strip_padding(text), _TRAILING_COMMA.sub(r"\1", text)):
        value = _load(attempt)
        if value is not None:
            return value
    return None


def mend_pairs(text: str) -> str:
    """The JSON text with every escaped half of a surrogate pair replaced: no text can hold one."""
    if not _HALF_PAIR.search(text):
        return text
    return _ESCAPE.sub(lambda found: r"\ufffd" if found[1] else found[0], text)


def _load(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
        pass
    try:
        return json.loads(text, parse_int=_read_integer, strict=False)
    except (ValueError, RecursionError):
        return None


def _read_integer(digits: str) -> int | str:
    return int(digits) if len(digits) < 400 else digits


def _strip_padding(text: str) -> str:
    """JSON behind a guard such as ``)]}'`` or inside a callback."""
    return _PADDING.sub("", text).rstrip("; \n").removesuffix(")")


def is_deeper(text: str, limit: int) -> bool:
    """Whether brackets outside strings nest deeper than the limit, without recursion."""
    if text.count("[") + text.count("{") <= limit:
        return False
    depth = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', text):
        mark = match[0]
        if mark in "[{":
            depth += 1
            if depth > limit:
                return True
        elif mark in "]}":
            depth -= 1
    return False
