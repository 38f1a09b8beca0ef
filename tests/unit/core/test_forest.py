"""Trees give the same scores however they are asked."""

from __future__ import annotations

import numpy as np
import pytest

from pageloom.core import forest
from pageloom.core.forest import Forest, load


def make_forest(
    seed: int, *, trees: int = 7, depth: int = 4, features: int = 9, outputs: int = 2
) -> Forest:
    chance = np.random.default_rng(seed)
    return Forest(
        names=tuple(f"f{number}" for number in range(features)),
        feature=chance.integers(0, features, (trees, depth)).astype(np.int16),
        border=chance.normal(size=(trees, depth)).astype(np.float32),
        leaves=chance.integers(-9_000, 9_000, (trees, 2**depth, outputs)).astype(np.int32),
        cover=chance.integers(1, 500, (trees, 2**depth)).astype(np.uint16),
        bias=chance.integers(-50, 50, outputs).astype(np.int64),
        labels=tuple(f"label{number}" for number in range(outputs)),
    )


def plain_score(trees: Forest, column: list[float]) -> list[int]:
    """The same by hand: six questions lead to a leaf, and leaves are added."""
    totals = trees.bias.tolist()
    for feature, border, leaves in zip(trees.feature, trees.border, trees.leaves, strict=True):
        leaf = 0
        for level, (asked, above) in enumerate(zip(feature.tolist(), border.tolist(), strict=True)):
            leaf += (column[asked] > above) << level
        totals = [total + value for total, value in zip(totals, leaves[leaf].tolist(), strict=True)]
    return totals


@pytest.mark.parametrize("seed", range(5))
def test_scores_are_those_of_a_plain_reading(seed: int):
    trees = make_forest(seed)
    figures = np.random.default_rng(seed + 100).normal(size=(9, 40)).astype(np.float32)
    expected = [plain_score(trees, figures[:, place].tolist()) for place in range(40)]
    assert trees.score(figures).tolist() == expected


@pytest.mark.parametrize("name", ["extract blocks", "extract kinds", "compare changes"])
def test_the_shipped_trees_score_as_a_plain_reading_does(name: str):
    package, trees_name = name.split()
    trees = load(f"pageloom.core.{package}", trees_name)
    figures = np.random.default_rng(1).normal(0, 3, (len(trees.names), 5)).astype(np.float32)
    expected = [plain_score(trees, figures[:, place].tolist()) for place in range(5)]
    assert trees.score(figures).tolist() == expected


@pytest.mark.parametrize("alike", [0, 4, 9])
def test_what_all_have_alike_is_looked_at_once_and_scores_the_same(alike: int):
    trees = make_forest(2)
    figures = np.random.default_rng(5).normal(size=(9, 20)).astype(np.float32)
    figures[alike:] = figures[alike:, :1]
    assert (trees.score(figures, alike) == trees.score(figures)).all()


def test_asking_in_portions_changes_nothing(monkeypatch: pytest.MonkeyPatch):
    trees = make_forest(3)
    figures = np.random.default_rng(4).normal(size=(9, 101)).astype(np.float32)
    whole = trees.score(figures)
    for portion in (1, 7, 100, 101, 500):
        monkeypatch.setattr(forest, "_CHUNK", portion)
        assert (trees.score(figures) == whole).all()


def test_shares_of_all_features_lead_from_the_mean_to_the_score():
    trees = make_forest(5, outputs=1)
    figures = np.random.default_rng(6).normal(size=(9, 30)).astype(np.float32)
    moved = trees.shares(figures).sum(0)
    scores = trees.score(figures)[:, 0] / forest.SCALE
    gaps = scores - moved
    assert np.allclose(gaps, gaps[0])


def test_a_feature_that_no_tree_asks_for_has_no_share():
    trees = make_forest(7, features=9)
    unasked = sorted(set(range(9)) - set(trees.feature.ravel().tolist()))
    figures = np.random.default_rng(8).normal(size=(9, 10)).astype(np.float32)
    assert not trees.shares(figures)[unasked].any()


def test_shipped_trees_are_read_once():
    assert load("pageloom.core.extract", "blocks") is load("pageloom.core.extract", "blocks")
    assert set(load("pageloom.core.extract", "kinds").labels) >= {
        "article",
        "product",
        "forum",
        "documentation",
        "service",
    }
