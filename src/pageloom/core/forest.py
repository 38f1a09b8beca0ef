"""Trained decision forests: load them and score blocks, pages or differences.

The trees are oblivious: all nodes of one level ask the same question, so that a tree of depth six
is six comparisons and one look-up, and a page is a handful of array operations. Leaves are whole
numbers, so a sum is the same on every machine whatever the order of adding.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCALE = 4096
"""Leaves are logits times this."""
_CHUNK = 256
"""Things asked at once, so that what is in work stays in the processor's own memory."""


class Questions(NamedTuple):
    """The different questions of a forest, by feature, and who asks them."""

    feature: NDArray[np.intp]
    border: NDArray[np.float32]
    """Above this the answer is yes."""
    asked: NDArray[np.intp]
    """Depth × trees: the question that each tree asks at each level."""


@dataclass(frozen=True)
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

    def score(self, figures: NDArray[np.float32], alike: int | None = None) -> NDArray[np.int64]:
        """Score things.

        Args:
            figures: features × things.
            alike: from this feature on all things have the same, and it is looked at once.

        Returns:
            One row per thing, one column per output.
        """
        parts = [
            self._score(figures[:, low : low + _CHUNK], alike)
            for low in range(0, figures.shape[1], _CHUNK)
        ]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _score(self, figures: NDArray[np.float32], alike: int | None) -> NDArray[np.int64]:
        trees, size, outputs = self.leaves.shape
        first = self._first
        leaf = np.add(self._reached(figures, alike), first, dtype=first.dtype)
        if outputs == 1:
            return self.leaves.take(leaf).sum(0, dtype=np.int32)[:, None] + self.bias
        flat = self.leaves.reshape(trees * size, outputs)
        return flat.take(leaf, axis=0).sum(0, dtype=np.int32) + self.bias

    def _reached(self, figures: NDArray[np.float32], alike: int | None = None) -> NDArray[np.uint8]:
        """Trees × things: the leaf each thing falls into."""
        questions = self.questions
        feature, border = questions.feature, questions.border
        own = len(feature) if alike is None else int(feature.searchsorted(alike))
        told = np.empty((len(feature), figures.shape[1]), np.bool_)
        np.greater(figures.take(feature[:own], 0), border[:own], out=told[:own])
        if own < len(feature):
            told[own:] = figures[feature[own:], :1] > border[own:]
        answers = told.view(np.uint8)
        leaf: NDArray[np.uint8] = np.zeros((len(self.feature), figures.shape[1]), np.uint8)
        for level in reversed(range(len(questions.asked))):
            # in place and a byte each, for this is most of what asking costs
            answer = cast("NDArray[np.uint8]", answers.take(questions.asked[level], 0))
            np.add(leaf, leaf, out=leaf)
            np.bitwise_or(leaf, answer, out=leaf)
        return leaf

    @cached_property
    def _first(self) -> NDArray[np.unsignedinteger[Any]]:
        """The place of each tree's first leaf among all leaves.

        In the narrowest numbers that hold them: wider ones take twice as long.
        """
        trees, size, _ = self.leaves.shape
        narrow = np.min_scalar_type(trees * size)
        return np.arange(0, trees * size, size, dtype=narrow).reshape(trees, 1)

    @cached_property
    def questions(self) -> Questions:
        """What the trees ask. Many ask the same, and then it is answered once."""
        pairs = np.stack((self.feature.ravel().astype(np.float64), self.border.ravel()))
        different, place = np.unique(pairs, axis=1, return_inverse=True)
        return Questions(
            different[0].astype(np.intp),
            different[1].astype(np.float32)[:, None],
            place.reshape(self.feature.shape).T.astype(np.intp),
        )

    def shares(self, figures: NDArray[np.float32], output: int = 0) -> NDArray[np.float64]:
        """Features × things: how far each feature moved each score, in logits.

        A level's share is the change of the mean over the leaves still possible, weighted by how
        much training data fell into each; the shares of a tree add up to its leaf less its mean.
        """
        leaf = self._reached(figures).astype(np.intp)
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


@cache
def load(package: str, name: str) -> Forest:
    """The forest that ships with a package under this name."""
    return read(files(package).joinpath(f"{name}.npz").read_bytes())


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
