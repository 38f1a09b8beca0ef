"""Detect East Asian encodings, even in damaged text.

A wrong codec still decodes, but into characters nobody writes: so the share of everyday characters
tells the right one. Damage costs a few characters, never the answer.
"""

from __future__ import annotations

import re
from functools import lru_cache

CJK = ("gbk", "big5", "shift_jis", "euc-jp", "euc-kr")

# The few dozen characters that make up a fifth or more of any running text.
_CHINESE = (
    "一是不了在有人我他中大上到子和你地出道也年得就那要下以生自去之家可她小心多天而能好都然日成事只作"
    "想看文手十用主行方又如前所本面公同三已老"
)
_KANA = "のにをはたがでてとしれさいるなもこらかりっくまけうあんきよそだめどおばち"
_FREQUENT = {
    "gbk": _CHINESE + "的这来国个说们为时会着过学对里后么没于起还发当无开见经头从动两长",
    "big5": _CHINESE + "的這來國個說們為時會著過學對裡後麼沒於起還發當無開見經頭從動兩長",
    "shift_jis": _KANA,
    "euc-jp": _KANA,
    "euc-kr": (
        "이다의는에을가하고지은를한로사기도서어인대자리수나시스만해정과일라그게여오아장보전부것들공동제원상"
    ),
}
_ORDINARY = "".join(
    map(chr, [*range(0x3000, 0x3100), *range(0xFF00, 0xFF61), *range(0xAC00, 0xD7A4), 0xB7, 0x2026])
)
_WITHOUT_ASCII = dict.fromkeys(range(128))

# Encodings whose characters are two high bytes: one lost byte shifts all that follow in the run.
_PAIRED = {"gbk": "gbk", "gb18030": "gbk", "euc-jp": "euc-jp", "euc-kr": "euc-kr"}
_RUN = re.compile(rb"[\x80-\xff]+")
_ESCAPED_RUN = re.compile(rb"(\x1b\$[B@])([^\x1b]*)")
_LOST = re.compile(rb"([\x80\xa0\xff]+)")

_LEAST_COMMON = 0.75
_HOPELESS = 0.4
_LEAST_FREQUENT = 0.1
_LEAST_LETTERS = 8


def find_cjk(data: bytes) -> str:
    """The East Asian encoding of some bytes; empty when they are something else or too few."""
    scores = {codec: _score(data, codec) for codec in CJK}
    best = max(scores, key=lambda codec: scores[codec])
    return best if scores[best] > 0 else ""


def _score(data: bytes, codec: str) -> float:
    common, frequent = _shares(data.decode(f"whatwg-{codec}", "replace"), codec)
    if _HOPELESS < common < _LEAST_COMMON:
        common, frequent = _shares(decode_cjk(data, codec), codec)
    if common < _LEAST_COMMON or frequent < _LEAST_FREQUENT:
        return 0.0
    return common + 2 * frequent


def _shares(text: str, codec: str) -> tuple[float, float]:
    """How much of a text is everyday characters, and how much the most frequent ones."""
    letters = text.translate(_WITHOUT_ASCII)
    if len(letters) < _LEAST_LETTERS:
        return 0.0, 0.0
    common = sum(map(_common(codec).__contains__, letters))
    frequent = sum(map(_frequent(codec).__contains__, letters))
    return common / len(letters), frequent / len(letters)


@lru_cache(maxsize=5)
def _frequent(codec: str) -> frozenset[str]:
    return frozenset(_FREQUENT[codec])


@lru_cache(maxsize=5)
def _common(codec: str) -> frozenset[str]:
    """The first plane of each national standard: the characters put there for being common."""
    first, last = {"gbk": (0xB0, 0xD7), "big5": (0xA4, 0xC6)}.get(codec, (0xB0, 0xCF))
    table = {"gbk": "gb2312", "big5": "big5", "euc-kr": "euc-kr"}.get(codec, "euc-jp")
    pairs = (bytes((a, b)) for a in range(first, last + 1) for b in range(0x40, 0xFF))
    letters = "".join(pair.decode(table, "ignore") for pair in pairs)
    return frozenset(letters.translate(_WITHOUT_ASCII) + ("，。" if codec == "gbk" else _ORDINARY))


def decode_cjk(body: bytes, charset: str) -> str:
    """Decode, and find back into step after a lost byte instead of turning the rest into noise."""
    text = body.decode(f"whatwg-{charset}", "replace")
    if "\ufffd" not in text:
        return text
    if charset == "iso-2022-jp":
        return _ESCAPED_RUN.sub(_mend_escaped, body).decode("whatwg-iso-2022-jp", "replace")
    if charset not in _PAIRED:
        return text
    codec = _PAIRED[charset]
    return _RUN.sub(lambda run: _mend_run(run[0], codec), body).decode("utf-8", "replace")


def _mend_escaped(match: re.Match[bytes]) -> bytes:
    """Pairs count from the escape sequence; one with a damaged byte becomes the geta mark."""
    run = match[2]
    pairs = (run[place : place + 2] for place in range(0, len(run), 2))
    return match[1] + b"".join(pair if pair.isascii() else b'".' for pair in pairs)


def _mend_run(run: bytes, codec: str) -> bytes:
    return "".join(_read_part(part, codec) for part in _LOST.split(run)).encode()


def _read_part(part: bytes, codec: str) -> str:
    """Read in step or out of step, whichever gives the commoner characters."""
    if not part or _LOST.match(part):
        return "\ufffd" if part else ""
    in_step, out_of_step = part[: len(part) // 2 * 2], part[1 : (len(part) - 1) // 2 * 2 + 1]
    first = in_step.decode(f"whatwg-{codec}", "replace")
    second = out_of_step.decode(f"whatwg-{codec}", "replace")
    return max(first, second, key=lambda text: _count_common(text, codec))


def _count_common(text: str, codec: str) -> int:
    frequent = sum(map(_frequent(codec).__contains__, text))
    return sum(map(_common(codec).__contains__, text)) + 2 * frequent
