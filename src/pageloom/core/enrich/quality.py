"""The quality score: points for what a complete result has."""

from __future__ import annotations

_TITLE_POINTS = 20
_LENGTH_POINTS = ((2_000, 40), (500, 25), (100, 10))
_MARK_POINTS = ((10, 20), (5, 12), (2, 6))
_WORD_POINTS = ((500, 10), (100, 5))
_SENTENCE_POINTS = ((10, 10), (3, 5))
_MARKS = "#*["
_MOST_MARKS = _MARK_POINTS[0][0]


def score_quality(*, has_title: bool, text: str, markdown: str, words: int, sentences: int) -> int:
    """0 to 100 points.

    Args:
        has_title: whether the title stood on the page.
        text: the main text; its length counts in characters.
        markdown: the Markdown; ``#``, ``*`` and ``[`` in it are marks of structure.
        words: words of the text, counted as its script demands.
        sentences: sentences of the text, likewise.
    """
    return (
        (_TITLE_POINTS if has_title else 0)
        + _points(len(text), _LENGTH_POINTS)
        + _points(_count_marks(markdown), _MARK_POINTS)
        + _points(words, _WORD_POINTS)
        + _points(sentences, _SENTENCE_POINTS)
    )


def _count_marks(markdown: str) -> int:
    """How many marks there are, as far as they earn points: soon found, and slowly counted."""
    found = 0
    for mark in _MARKS:
        place = markdown.find(mark)
        while place >= 0 and found <= _MOST_MARKS:
            found += 1
            place = markdown.find(mark, place + 1)
    return found


def _points(value: int, steps: tuple[tuple[int, int], ...]) -> int:
    return next((points for over, points in steps if value > over), 0)
