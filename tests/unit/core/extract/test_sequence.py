"""The network that reads blocks in order: exact, local, explained."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.core.extract.pages import ARTICLE, source_of

from pageloom.core.extract.blocks import segment
from pageloom.core.extract.feature_matrix import FeatureMatrix
from pageloom.core.extract.native_features import measure
from pageloom.core.extract.page_features import read_context
from pageloom.core.extract.sequence import REACH, SIGHT, STEPS, load_sequence, shifted, squash
from pageloom.core.extract.weights import NEIGHBOURS, shipped


@pytest.fixture(scope="module")
def sheet() -> FeatureMatrix:
    source = source_of(ARTICLE)
    body = source.tree.select_one("body")
    assert body is not None
    return measure(segment(body), read_context(source.tree, source.url))


def noise(count: int) -> np.ndarray:
    """Figures as no page has them."""
    chance = np.random.default_rng(7)
    sequence = load_sequence()
    figures = chance.normal(0, 1, (len(sequence.names), count)) * sequence.halfway * 9
    return figures.astype(np.float32)


def test_it_was_trained_on_the_features_there_are(sheet: FeatureMatrix):
    assert list(load_sequence().names) == sheet.names


def test_scores_are_those_of_whole_numbers():
    """Floats are only the vessel: Python's own integers come to the same score."""
    sequence, figures = load_sequence(), noise(30)
    inputs = squash(figures, sequence.halfway).T.astype(int).astype(object)
    states = inputs @ sequence.weights.astype(int).astype(object) + sequence.bias.astype(int)
    states = np.maximum(states, 0) // 2**sequence.shift
    for layer, step in zip(sequence.layers, STEPS, strict=True):
        units = states.shape[1]
        before = np.vstack((np.zeros((step, units), int), states[:-step]))
        after = np.vstack((states[step:], np.zeros((step, units), int)))
        wide = np.hstack((before, states, after))
        sums = wide @ layer.weights.astype(int).astype(object) + layer.bias.astype(int)
        states = states + np.maximum(sums, 0) // 2**12
    total = states @ sequence.output.astype(int).astype(object) + int(sequence.output_bias)
    assert (total // 2**8).tolist() == sequence.score(figures, len(figures)).tolist()


def test_the_order_of_adding_does_not_matter():
    sequence, figures = load_sequence(), noise(40)
    order = np.random.default_rng(3).permutation(len(figures))
    mixed = type(sequence)(
        names=sequence.names,
        halfway=sequence.halfway[order],
        weights=sequence.weights[order],
        bias=sequence.bias,
        shift=sequence.shift,
        layers=sequence.layers,
        output=sequence.output,
        output_bias=sequence.output_bias,
    )
    expected = sequence.score(figures, len(figures))
    assert (mixed.score(figures[order], len(figures)) == expected).all()


def test_a_block_sees_no_further_than_its_sight():
    sequence, figures = load_sequence(), noise(60)
    whole = sequence.score(figures, len(figures))
    part = sequence.score(figures[:, 30 - SIGHT : 31 + SIGHT], len(figures))
    assert part[SIGHT] == whole[30]


def test_what_all_blocks_have_alike_may_be_told_once(sheet: FeatureMatrix):
    figures, sequence = sheet.figures, load_sequence()
    once = sequence.score(figures, sheet.page_start)
    assert (once == sequence.score(figures, len(figures))).all()


def test_squashed_figures_are_whole_and_within_reach():
    squashed = squash(noise(50), load_sequence().halfway)
    assert (squashed == np.rint(squashed)).all()
    assert np.abs(squashed).max() <= REACH


def test_a_block_is_told_of_those_before_and_after():
    states = np.array([[1.0], [2.0], [3.0]])
    assert shifted(states, 1).tolist() == [[0, 1, 2], [1, 2, 3], [2, 3, 0]]
    assert shifted(states, 9).tolist() == [[0, 1, 0], [0, 2, 0], [0, 3, 0]]


def test_neighbours_are_among_the_reasons(sheet: FeatureMatrix):
    names, shares = shipped().share_out(sheet.figures)
    assert names[-1] == NEIGHBOURS
    assert shares.shape == (len(names), sheet.count)
    assert np.abs(shares[-1]).max() > 0
