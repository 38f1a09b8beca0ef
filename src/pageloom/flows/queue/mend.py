"""Bodies of messages as bytes: what in them can be mended before they are read as JSON."""

from __future__ import annotations

import re

_MARK = b"\xef\xbb\xbf"
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a pair, which is whole
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"  # half of one
    rb"|\\."
)


def mend_escapes(body: bytes) -> bytes:
    """Without a mark of the encoding, and U+FFFD for halves of surrogate pairs.

    Many programs write such halves when they cut a text in the middle of a sign.
    """
    plain = body.removeprefix(_MARK)
    return _ESCAPE.sub(_whole, plain) if _HALF.search(plain) else plain


def _whole(found: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if len(found[0]) == 6 else found[0]


def mend_all(body: bytes) -> bytes:
    """The same, and U+FFFD for bytes that are no UTF-8: to describe a message, not to use it."""
    return mend_escapes(body.decode(errors="replace").encode())
