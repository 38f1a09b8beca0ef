"""Trained decision trees, as numbers in a file, and how to ask them.

The trees are oblivious: all nodes of one level ask the same question, so that a tree of depth six is
six comparisons and one look-up, and a page is a handful of array operations. Leaves are whole
numbers, so a sum is the same on every machine whatever the order of adding.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCALE = 4096
"""Leaves are logits times this."""
_CHUNK = 4096
"""Blocks asked at once, so that a page of a million blocks needs no more memory than one of these."""


@dataclass(frozen=True, slots=True)
class Forest:
    """Oblivious trees with one or more outputs."""

    names: tuple[str, ...]
    """The features, in the order of the rows they were trained on."""
    feature: NDArray[np.int16]
    """Trees × depth: which feature each level asks for."""
    border: NDArray[np.float32]
    """Trees × depth: above this the answer is yes."""
    leaves: NDArray[np.int32]
    """Trees × 2**depth × outputs."""
    cover: NDArray[np.uint16]
    """Trees × 2**depth: the share of the training data in each leaf, for explaining."""
    bias: NDArray[np.int64]
    labels: tuple[str, ...]

    def score(self, figures: NDArray[np.float32]) -> NDArray[np.int64]:
        """One row per column of ``figures`` (features × things), one column per output."""
        count = figures.shape[1]
        parts = [
            self._score(figures[:, low : low + _CHUNK]) for low in range(0, count, _CHUNK)
        ]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _score(self, figures: NDArray[np.float32]) -> NDArray[np.int64]:
        leaf = self._reached(figures)
        trees, size, outputs = self.leaves.shape
        flat = self.leaves.reshape(trees * size, outputs)
        leaf += (np.arange(trees) * size)[:, None]
        return np.take(flat, leaf, axis=0).sum(0, dtype=np.int64) + self.bias

    def _reached(self, figures: NDArray[np.float32]) -> NDArray[np.intp]:
        """Trees × things: the leaf each thing falls into."""
        trees, depth = self.feature.shape
        leaf = np.zeros((trees, figures.shape[1]), np.uint8)
        for level in range(depth):
            answers = figures[self.feature[:, level]] > self.border[:, level, None]
            leaf |= answers.view(np.uint8) << np.uint8(level)
        return leaf.astype(np.intp)

    def reasons(self, column: NDArray[np.float32], output: int = 0, most: int = 4) -> list[str]:
        """The features that moved one thing's score the most, with their values and shares.

        A level's share is the change of the mean over the leaves still possible, weighted by how much
        training data fell into each; the shares of a tree add up to its leaf less its mean.
        """
        shares = np.zeros(len(self.names))
        leaf = self._reached(column[:, None])[:, 0]
        trees, depth = self.feature.shape
        for tree in range(trees):
            values = self.leaves[tree, :, output].astype(np.float64)
            weights = self.cover[tree] + 1e-3
            for level in reversed(range(depth)):
                side = (leaf[tree] >> level) & 1
                before = np.average(values, weights=weights)
                values, weights = values.reshape(2, -1)[side], weights.reshape(2, -1)[side]
                after = np.average(values, weights=weights)
                shares[self.feature[tree, level]] += after - before
        best = np.argsort(-np.abs(shares), kind="stable")[:most]
        return [
            f"{self.names[i]}={column[i]:.4g} ({shares[i] / SCALE:+.2f})" for i in best if shares[i]
        ]


@cache
def load(name: str) -> Forest:
    """The forest that ships under this name."""
    return read(files("pageloom.core.extract").joinpath(f"{name}.npz").read_bytes())


def read(packed: bytes) -> Forest:
    """The forest in a file's bytes."""
    with np.load(io.BytesIO(packed), allow_pickle=False) as stored:
        return Forest(
            names=tuple(stored["names"].tolist()),
            feature=stored["feature"],
            border=stored["border"],
            leaves=stored["leaves"],
            cover=stored["cover"],
            bias=stored["bias"],
            labels=tuple(stored["labels"].tolist()),
        )
