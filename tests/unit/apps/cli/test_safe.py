from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageloom.apps.cli import safe as module
from pageloom.apps.cli.safe import escape_json, has_styles, one_line, safe

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_no_control_character_gets_through(text: str):
    left = safe(text)
    assert all(char in "\t\n" or char.isprintable() or ord(char) > 0x9F for char in left)
    left.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a[31mb"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("\x9b2J", "2J"),
        ("naïve 日本 ✓", "naïve 日本 ✓"),
    ],
)
def test_the_rest_stays_as_it_is(text: str, shown: str):
    assert safe(text) == shown


@given(st.text(), st.integers(min_value=2, max_value=80))
def test_one_line_is_one_line_of_at_most_that_width(text: str, width: int):
    line = one_line(text, width)
    assert len(line) <= width
    assert "\n" not in line


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",))))
def test_escaped_json_says_the_same(text: str):
    plain = json.dumps({"a": text}, ensure_ascii=False)
    assert json.loads(escape_json(plain)) == {"a": text}


@pytest.mark.parametrize(
    ("term", "is_terminal", "styled"),
    [("xterm", True, True), ("dumb", True, False), ("xterm", False, False)],
)
def test_only_a_terminal_that_knows_bold_type_gets_any(monkeypatch, term, is_terminal, styled):
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(module.sys, "stdout", SimpleNamespace(isatty=lambda: is_terminal))
    assert has_styles() is styled
