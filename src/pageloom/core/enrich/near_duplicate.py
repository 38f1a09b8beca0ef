"""A 64-bit SimHash over three-word shingles: close texts have close signatures.

The hash of a word is CRC-32, mixed with fixed constants: the same on every machine, for ever.
"""

from __future__ import annotations

import re
import zlib
from functools import cache

import numpy as np

_UNSPACED = "\u3400-\u9fff\u3041-\u30ff\uac00-\ud7af\u0e01-\u0e4e"
_MAYBE_UNSPACED = re.compile("[^\x00-\u0e00\u0e4f-\u3040]")
_WORD = re.compile(r"\w+", re.UNICODE)
_MOST_WORDS = 5_000
_NEAR = 6
"""Bits in which two signatures of the same story differ at most."""


def near_duplicate_signature(text: str) -> str:
    """The signature as 16 hexadecimal digits; empty for a text without words."""
    pattern = _sign() if _MAYBE_UNSPACED.search(text) else _WORD
    words = pattern.findall(text.casefold())[:_MOST_WORDS]
    if not words:
        return ""
    known = {word: zlib.crc32(word.encode("utf-8", "replace")) for word in set(words)}
    codes = np.array([known[word] for word in words], dtype=np.uint64)
    shingles = _mix(_shingle(codes))
    bits = np.unpackbits(shingles.view(np.uint8).reshape(-1, 8), axis=1)
    votes = bits.sum(axis=0, dtype=np.int64) * 2 > len(shingles)
    return np.packbits(votes).tobytes().hex()


@cache
def _sign() -> re.Pattern[str]:
    """Where words are not divided, each sign counts as one."""
    return re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+", re.UNICODE)


def _shingle(codes: np.ndarray) -> np.ndarray:
    """One number for each run of three words; shorter texts are one run."""
    if len(codes) < 3:
        codes = np.concatenate([codes, np.zeros(3 - len(codes), dtype=np.uint64)])
    first, second, third = codes[:-2], codes[1:-1], codes[2:]
    return (
        first * np.uint64(0x9E3779B97F4A7C15)
        + second * np.uint64(0xC2B2AE3D27D4EB4F)
        + third * np.uint64(0x165667B19E3779F9)
    )


def _mix(values: np.ndarray) -> np.ndarray:
    """Spread every bit over all others (the finaliser of SplitMix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def signature_distance(one: str, other: str) -> int:
    """The number of bits in which two signatures differ: 0 for the same, about 32 for strangers."""
    if not one or not other:
        return 64
    return (int(one, 16) ^ int(other, 16)).bit_count()


def is_near_duplicate(one: str, other: str) -> bool:
    """Whether two texts are the same story, but for small edits."""
    return signature_distance(one, other) <= _NEAR
