"""Forms of a word: what is left of it without its endings, by the language of the page.

A page has the forms of its words behind the words themselves, each with the language in it:
``·en·swift``. No word has such a sign in it, so that nothing else finds them; and a search for
``swifts`` finds an English page by its English form and a German page by its German one.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from Stemmer import Stemmer

MARK = "·"
_SHORTEST = 3
_ALGORITHMS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
_RUSSIAN_VOWELS = frozenset("аеиоуыэюя")
_stemmers = threading.local()
"""One for each language and thread: they must not be shared."""


def forms_of(words: Iterable[str], language: str) -> list[str]:
    """The forms of some words, each once; none where the language is not known.

    Args:
        words: in lower case and without accents, as ``words`` cuts them.
        language: its code; what is behind the first two letters is ignored.
    """
    code = language[:2].lower()
    if code not in _ALGORITHMS:
        return []
    wanted = [_spell(word, code) for word in dict.fromkeys(words) if _has_forms(word)]
    found = dict.fromkeys(_stemmer(code).stemWords(wanted))
    return [f"{MARK}{code}{MARK}{stem}" for stem in found if stem]


def _has_forms(word: str) -> bool:
    return len(word) >= _SHORTEST and (word.isalpha() or not word.isascii())


def _spell(word: str, code: str) -> str:
    """The word as the algorithm expects it: without its breve a Russian й is an и."""
    if code == "ru" and word[-1] == "и" and word[-2] in _RUSSIAN_VOWELS:
        return f"{word[:-1]}й"
    return word


def _stemmer(code: str) -> Stemmer:
    found: Stemmer | None = getattr(_stemmers, code, None)
    if found is None:
        from Stemmer import Stemmer  # lists need none

        found = Stemmer(_ALGORITHMS[code])
        setattr(_stemmers, code, found)
    return found
