"""Text of strangers on a terminal: no control character of theirs may reach it."""

from __future__ import annotations

import re

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
