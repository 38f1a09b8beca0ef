"""Detect the encoding and decode: byte order mark, UTF-8, declared label, statistics.

The order is the specification's. A label is believed unless the bytes speak clearly against it,
and a label of the ``iso-8859-1`` kind is hardly evidence at all: it is what servers say by default.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from typing import NamedTuple

from turbohtml.detect import Detection, detect_all

from pageloom.core.decode.cjk import CJK, decode_cjk, find_cjk
from pageloom.core.decode.labels import UNKNOWN, Labels, read_labels
from pageloom.core.decode.mojibake import decode_mixed, looks_hungarian, undo_double_encoding


class Decoded(NamedTuple):
    """The text, the encoding that gave it, and what is worth telling about the choice."""

    text: str
    charset: str
    notes: tuple[str, ...] = ()


_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)

# Encodings that differ only in characters too rare for statistics: between them the label decides.
_FAMILIES = (
    ("gbk", "gb18030"),
    ("koi8-r", "koi8-u"),
    ("windows-1252", "iso-8859-15"),
    ("windows-1253", "iso-8859-7"),
    ("windows-1255", "iso-8859-8", "iso-8859-8-i"),
    ("windows-1257", "iso-8859-13"),
)
_FAMILY = {name: family[0] for family in _FAMILIES for name in family}

_DEFAULT = "windows-1252"
_UNUSABLE = frozenset({"", "utf-8", "utf-16"})
# Supersets that give the same text or a better one.
_WIDER = {"koi8-r": "koi8-u", "gbk": "gb18030"}

_CONTROLS = bytes([*range(9), *range(0x0E, 0x20), 0x7F])
_HIGH_BYTES = bytes(range(128, 256))
_ASCII_BYTES = bytes(range(128))
_LOW_SIBILANTS = re.compile(rb"[\x8a\x8c-\x8f\x9a\x9c-\x9f]")
_HIGH_SIBILANTS = re.compile(rb"[\xb1\xb6\xb9\xbb\xbc\xbe\xa6\xa9\xab\xac\xae]")
_TAG = re.compile(rb"<[^<>]*>")
_TWICE_ENCODED = re.compile(rb"\xc3[\x82-\xb0][\xc2\xc5\xc6\xcb\xe2]")
"""How every piece that was encoded twice begins; in bytes it is found, or not, at once."""

_HEAD = 4_096
_SAMPLE = 65_536
_PIECE = 100
_PIECES = 40
_MANY_LINES = 100_000
_FEW = 6
_FEW_PLACES = 100
"""Fewer bytes outside ASCII than this are no evidence against a label."""


def decode_bytes(body: bytes, *, header: str = "", top_level: str = "") -> Decoded:
    """The text of a body; any bytes give some text.

    Args:
        body: the bytes as they came.
        header: the ``Content-Type`` header, with its ``charset`` if it has one.
        top_level: the last label of the host name, such as ``jp``.
    """
    for mark, charset in _MARKS:
        if body.startswith(mark):
            return _decode_marked(body[len(mark) :], charset)
    wide = find_wide(body)
    if wide:
        return Decoded(body.decode(wide, "replace"), wide, (f"charset guessed: {wide}",))
    escaped = _decode_escaped(body, header)
    if escaped is not None:
        return escaped
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_damaged(body) or _decode_legacy(body, read_labels(body, header, top_level))
    return mend_text(text, body)


def _decode_marked(rest: bytes, charset: str) -> Decoded:
    if charset != "utf-8":
        return Decoded(rest.decode(charset, "replace"), charset)
    return _decode_damaged(rest) or Decoded(rest.decode(charset, "replace"), charset)


def _decode_escaped(body: bytes, header: str) -> Decoded | None:
    """A text in ASCII with signs where other alphabets begin and end; None if it is not."""
    if b"\x1b" in body:  # one byte is looked for many times faster than several
        if b"\x1b$B" in body or b"\x1b$@" in body:
            return Decoded(decode_cjk(body, "iso-2022-jp"), "iso-2022-jp")
        if b"\x1b$)C" in body:
            return Decoded(body.decode("iso2022_kr", "replace"), "iso-2022-kr")
    # A tilde and a brace may stand in any page.
    if _has_tilde_brace(body) and read_labels(body, header, "").declared == "hz":
        return Decoded(body.decode("hz", "replace"), "hz")
    return None


def _has_tilde_brace(body: bytes) -> bool:
    """Whether ``~{`` is in a body: by the tilde alone, as long as there are few."""
    at = body.find(b"~")
    for _ in range(_FEW_PLACES):
        if at < 0 or body.startswith(b"{", at + 1):
            break
        at = body.find(b"~", at + 1)
    return at >= 0 and body.find(b"~{", at) >= 0


def find_wide(body: bytes) -> str:
    """UTF-16 without a mark: every second byte of a tag or a space is zero."""
    if b"\0" not in body[:_HEAD]:
        return ""
    head = body[:_HEAD]
    even, odd = head[::2].count(0), head[1::2].count(0)
    least = max(len(head) // 16, 4)
    if odd >= least and odd > 10 * even and _is_written(head[::2], head[1::2]):
        return "utf-16-le"
    if even >= least and even > 10 * odd and _is_written(head[1::2], head[::2]):
        return "utf-16-be"
    return ""


def _is_written(low: bytes, high: bytes) -> bool:
    """Whether the bytes beside the zeros are letters and signs, as in text, not control codes."""
    beside = bytes(one for one, other in zip(low, high, strict=False) if not other)
    controls = len(beside) - len(beside.translate(None, _CONTROLS))
    return controls * 10 <= len(beside)


def mend_text(text: str, packed: bytes) -> Decoded:
    """A text without what had been encoded twice before it was decoded.

    Args:
        text: the text.
        packed: the same in UTF-8.
    """
    if not _may_be_twice_encoded(packed):
        return Decoded(text, "utf-8")
    mended = undo_double_encoding(text)
    if mended is text:
        return Decoded(text, "utf-8")
    return Decoded(mended, "utf-8", ("double-encoded text (mojibake) was repaired",))


def _may_be_twice_encoded(packed: bytes) -> bool:
    """A byte is found, or not, in no time; where it comes often, a pattern is faster."""
    at = packed.find(b"\xc3")
    for _ in range(_FEW_PLACES):
        if at < 0:
            return False
        if _TWICE_ENCODED.match(packed, at):
            return True
        at = packed.find(b"\xc3", at + 1)
    return at >= 0 and _TWICE_ENCODED.search(packed, at) is not None


def _decode_damaged(body: bytes) -> Decoded | None:
    """UTF-8 with a cut tail, a few bad bytes or pieces in another encoding; None if it is not."""
    text = body.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    if not damaged:
        return Decoded(text, "utf-8")
    sound = len(text) - len(body.translate(None, _HIGH_BYTES)) - damaged
    if damaged == 1 and text.endswith("\ufffd") and sound:
        return Decoded(text[:-1], "utf-8", ("the text ends in the middle of a character",))
    if sound >= damaged:
        return _decode_mixed(body)
    return _decode_by_lines(body) if sound > _FEW else None


def _decode_mixed(body: bytes) -> Decoded:
    text, charset = decode_mixed(body, _detect)
    left = text.count("\ufffd")
    notes = (f"mixed encodings: utf-8 with parts in {charset}",) if charset else ()
    if left:
        notes += (f"{left} byte sequences could not be decoded",)
    return Decoded(text, "utf-8", notes)


def _decode_by_lines(body: bytes) -> Decoded | None:
    """A page put together from whole parts in UTF-8 and whole parts in something older."""
    if body.count(b"\n") > _MANY_LINES:
        return None
    lines = body.splitlines(keepends=True)
    texts = [_as_utf8(line) for line in lines]
    sound = "".join(texts).encode().translate(None, _ASCII_BYTES)
    if len(sound) <= 2 * _FEW:
        return None
    charset = _detect(b"".join(line for line, text in zip(lines, texts, strict=True) if not text))
    codec = f"whatwg-{charset}"
    whole = "".join(text or line.decode(codec) for line, text in zip(lines, texts, strict=True))
    return Decoded(whole, "utf-8", (f"mixed encodings: utf-8 with parts in {charset}",))


def _as_utf8(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return ""


_UNDETECTED = {"x-mac-cyrillic": "mac-cyrillic", "macintosh": "mac-roman"}
"""Encodings that browsers know but no detector looks for, with Python's names for them."""
_LETTERS = 0.9
"""The share of letters among what is not ASCII in a text that is decoded rightly."""
_ALPHABETS = ("windows-125", "windows-874", "iso-8859-", "koi8-", "ibm866")
_SHORT = 120
"""Bytes outside ASCII: of fewer, statistics know less than a label does."""


def _as_declared(body: bytes, declared: str) -> Decoded | None:
    """The text in the encoding that the label tells, where nothing else can, if it is text then."""
    codec = _UNDETECTED.get(declared, declared if declared.startswith(UNKNOWN) else "")
    if not codec and _is_alphabet(declared):
        high = len(body) - len(body.translate(None, _HIGH_BYTES))
        codec = f"whatwg-{declared}" if high < _SHORT else ""
    if not codec:
        return None
    try:
        text = body.decode(codec)
    except (UnicodeDecodeError, LookupError):
        return None
    is_text = _is_in_words if codec.startswith("whatwg-") else _is_in_letters
    return Decoded(text, declared) if is_text(text[:_SAMPLE]) else None


def _is_alphabet(charset: str) -> bool:
    return charset.startswith(_ALPHABETS) and charset != _DEFAULT


def _is_in_letters(text: str) -> bool:
    """Whether what is not ASCII is letters."""
    odd = [char for char in text if ord(char) > 127]
    return bool(odd) and sum(map(str.isalpha, odd)) >= _LETTERS * len(odd)


def _is_in_words(text: str) -> bool:
    """Whether what is not ASCII is words: no Latin letter among others, no capital after small."""
    odd = sum(ord(char) > 127 for char in text)
    mixed = sum(
        (one.isascii() != two.isascii() and one.isalpha() and two.isalpha())
        or (one.islower() and two.isupper() and not two.isascii())
        for one, two in pairwise(text)
    )
    return mixed * 10 <= odd and _is_in_letters(text)


def _decode_legacy(body: bytes, labels: Labels) -> Decoded:
    declared = _as_declared(body, labels.declared)
    if declared is not None:
        return declared
    charset = _choose(body, labels)
    text = decode_cjk(body, charset)
    if not labels.declared:
        return Decoded(text, charset, (f"charset guessed: {charset}",))
    if _family(labels.declared) != _family(charset):
        return Decoded(text, charset, (f"declared {labels.declared}, decoded as {charset}",))
    return Decoded(text, charset)


def _family(charset: str) -> str:
    return _FAMILY.get(charset, charset)


def _choose(body: bytes, labels: Labels) -> str:
    """The declared label, unless the bytes themselves say clearly that it is another."""
    declared = labels.declared
    text = _TAG.sub(b" ", body[:_SAMPLE])
    high = len(text) - len(text.translate(None, _HIGH_BYTES))
    if not high:  # all of it is further down
        text = body.translate(None, _ASCII_BYTES)[:_SAMPLE]
        high = len(text)
    scores = _weigh(text, labels.country)
    best = _best(scores)
    if declared in _UNUSABLE or (declared == _DEFAULT and high >= _FEW):
        return _WIDER.get(best, best)
    if best in CJK and _is_alphabet(declared) and _is_in_words(text.decode(f"whatwg-{declared}")):
        return declared  # pairs of Russian letters may be Chinese characters, too
    told = scores.get(_family(declared), 0.0)
    if high < _FEW or _family(declared) == best or told >= scores[best] / 2:
        return _WIDER.get(declared, declared)
    return _WIDER.get(best, best)


def _detect(data: bytes) -> str:
    best = _best(_weigh(data, ""))
    return _WIDER.get(best, best)


def _best(scores: dict[str, float]) -> str:
    return max(scores, key=lambda name: (scores[name], name), default=_DEFAULT)


def _weigh(text: bytes, country: str) -> dict[str, float]:
    """How well each encoding explains a text, judged piece by piece.

    In pieces, because one damaged byte makes the detector drop the right answer for all of it.
    """
    pieces = _cut(text)
    eastern = find_cjk(b" ".join(pieces))
    if eastern:
        return {eastern: 1.0}
    options = Detection(tld=country) if country else Detection()
    central = _name_central(text)
    western = central if looks_hungarian(text) else _DEFAULT
    names = {_DEFAULT: western, "windows-1250": central, "iso-8859-2": central}
    scores: dict[str, float] = defaultdict(float)
    for piece in pieces:
        weight = len(piece) - len(piece.translate(None, _HIGH_BYTES))
        for match in detect_all(piece, options):
            name = _family((match.encoding or "").lower())
            if match.confidence:
                scores[names.get(name, name)] += weight * match.confidence
    return scores


def _name_central(text: bytes) -> str:
    """Which of the two Central European encodings: they differ in where š, ś, ž, ź and ť are."""
    low, high = len(_LOW_SIBILANTS.findall(text)), len(_HIGH_SIBILANTS.findall(text))
    return "iso-8859-2" if 4 * low < high else "windows-1250"


def _cut(text: bytes) -> list[bytes]:
    """The first pieces that have something to judge, cut at white space: no character is cut."""
    pieces: list[bytes] = []
    current: list[bytes] = []
    size = 0
    for word in text.split():
        current.append(word)
        size += len(word) + 1
        if size >= _PIECE:
            pieces.append(b" ".join(current))
            current, size = [], 0
            if pieces[-1].isascii():
                pieces.pop()
            if len(pieces) == _PIECES:
                return pieces
    return [*pieces, b" ".join(current)]
