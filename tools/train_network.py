"""Train the small network that judges blocks beside the trees, with numpy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.extract.forest import SCALE
from pageloom.core.extract.network import EXACT, FINE, REACH, squash

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

UNITS = 64
ROUNDS = 12
"""How often the network sees as many blocks as there are."""
AT_A_TIME = 2_048
PACE = 0.002
"""The first step of learning; the steps get smaller along a cosine."""
LAST_PACE = 0.00001
DECAY = 0.001
LEFT_OUT = 0.25
UNITS_LEFT_OUT = 0.2
"""Shares of figures and units that are left out at random, so that none is relied on."""
RARE = 0.15
"""Figures that hardly vary are not stretched further than if they varied by this share."""
_NEVER = 9_000
"""Figures from here on stand for something that is not there."""
_KEPT_SLOPE, _KEPT_SQUARE = 0.9, 0.999


class _Weights:
    """Some weights, and what Adam remembers of their slopes."""

    __slots__ = ("_slope", "_square", "_steps", "now")

    def __init__(self, start: NDArray[np.float64]) -> None:
        self.now: Floats = start.astype(np.float32)
        self._slope = np.zeros_like(self.now)
        self._square = np.zeros_like(self.now)
        self._steps = 0

    def step(self, slope: Floats, pace: float) -> None:
        """Go a little way down."""
        self._steps += 1
        self._slope += (1 - _KEPT_SLOPE) * (slope - self._slope)
        self._square += (1 - _KEPT_SQUARE) * (slope * slope - self._square)
        spread = np.sqrt(self._square / (1 - _KEPT_SQUARE**self._steps)) + 1e-8
        move = self._slope / (1 - _KEPT_SLOPE**self._steps) / spread
        if self.now.ndim > 1:
            move += DECAY * self.now
        self.now -= (pace * move).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Learnt:
    """A network in floats, for squashed figures."""

    halfway: Floats
    inner: Floats
    """Features × units."""
    bias: NDArray[np.float64]
    output: Floats
    output_bias: float


def learn(figures: Floats, labels: Floats, weights: Floats, seed: int) -> Learnt:
    """Learn from blocks × features; blocks are drawn as often as their weights say."""
    halfway = _halfway(figures)
    squashed = squash(figures, halfway)
    middle = squashed.mean(0)
    spread = np.maximum(squashed.std(0), REACH * RARE)
    squashed -= middle
    squashed /= spread
    inner, bias, output, output_bias = _descend(squashed, labels, weights, seed)
    inner = inner / spread[:, None]
    bias = bias - middle.astype(np.float64) @ inner
    return Learnt(halfway, inner, bias, output[:, 0], float(output_bias[0]))


def _halfway(figures: Floats) -> Floats:
    """The median of what each feature says where it says something."""
    halfway = np.ones(figures.shape[1], np.float32)
    for number, column in enumerate(np.abs(figures.T)):
        said = column[(column > 0) & (column < _NEVER)]
        if len(said):
            halfway[number] = max(float(np.median(said)), 0.001)
    return halfway


def _descend(figures: Floats, labels: Floats, weights: Floats, seed: int) -> list[Floats]:
    chance = np.random.default_rng(seed)
    count, features = figures.shape
    start = [
        chance.normal(0, features**-0.5, (features, UNITS)),
        np.zeros(UNITS),
        chance.normal(0, UNITS**-0.5, (UNITS, 1)),
        np.zeros(1),
    ]
    learnt = [_Weights(each) for each in start]
    drawn_up_to = np.cumsum(weights, dtype=np.float64)
    steps = ROUNDS * (count // AT_A_TIME)
    for step in range(steps):
        drawn = drawn_up_to.searchsorted(chance.random(AT_A_TIME) * drawn_up_to[-1])
        drawn = np.minimum(drawn, count - 1)
        seen = _leave_out(figures[drawn], LEFT_OUT, chance)
        pace = PACE * (1 + np.cos(np.pi * (step + 1) / steps)) / 2 + LAST_PACE
        slopes = _slopes([each.now for each in learnt], seen, labels[drawn, None], chance)
        for each, slope in zip(learnt, slopes, strict=True):
            each.step(slope, pace)
    return [each.now for each in learnt]


def _leave_out(values: Floats, share: float, chance: np.random.Generator) -> Floats:
    kept = chance.random(values.shape, dtype=np.float32) > share
    return values * kept / np.float32(1 - share)


def _slopes(
    weights: list[Floats], seen: Floats, labels: Floats, chance: np.random.Generator
) -> list[Floats]:
    """Which way each weight makes the cross entropy grow."""
    inner, bias, output, output_bias = weights
    said = _leave_out(np.maximum(seen @ inner + bias, 0), UNITS_LEFT_OUT, chance)
    chances = 1 / (1 + np.exp(-(said @ output + output_bias)))
    error = ((chances - labels) / len(seen)).astype(np.float32)
    back = (error @ output.T) * (said > 0) / np.float32(1 - UNITS_LEFT_OUT)
    return [seen.T @ back, back.sum(0), said.T @ error, error.sum(0)]


def export_network(learnt: Learnt, names: list[str], path: Path) -> None:
    """Write it in whole numbers, as fine as exact sums allow."""
    largest = np.abs(learnt.inner).sum(0) * REACH + np.abs(learnt.bias)
    bits = int(np.log2((EXACT - len(names) * REACH) / float(largest.max())))
    weights = np.rint(learnt.inner.T * 2.0**bits).astype(np.int32)
    bias = np.rint(learnt.bias * 2.0**bits).astype(np.int32)
    if bits < FINE or int((np.abs(weights).sum(1) * REACH + np.abs(bias)).max()) >= EXACT:
        raise ValueError("the weights are too large for exact sums")
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        path,
        names=np.array(names),
        halfway=learnt.halfway[:, None],
        weights=weights,
        bias=bias[:, None],
        shift=np.array(bits - FINE),
        output=np.rint(learnt.output * SCALE).astype(np.int64),
        output_bias=np.array(round(learnt.output_bias * SCALE * 2**FINE), np.int64),
    )
