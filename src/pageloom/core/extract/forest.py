"""Trained decision trees, as numbers in a file, and how to ask them.

The trees are oblivious: all nodes of one level ask the same question, so that a tree of depth six
is six comparisons and one look-up, and a page is a handful of array operations. Leaves are whole
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
"""Things asked at once, so that a page of a million blocks needs no more memory than these."""


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
        parts = [self._score(figures[:, low : low + _CHUNK]) for low in range(0, count, _CHUNK)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _score(self, figures: NDArray[np.float32]) -> NDArray[np.int64]:
        trees, size, outputs = self.leaves.shape
        flat = self.leaves.reshape(trees * size, outputs)
        first = np.arange(0, trees * size, size, dtype=np.intp).reshape(trees, 1)
        values: NDArray[np.int32] = flat.take(self._reached(figures) + first, axis=0)
        return values.sum(0, dtype=np.int64) + self.bias

    def _reached(self, figures: NDArray[np.float32]) -> NDArray[np.intp]:
        """Trees × things: the leaf each thing falls into."""
        trees, depth = self.feature.shape
        leaf = np.zeros((trees, figures.shape[1]), np.uint8)
        for level in range(depth):
            answers = figures[self.feature[:, level]] > self.border[:, level, None]
            leaf |= answers.view(np.uint8) << np.uint8(level)
        return leaf.astype(np.intp)

    def shares(self, figures: NDArray[np.float32], output: int = 0) -> NDArray[np.float64]:
        """Features × things: how far each feature moved each score, in logits.

        A level's share is the change of the mean over the leaves still possible, weighted by how
        much training data fell into each; the shares of a tree add up to its leaf less its mean.
        """
        leaf = self._reached(figures)
        trees, depth = self.feature.shape
        every = np.arange(trees, dtype=np.intp).reshape(trees, 1)
        shares = np.zeros((len(self.names), figures.shape[1]))
        known = self._means(depth, output)[every, leaf >> depth]
        for level in reversed(range(depth)):
            closer = self._means(level, output)[every, leaf >> level]
            np.add.at(shares, self.feature[:, level], closer - known)
            known = closer
        return shares / SCALE

    def _means(self, level: int, output: int) -> NDArray[np.float64]:
        """The mean of the leaves that are alike in all levels from this one on."""
        trees, size, _ = self.leaves.shape
        values = self.leaves[:, :, output].reshape(trees, size >> level, -1)
        weights = self.cover.reshape(trees, size >> level, -1) + 1e-3
        return (values * weights).sum(2) / weights.sum(2)


@dataclass(frozen=True, slots=True)
class Weights:
    """The trained parts of the engine."""

    blocks: Forest
    kinds: Forest


def shipped() -> Weights:
    """The weights that come with the package."""
    return Weights(load("blocks"), load("kinds"))


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
