"""Repair mojibake: text that was decoded with the wrong encoding."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from collections.abc import Callable

# What the bytes 80 to BF of a UTF-8 character look like when they are read as windows-1252.
_TAIL = "\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
# It begins with one set of characters, because only then is the search for it fast.
_TWICE = lazy_regex(f"[Â-ð](?:(?<=[Â-ß])[{_TAIL}]|(?<=[à-ï])[{_TAIL}]{{2}}|(?<=ð)[{_TAIL}]{{3}})")
_ENOUGH = 2
_LONGEST = 2_000_000
"""Longer text is not looked through for it: the search is dear."""

_BAD_RUN = re.compile(r"[\udc80-\udcff](?:[ -~]{0,3}[\udc80-\udcff])*")
_PUNCTUATION = frozenset("‘’‚“”„–—…•€™©®°§«»·£¥¢±½¼¾²³\xa0")
_LONG_RUN = 8
_MANY_RUNS = 10_000
_WESTERN = {
    0xDC00 + byte: bytes((byte,)).decode("cp1252", "replace") for byte in range(0x80, 0x100)
}

_DOUBLE_ACUTE = re.compile(rb"[\xf5\xfb\xd5\xdb]")
_HUNGARIAN = re.compile(rb"(?<![\w\x80-\xff])(?:\xe9s|hogy|egy|nem|az|van)(?![\w\x80-\xff])")


def undo_double_encoding(text: str) -> str:
    """Turn ``cafÃ©`` back into ``café``; the same text when it is not certain.

    Certain means: it occurs more than once, every such piece is valid UTF-8, and the text has
    fewer sound accented letters than broken ones (a page *about* the subject has both).
    """
    # One character at a time: looking for two together takes ten times as long.
    if not ("Ã" in text or "Â" in text or ("â" in text and "\x80" in text) or _has_quotes(text)):
        return text
    if len(text) > _LONGEST:
        return text
    broken = _TWICE.findall(text)
    mended = {piece: _encode_back(piece) for piece in set(broken)}
    if len(broken) < _ENOUGH or not all(mended.values()):
        return text
    sound = len(re.findall("[À-ÖØ-öø-ž]", _TWICE.sub("", text)))
    if sound > len(broken):
        return text
    return _TWICE.sub(lambda match: mended[match[0]], text)


def _has_quotes(text: str) -> bool:
    return "€" in text and "â€" in text


def _encode_back(piece: str) -> str:
    try:
        return b"".join(_byte_of(character) for character in piece).decode("utf-8")
    except UnicodeError:
        return ""


def _byte_of(character: str) -> bytes:
    return character.encode("cp1252" if ord(character) > 0xFF else "latin-1")


def decode_mixed(body: bytes, detect: Callable[[bytes], str]) -> tuple[str, str]:
    """UTF-8 with pieces in another encoding: the text, and the name of the other one if any.

    Args:
        body: bytes that are UTF-8 for the most part.
        detect: gives the encoding of bytes that are not.
    """
    text = body.decode("utf-8", "surrogateescape")
    runs = _BAD_RUN.findall(text)
    if len(runs) > _MANY_RUNS:
        return text.translate(_WESTERN), "windows-1252"
    pieces = b" ".join(run.encode("utf-8", "surrogateescape") for run in runs)
    charset = "windows-1252"
    if any(len(run) >= _LONG_RUN for run in runs):
        charset = detect(pieces)
    used: list[str] = []

    def mend(match: re.Match[str]) -> str:
        mended = _read_run(match, charset)
        if "\ufffd" not in mended:
            used.append(charset)
        return mended

    return _BAD_RUN.sub(mend, text), used[0] if used else ""


def _read_run(match: re.Match[str], charset: str) -> str:
    """A run of bad bytes as text, or as replacement characters if it is mere damage."""
    run = match[0]
    text = run.encode("utf-8", "surrogateescape").decode(f"whatwg-{charset}", "replace")
    if len(run) >= _LONG_RUN:
        return text
    before = match.string[match.start() - 1 : match.start()]
    after = match.string[match.end() : match.end() + 1]
    if all(_is_plausible(character, before, after) for character in text):
        return text
    return re.sub("[\udc80-\udcff]+", "\ufffd", run)


def _is_plausible(character: str, before: str, after: str) -> bool:
    if character in _PUNCTUATION or character.isascii():
        return True
    among_letters = before.isascii() and after.isascii() and (before + after).strip() != ""
    return among_letters and character.isalpha() and (before.isalpha() or after.isalpha())


def looks_hungarian(text: bytes) -> bool:
    """Whether text that was taken for Western European has the Hungarian ő and ű, and its words."""
    return bool(_DOUBLE_ACUTE.search(text)) and len(_HUNGARIAN.findall(text)) > 1
