"""Normalize short texts: Unicode form, spaces, entities, punctuation."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

from pageloom.core.non_ascii import beyond_ascii, passage_utf8

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_INVISIBLE = re.compile(
    "[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]+"
)
_HIDDEN = re.compile(
    "[\u00ad\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]+"
)
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|br|cite|code|div|em|font|h[1-6]|i|img|li|mark|ol|p|q|s|small|span|strong|sub|sup|tt|u|ul|wbr)"
    r"(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_PLAIN = bytes((ord("\n"), *range(ord(" "), 0x7F)))
"""ASCII that can be seen, and the line break."""
_COMPOSED = frozenset(map(chr, (*range(0x80, 0x300), *range(0x2010, 0x2028), 0x20AC, 0x2122)))
"""Letters, marks and signs that are in NFC by themselves, and after whatever they come."""
_FEW = 1_000
_SHORT = 200
_QUOTES = (
    dict.fromkeys("‘’‚‛′´`ʼ", "'")
    | dict.fromkeys("“”„‟″«»", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | {"\u2026": "..."}
)


def clean_text(text: str) -> str:
    """A short text on one line: NFC, entities decoded, no markup, no hidden characters.

    Example:
        >>> clean_text("Tom &amp;amp; <b>Jerry</b>\u200b ")
        'Tom & Jerry'
    """
    if "&" in text:
        text = decode_entities(text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    if not text.isprintable():  # which no hidden character is
        text = _INVISIBLE.sub("", text)
    return " ".join(text.split())


def decode_entities(text: str) -> str:
    """The text without entities, however often they were escaped.

    Example:
        >>> decode_entities("One&amp;amp;Only")
        'One&Only'
    """
    for _ in range(3):
        if "&" not in text or not _ENTITY.search(text):
            break
        text = html.unescape(text)
    return text


def clean_passage(text: str, *, decode: bool = True) -> str:
    """A long text, lines kept: NFC, no hidden characters, entities that were escaped twice decoded.

    Joiners stay, because words of Persian and the Indian languages are spelt with them.

    Args:
        text: the passage.
        decode: whether to decode entities; not where they may be what the text is about.
    """
    if decode and "&" in text and _ENTITY.search(text):
        text = html.unescape(text)
    if not _is_surely_nfc(text):
        text = unicodedata.normalize("NFC", text)
    return text if _has_nothing_hidden(text) else _HIDDEN.sub("", text)


def _is_surely_nfc(text: str) -> bool:
    """Whether its characters beyond ASCII are few, and all of them common in languages of Europe.

    They are soon looked at by themselves, where the form of a text is asked for letter by letter.
    """
    rest = passage_utf8(text)[1]
    return len(rest) <= _FEW and _COMPOSED.issuperset(rest)


def _has_nothing_hidden(text: str) -> bool:
    """Whether all but line breaks is printable; most is ASCII, and sooner passed over as bytes."""
    rest = passage_utf8(text)[0].translate(None, _PLAIN)
    return rest.decode("utf-8", "surrogatepass").isprintable()


def fold_text(text: str) -> str:
    """A text for comparing: case, quotes, dashes and spaces folded."""
    return _fold_name(text) if len(text) <= _SHORT else _fold(text)


def _fold(text: str) -> str:
    if not text.isascii() or "`" in text:  # the only folded sign of ASCII
        for sign in _QUOTES.keys() & {*beyond_ascii(text), "`"}:
            text = text.replace(sign, _QUOTES[sign])
    return " ".join(text.casefold().split())


_fold_name = lru_cache(maxsize=512)(_fold)
"""Titles and names are compared with each other again and again."""


def cut_at_word(text: str, limit: int) -> str:
    """At most ``limit`` characters, cut between words where the text has spaces."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    if not text[limit].isspace() and " " in head[limit // 2 :]:
        head = head.rsplit(" ", 1)[0]
    return head.rstrip(" ,;:-\u2013\u2014")
