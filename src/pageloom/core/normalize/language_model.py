"""The language of a text by its byte n-grams; tools/make_language_model.py makes the model."""

from __future__ import annotations

import io
import math
import pkgutil
import unicodedata
import zlib
from functools import lru_cache
from typing import NamedTuple

import numpy as np

_LONGEST_GRAM = 6
_HASH_BITS = 20
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_PER_STEP = 0.1
"""Natural logarithms per step of the rounded table."""


class _Model(NamedTuple):
    labels: list[str]
    keys: np.ndarray
    rows: np.ndarray
    table: np.ndarray
    priors: np.ndarray
    seen: np.ndarray
    """For each hash whether a key has it: what none has need not be looked for."""


@lru_cache(maxsize=1)
def _model() -> _Model:
    packed = pkgutil.get_data("pageloom.core.normalize", "language_model.bin") or b""
    data = np.load(io.BytesIO(zlib.decompress(packed)), allow_pickle=False)
    keys = data["keys"]
    seen = np.zeros(1 << _HASH_BITS, dtype=np.bool_)
    seen[_hashes(keys)] = True
    return _Model(data["labels"].tolist(), keys, data["rows"], data["table"], data["priors"], seen)


def _hashes(keys: np.ndarray) -> np.ndarray:
    return (keys * _GOLDEN) >> np.uint64(64 - _HASH_BITS)


def guess_language(text: str) -> tuple[str, float]:
    """The likeliest language of a text and its share of the belief; empty when nothing is known."""
    plain = unicodedata.normalize("NFC", text.lower() if text.isupper() else text)
    encoded = plain.encode("utf-8", "replace")
    model = _model()
    features = _features(np.frombuffer(encoded, dtype=np.uint8).astype(np.uint64), model)
    found, counts = np.unique(features[features >= 0], return_counts=True)
    if not len(found):
        return "", 0.0
    weights = np.log1p(counts).astype(np.float32)
    scores = weights @ model.table[found].astype(np.float32) * _PER_STEP + model.priors
    return _best(scores, len(encoded), model.labels)


def _features(data: np.ndarray, model: _Model) -> np.ndarray:
    """For every place the longest known n-gram that ends there; -1 for none."""
    features = np.full(len(data), -1, dtype=np.int32)
    if not len(data):
        return features
    codes = np.zeros(len(data), dtype=np.uint64)
    by_size: list[np.ndarray] = []
    for size in range(1, min(_LONGEST_GRAM, len(data)) + 1):
        codes = (codes[: len(data) - size + 1] << np.uint64(8)) | data[size - 1 :]
        by_size.append(codes | np.uint64(size << 56))
    grams = np.concatenate(by_size)
    ends = np.concatenate([np.arange(shorter, len(data)) for shorter in range(len(by_size))])
    likely = np.nonzero(model.seen[_hashes(grams)])[0]
    wanted = grams[likely]
    places = np.minimum(np.searchsorted(model.keys, wanted), len(model.keys) - 1)
    hits = model.keys[places] == wanted
    features[ends[likely[hits]]] = model.rows[places[hits]]  # the last at a place is the longest
    return features


def _best(scores: np.ndarray, size: int, labels: list[str]) -> tuple[str, float]:
    """The best label; scores are softened by length so that long texts are not over-sure."""
    belief = np.exp((scores - scores.max()) / math.sqrt(size))
    belief /= belief.sum()
    best = int(scores.argmax())
    share = sum(
        float(part) for part, label in zip(belief, labels, strict=True) if label == labels[best]
    )
    return labels[best], share
