"""A small trained network that judges blocks beside the trees, and how to ask it.

Trees cut a feature into steps, a network weighs all features at once: they err on different blocks,
and the mean of both errs less than either. Figures are squashed to whole numbers of one byte and
weights are whole numbers too, so small that every sum on the way is a whole number that a float
holds exactly: the fast routines for floats give the same answer on every machine, in any order.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.extract.forest import SCALE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

REACH = 127
"""Squashed figures are whole numbers from minus this up to this."""
EXACT = 2**24
"""Floats of 32 bits hold all whole numbers up to this."""
FINE = 8
"""Bits after the point of what a hidden unit says."""
_AT_ONCE = 12
"""Things asked at once: with more, the routine wakes threads that wait longer than they work."""


@dataclass(frozen=True, slots=True)
class Network:
    """One layer of hidden units and one output."""

    names: tuple[str, ...]
    """The features, in the order of the rows it was trained on."""
    halfway: Floats
    """Features × 1: the figure that is squashed to half of the reach."""
    weights: Floats
    """Features × units: whole numbers, as all others here."""
    bias: Floats
    """By unit; its weights times the reach, and this, add up to less than ``EXACT``."""
    shift: int
    """Bits by which a unit's sum is finer than what it says."""
    output: NDArray[np.float64]
    """What each unit adds to the score, as ``SCALE`` of the trees says."""
    output_bias: int

    def score(self, figures: Floats, alike: int) -> NDArray[np.int64]:
        """Score things.

        Args:
            figures: features × things.
            alike: from this feature on all things have the same, and it is looked at once.
        """
        own = squash(figures[:alike], self.halfway[:alike]).T
        units = np.empty((len(own), len(self.bias)), np.float32)
        for low in range(0, len(own), _AT_ONCE):
            some = slice(low, low + _AT_ONCE)
            np.matmul(own[some], self.weights[:alike], out=units[some])
        same = squash(figures[alike:, :1], self.halfway[alike:]).T
        units += same @ self.weights[alike:] + self.bias
        np.maximum(units, 0, out=units)
        units *= 0.5**self.shift
        np.floor(units, out=units)
        total: NDArray[np.float64] = units.astype(np.float64) @ self.output
        return (total.astype(np.int64) + self.output_bias) >> FINE

    def shares(self, figures: Floats) -> NDArray[np.float64]:
        """Features × things: how far each feature moves each score, in logits.

        From what the other things have on average: between the bends of its units a network adds up
        what it is told.
        """
        squashed = squash(figures, self.halfway)
        at_work = squashed.T @ self.weights + self.bias > 0
        slopes = self.weights @ (self.output * at_work).T
        finer = SCALE * 2.0 ** (self.shift + FINE)
        return slopes * (squashed - squashed.mean(1, keepdims=True)) / finer


def squash(figures: Floats, halfway: Floats) -> Floats:
    """Whole numbers within the reach: divisions are rounded alike everywhere, logarithms are not.

    Args:
        figures: one row per feature.
        halfway: one positive figure per feature, in a column.
    """
    squashed = np.abs(figures)
    squashed += halfway
    np.divide(figures, squashed, out=squashed)
    squashed *= REACH
    return np.rint(squashed, out=squashed)


@cache
def load_network() -> Network:
    """The network that ships."""
    return read_network(files("pageloom.core.extract").joinpath("network.npz").read_bytes())


def read_network(packed: bytes) -> Network:
    """The network in a file's bytes."""
    with np.load(io.BytesIO(packed), allow_pickle=False) as stored:
        return Network(
            names=tuple(stored["names"].tolist()),
            halfway=stored["halfway"],
            weights=np.ascontiguousarray(stored["weights"].T, np.float32),
            bias=stored["bias"][:, 0].astype(np.float32),
            shift=int(stored["shift"]),
            output=stored["output"].astype(np.float64),
            output_bias=int(stored["output_bias"]),
        )
