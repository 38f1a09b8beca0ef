"""Regular expressions that are compiled when they are first asked."""

from __future__ import annotations

import importlib
import pkgutil
import re
from typing import TYPE_CHECKING, Any

import pytest

import pageloom.core
from pageloom.core.lazy_regex import _Compiled, lazy_regex

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_it_answers_as_the_pattern_does() -> None:
    """Every question, the first and any later one, is answered by the real pattern."""
    text, pattern, twin = "3 boats, 12 gulls", re.compile(r"\d+ (\w+)"), lazy_regex(r"\d+ (\w+)")
    for _ in range(2):
        assert twin.findall(text) == pattern.findall(text)
        assert twin.sub(r"\1", text) == pattern.sub(r"\1", text)
        assert twin.split(text) == pattern.split(text)
        for ask in ("search", "match", "fullmatch"):
            ours, theirs = getattr(twin, ask)(text), getattr(pattern, ask)(text)
            assert (ours and ours.span()) == (theirs and theirs.span())
        assert [m.span() for m in twin.finditer(text)] == [m.span() for m in pattern.finditer(text)]


def test_it_tells_of_itself_what_the_pattern_does() -> None:
    """Before and after it was asked."""
    pattern, twin = (
        re.compile("(?P<what>boat)", re.IGNORECASE),
        lazy_regex("(?P<what>boat)", re.IGNORECASE),
    )
    for part in ("pattern", "flags", "groups", "groupindex"):
        assert getattr(twin, part) == getattr(pattern, part)
        assert getattr(lazy_regex(pattern.pattern, re.IGNORECASE), part) == getattr(pattern, part)


def test_flags_and_bytes_are_kept() -> None:
    """Flags count, and bytes are searched as bytes."""
    assert lazy_regex("boat", re.IGNORECASE).search("The BOAT")
    assert lazy_regex(b"gull").search(b"a gull")


def test_nothing_is_compiled_before_it_is_asked() -> None:
    """A mistake comes to light only then, which is why all shipped patterns are tried below."""
    broken = lazy_regex("(")
    with pytest.raises(re.error):
        broken.search("")


def late_patterns(value: object) -> Iterator[Any]:
    """Those in a value of a module, which may be a table of them, asked before or not."""
    if isinstance(value, _Compiled):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from late_patterns(each)


def test_every_late_pattern_of_the_core_can_be_compiled() -> None:
    """What a first page does not need must be right all the same."""
    modules = pkgutil.walk_packages(pageloom.core.__path__, "pageloom.core.")
    tables = [tuple(vars(importlib.import_module(module.name)).values()) for module in modules]
    patterns = list(late_patterns(tables))
    assert patterns
    for pattern in patterns:
        pattern.search("")
