"""Class and id names that a page must have for a selector to match (an index for rules)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from pageloom.core.rules.schema import listed

if TYPE_CHECKING:
    from pageloom.core.rules.schema import DomSpec

_NAME = re.compile(r"[.#]((?:[\w-]|[^\x00-\x7f])+)")
_ATTRIBUTE = re.compile(
    r"\[\s*(?:class|id)\s*([*^$~|]?)=\s*(?:\"([^\"]*)\"|'([^']*)'|([\w-]+))\s*(?:[si]\s*)?\]",
    re.IGNORECASE,
)
_GENERATOR = re.compile(
    r"(?<![\w.#-])meta(?=(?:\[[^\]]*\])*\[name=['\"]?generator['\"]?(?: i)?\])"
    r"(?:\[[^\]]*\])*?\[content[*^]?=['\"]?([^'\"\]\s]+)",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*\]")
_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")
_PARENTHESES = re.compile(r"\((?:[^()\"']|\"[^\"]*\"|'[^']*')*\)")


class Key(NamedTuple):
    """A word, or a part of one, without which something cannot match."""

    text: str
    kind: Literal["word", "part", "generator"] = "word"
    """A whole word, a part of one, or a part of the name of the page's generator."""


class Needs(NamedTuple):
    """What to look for on a page before a rule is looked at: one of these is enough."""

    keys: frozenset[Key] = frozenset()
    probes: tuple[str, ...] = ()
    """Selectors that have no such word and must be tried."""
    anything: bool = False
    """Whether the rule must be looked at on every page."""


def dom_needs(dom: DomSpec) -> Needs:
    """What every page has that can satisfy a condition."""
    keys: set[Key] = set()
    probes: list[str] = []
    alternatives = listed(dom.any)
    if needed := listed(dom.all):
        alternatives = [*alternatives, _rarest(needed)]
    for selector in alternatives:
        own = selector_keys(selector)
        if own is None:
            probes.append(selector)
        else:
            keys |= own
    return Needs(frozenset(keys), tuple(probes), bool(listed(dom.any_text_contains)))


def _rarest(selectors: list[str]) -> str:
    """Of several that are all needed, one with a word to look for."""
    return next((each for each in selectors if selector_keys(each)), selectors[0])


def selector_keys(selector: str) -> frozenset[Key] | None:
    """One of these is on every page that a selector finds anything on."""
    if selector.lstrip().startswith("xpath:") or not _is_plain(selector):
        return None
    keys: set[Key] = set()
    for part in _alternatives(selector):
        key = _key(part)
        if key is None:
            return None
        keys.add(key)
    return frozenset(keys)


def _is_plain(selector: str) -> bool:
    """Whether patterns can tell its words: no escapes or comments, and no brackets in strings."""
    if not selector.isascii() or "\\" in selector or "/*" in selector:
        return False
    return not any(sign in text for text in _STRINGS.findall(selector) for sign in "()[]")


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
    if generator := _GENERATOR.search(part):
        return Key(generator[1].lower(), "generator")
    names = _NAME.findall(_BRACKETS.sub(" ", part))
    if names:
        return Key(max(names, key=len).lower())
    values = [
        next((value for value in found[1:] if value), "") for found in _ATTRIBUTE.findall(part)
    ]
    longest = max((word for value in values for word in value.lower().split()), key=len, default="")
    return Key(longest, "part") if longest else None
