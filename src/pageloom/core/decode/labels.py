"""Find the declared encoding: HTTP header, ``<meta>``, XML declaration, language."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import NamedTuple

from turbohtml.detect import detect

_SEARCHED = 65_536

_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_META = re.compile(rb"<meta\b[^>]{0,400}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"<\?xml\b[^>]{0,200}?encoding\s*=\s*[\"']\s*([\w.:-]{2,40})", re.IGNORECASE)
_LANGUAGE = re.compile(rb"<html\b[^>]{0,400}?lang\s*=\s*[\"']?([a-z]{2})\b", re.IGNORECASE)

# A language at home in one country tells the detector as much as the country's domain does.
_COUNTRIES = {
    "ar": "sa", "be": "by", "bg": "bg", "cs": "cz", "el": "gr", "et": "ee", "fa": "ir", "he": "il",
    "hr": "hr", "hu": "hu", "ja": "jp", "ko": "kr", "lt": "lt", "lv": "lv", "pl": "pl", "ro": "ro",
    "ru": "ru", "sk": "sk", "sl": "si", "sr": "rs", "th": "th", "tr": "tr", "uk": "ua", "vi": "vn",
}  # fmt: skip

# Names the standard does not know, as they are met in the wild.
_NICKNAMES = {
    "cp932": "shift_jis",
    "cp936": "gbk",
    "cp949": "euc-kr",
    "cp950": "big5",
    "ks_c_5601": "euc-kr",
    "sjis-win": "shift_jis",
}
UNKNOWN = ("cp", "mac-", "johab", "hp-roman8")
"""How Python's names begin for alphabets that browsers do not know, and pages declare."""
_SPELLING = re.compile(r"^(?:win|windows|ms)[-_ ]?(125\d)$|^(?:iso)?[-_ ]?8859[-_ ]?(\d{1,2})$")


class Labels(NamedTuple):
    """The declared encoding by its one name, and the country the page seems to come from."""

    declared: str = ""
    country: str = ""


def read_labels(body: bytes, header: str, top_level: str) -> Labels:
    """What the header and the page itself declare; the header first.

    Args:
        body: the bytes of the page.
        header: the ``Content-Type`` header.
        top_level: the last label of the host name, such as ``jp``.
    """
    head = body[:_SEARCHED]
    language = _LANGUAGE.search(head)
    country = _COUNTRIES.get(language[1].decode().lower(), "") if language else ""
    return Labels(_declared(head, header), country or top_level)


def _declared(head: bytes, header: str) -> str:
    claims = [match[1] for match in _HEADER.finditer(header)]
    for pattern in (_XML, _META):
        claims += [match[1].decode("ascii", "ignore") for match in pattern.finditer(head)][:3]
    known = [name for name in (name_of(claim) or codec_of(claim) for claim in claims) if name]
    # UTF-8 was refuted before anybody asks for labels; another label may be the true one.
    return next((name for name in known if name != "utf-8"), known[0] if known else "")


@lru_cache(maxsize=256)
def codec_of(label: str) -> str:
    """The name of an encoding that browsers do not know but Python does, such as IBM855."""
    bare = label.strip().lower().removeprefix("x-")
    try:
        found = codecs.lookup("mac-latin2" if bare == "mac-ce" else bare)
    except (LookupError, ValueError):
        return ""
    return found.name if found.name.startswith((*UNKNOWN, "koi8", "iso8859", "hz")) else ""


@lru_cache(maxsize=256)
def name_of(label: str) -> str:
    """The one name of an encoding as browsers hold it (``latin1`` is windows-1252); else empty."""
    label = label.strip().lower()
    spelt = _SPELLING.match(label)
    if spelt:
        label = f"windows-{spelt[1]}" if spelt[1] else f"iso-8859-{spelt[2]}"
    label = _NICKNAMES.get(label, label)
    if label.startswith(("utf-16", "utf16", "ucs-2", "unicode")):
        return "utf-16"
    # The detector believes a declaration, and answers with the standard's name for it.
    match = detect(b'<meta charset="%s">\xe4' % label.encode("ascii", "ignore"))
    name = (match.encoding or "").lower() if match.confidence == 1.0 else ""
    return "" if name == "replacement" else name  # what browsers refuse to decode
