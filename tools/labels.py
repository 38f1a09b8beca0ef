"""Which blocks of a page are its content, from what a person marked."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import LCSseq

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tools.corpus import LabelledPage

_WORD = re.compile(r"\w+")
UNKNOWN = -1.0


def words_of(text: str) -> list[str]:
    """Words as the score counts them."""
    return _WORD.findall(text.lower())


def label_blocks(page: LabelledPage, texts: list[str]) -> NDArray[np.float32]:
    """The share of each block that is content, or UNKNOWN."""
    if page.truth is not None:
        return _align(texts, page.truth)
    if not page.unwanted:
        return _locate_words(texts, page)
    return _locate(texts, page)


def _align(texts: list[str], truth: str) -> NDArray[np.float32]:
    """The share of each block's words in the longest common subsequence with the truth."""
    block_words = [words_of(text) for text in texts]
    numbers: dict[str, int] = {}
    flat = [numbers.setdefault(word, len(numbers)) for words in block_words for word in words]
    wanted = [numbers.setdefault(word, len(numbers)) for word in words_of(truth)]
    common = np.zeros(len(flat), np.float32)
    for step in LCSseq.opcodes(flat, wanted):
        if step.tag == "equal":
            common[step.src_start : step.src_end] = 1
    ends = np.cumsum([0, *map(len, block_words)])
    return np.array(
        [common[low:high].mean() if high > low else 0 for low, high in pairwise(ends)],
        np.float32,
    )


def _locate(texts: list[str], page: LabelledPage) -> NDArray[np.float32]:
    """1 where a wanted string stands, 0 where an unwanted one does, UNKNOWN elsewhere."""
    labels = np.full(len(texts), UNKNOWN, np.float32)
    joined = " ".join(texts)
    ends = np.cumsum([0, *(len(text) + 1 for text in texts)])
    for strings, value in ((page.unwanted, 0.0), (page.wanted, 1.0)):
        for string in strings:
            needle = " ".join(string.split())
            at = joined.find(needle)
            while needle and at >= 0:
                first = np.searchsorted(ends, at, "right") - 1
                last = np.searchsorted(ends, at + len(needle) - 1, "right") - 1
                labels[first : last + 1] = value
                at = joined.find(needle, at + 1)
    return labels


def _locate_words(texts: list[str], page: LabelledPage) -> NDArray[np.float32]:
    """1 where the words of a wanted string stand, UNKNOWN elsewhere."""
    labels = np.full(len(texts), UNKNOWN, np.float32)
    block_words = [words_of(text) for text in texts]
    flat = [word for words in block_words for word in words]
    joined = f" {' '.join(flat)} "
    starts = np.cumsum([1, *(len(word) + 1 for word in flat)])
    ends = np.cumsum([0, *map(len, block_words)])
    for string in page.wanted:
        needle = f" {' '.join(words_of(string))} "
        at = joined.find(needle) if len(needle) > 3 else -1
        while at >= 0:
            low, high = np.searchsorted(starts, (at + 1, at + len(needle) - 1))
            first, last = np.searchsorted(ends, (low, high - 1), "right") - 1
            labels[first : last + 1] = 1
            at = joined.find(needle, at + 1)
    return labels
