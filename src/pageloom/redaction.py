"""Hide passwords and tokens in displayed text and logs. When in doubt, more is hidden.

``redact`` is for any text, ``redact_value`` for values with names. Only displayed text is redacted,
never what is stored or sent.
"""

from __future__ import annotations

import re
from typing import Any, cast

HIDDEN = "(hidden)"
# Patterns are compiled on first use: nearly every command imports this and few need it.
_NAMES = (
    r"secrets?|passw(?:or)?d|passphrase|pwd|tokens?|jwt|authori[sz]|auth(?!or)|cookie|credentials?"
    r"|api[-_.]?key|private[-_.]?key|signature|session[-_.]?id"
)
_SECRET_NAME = rf"(?i){_NAMES}|(?:^|[-_.])(?:key|sig|sid|pass)$"
_PARAMETER = (
    r"(?i)((?:^|[?&#;\s])[^=&#;?\s\"]{0,60}"
    r"(?:secret|passw(?:or)?d|pass|pwd|token|jwt|auth|key|signature|sig|credentials?"
    r"|session(?:[-_.]?id)?|sid)=)[^&#\s\"<>]+"
)
_MEMBER = rf'(?i)("[^"\s]{{0,60}}(?:{_NAMES})[^"\s]{{0,60}}"\s*:\s*")(?:[^"\\]|\\.)*'
_HEADER = r"(?i)\b((?:proxy-)?authorization|(?:set-)?cookie)(\s*:\s*)[^\s\"][^\r\n\"]*"
_ADDRESS = r"(?i)\s*[a-z][a-z0-9+.-]*://"
_NO_PORT = r"(?s)(://[^/?#:\[\]]*:|^[^/?#:\[\]\\]+:(?![/\\]))(?!\d{1,5}(?:[/?#]|$)).+"
_BETWEEN = r"([\s\"<>]+)"
_LONGEST_HOST = 300
_HOST = (
    r"(?i)[^:@\[\]]+\.[^:@\[\]]+|localhost(?::\d{1,5})?|\d+(?:\.\d+){3}(?::\d{1,5})?"
    r"|\[[0-9a-f:.]+\](?::\d{1,5})?"
)


def redact(text: str) -> str:
    """Hide the passwords and tokens in the URLs, headers and fields of a text."""
    if "://" in text and "@" in text:
        text = _hide_users(text)
    if "=" in text:
        text = re.sub(_PARAMETER, rf"\1{HIDDEN}", text)
    if ":" in text:
        text = re.sub(_MEMBER, rf"\1{HIDDEN}", text)
        text = re.sub(_HEADER, rf"\1\2{HIDDEN}", text)
    return text


def redact_address(text: str) -> str:
    """Hide the password in what is known to be a URL, even a malformed one."""
    if "@" not in text:  # the host may be missing: a password may stand where the port would
        return redact(re.sub(_NO_PORT, r"\1…", text))
    return redact(text) if "://" in text else "…" + text[text.rindex("@") :]


def redact_value(value: Any, name: str = "") -> Any:
    """Hide secrets in a value and everything nested in it; its name may make it a secret."""
    if isinstance(value, dict):
        table = cast("dict[Any, Any]", value)
        own = name if is_secret(name) else ""
        return {key: redact_value(each, own or str(key)) for key, each in table.items()}
    if isinstance(value, list | tuple):
        return [redact_value(each, name) for each in cast("list[Any] | tuple[Any, ...]", value)]
    if value is None or isinstance(value, bool) or value == "":
        return value
    if is_secret(name):
        return HIDDEN
    return redact(value) if isinstance(value, str) else value


def is_secret(name: str) -> bool:
    """Whether a value of this name is a secret."""
    return bool(re.search(_SECRET_NAME, name))


def _hide_users(text: str) -> str:
    """Hide user names and passwords. Text that begins as a URL is one, whatever it holds."""
    if re.match(_ADDRESS, text):
        hidden = _hide_user(text)
        if hidden != text:
            return hidden
    pieces = re.split(_BETWEEN, text)
    return "".join(_hide_user(each) if "@" in each else each for each in pieces)


def _hide_user(piece: str) -> str:
    """One URL, or several without a space between: all up to the last ``@`` may be secret."""
    last, start = piece.rfind("@"), 0
    while (found := piece.find("://", start)) >= 0 and found + 3 <= last:
        start = found + 3
        is_web = piece[max(0, found - 5) : found].lower().endswith(("http", "https"))
        if not (is_web and _is_host(piece[start : min(last, start + _LONGEST_HOST)])):
            return f"{piece[:start]}…{piece[last:]}"
    return piece


def _is_host(rest: str) -> bool:
    """Whether the text before an ``@`` is a host with a path, as in medium.com/@name."""
    end = re.search("[/?#]", rest)
    return end is not None and re.fullmatch(_HOST, rest[: end.start()]) is not None


def redact_target(text: str) -> str:
    """The target without its secrets (webhook URLs have tokens in their paths), to be shown."""
    scheme, mark, rest = redact(text).partition("://")
    if not mark:
        return text
    host = re.split(r"[/?#]", rest.removeprefix("…@"), maxsplit=1)[0]
    known_open = scheme.lower() in ("http", "https")
    return f"{scheme}://{host}/…" if known_open else f"{scheme}://…"
