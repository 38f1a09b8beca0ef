"""What one command line asked of output and errors, noted while its flags are read.

An error may be found before the command runs (a misspelt flag) or long after it began; either
way it is reported as the flags asked: in JSON, with the exit code of --strict, with times in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Invocation:
    """The flags that concern every command."""

    as_json: bool = False
    """Answers and errors are JSON."""
    as_lines: bool = False
    """Answers are JSON lines, one object each."""
    strict: bool = False
    """Low quality or no content ends the command with exit code 5."""
    utc: bool = False
    """Times are shown in UTC and not in the local zone."""


current = Invocation()
"""Of the command line that this process runs."""

JSON_FORMATS = frozenset({"json", "article", "parsed", "extracted"})
"""Formats of pages that are JSON: errors are then JSON too."""


def begin() -> None:
    """Forget what an earlier command line of this process asked."""
    current.as_json = current.as_lines = current.strict = current.utc = False


def note_json(*, value: bool) -> bool:
    """``--json`` was given, or not."""
    current.as_json = current.as_json or value
    return value


def note_lines(*, value: bool) -> bool:
    """``--jsonl`` was given, or not."""
    current.as_lines = value
    current.as_json = current.as_json or value
    return value


def note_strict(*, value: bool) -> bool:
    """``--strict`` was given, or not."""
    current.strict = value
    return value


def note_utc(*, value: bool) -> bool:
    """``--utc`` was given, or not."""
    current.utc = value
    return value


def note_format(*, value: str | None) -> str | None:
    """``--format`` was given: some formats are JSON."""
    current.as_json = current.as_json or value in JSON_FORMATS
    return value


def note_all(given: dict[str, object]) -> None:
    """Note flags that a parser has found, by the names of their parameters."""
    for name, note in (("as_json", note_json), ("as_lines", note_lines), ("strict", note_strict)):
        if given.get(name) is True:
            note(value=True)
    form = given.get("form")
    note_format(value=form if isinstance(form, str) else None)
