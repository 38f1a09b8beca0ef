"""Grow the trees by which comparing judges differences (``core/compare/changes.npz``).

    python -m tools.train_changes [--visits DIR] [--pairs DIR …] [--engines DIR …] [--check]

Learns from the pairs of ``tests/changes`` and, where they are given, from folders of written pairs
(``manifest.json``, ``pairs/ID/{before,after}.html``, ``sequences/ID/vN.html``) and of real visits
(``manifest.json`` with ``labels`` of each step, ``ID/vN.html``). ``--engines`` reads the pages
with further weights of the engine too (``tools.train`` makes them). ``--check`` cross-validates by
page, writer or site and writes nothing. Needs catboost (the extra ``train``).

The trees learn what the table (``weights.json``) gets wrong; a fact moves a sum only in the
direction that makes sense.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import catboost
import numpy as np

import pageloom
from pageloom.core import forest
from pageloom.core.compare.align import find_changes
from pageloom.core.compare.evidence import Judged, count_turnover, gather
from pageloom.core.compare.movement import Movement, observe
from pageloom.core.compare.pairs import join_moved, read_gaps
from pageloom.core.compare.side import Side
from pageloom.core.compare.text import rank
from pageloom.core.compare.weigh import add_up, table
from pageloom.core.extract import weights
from pageloom.core.extract.sequence import read_sequence
from tools.train import export

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from pageloom import Document

TREES = Path(__file__).parent.parent / "src/pageloom/core/compare/changes.npz"
FORESTS = ("blocks", "kinds")
UNUSED = ("score", "near_cut")
"""What the engine thinks of a block: another one would think otherwise."""
NEVER_FOR = (
    "named_",
    "masked",
    "both_masked",
    "nearly_masked",
    "spelling",
    "elsewhere",
    "degrees",
    "moved",
    "place_moves_often",
)
NEVER_AGAINST = (
    "firm_",
    "words_",
    "place_was_still",
    "put_right",
    "labelled",
    "salient_",
    "moved_in_order",
    "moved_to_label",
)
REAL = 4.0
"""How much more a change weighs that would not be told."""
ROUNDS = 2
SETTINGS = {
    "loss_function": "Logloss",
    "depth": 5,
    "iterations": 400,
    "learning_rate": 0.06,
    "l2_leaf_reg": 6,
    "rsm": 0.5,
    "border_count": 32,
    "verbose": 0,
    "allow_writing_files": False,
}
FEWEST = 5
"""Differences that must have a fact for it to have a row."""
TOLD = 0
FOLDS = 5
LAST = 6
"""The visit of a written sequence on which something changed."""


@dataclass
class Step:
    """Two visits, all that differs between them, and which of it matters."""

    group: str
    """What is held out together."""
    source: str
    matters: bool
    judged: list[Judged]
    labels: list[int | None]
    """Of each difference: whether it matters; None where only some of them do, unknown which."""
    weight: float = 1.0
    visit: int = 0
    names: list[str] = field(default_factory=list[str])


def compare(before: Document, after: Document, movement: Movement | None = None) -> list[Judged]:
    """All differences of two visits with the evidence on them."""
    one, two = sorted((Side(before), Side(after)), key=rank)
    pieces = read_gaps(one, two, find_changes(one.texts, two.texts), {})
    found = join_moved([each for piece in pieces for each in piece])
    turnover = count_turnover(found, one, two)
    return [gather(each, one, two, turnover, movement) for each in found]


def words_of(text: str) -> Counter[str]:
    """The words of a text or of some markup; of scripts without spaces, the letters."""
    return Counter(re.findall(r"[\u3040-\u9fff]|\w+?(?=[\u3040-\u9fff]|\b)", plain(text)))


def plain(text: str) -> str:
    """A text without its markup."""
    return re.sub("<[^>]*>", " ", text).casefold()


def committed() -> Iterator[Step]:
    """The pairs of the tests; of those made from edits it is known what the edits touched."""
    from tests.changes.make import make_pair, read_cases
    from tests.changes.test_pairs import MANIFEST, read_whole

    for name, case in read_cases().items():
        pair = make_pair(name, case)
        judged = compare(*(pageloom.extract(page, pair.url) for page in (pair.before, pair.after)))
        edits = [*case.get("edits", []), *case.get("final", [])]
        touched = {word for a, b in edits for word in _differing(a, b)}
        labels = [_touched(each, touched, pair.fields) for each in judged]
        yield Step(f"c {case['page']}", "committed", "text" in pair.fields, judged, labels)
    for entry in MANIFEST:
        pair = read_whole(entry)
        judged = compare(*(pageloom.extract(page, pair.url) for page in (pair.before, pair.after)))
        unknown = [None if pair.fields else 0] * len(judged)
        yield Step(f"w {pair.name}", "committed", "text" in pair.fields, judged, unknown)


def lines() -> Iterator[Step]:
    """Single lines of the tests that somebody decided about, and lists that grow."""
    from tests.changes.test_lines import MEANINGFUL, SENTENCES, TRIVIAL, around
    from tests.unit.core.compare.test_long import MIXED, POSTS, listing

    pairs = [(map(around, each.split(" => ")), 0) for each in TRIVIAL]
    pairs += [(map(around, each.split(" => ")), 1) for each in MEANINGFUL]
    pairs += [((around(), around(each)), 1) for each in SENTENCES]
    for number, (documents, matters) in enumerate(pairs):
        judged = compare(*documents)
        yield Step(f"l {number % 50}", "lines", bool(matters), judged, [matters] * len(judged), 0.5)
    for template in (POSTS, MIXED):
        group = f"l {template}"
        for some, more in ((0, 20), (20, 30), (200, 300), (2, 5)):
            documents = (listing(template, 1, range(length)) for length in (some, more))
            judged = compare(*documents)
            yield Step(group, "lines", matters=True, judged=judged, labels=[1] * len(judged))
        for number in (3, 11, 25):  # a number that is no counter, among counters
            before, after = (listing(template, step, range(30)) for step in (1, 3))
            text = after.text.replace(f" {number} ·", " 98765 ·").replace(f" {number}:", " 98765:")
            judged = compare(before, replace(after, text=text))
            labels = [int("98765" in each.difference.after) for each in judged]
            yield Step(group, "lines", matters=True, judged=judged, labels=labels, weight=3.0)


def _differing(one: str, two: str) -> Counter[str]:
    """The words that one of two texts has more often."""
    words, others = words_of(one), words_of(two)
    return (words - others) + (others - words)


def _touched(each: Judged, words: set[str], fields: tuple[str, ...]) -> int | None:
    hit = not words.isdisjoint(_differing(each.difference.before, each.difference.after))
    if not hit or each.difference.same:
        return 0
    return 1 if "text" in fields else None


def written(folder: Path) -> Iterator[Step]:
    """Pairs and sequences that somebody wrote, with the words that must be told."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    share = min(1.0, (60 / max(len(manifest["pairs"]), 1)) ** 0.5)  # none drowns the others
    for entry in manifest["pairs"]:
        pages = [folder / "pairs" / entry["id"] / f"{name}.html" for name in ("before", "after")]
        documents = [pageloom.extract(page.read_bytes(), entry["url"]) for page in pages]
        matters = entry["expect"] == "change"
        yield _written_step(folder, entry, compare(*documents), share, matters=matters)
    for entry in manifest["sequences"]:
        movement, last = Movement(), None
        for visit in range(LAST + 1):
            page = folder / "sequences" / entry["id"] / f"v{visit}.html"
            document = pageloom.extract(page.read_bytes(), entry["url"])
            if last is not None:
                judged = compare(last, document, movement)
                yield _written_step(
                    folder, entry, judged, share, matters=visit == LAST, visit=visit
                )
                movement = observe(movement, last, document)
            last = document


def _written_step(
    folder: Path,
    entry: dict[str, Any],
    judged: list[Judged],
    share: float,
    *,
    matters: bool,
    visit: int = 0,
) -> Step:
    labels = [int(matters and _is_named(each, entry["words"])) for each in judged]
    textual = matters and any(labels)
    group = f"{folder.name} {entry['language'] if len(judged) else entry['id']}"
    return Step(group, folder.name, textual, judged, list(labels), share, visit)


def _is_named(each: Judged, words: list[str]) -> bool:
    before, after = each.difference.before.casefold(), each.difference.after.casefold()
    named = any((word.casefold() in before) != (word.casefold() in after) for word in words)
    return named and not each.difference.same


def visited(folder: Path) -> Iterator[Step]:
    """Real visits: of a step that matters it is not known what of it does."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for entry in manifest:
        movement, last = Movement(), None
        for visit in range(len(entry["labels"]) + 1):
            page = (folder / entry["id"] / f"v{visit}.html").read_bytes()
            document = pageloom.extract(page, entry["url"])
            label = entry["labels"][visit - 1] if visit else ""
            if last is not None and label in ("noise", "change"):
                for known in (None, movement) if movement.visits else (None,):
                    judged = compare(last, document, known)
                    unknown = [0 if label == "noise" else None] * len(judged)
                    source = "visits" if known is None else "visits with history"
                    group = f"v {entry['service']}"
                    yield Step(group, source, label == "change", judged, unknown, 0.4, visit)
            if last is not None:
                movement = observe(movement, last, document)
            last = document


def as_matrix(
    steps: list[Step], names: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """The facts of all differences as columns, their labels, and the steps they belong to."""
    place = {name: number for number, name in enumerate(names)}
    rows = [
        (number, j, y)
        for number, s in enumerate(steps)
        for j, y in zip(s.judged, s.labels, strict=True)
    ]
    facts = np.zeros((len(rows), len(names)))
    for row, (_, judged, _) in enumerate(rows):
        for name, value in judged.facts.items():
            if name in place:
                facts[row, place[name]] = value
    labels = np.array([-1 if y is None else y for _, _, y in rows])
    return facts, labels, np.array([number for number, _, _ in rows])


def fit(steps: list[Step], names: list[str], seed: int = 0) -> catboost.CatBoost:
    """The trees; of a step with an unknown culprit the likeliest difference is taken."""
    facts, labels, owners = as_matrix(steps, names)
    sizes = np.bincount(owners, minlength=len(steps))
    own = np.array([step.weight for step in steps])
    fixed = table_sums(steps)
    # at first what differs most in the content
    likely = np.array([each.facts.get("score", 0.0) for step in steps for each in step.judged])
    for _ in range(ROUNDS):
        chosen = _choose(labels, owners, likely, steps)
        known = chosen >= 0
        emphasis = np.where(chosen == 1, REAL, 1.0) * own[owners] / np.sqrt(sizes[owners])
        model = catboost.CatBoost(
            {**SETTINGS, "random_seed": seed, "monotone_constraints": [*map(_sign, names)]}
        )
        model.fit(
            catboost.Pool(
                facts[known], chosen[known], weight=emphasis[known], baseline=fixed[known]
            )
        )
        likely = model.predict(facts, prediction_type="RawFormulaVal") + fixed
    return model


def table_sums(steps: list[Step]) -> NDArray[np.float64]:
    """What the table says of each difference, in logits."""
    return np.array([add_up(each.facts) / 100 for step in steps for each in step.judged])


def _sign(name: str) -> int:
    """Which way a fact may move a sum: 1 up, -1 down, 0 either."""
    if name.startswith(NEVER_AGAINST):
        return 1
    return -1 if name.startswith(NEVER_FOR) else 0


def _choose(
    labels: NDArray[np.int64],
    owners: NDArray[np.int64],
    sums: NDArray[np.float64],
    steps: list[Step],
) -> NDArray[np.int64]:
    chosen = labels.copy()
    start = 0
    for number, step in enumerate(steps):
        end = start + len(step.judged)
        unknown = [
            row
            for row in range(start, end)
            if labels[row] == -1 and step.matters and _may_matter(step.judged[row - start])
        ]
        if unknown and not (labels[start:end] == 1).any():
            chosen[max(unknown, key=lambda row: sums[row])] = 1
        start = end
        assert number == owners[start - 1] or not step.judged  # noqa: S101
    return chosen


def _may_matter(each: Judged) -> bool:
    moved = each.difference.same or each.difference.moved
    return "main" in each.facts and not moved and "elsewhere" not in each.facts


def report(steps: list[Step], sums: list[float], line: float) -> None:
    """Print what is missed and what alarms, by source."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for step, total in zip(steps, sums, strict=True):
        row = counts[
            step.source
            + (f" visit {step.visit}" if step.visit and "visits" not in step.source else "")
        ]
        row[0 if step.matters else 2] += 1
        row[1 if step.matters else 3] += (total < line) if step.matters else (total >= line)
    for source, (real, missed, noise, alarms) in sorted(counts.items()):
        print(f"  {source:24} missed {missed:3}/{real:<4} alarms {alarms:3}/{noise}")


def tops(steps: list[Step], names: list[str], model: catboost.CatBoost) -> list[float]:
    """The highest sum of each step."""
    facts, _, owners = as_matrix(steps, names)
    sums = model.predict(facts, prediction_type="RawFormulaVal") + table_sums(steps)
    same = np.array([bool(each.difference.same) for step in steps for each in step.judged])
    highest = np.full(len(steps), -99.0)
    np.maximum.at(highest, owners, np.where(same, -99.0, sums))
    return highest.tolist()


def check(steps: list[Step], names: list[str]) -> None:
    """Cross-validate: every site, and every writer, is judged by trees that have not seen it."""
    groups = sorted({step.group for step in steps})
    fold = {group: number % FOLDS for number, group in enumerate(groups)}
    sums = [0.0] * len(steps)
    for number in range(FOLDS):
        held = [place for place, step in enumerate(steps) if fold[step.group] == number]
        model = fit([step for step in steps if fold[step.group] != number], names)
        for place, total in zip(held, tops([steps[p] for p in held], names, model), strict=True):
            sums[place] = total
    for line in (-0.5, TOLD / 100, 0.2):
        print(f"told from {line}")
        report(steps, sums, line)


def gather_steps(arguments: argparse.Namespace) -> Iterable[Step]:
    """All steps of all sources; of pages that somebody wrote, as each engine reads them."""
    folders: list[Path | None] = [None, *(arguments.engines or ())]
    for folder in folders:
        with engine(folder):
            for step in chain(committed(), *map(written, arguments.pairs or ())):
                step.weight /= len(folders)
                yield step
    yield from lines()
    if arguments.visits:
        yield from visited(arguments.visits)


@contextmanager
def engine(folder: Path | None) -> Iterator[None]:
    """Read pages with the weights of that folder: a change must matter whoever cuts the page."""
    if folder is None:
        yield
        return
    trees = {name: forest.read((folder / f"{name}.npz").read_bytes()) for name in FORESTS}
    sequence = read_sequence((folder / "sequence.npz").read_bytes())
    with (
        patch.object(weights, "load", lambda _, name: trees[name]),  # type: ignore[misc]
        patch.object(weights, "load_sequence", lambda: sequence),
    ):
        yield


def main() -> None:
    """Fit, or check."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--visits", type=Path)
    parser.add_argument("--pairs", type=Path, nargs="*")
    parser.add_argument("--engines", type=Path, nargs="*", help="folders of other weights")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    steps = [step for step in gather_steps(arguments) if step.judged]
    counts = Counter(name for step in steps for each in step.judged for name in each.facts)
    names = sorted(n for n, count in counts.items() if count >= FEWEST and n not in UNUSED)
    if arguments.check:
        check(steps, names)
        return
    export(fit(steps, names), names, ("matters",), TREES)
    rows = table().facts
    print(f"{len(names)} facts; without a reason:", [name for name in names if name not in rows])


if __name__ == "__main__":
    main()
