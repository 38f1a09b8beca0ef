"""Train the small network that reads the blocks of a page one after another, with numpy alone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.extract.sequence import FINE, LAYER_BITS, REACH, SIGHT, STEPS, shifted, squash
from pageloom.core.forest import SCALE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

UNITS = 32
ROUNDS = 12
"""How often the network sees all blocks."""
AT_A_TIME = 2_500
"""Blocks from which one step is learnt."""
PACE = 0.003
"""The first step of learning; the steps get smaller along a cosine."""
LAST_PACE = 0.00001
DECAY = 0.001
LEFT_OUT = 0.25
UNITS_LEFT_OUT = 0.15
"""Shares of figures and units that are left out at random, so that none is relied on."""
RARE = 0.15
"""Figures that hardly vary are not stretched further than if they varied by this share."""
F1_SHARE = 2.0
"""How much the F1 of whole pages counts beside the cross entropy of their blocks."""
LEAST_CONTENT = 0.02
LONGEST = 400
"""Blocks of a page that are read in one go; a longer page is read in parts."""
GAP = SIGHT
"""Places between two pages, so that neither sees the other."""
_NEVER = 9_000
"""Figures from here on stand for something that is not there."""
_EXACT_SINGLE, _EXACT_DOUBLE = 2**24, 2**53
"""Floats of 32 and of 64 bits hold all whole numbers up to these."""
_KEPT_SLOPE, _KEPT_SQUARE = 0.9, 0.999


@dataclass(frozen=True, slots=True)
class Lesson:
    """One page to learn from."""

    figures: Floats
    """Blocks × features."""
    labels: Floats
    weights: Floats
    """How much each block counts: nothing where its label is not known."""
    whole: bool = True
    """Whether all of its labels are known."""


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
        self._slope += np.float32(1 - _KEPT_SLOPE) * (slope - self._slope)
        self._square += np.float32(1 - _KEPT_SQUARE) * (slope * slope - self._square)
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
    inner_bias: Floats
    layers: list[tuple[Floats, Floats]]
    """Weights, 3 · units × units, and the bias of each further layer."""
    output: Floats
    output_bias: float


def learn(lessons: Sequence[Lesson], seed: int, rounds: int = ROUNDS) -> Learnt:
    """Learn from whole pages."""
    chance = np.random.default_rng(seed)
    sample = np.concatenate([_some(lesson.figures, chance) for lesson in lessons])
    halfway = _halfway(sample)
    squashed = squash(sample.T, halfway).T
    middle = squashed.mean(0)
    spread = np.maximum(squashed.std(0), REACH * RARE)
    pages = [
        Lesson(
            (squash(each.figures.T, halfway).T - middle) / spread,
            each.labels,
            each.weights,
            each.whole,
        )
        for each in lessons
    ]
    inner, inner_bias, *further, output, output_bias = _descend(pages, chance, rounds)
    inner = inner / spread[:, None]
    inner_bias = inner_bias - middle @ inner
    layers = list(zip(further[::2], further[1::2], strict=True))
    return Learnt(halfway, inner, inner_bias, layers, output[:, 0], float(output_bias[0]))


def _some(figures: Floats, chance: np.random.Generator) -> Floats:
    """A few blocks of a page, from which the spread of features is measured."""
    return figures[chance.permutation(len(figures))[:60]]


def _halfway(figures: Floats) -> Floats:
    """The median of what each feature says where it says something, in a column."""
    halfway = np.ones((figures.shape[1], 1), np.float32)
    for number, column in enumerate(np.abs(figures.T)):
        said = column[(column > 0) & (column < _NEVER)]
        if len(said):
            halfway[number] = max(float(np.median(said)), 0.001)
    return halfway


def _descend(pages: Sequence[Lesson], chance: np.random.Generator, rounds: int) -> list[Floats]:
    features = pages[0].figures.shape[1]
    wide = 3 * UNITS
    start = [chance.normal(0, (2 / features) ** 0.5, (features, UNITS)), np.zeros(UNITS)]
    for _ in STEPS:
        start += [chance.normal(0, (0.5 / wide) ** 0.5, (wide, UNITS)), np.zeros(UNITS)]
    start += [chance.normal(0, UNITS**-0.5, (UNITS, 1)), np.zeros(1)]
    learnt = [_Weights(each) for each in start]
    count = sum(len(page.labels) for page in pages)
    usual = np.float32(sum(float(page.weights.sum()) for page in pages) / count)
    steps = rounds * count // AT_A_TIME
    for step, batch in enumerate(_batches(pages, chance, rounds)):
        pace = PACE * (1 + np.cos(np.pi * min(step / steps, 1))) / 2 + LAST_PACE
        slopes = _slopes([each.now for each in learnt], batch, usual, chance)
        for each, slope in zip(learnt, slopes, strict=True):
            each.step(slope, pace)
    return [each.now for each in learnt]


Batch = tuple["Floats", "Floats", "Floats", "Floats", list[slice]]
"""Figures, labels and weights of blocks, 1 for each block and 0 for the gaps between pages, and
where the pages are of which all labels are known."""


def _batches(pages: Sequence[Lesson], chance: np.random.Generator, rounds: int) -> Iterator[Batch]:
    for _ in range(rounds):
        parts = [part for page in pages for part in _parts(page, chance)]
        waiting: list[Lesson] = []
        size = 0
        for number in chance.permutation(len(parts)).tolist():
            waiting.append(parts[number])
            size += len(parts[number].labels)
            if size >= AT_A_TIME:
                yield _joined(waiting)
                waiting, size = [], 0


def _parts(page: Lesson, chance: np.random.Generator) -> Iterator[Lesson]:
    count = len(page.labels)
    if count <= LONGEST * 3 // 2:
        yield page
        return
    first = int(chance.integers(LONGEST // 4, LONGEST))
    cuts = [0, *range(first, count - LONGEST // 4, LONGEST), count]
    for low, high in pairwise(cuts):
        part = slice(low, high)
        yield Lesson(page.figures[part], page.labels[part], page.weights[part], page.whole)


def _joined(parts: list[Lesson]) -> Batch:
    size = sum(len(part.labels) + GAP for part in parts)
    figures = np.zeros((size, parts[0].figures.shape[1]), np.float32)
    others = np.zeros((3, size), np.float32)
    at = 0
    pages: list[slice] = []
    for part in parts:
        end = at + len(part.labels)
        if part.whole:
            pages.append(slice(at, end))
        figures[at:end] = part.figures
        others[:, at:end] = part.labels, part.weights, np.ones(end - at)
        at = end + GAP
    return figures, others[0], others[1], others[2][:, None], pages


def _mask(shape: tuple[int, ...], share: float, chance: np.random.Generator) -> Floats:
    kept = chance.random(shape, dtype=np.float32) > share
    return kept.astype(np.float32) / np.float32(1 - share)


def _slopes(
    weights: list[Floats], batch: Batch, usual: np.float32, chance: np.random.Generator
) -> list[Floats]:
    """Which way each weight makes the cross entropy grow."""
    figures, labels, counts, there, pages = batch
    inner, inner_bias, *further, output, output_bias = weights
    figures = figures * _mask((1, figures.shape[1]), LEFT_OUT, chance)
    kept = _mask((len(figures), UNITS), UNITS_LEFT_OUT, chance) * there
    states = [np.maximum(figures @ inner + inner_bias, 0) * kept]
    wides, adds = [], []
    for number, step in enumerate(STEPS):
        wides.append(shifted(states[-1], step))
        adds.append(np.maximum(wides[-1] @ further[2 * number] + further[2 * number + 1], 0))
        states.append((states[-1] + adds[-1]) * there)
    said = states[-1] @ output + output_bias
    chances: Floats = (1 / (1 + np.exp(-said[:, 0]))).astype(np.float32)
    error = (chances - labels) * counts
    if F1_SHARE:
        error += F1_SHARE * _f1_slopes(chances, labels, counts, pages)
    error = (error / (usual * there.sum())).astype(np.float32)[:, None]
    slopes = [error.sum(0), states[-1].T @ error]
    back = (error @ output.T) * there
    for number in reversed(range(len(STEPS))):
        through = back * (adds[number] > 0)
        slopes += [through.sum(0), wides[number].T @ through]
        before, here, after = np.hsplit(through @ further[2 * number].T, 3)
        back = (back + here + _unshifted(before, after, STEPS[number])) * there
    back = back * (states[0] > 0) * kept
    slopes += [back.sum(0), figures.T @ back]
    return slopes[::-1]


def _f1_slopes(chances: Floats, labels: Floats, counts: Floats, pages: list[slice]) -> Floats:
    """Which way each score makes the loss of F1 grow, page by page.

    With p the chances, y the labels and w the weights, F1 is 2·Σ pyw / (Σ pw + Σ yw).
    """
    slopes = np.zeros_like(chances)
    for page in pages:
        p, y, w = chances[page], labels[page], counts[page]
        content = float((y * w).sum())
        total = float(w.sum())
        if content < LEAST_CONTENT * total:
            continue
        common, size = 2 * float((p * y * w).sum()), float((p * w).sum()) + content
        slopes[page] = total * w * (common / size - 2 * y) / size * p * (1 - p)
    return slopes


def _unshifted(before: Floats, after: Floats, step: int) -> Floats:
    """What blocks are told back by those that have seen them before and after themselves."""
    back = np.zeros_like(before)
    back[:-step] += before[step:]
    back[step:] += after[:-step]
    return back


def export_sequence(learnt: Learnt, names: list[str], path: Path) -> None:
    """Write it in whole numbers, as fine as exact sums allow."""
    largest = float((np.abs(learnt.inner).sum(0) * REACH + np.abs(learnt.inner_bias)).max())
    bits = int(np.log2((_EXACT_SINGLE - len(names) * REACH) / largest))
    weights = np.rint(learnt.inner * 2.0**bits)
    bias = np.rint(learnt.inner_bias * 2.0**bits)
    layers = np.array([np.rint(each * 2.0**LAYER_BITS) for each, _ in learnt.layers])
    biases = np.array([np.rint(each * 2.0 ** (LAYER_BITS + FINE)) for _, each in learnt.layers])
    output = np.rint(learnt.output * SCALE)
    _check_exact(weights, bias, bits - FINE, layers, biases, output)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        path,
        names=np.array(names),
        halfway=learnt.halfway,
        weights=weights.astype(np.int32),
        bias=bias.astype(np.int32),
        shift=np.array(bits - FINE),
        layers=layers.astype(np.int32),
        layer_biases=biases.astype(np.int64),
        output=output.astype(np.int32),
        output_bias=np.array(round(learnt.output_bias * SCALE * 2**FINE), np.int64),
    )


def _check_exact(
    weights: Floats, bias: Floats, shift: int, layers: Floats, biases: Floats, output: Floats
) -> None:
    """No page whatever leads to a sum that a float does not hold exactly."""
    highest = np.abs(weights).astype(np.float64).sum(0) * REACH + np.abs(bias)
    if shift < 0 or highest.max() >= _EXACT_SINGLE:
        raise ValueError("the weights are too large for exact sums")
    highest /= 2.0**shift
    for layer, further in zip(layers, biases, strict=True):
        sums = np.tile(highest, 3) @ np.abs(layer.astype(np.float64)) + np.abs(further)
        if sums.max() >= _EXACT_DOUBLE:
            raise ValueError("the weights of a further layer are too large for exact sums")
        highest = highest + sums / 2.0**LAYER_BITS
    if highest @ np.abs(output) >= _EXACT_DOUBLE:
        raise ValueError("the weights of the output are too large for exact sums")
