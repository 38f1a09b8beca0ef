"""Plain text of feed and JSON fields: titles, names, summaries."""

from __future__ import annotations

import re
from html import unescape

from pageloom.core.dom import parse_fragment

_SPACE = re.compile(r"\s+")
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|br|center|code|del|div|em|font|h[1-6]|hr|i|img|ins|li|mark|nobr|ol"
    r"|p|pre|q|s|small|span|strike|strong|sub|sup|table|td|tr|tt|u|ul|wbr)(?=[\s/>])[^<>]*>",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_NAME_IN_BRACKETS = re.compile(r"^[^()]*@[^()]*\(([^()]{2,100})\)\s*$")
_LONGEST_NAME = 200
_LONGEST_LINE = 20_000
_SEARCHED = 200_000


def to_line(text: str, *, markup: bool = True) -> str:
    """One line of plain text: tags taken out, references resolved (twice escaped ones too).

    Args:
        text: as it stood in the feed.
        markup: False where the feed says that it is plain text, so that ``<b>`` is meant.
    """
    text = text[:_LONGEST_LINE]
    if markup and _TAG.search(text):
        text = strip_markup(text)
    if "&" in text and _REFERENCE.search(text):
        text = unescape(text)
        if markup and _TAG.search(text):
            text = strip_markup(text)
    return _SPACE.sub(" ", text).strip()


def strip_markup(html: str) -> str:
    """The text of a piece of HTML, scripts and styles left out."""
    fragment = parse_fragment(re.sub(r"(?i)<(?:br|/p|/div|/li|/h[1-6]|/tr)\b", r" \g<0>", html))
    fragment.remove("script, style, template")
    return fragment.text


def has_markup(text: str) -> bool:
    """Whether a text holds HTML tags."""
    return bool(_TAG.search(text, 0, _SEARCHED))


def to_name(text: str) -> str:
    """The name without the address: ``me@a.example (Ann)`` and ``Ann <me@a.example>`` are Ann."""
    bracketed = _NAME_IN_BRACKETS.match(text[: 2 * _LONGEST_NAME])
    name = bracketed[1] if bracketed else _MAIL.sub("", text[: 2 * _LONGEST_NAME])
    name = to_line(re.sub(r"<\s*>|\(\s*\)|mailto:", "", name)).strip(" ,;<>()")
    return name if len(name) <= _LONGEST_NAME and "://" not in name else ""


def unique(values: list[str]) -> tuple[str, ...]:
    """The values in order, without empty ones and repetitions."""
    return tuple(dict.fromkeys(value for value in values if value))
