"""A 64-bit SimHash over three-word shingles: close texts have close signatures.

The hash of a word is CRC-32, mixed with fixed constants: the same on every machine, for ever.
"""

from __future__ import annotations

import re
import zlib
from functools import cache

import numpy as np

from pageloom.core.non_ascii import passage_utf8

_READ = 30_000
_LONGEST = 64
"""Bytes of a word that is looked up; where there is a longer one, each is told by itself."""
_NOT_WORD = bytes(
    code if code > 127 or chr(code).isalnum() or code == ord("_") else ord(" ")
    for code in range(256)
)
# In bytes, and each from a fixed byte: that is searched for many times faster than a class of
# characters.
_QUOTES = re.compile(rb"\xe2[\x80-\xaf].")
"""Punctuation and signs from U+2000 to U+2BFF."""
_LATIN_SIGNS = re.compile(rb"\xc2.", re.DOTALL)
_UNSPACED = re.compile(rb"[\xe0\xe3-\xed]..", re.DOTALL)
"""The letters of South and East Asia: each counts as a word, for not all are divided by spaces."""
_SOME_UNSPACED = re.compile(rb"[\xe0\xe3-\xed]|\xe1\xb2\x88")
"""One of them, or the one letter that becomes one when it is folded."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_NEAR = 6
"""Bits in which two signatures of the same story differ at most."""


def near_duplicate_signature(text: str) -> str:
    """The signature as 16 hexadecimal digits; empty for a text without words."""
    spaced = _spaced(text[:_READ])
    signature = _signature(spaced)
    return "" if signature is None else signature.to_bytes(8, "little").hex()


def word_codes(text: str) -> np.ndarray:
    """A number for each word of a text, whatever its case and punctuation."""
    return _hash_words(_spaced(text))


def _signature(spaced: bytes) -> int | None:
    """The signature of the words between spaces."""
    codes = _hash_words(spaced)
    if not len(codes):
        return None
    shingles = mix(_shingle(codes))
    votes = _count_bits(shingles) > len(shingles) // 2
    return int.from_bytes(np.packbits(votes).tobytes(), "little")


def _count_bits(values: np.ndarray) -> np.ndarray:
    """How many of the numbers have each of the 64 bits set.

    A byte a bit, and eight of them added as one number: 255 rows at a time, so that none overflows.
    """
    rows = np.unpackbits(values.view(np.uint8)).view(np.uint64).reshape(-1, 8)
    sums = np.add.reduceat(rows, np.arange(0, len(rows), 255), axis=0)
    return sums.view(np.uint8).sum(axis=0, dtype=np.uint32)


def _hash_words(spaced: bytes) -> np.ndarray:
    """The CRC-32 of each word between spaces.

    That of a word is that of as many zeros, changed by each of its bytes in a way that depends on
    nothing but the bytes after it: so all bytes of all words are looked up at once.
    """
    codes = np.frombuffer(b" %b " % spaced, np.uint8)
    blank = codes == ord(" ")
    edges = np.flatnonzero(blank[:-1] != blank[1:])
    starts, ends = edges[::2], edges[1::2]
    lengths = ends - starts
    if not len(lengths) or lengths.max() > _LONGEST:
        words = spaced.split()
        return np.fromiter(map(zlib.crc32, words), np.uint64, len(words))
    steps = ends.copy()
    steps[1:] -= ends[:-1]
    steps[0] += 1
    read = int(ends[-1]) + 1
    places = (ends << 8).repeat(steps)
    places -= np.arange(0, read << 8, 256)
    places += codes[:read]
    of_zeros, changes = _crc_tables()
    changed = np.bitwise_xor.accumulate(changes.take(places, mode="clip"))
    return (of_zeros[lengths] ^ changed[starts] ^ changed[ends]).astype(np.uint64)


@cache
def _crc_tables() -> tuple[np.ndarray, np.ndarray]:
    """The CRC-32 of runs of zeros, and what a byte changes in it, by how many stand behind it."""
    of_zeros = np.array([zlib.crc32(bytes(length)) for length in range(_LONGEST + 1)], np.uint32)
    last = np.array([zlib.crc32(bytes([code])) for code in range(256)], np.uint32) ^ of_zeros[1]
    rows = [last]
    for _ in range(_LONGEST - 1):
        rows.append((rows[-1] >> np.uint32(8)) ^ last[(rows[-1] & np.uint32(255)).astype(np.intp)])
    return of_zeros, np.concatenate(rows)


def _spaced(text: str) -> bytes:
    """The words in lower case and without punctuation, as UTF-8, between spaces."""
    signs = _LATIN_SIGNS.sub(b" ", _QUOTES.sub(b" ", _folded(text)))
    spaced = signs.translate(_NOT_WORD)
    if _SOME_UNSPACED.search(passage_utf8(text)[1].encode("utf-8", "surrogatepass")):
        spaced = _UNSPACED.sub(rb" \g<0> ", spaced)
    return spaced


def _folded(text: str) -> bytes:
    """The case-folded text as UTF-8.

    Each character is folded by itself, so where the few beyond ASCII stay as they are, it is enough
    to put the bytes of the others in lower case, which is many times faster.
    """
    encoded, rest = passage_utf8(text)
    if 8 * len(rest) < len(text) and rest.casefold() == rest and not _SURROGATE.search(rest):
        return encoded.lower()
    return text.casefold().encode("utf-8", "replace")


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


def mix(values: np.ndarray) -> np.ndarray:
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
