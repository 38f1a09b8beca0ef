"""MinHash of a text with one permutation: how alike two texts are, told by equal values.

Every run of five words is hashed once and falls into one of 112 bins, whose least value is kept. A
bin without any takes the value of another, which one being fixed for each bin: so two texts with
the same runs have the same values, and the share of equal values is near that of common runs.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from pageloom.core.enrich.near_duplicate import mix, word_codes

BANDS = 14
ROWS = 8
_BINS = BANDS * ROWS
_RUN = 5
_READ = 100_000
_FEWEST = 50
"""Words of a text that can be compared: shorter ones are alike by chance."""
_FACTORS = np.array(
    [
        0x9E3779B97F4A7C15,
        0xC2B2AE3D27D4EB4F,
        0x165667B19E3779F9,
        0xD6E8FEB86659FD93,
        0xFF51AFD7ED558CCD,
    ],
    np.uint64,
)
_NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)


def minhash(text: str) -> np.ndarray | None:
    """The 112 values of a text; None if it has too few words."""
    codes = word_codes(text[:_READ])
    if len(codes) < _FEWEST:
        return None
    runs = np.zeros(len(codes) - _RUN + 1, np.uint64)
    for place in range(_RUN):
        runs += codes[place : place + len(runs)] * _FACTORS[place]
    runs = mix(runs)
    bins = (runs >> np.uint64(32)) * np.uint64(_BINS) >> np.uint64(32)
    values = np.full(_BINS, _NOTHING)
    np.minimum.at(values, bins.astype(np.intp), runs * _FACTORS[0])
    return _filled(values)


def _filled(values: np.ndarray) -> np.ndarray:
    """The values, with those of other bins where there are none."""
    has_none = values == _NOTHING
    if not has_none.any():
        return values
    order = _lenders()[has_none]
    lender = (~has_none)[order].argmax(axis=1)
    values[has_none] = values[order[np.arange(len(order)), lender]]
    return values


@cache
def _lenders() -> np.ndarray:
    """For each bin, in which order the others are asked: by a fixed shuffle."""
    pairs = np.arange(_BINS * _BINS, dtype=np.uint64).reshape(_BINS, _BINS)
    return mix(pairs * _FACTORS[1]).argsort(axis=1, kind="stable")


def band_hashes(values: np.ndarray) -> np.ndarray:
    """One number for each band of values: texts that are alike have some of them in common."""
    rows = values.reshape(BANDS, ROWS)
    weights = mix(np.arange(1, ROWS + 1, dtype=np.uint64)) | np.uint64(1)
    hashes = mix((mix(rows) * weights).sum(axis=1, dtype=np.uint64))
    return np.maximum(hashes, np.uint64(1))
