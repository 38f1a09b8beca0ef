"""Errors as a person, a program and a shell see them."""

from __future__ import annotations

import json
import sys

from pageloom.apps.cli.safe import safe
from pageloom.errors import (
    FetchError,
    InvalidArgument,
    InvalidQuery,
    InvalidUrl,
    LowQuality,
    NoContentFound,
    NotInLibrary,
    PageloomError,
    SettingsError,
)
from pageloom.redaction import redact, redact_value

_BLOCKED = frozenset({"blocked_address", "blocked_by_robots", "challenge"})


class UsageTrouble(PageloomError):
    """The command was called in a way it does not support."""

    advice = ("See pageloom --help, or --help after a command.",)

    @property
    def code(self) -> str:
        """The stable name."""
        return "UsageError"


_CODES: tuple[tuple[type[PageloomError], int], ...] = (
    (UsageTrouble, 2),
    (InvalidUrl, 2),
    (SettingsError, 2),
    (InvalidQuery, 2),
    (InvalidArgument, 2),
    (NotInLibrary, 3),
)


def exit_code(error: PageloomError, *, strict: bool = False) -> int:
    """The exit code that tells a shell what kind of error it was."""
    if strict and isinstance(error, LowQuality | NoContentFound):
        return 5
    if isinstance(error, FetchError) and error.kind in _BLOCKED:
        return 4
    return next((code for kind, code in _CODES if isinstance(error, kind)), 1)


def report(error: PageloomError, *, as_json: bool) -> None:
    """Report an error: to people on standard error, to programs on standard output."""
    if as_json:
        details = error.to_dict() | {"type": error.code.partition(".")[0]}
        answer = {"success": False, "error": redact_value(details)}
        print(safe(json.dumps(answer, ensure_ascii=True)))
        return
    _print("Error", error)


def warn(trouble: PageloomError, outcome: str) -> None:
    """Report on standard error what went wrong without stopping the command, and the outcome."""
    _print("Warning", trouble, outcome)


def warn_old(old: str, new: str) -> None:
    """Report that something is written in a way that will not work for ever."""
    print(f"Warning: {old} is the old form; write {new}.", file=sys.stderr)


def _print(sign: str, error: PageloomError, *more: str) -> None:
    print(f"{sign}: {safe(redact(' '.join((error.message, *more))))}", file=sys.stderr)
    for suggestion in error.suggestions:
        print(f"  Hint: {safe(redact(suggestion))}", file=sys.stderr)
