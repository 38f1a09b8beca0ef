"""Check request headers that a user or a rule wants to send."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
_LONGEST = 8_000
_OF_CONNECTION = frozenset(
    "connection content-length content-encoding expect host keep-alive proxy-authenticate"
    " proxy-authorization proxy-connection te trailer transfer-encoding upgrade".split()
)


def is_header(name: str, value: str) -> bool:
    """Whether this is a header at all; nothing in it can end it and begin another."""
    return _TOKEN.fullmatch(name) is not None and is_header_value(value)


def is_cookie(name: str, value: str) -> bool:
    """Whether this is a cookie at all."""
    return is_header(name, value) and ";" not in value


def is_header_value(value: str) -> bool:
    """Whether it fits behind the name of a header."""
    return len(value) < _LONGEST and all(
        char == "\t" or (" " <= char != "\x7f" and not "\ud800" <= char <= "\udfff")
        for char in value
    )


def belongs_to_connection(name: str) -> bool:
    """Whether only the HTTP client may set this header."""
    return name.lower() in _OF_CONNECTION
