"""Words and sentences in any script.

Where words are written apart, a word is what stands between spaces and is not a lone mark. Scripts
written without spaces are counted by the usual length of their words: Chinese characters 1.5, kana
2, Thai and Lao 4, Khmer and Burmese 5 letters to a word; each run counts for one at least.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from pageloom.core.non_ascii import passage_utf8

_WORDS_PER_MINUTE: Final = 200

_MARKS: Final = frozenset(
    [
        "-",
        "--",
        "–",
        "—",
        "|",
        "||",
        "·",
        "•",
        "*",
        "**",
        "/",
        "//",
        "\\",
        "&",
        "+",
        "=",
        "==",
        "<",
        ">",
        ">>",
        "<<",
        "«",
        "»",
        "‹",
        "›",
        "→",
        "←",
        "↑",
        "↓",
        "~",
        "...",
        "…",
        ".",
        ",",
        ":",
        ";",
        "!",
        "?",
        "#",
        "##",
        "###",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        '"',
        "'",
        "“",
        "”",
        "@",
        "^",
        "_",
        "©",
        "®",
        "™",
        "●",
        "○",
        "■",
        "□",
        "◆",
        "★",
        "☆",
        "✓",
        "×",
        "¶",
        "§",
        "°",
        "`",
        "---",
        "$",
    ]
)

_MARKS_UTF8: Final = frozenset(mark.encode() for mark in _MARKS)
_SPACES: Final = b" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"
_WIDE_SPACE: Final = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_OUTLINE: Final = bytes(
    ord(" ") if code in _SPACES else code if code in b"".join(_MARKS_UTF8) else ord("x")
    for code in range(256)
)
"""White space as spaces, the bytes of marks as they are, and an x for any other."""

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff々〆"
_KANA: Final = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9d"
_THAI_LAO: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"
_KHMER_BURMESE: Final = "\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u17dc-\u17dd"
_LENGTHS = (1.5, 2.0, 4.0, 5.0)
_LETTER: Final = re.compile(r"\w")

# What it is not is a shorter list, and much sooner compiled.
_SOME_UNSPACED: Final = re.compile("[^\x00-\u0e00\u0ee0-\u0fff\u17de-\u3000]")

_STOPS: Final = ".!?…‽"
_FULL_STOPS: Final = "\n。！？｡．।॥؟۔։።፧។།။᙮"
"""These end a sentence wherever they stand; a stop of the other kind needs white space after it."""
_CLOSERS: Final = "\"'”’»›)]」』）】"
_OTHER_STOPS: Final = (_STOPS + _FULL_STOPS).translate(dict.fromkeys(map(ord, ".!?\n")))
_FURTHER: Final = frozenset(_STOPS + _FULL_STOPS + _CLOSERS)
"""What belongs to the stop before it."""
_FULL: Final = frozenset(_FULL_STOPS)
_LAST_WORD: Final = re.compile(r"[^\s(\[\"'“‘«]+$")
_ABBREVIATIONS: Final = frozenset(
    "mr mrs ms mx dr prof sr jr st rev gen gov sen rep hon capt lt col sgt maj vs etc eg ie e.g "
    "i.e cf al inc ltd co corp bros dept est approx no nos vol pp p fig figs eq ch sec ed eds "
    "trans repr jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur "
    "thurs fri sat sun u.s u.k u.n a.m p.m ph.d b.a m.a d.c z.b d.h u.a bzw usw ca nr str abs "
    "bspw evtl ggf inkl zzgl vgl hr fr dipl ing mme mlle mm av boul bd env ex p.ex art réf ud "
    "uds sra srta dra dña lic pág núm aprox p.ej sig dott ecc pag prot гг г стр рис им тыс млн "
    "млрд руб ул т.е т.к т.д т.п др ".split()
)
_LONGEST_ABBREVIATION: Final = max(map(len, _ABBREVIATIONS))
_LOOK_BACK: Final = 24


def count_words(text: str) -> int:
    """How many words a text has, in any mixture of scripts."""
    encoded, rest = passage_utf8(text)
    if not _SOME_UNSPACED.search(rest):
        return _count_spaced(encoded, rest)
    unspaced, kinds = _unspaced()
    tokens = unspaced.sub(" ", text).split()
    spaced = sum(1 for token in tokens if token[0].isalpha() or _LETTER.search(token))
    return spaced + sum(map(_estimate, kinds.findall(" ".join(unspaced.findall(text)))))


@cache
def _unspaced() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Runs of the scripts without spaces, of any and of each; compiled for the first page of them.

    One class of characters is found fast; a choice between four is not.
    """
    any_of_them = re.compile(f"[{_HAN}{_KANA}{_THAI_LAO}{_KHMER_BURMESE}]+")
    return any_of_them, re.compile(
        f"([{_HAN}]+)|([{_KANA}]+)|([{_THAI_LAO}]+)|([{_KHMER_BURMESE}]+)"
    )


def _count_spaced(encoded: bytes, rest: str) -> int:
    """The words between white space, without lone marks; ``rest`` are the letters beyond ASCII.

    They are counted where they begin, which spares the making of a text for each.
    """
    import numpy as np  # only counting needs it, and not all who split sentences count

    for space in set(_WIDE_SPACE.findall(rest)):
        encoded = encoded.replace(space.encode(), b" ")
    outlines = b" %b " % encoded.translate(_OUTLINE)
    codes = np.frombuffer(outlines, np.uint8)
    blank = codes == ord(" ")
    begins = blank[:-1] > blank[1:]
    may_be_marks = np.flatnonzero(begins & (codes[1:] != ord("x"))) + 1
    tokens = [outlines[start : outlines.index(b" ", start)] for start in may_be_marks.tolist()]
    return int(np.count_nonzero(begins)) - sum(map(_MARKS_UTF8.__contains__, tokens))


def _estimate(run: tuple[str, str, str, str]) -> int:
    for piece, length in zip(run, _LENGTHS, strict=True):
        if piece:
            return max(int(len(piece) / length + 0.5), 1)
    return 0


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, in order and without the space around them.

    A line break ends a sentence. A full stop does not after an abbreviation, an initial, an
    ordinal or inside a number, nor when the next word is in lower case.
    """
    sentences: list[str] = []
    outline, size = _with_dots(text), len(text)
    start, place = 0, outline.find(".")
    while place >= 0:
        end = place + 1
        while end < size and text[end] in _FURTHER:
            end += 1
        if end == size or text[place] == "\n" or _is_end(text, start, place, end):
            sentences.append(text[start:end].strip())
            start = end
        place = outline.find(".", end)
    sentences.append(text[start:].strip())
    return [each for each in sentences if each and (each[0].isalnum() or _LETTER.search(each))]


def _with_dots(text: str) -> str:
    """The text with a dot for each stop: to look for one sign is many times faster than for any."""
    beyond_ascii = passage_utf8(text)[1]
    for sign in "!?\n":
        text = text.replace(sign, ".")
    for sign in _OTHER_STOPS:
        if sign in beyond_ascii:
            text = text.replace(sign, ".")
    return text


def _is_end(text: str, start: int, place: int, end: int) -> bool:
    """Whether the marks from ``place`` to ``end`` end the sentence that begins at ``start``."""
    mark = text[place]
    if mark in _FULL or (end - place > 1 and not _FULL.isdisjoint(text[place:end])):
        return True
    if not text[end].isspace():
        return False
    if mark not in ".…":
        return True
    ahead = text[end + 1 : end + 2]
    if not ahead.isalnum() or text[end] != " ":
        ahead = text[end : end + _LOOK_BACK].lstrip(" \t\xa0\"'“‘«(")
        if not ahead or ahead[0] == "\n":
            return True
    if ahead[0].islower():
        return False
    is_dot = mark == "." and end - place == 1
    return not (is_dot and _is_short_form(text[max(start, place - _LOOK_BACK) : place], ahead))


def _is_short_form(text: str, ahead: str) -> bool:
    """Whether the stop after a text belongs to an abbreviation, an initial or an ordinal."""
    word = text[text.rfind(" ") + 1 :]
    if not word.isalpha():  # then something else may divide it
        last = _LAST_WORD.search(word)
        word = last[0] if last else ""
    if len(word) > _LONGEST_ABBREVIATION:
        return False
    word = word.lower()
    is_initial = len(word) == 1 and word.isalpha()
    is_ordinal = len(word) <= 2 and word.isdigit() and ahead[0].isalpha()
    return is_initial or is_ordinal or word in _ABBREVIATIONS


def reading_minutes(words: int) -> int:
    """Minutes to read that many words: 200 a minute, rounded half up, at least one."""
    return max((words * 2 + _WORDS_PER_MINUTE) // (2 * _WORDS_PER_MINUTE), 1)


def is_printable(text: str) -> bool:
    """Whether the text holds, besides no-break spaces, only what is printed."""
    return text.isprintable() or ("\xa0" in text and text.replace("\xa0", " ").isprintable())


def single_spaced(text: str) -> str | None:
    """The text with each run of white space as one space; None where some of it is unusual.

    White space is what HTML takes for it. Most texts hold no other than spaces, tabs and ends of
    lines, and then this takes a third of the time of a regular expression.
    """
    plain = text.replace("\n", " ").replace("\t", " ").replace("\r", " ")
    if not is_printable(plain):  # as no white space is but the plain space, and the no-break one
        return None
    if "  " not in plain:
        return plain
    words = [word for word in plain.split(" ") if word] if "\xa0" in plain else plain.split()
    if not words:
        return " "
    before = " " if plain[0] == " " else ""
    after = " " if plain[-1] == " " else ""
    return f"{before}{' '.join(words)}{after}"
