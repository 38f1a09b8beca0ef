"""How many years of school a text asks of its reader."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)
_VOWELS = bytes(code if chr(code) in "aeiouy" else ord(" ") for code in range(256))
_SILENT = re.compile(r"e\b(?<=[a-z][a-z][^aeiouyl\W]e)")
"""The silent e at the end of a longer word; looked for from its one letter, which is faster."""
_READ = 4_000
_FEWEST = 60
_UNSPACED = frozenset(("zh", "ja", "th", "lo", "km", "my"))


def reading_level(text: str, sentences: int, language: str) -> float | None:
    """The grade of a text: Flesch-Kincaid for English, by LIX for other languages.

    None for short texts, and for languages written without spaces.
    """
    if language in _UNSPACED or sentences < 3:
        return None
    sample = text[:_READ]
    words = _WORD.findall(sample)
    if len(words) < _FEWEST:
        return None
    per_sentence = len(words) / max(sentences * len(sample) / max(len(text), 1), 1.0)
    grade = (
        _flesch_kincaid(sample, len(words), per_sentence)
        if language == "en"
        else _lix_grade(words, per_sentence)
    )
    return round(min(max(grade, 0.0), 20.0), 1)


def _flesch_kincaid(text: str, words: int, per_sentence: float) -> float:
    folded = text.lower()
    groups = folded.encode("ascii", "replace").translate(_VOWELS).split()
    syllables = len(groups) - len(_SILENT.findall(folded))
    return 0.39 * per_sentence + 11.8 * syllables / words - 15.59


def _lix_grade(words: list[str], per_sentence: float) -> float:
    """LIX turned into a grade by a line: 20 is first grade, 56 is university."""
    long_words = sum(1 for word in words if len(word) > 6)
    lix = per_sentence + 100 * long_words / len(words)
    return (lix - 17) / 3
