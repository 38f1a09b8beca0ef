"""Train the content engine from labelled pages and write its weights.

    python -m tools.train CORPUS                 fold models for `make quality`, under build/models
    python -m tools.train CORPUS --ship          also the weights that ship, from all pages

The directory is described in tools/corpus.py. Folds are made by site, so that no site is judged by
a model that has seen it. CatBoost's symmetric trees and the network of train_sequence.py are
exported as whole numbers: what ships needs numpy and nothing else.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import catboost
import numpy as np

from pageloom.core.decode.source import decode
from pageloom.core.extract.blocks import segment
from pageloom.core.extract.features import measure
from pageloom.core.extract.page_features import read_context
from pageloom.core.extract.page_kind import page_rows
from pageloom.core.forest import SCALE
from pageloom.errors import PageloomError
from tools.corpus import PAGE_TYPES, LabelledPage, assign_folds, read_all_sets
from tools.labels import UNKNOWN, label_blocks
from tools.train_sequence import Lesson, export_sequence, learn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tools.train_sequence import Learnt

FOLDS = 5
SEEDS = (0, 1, 2)
MODELS = Path("build/models")
SHIPPED = Path("src/pageloom/core/extract")

BLOCK_TREES = 300
BLOCK_SETTINGS = {
    "loss_function": "CrossEntropy",
    "depth": 6,
    "learning_rate": 0.1,
    "l2_leaf_reg": 5,
    "border_count": 64,
    "rsm": 0.3,
    "bootstrap_type": "Bernoulli",
    "subsample": 0.7,
}
KIND_TREES = 120
KIND_SETTINGS = {
    "loss_function": "MultiClass",
    "depth": 4,
    "learning_rate": 0.08,
    "l2_leaf_reg": 8,
    "border_count": 64,
    "rsm": 0.5,
}
QUIET = {"verbose": 0, "allow_writing_files": False}
SNIPPET_WEIGHT = 5.0
"""The weight of one block of known label, where a whole page weighs 100."""
SET_WEIGHTS = {"terms": 0.5, "recipes": 0.3}
"""Sets that count for less, so that no kind of page drowns the others."""
MOST_BLOCKS = 200
"""Blocks of a page from which the trees learn: of a long page those with more words, and some."""
LEAST_COVERED = 0.6
"""Pages on which less of the truth can be found teach nothing: it is empty, or of another page."""


@dataclass(frozen=True, slots=True)
class Example:
    """A page as the trainer sees it."""

    page: LabelledPage
    figures: NDArray[np.float32]
    """Blocks × features."""
    labels: NDArray[np.float32]
    names: list[str]
    page_part: slice

    @property
    def words(self) -> NDArray[np.float32]:
        """The words of each block, and a little for those without."""
        return np.maximum(self.figures[:, 0], 0.5)

    @property
    def weights(self) -> NDArray[np.float32]:
        """How much each block counts: nothing where its label is not known."""
        known = self.labels != UNKNOWN
        weight = SET_WEIGHTS.get(self.page.data_set, 1.0)
        if self.page.truth is None:
            return (known * SNIPPET_WEIGHT * weight).astype(np.float32)
        return known * np.float32(100 * weight) * self.words / self.words.sum()

    @property
    def is_usable(self) -> bool:
        """Whether the truth is of this page."""
        if self.page.truth is None:
            return True
        found = float((self.labels * self.words).sum())
        return found >= LEAST_COVERED * max(len(self.page.truth.split()), 1)


def prepare(pages: Sequence[LabelledPage]) -> list[Example | None]:
    """Examples of all pages that have a block; None for the others."""
    examples: list[Example | None] = []
    for number, page in enumerate(pages):
        examples.append(_prepare(page))
        if sys.stderr.isatty() and number % 50 == 0:
            print(f"\rreading {number}/{len(pages)}", end="", file=sys.stderr)
    return examples


def _prepare(page: LabelledPage) -> Example | None:
    try:
        source = decode(page.body, url=page.url)
    except PageloomError:
        return None
    body = source.tree.select_one("body")
    blocks = segment(body) if body is not None else None
    if not blocks:
        return None
    sheet = measure(blocks, read_context(source.tree, source.url))
    return Example(
        page=page,
        figures=np.ascontiguousarray(sheet.figures.T),
        labels=label_blocks(page, list(blocks.blocks.texts)),
        names=sheet.names,
        page_part=page_rows(sheet),
    )


def train_blocks(examples: list[Example], seed: int) -> catboost.CatBoost:
    """The trees: soft labels, every page of the same weight, words of a page likewise."""
    chance = np.random.default_rng(seed)
    figures, labels, weights = [], [], []
    for example in examples:
        every = example.weights
        some, counts = _sample(every, chance)
        figures.append(example.figures[some])
        labels.append(example.labels[some])
        weights.append(counts)
    model = catboost.CatBoost(
        BLOCK_SETTINGS | {"iterations": BLOCK_TREES, "random_seed": seed, **QUIET}
    )
    pool = catboost.Pool(
        np.concatenate(figures), np.concatenate(labels), weight=np.concatenate(weights)
    )
    return model.fit(pool)


def _sample(
    weights: NDArray[np.float32], chance: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Some of the blocks that count, and what each then counts for."""
    places = weights.nonzero()[0]
    counts = weights[places]
    if len(places) <= MOST_BLOCKS:
        return places, counts
    share = np.maximum(counts, counts.mean())
    share = np.minimum(1, MOST_BLOCKS * share / share.sum())
    drawn = chance.random(len(places)) < share
    return places[drawn], (counts / share)[drawn].astype(np.float32)


def train_sequence(examples: list[Example], seed: int) -> Learnt:
    """The network that reads whole pages."""
    lessons = [
        Lesson(
            example.figures,
            np.clip(example.labels, 0, 1),
            example.weights,
            example.page.truth is not None,
        )
        for example in examples
    ]
    return learn(lessons, seed)


def train_kinds(examples: list[Example], seed: int) -> catboost.CatBoost:
    """The page type, from the figures of whole pages."""
    pages = [example for example in examples if example.page.data_set == "wcxb"]
    rows = np.stack([example.figures[0, example.page_part] for example in pages])
    kinds = np.array([PAGE_TYPES.index(example.page.page_type) for example in pages])
    model = catboost.CatBoost(
        KIND_SETTINGS | {"iterations": KIND_TREES, "random_seed": seed, **QUIET}
    )
    return model.fit(catboost.Pool(rows, kinds))


def export(model: catboost.CatBoost, names: list[str], labels: tuple[str, ...], path: Path) -> None:
    """Write the trees as arrays that pageloom.core.forest reads."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        model.save_model(file.name, format="json")
        stored = json.loads(Path(file.name).read_text("utf-8"))
    trees = stored["oblivious_trees"]
    depth = max(len(tree["splits"]) for tree in trees)
    outputs = len(labels)
    feature = np.zeros((len(trees), depth), np.int16)
    border = np.full((len(trees), depth), np.inf, np.float32)
    leaves = np.zeros((len(trees), 2**depth, outputs), np.int32)
    cover = np.zeros((len(trees), 2**depth), np.uint16)
    for number, tree in enumerate(trees):
        for level, split in enumerate(tree["splits"]):
            feature[number, level] = split["float_feature_index"]
            border[number, level] = split["border"]
        values = np.array(tree["leaf_values"]).reshape(-1, outputs) * SCALE
        leaves[number, : len(values)] = np.rint(values)
        weights = np.array(tree["leaf_weights"])
        cover[number, : len(weights)] = np.rint(weights / max(weights.sum(), 1e-9) * 65_535)
    scale, bias = stored["scale_and_bias"]
    if scale != 1:
        raise ValueError("a scaled model cannot be exported")
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        path,
        names=np.array(names),
        labels=np.array(labels),
        feature=feature,
        border=border,
        leaves=leaves,
        cover=cover,
        bias=np.rint(np.broadcast_to(np.array(bias) * SCALE, outputs)).astype(np.int64),
    )


def train_and_export(examples: list[Example], seed: int, directory: Path) -> None:
    """All models, into one directory."""
    first = examples[0]
    useful = [example for example in examples if example.is_usable and example.weights.any()]
    export(train_blocks(useful, seed), first.names, ("content",), directory / "blocks.npz")
    export_sequence(train_sequence(useful, seed), first.names, directory / "sequence.npz")
    kinds = train_kinds(examples, seed)
    export(kinds, first.names[first.page_part], PAGE_TYPES, directory / "kinds.npz")


def main() -> None:
    """Read, train fold by fold, and ship if asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--ship", action="store_true", help="also write the weights that ship")
    parser.add_argument("--only-ship", action="store_true", help="write only the weights that ship")
    parser.add_argument("--seeds", type=int, nargs="*", default=SEEDS)
    arguments = parser.parse_args()
    pages = read_all_sets(arguments.corpus)
    examples = prepare(pages)
    if arguments.ship or arguments.only_ship:
        train_and_export([e for e in examples if e is not None], 0, SHIPPED)
        print(f"shipped weights written to {SHIPPED}")
    if arguments.only_ship:
        return
    for seed in arguments.seeds:
        folds = assign_folds(pages, FOLDS, seed)
        for fold in range(FOLDS):
            learnt = [
                e for e, at in zip(examples, folds, strict=True) if e is not None and at != fold
            ]
            train_and_export(learnt, seed, MODELS / f"seed{seed}" / f"fold{fold}")
            print(f"seed {seed} fold {fold}: trained on {len(learnt)} pages", flush=True)


if __name__ == "__main__":
    main()
