"""Text as the words it is found by: the same in both databases, for we cut it ourselves.

Words are in lower case, without accents and the other marks that people leave out as they please:
vowel signs of Arabic, points of Hebrew; not the vowel signs of India and Thailand: letters
there. In scripts that write without spaces every character is a word of its own, and a search for
several of them is a search for them side by side.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from dataclasses import dataclass, replace
from itertools import pairwise

from pageloom.edges.store.word_forms import MARK, forms_of

OPTIONAL = (
    "\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"  # accents
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # points of Hebrew
    "\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670"  # of Arabic, and its stroke;
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff"
    "\u0711\u0730-\u074a"  # of Syriac; hamza and madda of Arabic make other letters, and stay
    "\u180b-\u180d\ufe00-\ufe0f\U000e0100-\U000e01ef"  # which of several looks a letter has
)
"""The marks without which a word is still the same, for a class of a regular expression."""
_MARKS = re.compile(f"[{OPTIONAL}]+")
_UNSPACED = re.compile(
    "[\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]"
)
LONGEST = 64
_MOST_BYTES = 600_000
"""What the different words of a page may take: PostgreSQL keeps a megabyte of them and of pairs."""


class _Cutter(dict[int, str]):
    """What becomes of each character; found out when it is first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kept = unicodedata.category(char)[0] in "LNM"
        made = f" {char} " if kept and _UNSPACED.match(char) else char if kept else " "
        self[code] = made
        return made


_CUT = _Cutter()


@dataclass(frozen=True, slots=True, kw_only=True)
class Findable:
    """What a page is found by: words between single spaces, a space at both ends."""

    title: str
    about: str
    body: str
    language: str = ""
    """Of the page: with it, the forms of its words are behind them."""


def fold(text: str) -> str:
    """The text in lower case, without the marks that may be left out."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", folded))
    return unicodedata.normalize("NFC", bare)


def has_marks(text: str) -> bool:
    """Whether some marks of the text may be left out."""
    return not text.isascii() and bool(_MARKS.search(text))


def cut_words(text: str) -> list[str]:
    """The words of a text, in order."""
    return [word[:LONGEST] for word in fold(text).translate(_CUT).split()]


def make_findable(title: str, about: str, body: str, language: str = "") -> Findable:
    """What a page with this title, these words about it and this text is found by."""
    seen: set[str] = set()
    room = _MOST_BYTES
    kept: list[str] = []
    for words in (cut_words(title), cut_words(about), cut_words(body)):
        fit, room = _fit(words, seen, room)
        kept.append(f" {' '.join(words[:fit])} ")
    return add_forms(Findable(title=kept[0], about=kept[1], body=kept[2], language=language))


def add_forms(findable: Findable) -> Findable:
    """The same with the forms of its words behind them, as far as there is room."""
    texts = (findable.title, findable.about, findable.body)
    words = [text.split() for text in texts]
    seen: set[str] = set()
    room = _MOST_BYTES
    for some in words:
        _, room = _fit(some, seen, room)
    made: list[str] = []
    for text, some in zip(texts, words, strict=True):
        forms = forms_of(some, findable.language)
        fit, room = _fit(forms, seen, room)
        made.append(_with_forms(text, forms[:fit]))
    return replace(findable, title=made[0], about=made[1], body=made[2])


def _with_forms(text: str, forms: list[str]) -> str:
    return f"{text}{' '.join(forms)} " if forms else text


def _fit(words: list[str], seen: set[str], room: int) -> tuple[int, int]:
    """How many of the words can be kept, and the room that is left."""
    for number, word in enumerate(words):
        if word not in seen:
            room -= len(word.encode()) * 2 + 24
            if room < 0:
                return number, 0
            seen.add(word)
    return len(words), room


def is_unspaced(word: str) -> bool:
    """Whether a word is a character of a script without spaces."""
    return len(word) == 1 and bool(_UNSPACED.match(word))


def join_words(*texts: str, language: str = "") -> str:
    """The words of some texts as they are kept: between single spaces, a space at both ends."""
    words = [word for text in texts for word in cut_words(text)]
    return _with_forms(f" {' '.join(words)} ", forms_of(words, language))


def without_forms(text: str) -> list[str]:
    """The words of what a page is found by, without the forms behind them."""
    return text.partition(f" {MARK}")[0].split()


def pair_of(first: str, second: str) -> str:
    """Two words side by side as one of 65,536 pairs; in capitals, as no word is."""
    return f"{zlib.crc32(f'{first} {second}'.encode()) & 0xFFFF:04X}"


def list_words(title: str, about: str, own: str, body: str) -> str:
    """The different words of what a page is found by, and their pairs, as PostgreSQL writes them.

    Those of the title are there once more behind ``t/``, and with those about the page behind
    ``a/``: that the index can answer by itself, while for weights every hit would have to be looked
    at. First letters are there as ``a*``: half of all words begin with one of a few.
    """
    given = (title, about, own, body)
    texts = [text.split() for text in given]
    places = (("t", texts[:1]), ("a", texts[:3]))
    marked = (f"{mark}/{word}" for mark, some in places for text in some for word in text)
    pairs = (pair_of(*pair) for text in given for pair in pairwise(without_forms(text)))
    plain = dict.fromkeys(word for text in texts for word in text)
    letters = (f"{word[0]}*" for word in plain if word[0] != MARK)
    return " ".join(f"'{word}'" for word in dict.fromkeys((*marked, *plain, *letters, *pairs)))
