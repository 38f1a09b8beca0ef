"""Write YAML scalars that read back unchanged."""

from __future__ import annotations

import math
import re

_PLAIN = re.compile(r"[^\W\d_](?:[\w .,()'/&+%;!?@=~–—’“”-]|:(?=[^\s:])|(?<=[^\s#])#)*")
_NOT_TEXT = frozenset("y n yes no true false on off null nan inf".split())
_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\xa0\xad\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_LONE = re.compile("[\ud800-\udfff]")


def scalar(value: str | float) -> str:
    """One value on one line; a text that could be taken for anything else is quoted."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if _PLAIN.fullmatch(value) and value[-1] not in " :" and value.lower() not in _NOT_TEXT:
        return value
    return quoted(value)


def quoted(text: str) -> str:
    """The text in double quotes; halves of characters, which no file can hold, are replaced."""
    return f'"{_ESCAPED.sub(_escape, _LONE.sub("�", text))}"'


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return _SHORT.get(character) or f"\\u{ord(character):04x}"


def _number(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    mantissa, exponent, power = text.partition("e")
    return text if not exponent or "." in mantissa else f"{mantissa}.0e{power}"
