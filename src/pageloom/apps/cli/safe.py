"""Text on a terminal: no control character of strangers reaches it, and all else can be shown."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys

# Everything below the space but tab and newline; delete; the C1 controls, which some terminals
# obey; lone surrogates, which cannot be written.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def safe(text: str) -> str:
    """The text without control characters other than tab and newline."""
    return _CONTROLS.sub("", text)


def one_line(text: str, width: int) -> str:
    """The beginning of a text on one line, with white space joined."""
    joined = " ".join(safe(text[: width * 4]).split())
    return joined if len(joined) <= width else joined[: width - 1] + "…"


def escape_json(text: str) -> str:
    """JSON that says the same without any raw control character."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def has_styles() -> bool:
    """Whether standard output is a terminal that knows bold type and the like."""
    return sys.stdout.isatty() and os.environ.get("TERM", "").lower() not in {"dumb", "unknown"}


def write_anything() -> None:
    """Let standard output and error take every character: where theirs lack one, by its number."""
    codecs.register_error(_BY_NUMBER, _by_number)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # not where somebody put one of his own there
            stream.reconfigure(errors=_BY_NUMBER)


_BY_NUMBER = "pageloom.by_number"


def _by_number(error: UnicodeError) -> tuple[str, int]:
    """As JSON writes them, so that what is JSON stays so."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[n : n + 4]}" for n in range(0, len(units), 4)), error.end
