"""A small network that reads the blocks of a page one after another, beside the trees.

Trees look at one block at a time; the network also sees what stands up to thirteen blocks before
and after it. Figures are squashed to whole numbers and all weights are whole numbers, so that every
sum on the way is a whole number that a float holds exactly: the fast routines for floats give the
same answer on every machine, in whatever order they add.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from pageloom.core.forest import SCALE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Doubles = NDArray[np.float64]
    Number = TypeVar("Number", np.float32, np.float64)

REACH = 127
"""Squashed figures are whole numbers from minus this up to this."""
STEPS = (1, 3, 9)
"""How far before and after itself each further layer looks."""
SIGHT = sum(STEPS)
"""How far a block is seen."""
FINE = 8
"""Bits after the point of what a unit says."""
LAYER_BITS = 12
"""Bits after the point of the weights of further layers."""
_AT_ONCE = 28
"""Blocks that are multiplied at once: with more, the routine wakes threads that only wait."""


@dataclass(frozen=True, slots=True)
class Layer:
    """What units say to the block itself and to those a step before and after."""

    weights: Doubles
    """3 · units × units: for what stands before, for itself, for what stands after."""
    bias: Doubles


@dataclass(frozen=True, slots=True)
class Sequence:
    """One layer that reads figures, some that read each other, and one output."""

    names: tuple[str, ...]
    """The features, in the order of the rows it was trained on."""
    halfway: Floats
    """Features × 1: the figure that is squashed to half of the reach."""
    weights: Floats
    """Features × units: whole numbers, as all others here; any sum of them is below 2**24."""
    bias: Floats
    shift: int
    """Bits by which a unit's sum is finer than what it says."""
    layers: tuple[Layer, ...]
    output: Doubles
    """What each unit adds to the score, as ``SCALE`` of the trees says."""
    output_bias: float

    def score(self, figures: Floats, alike: int) -> NDArray[np.int64]:
        """Score the blocks of a page, or of a part of one.

        Args:
            figures: features × blocks.
            alike: from this feature on all blocks have the same, and it is looked at once.
        """
        states = self._read(figures, alike)
        for layer, step in zip(self.layers, STEPS, strict=True):
            states += _told(shifted(states, step), layer.weights, layer.bias)
        return self._sum_up(states)

    def _sum_up(self, states: Doubles) -> NDArray[np.int64]:
        return (states @ self.output + self.output_bias).astype(np.int64) >> FINE

    def _read(self, figures: Floats, alike: int) -> Doubles:
        """Blocks × units: what the first layer says of each block."""
        own = squash(figures[:alike], self.halfway[:alike]).T
        same = squash(figures[alike:, :1], self.halfway[alike:]).T
        sums = np.empty((len(own), len(self.bias)), np.float32)
        for low in range(0, len(own), _AT_ONCE):
            some = slice(low, low + _AT_ONCE)
            np.matmul(own[some], self.weights[:alike], out=sums[some])
        sums += same @ self.weights[alike:] + self.bias
        np.maximum(sums, 0, out=sums)
        sums *= 0.5**self.shift
        return np.floor(sums).astype(np.float64)

    def shares(self, figures: Floats) -> tuple[Doubles, Doubles]:
        """How far a block's own features moved its score, in logits, and how far its neighbours.

        Of its own, features × blocks: from what the other blocks have on average, because between
        the bends of its units a network adds up what it is told.
        """
        squashed = squash(figures, self.halfway)
        first = self._read(figures, len(figures))
        alone, slopes = first.copy(), [first > 0]
        for layer in self.layers:
            told = _told(alone, _middle(layer), layer.bias)
            alone += told
            slopes.append(told > 0)
        back = np.broadcast_to(self.output, first.shape)
        for layer, slope in zip(reversed(self.layers), reversed(slopes[1:]), strict=True):
            back = back + (back * slope) @ _middle(layer).T / 2.0**LAYER_BITS
        per_figure = self.weights @ (back * slopes[0]).T
        finer = SCALE * 2.0 ** (self.shift + FINE)
        own = per_figure * (squashed - squashed.mean(1, keepdims=True)) / finer
        return own, (self.score(figures, len(figures)) - self._sum_up(alone)) / SCALE


def _middle(layer: Layer) -> Doubles:
    units = len(layer.bias)
    return layer.weights[units : 2 * units]


def _told(states: Doubles, weights: Doubles, bias: Doubles) -> Doubles:
    """What a further layer adds to the states."""
    sums = np.empty((len(states), len(bias)))
    for low in range(0, len(states), 2 * _AT_ONCE):
        some = slice(low, low + 2 * _AT_ONCE)
        np.matmul(states[some], weights, out=sums[some])
    sums += bias
    np.maximum(sums, 0, out=sums)
    sums *= 0.5**LAYER_BITS
    return np.floor(sums, out=sums)


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


def shifted(states: NDArray[Number], step: int) -> NDArray[Number]:
    """What each block is told: the states of the block ``step`` before it, its own, those after."""
    count, units = states.shape
    wide = np.zeros((count, 3 * units), states.dtype)
    wide[step:, :units] = states[:-step]
    wide[:, units : 2 * units] = states
    wide[:-step, 2 * units :] = states[step:]
    return wide


@cache
def load_sequence() -> Sequence:
    """The network that ships."""
    return read_sequence(files("pageloom.core.extract").joinpath("sequence.npz").read_bytes())


def read_sequence(packed: bytes) -> Sequence:
    """The network in a file's bytes."""
    with np.load(io.BytesIO(packed), allow_pickle=False) as stored:
        layers = zip(stored["layers"], stored["layer_biases"], strict=True)
        return Sequence(
            names=tuple(stored["names"].tolist()),
            halfway=stored["halfway"],
            weights=stored["weights"].astype(np.float32),
            bias=stored["bias"].astype(np.float32),
            shift=int(stored["shift"]),
            layers=tuple(
                Layer(weights.astype(np.float64), bias.astype(np.float64))
                for weights, bias in layers
            ),
            output=stored["output"].astype(np.float64),
            output_bias=float(stored["output_bias"]),
        )
