"""Regular expressions of rules, run by RE2 in linear time.

RE2 has no look-around and no back-references, so no pattern can make it try again and again.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from re2 import _Match, _Regexp  # pyright: ignore[reportPrivateUsage]

MAX_PATTERN = 2_000
MAX_MATCHES = 10_000
"""More replacements than this are not made in one page."""
MAX_GROWTH = 5_000_000
"""Characters by which replacements may make a page longer."""
_MEMORY = 4 << 20
_GROUP = re.compile(r"\\(?:(\d{1,2})|g<([^>]{1,60})>)")
_LOOKING = re.compile(r"\(\?<?[=!]")


class PatternError(ValueError):
    """A pattern that cannot be used, and why."""


@lru_cache(maxsize=4_096)
def compile_pattern(pattern: str) -> _Regexp:
    """The pattern, ready to search with.

    Raises:
        PatternError: broken, too long, or in need of what only backtracking can do.
    """
    import re2  # it takes 25 ms to load, and few rules have patterns

    if len(pattern) > MAX_PATTERN:
        raise PatternError(f"the pattern is longer than {MAX_PATTERN} characters")
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        raise PatternError(_explain(pattern, error.args[0])) from None


def _explain(pattern: str, why: Any) -> str:
    reason = why.decode("utf-8", "replace") if isinstance(why, bytes) else str(why)
    if _LOOKING.search(pattern):
        return f"look-around is not supported, because it can take unlimited time ({reason})"
    if _GROUP.search(pattern):
        return f"back-references are not supported, because they can take unlimited time ({reason})"
    return f"not a valid regular expression ({reason})"


def check_template(pattern: str, template: str) -> None:
    r"""Refuse a replacement that names groups (``\1``) which the pattern does not have."""
    groups = compile_pattern(pattern).groups
    for number, name in _GROUP.findall(template):
        if number and int(number) > groups:
            raise PatternError(
                f"the replacement uses group {number}, but the pattern has {groups} groups"
            )
        if name and not name.isdigit() and f"<{name}>" not in pattern:
            raise PatternError(
                f"the replacement uses group {name}, which the pattern does not have"
            )


def find_group(pattern: str, text: str) -> str | None:
    """What the first group of a pattern, or all of it, finds in a text."""
    found = compile_pattern(pattern).search(text)
    if found is None:
        return None
    return next((group for group in found.groups() if group is not None), found.group(0))


def contains(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a text."""
    return compile_pattern(pattern).search(text) is not None


def substitute(pattern: str, template: str, text: str) -> str:
    """The text with every match replaced, within the limits of number and growth."""
    parts: list[str] = []
    end = growth = 0
    for number, found in enumerate(compile_pattern(pattern).finditer(text)):
        growth += _size(found, template)
        if number >= MAX_MATCHES or growth > MAX_GROWTH:
            break
        parts.extend((text[end : found.start()], found.expand(template)))
        end = found.end()
    return "".join((*parts, text[end:])) if parts else text


def _size(found: _Match, template: str) -> int:
    """At least how long the replacement of a match is, before it is made."""
    return len(template) + template.count("\\") * (found.end() - found.start())


def replace_text(find: str, replacement: str, text: str) -> str:
    """The text with every occurrence replaced; unchanged if it would grow beyond the limit."""
    if find not in text:
        return text
    growth = (len(replacement) - len(find)) * text.count(find)
    return text.replace(find, replacement) if growth <= MAX_GROWTH else text
