"""Whether a class or id was given by a person, or made up by a build tool.

Names that a tool made up are others after the next build: no rule should rest on them.
"""

from __future__ import annotations

import re

NAME = re.compile(r"[A-Za-z][\w-]{1,60}")
_MARKED = re.compile(r"\d{3,}|^(?:css|sc|jss|jsx|svelte|emotion|astro)-|^_?ng(?:content|host)-")
_PARTS = re.compile(r"[-_]+")
_CAMEL = re.compile(r"[a-z]*(?:[A-Z][a-z]{2,})*[A-Z]{0,4}")
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{5,}")
_NUMBERED = re.compile(r"[A-Z]?[a-z]+\d{1,2}|\d{1,2}[a-z]{0,3}|[a-z]\d{1,2}[a-z]{0,2}")
_STEM = re.compile(r"(.{3,}[-_])[A-Za-z0-9+]{4,12}")


def is_generated(name: str) -> bool:
    """Whether a name looks made up by a tool."""
    return bool(_MARKED.search(name)) or any(map(_is_random, _PARTS.split(name)))


def _is_random(part: str) -> bool:
    if len(part) < 4:
        return False
    if any(char.isdigit() for char in part):
        return not _NUMBERED.fullmatch(part)
    if any(char.isupper() for char in part[1:]) and not part.isupper():
        return not _CAMEL.fullmatch(part)
    return bool(_CONSONANTS.search(part.lower()))


def lasting_stem(name: str) -> str:
    """The beginning of a made-up name that a person gave: ``Story_body__`` of Story_body__x7Tq2."""
    found = _STEM.fullmatch(name)
    stem = found[1] if found else ""
    return stem if stem and not is_generated(stem.rstrip("_-")) else ""
