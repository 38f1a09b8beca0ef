"""What a page must have in its class and id attributes before a selector can match at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pageloom.core.rules.compile import Dom
    from pageloom.core.rules.selectors import Selector

_NAME = re.compile(r"[.#]((?:[\w-]|[^\x00-\x7f])+)")
_ATTRIBUTE = re.compile(
    r"\[\s*(?:class|id)\s*([*^$~|]?)=\s*(?:\"([^\"]*)\"|'([^']*)'|([\w-]+))\s*(?:[si]\s*)?\]",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*\]")
_PARENTHESES = re.compile(r"\((?:[^()\"']|\"[^\"]*\"|'[^']*')*\)")


class Key(NamedTuple):
    """A word, or a part of one, without which something cannot match."""

    text: str
    is_part: bool = False


def dom_keys(dom: Dom) -> frozenset[Key] | None:
    """One of these is on every page that can satisfy the condition; None where nobody can say."""
    if dom.texts:
        return None
    keys: set[Key] = set()
    for selector in dom.any:
        own = selector_keys(selector)
        if own is None:
            return None
        keys |= own
    if dom.all:
        own = next((found for each in dom.all if (found := selector_keys(each))), None)
        if own is None:
            return None
        keys |= own
    return frozenset(keys) or None


def selector_keys(selector: Selector) -> frozenset[Key] | None:
    """One of these is on every page that a selector finds anything on."""
    if selector.is_xpath or "\\" in selector.query:
        return None
    keys: set[Key] = set()
    for part in _alternatives(selector.query):
        key = _key(part)
        if key is None:
            return None
        keys.add(key)
    return frozenset(keys)


def _alternatives(query: str) -> list[str]:
    """The selectors between commas; what is in parentheses is dropped, for it need not match."""
    while True:
        shorter = _PARENTHESES.sub(" ", query)
        if shorter == query:
            break
        query = shorter
    places = [found.span() for found in _BRACKETS.finditer(query)]
    parts: list[str] = []
    start = 0
    for place, char in enumerate(query):
        if char == "," and not any(a <= place < b for a, b in places):
            parts.append(query[start:place])
            start = place + 1
    return [*parts, query[start:]]


def _key(part: str) -> Key | None:
    """The longest word that one selector needs."""
    names = _NAME.findall(_BRACKETS.sub(" ", part))
    if names:
        return Key(max(names, key=len).lower())
    values = [
        next((value for value in found[1:] if value), "") for found in _ATTRIBUTE.findall(part)
    ]
    longest = max((word for value in values for word in value.lower().split()), key=len, default="")
    return Key(longest, is_part=True) if longest else None
