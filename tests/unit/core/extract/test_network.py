"""The network that judges blocks beside the trees."""

import numpy as np

from pageloom.core.extract.forest import SCALE, load
from pageloom.core.extract.network import EXACT, FINE, REACH, load_network, squash


def _figures(count: int) -> np.ndarray:
    chance = np.random.default_rng(3)
    features = len(load_network().names)
    return (chance.normal(0, 1, (features, count)) * 50).astype(np.float32)


def test_it_reads_the_same_features_as_the_trees():
    assert load_network().names == load("blocks").names


def test_every_sum_on_the_way_is_exact():
    network = load_network()
    assert (network.weights == np.rint(network.weights)).all()
    largest = np.abs(network.weights.astype(int)).sum(0) * REACH + np.abs(network.bias)
    assert largest.max() < EXACT


def test_it_scores_as_a_plain_reading_in_whole_numbers_does():
    network = load_network()
    figures = _figures(40)
    figures[300:] = figures[300:, :1]
    squashed = squash(figures, network.halfway).astype(int)
    units = squashed.T @ network.weights.astype(int) + network.bias.astype(int)
    said = np.maximum(units, 0) >> network.shift
    expected = (said @ network.output.astype(int) + network.output_bias) >> FINE
    assert network.score(figures, 300).tolist() == expected.tolist()


def test_figures_are_squashed_into_one_byte():
    figures = np.array([[0, 2, -2, 1e9, -1e9]], np.float32)
    assert squash(figures, np.array([[2]], np.float32)).tolist() == [[0, 64, -64, 127, -127]]


def test_what_features_add_is_what_a_score_is_above_the_others():
    """Where no unit bends between two things: then shares add up to the difference."""
    network = load_network()
    figures = np.repeat(_figures(1), 2, axis=1)
    figures[0, 1] += 0.5
    low, high = network.score(figures, len(figures)) / SCALE
    shares = network.shares(figures).sum(0)
    assert abs((shares[1] - shares[0]) - (high - low)) < 0.02
