"""Fit the weights by which comparing judges differences (``core/compare/weights.json``).

    python -m tools.train_changes [--visits DIR] [--pairs DIR …] [--check]

Learns from the pairs of ``tests/changes`` and, where they are given, from folders of written pairs
(``manifest.json``, ``pairs/ID/{before,after}.html``, ``sequences/ID/vN.html``) and of real visits
(``manifest.json`` with ``labels`` of each step, ``ID/vN.html``). ``--check`` cross-validates by
page, language or site and writes nothing. Needs scipy (the extra ``train``).

A row of the table is one fact with its weight. What a fact should say where the data says nothing
is its prior; signs that would make no sense are not allowed.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import pageloom
from pageloom.core.compare.align import find_changes
from pageloom.core.compare.evidence import Judged, count_turnover, gather
from pageloom.core.compare.movement import Movement, observe
from pageloom.core.compare.pairs import join_moved, read_gaps
from pageloom.core.compare.side import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from pageloom import Document

TABLE = Path(__file__).parent.parent / "src/pageloom/core/compare/weights.json"
PRIORS = {
    "moved": -7.0,
    "moved_in_order": 9.0,
    "moved_to_label": 9.5,
    "masked": -3.0,
    "place_moves_often": -7.0,
}
"""What is known of facts that few pairs have."""
NAMED = -0.6
"""Of all names that say what changes by itself."""
NEVER_FOR = ("named_", "masked", "both_masked", "nearly_masked", "spelling", "elsewhere", "degrees")
NEVER_AGAINST = ("firm_", "words_", "place_was_still", "put_right", "labelled", "salient_")
FEWEST = 5
"""Differences that must have a fact for it to have a row."""
TOLD, STRONG, NOISE = -70, 150, -200
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
    one, two = Side(before), Side(after)
    pieces = read_gaps(one, two, find_changes(one.texts, two.texts), {})
    found = join_moved([each for piece in pieces for each in piece])
    turnover = count_turnover(found, one, two)
    return [gather(each, one, two, turnover, movement) for each in found]


def words_of(text: str) -> set[str]:
    """The words of a text or of some markup."""
    return set(re.findall(r"\w+", re.sub("<[^>]*>", " ", text).casefold()))


def committed() -> Iterator[Step]:
    """The pairs of the tests; of those made from edits it is known what the edits touched."""
    from tests.changes.make import make_pair, read_cases
    from tests.changes.test_pairs import MANIFEST, read_whole

    for name, case in read_cases().items():
        pair = make_pair(name, case)
        judged = compare(*(pageloom.extract(page, pair.url) for page in (pair.before, pair.after)))
        edits = [*case.get("edits", []), *case.get("final", [])]
        old = {word for a, b in edits for word in words_of(a) - words_of(b)}
        new = {word for a, b in edits for word in words_of(b) - words_of(a)}
        labels = [_touched(each, old, new, pair.fields) for each in judged]
        yield Step(f"c {case['page']}", "committed", "text" in pair.fields, judged, labels)
    for entry in MANIFEST:
        pair = read_whole(entry)
        judged = compare(*(pageloom.extract(page, pair.url) for page in (pair.before, pair.after)))
        unknown = [None if pair.fields else 0] * len(judged)
        yield Step(f"w {pair.name}", "committed", "text" in pair.fields, judged, unknown)


def _touched(each: Judged, old: set[str], new: set[str], fields: tuple[str, ...]) -> int | None:
    before, after = words_of(each.difference.before), words_of(each.difference.after)
    hit = (old & (before - after)) or (new & (after - before))
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


def fit(steps: list[Step], names: list[str]) -> tuple[NDArray[np.float64], float]:
    """Weights and base; of a step with an unknown culprit the likeliest difference is taken."""
    facts, labels, owners = as_matrix(steps, names)
    sizes = np.bincount(owners, minlength=len(steps))
    own = np.array([step.weight for step in steps])
    chosen = labels.copy()
    weights, base = np.zeros(len(names)), -3.0
    for _ in range(3):
        known = chosen >= 0
        emphasis = np.where(chosen == 1, 4.0, 1.0) * own[owners] / np.sqrt(sizes[owners])
        weights, base = _solve(facts[known], chosen[known], emphasis[known], names)
        chosen = _choose(labels, owners, facts @ weights + base, steps)
    return weights, base


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


def _solve(
    facts: NDArray[np.float64],
    labels: NDArray[np.int64],
    emphasis: NDArray[np.float64],
    names: list[str],
) -> tuple[NDArray[np.float64], float]:
    from scipy.optimize import minimize

    prior = np.array(
        [PRIORS.get(name, NAMED if name.startswith("named_") else 0.0) for name in names]
    )
    signs = np.where(labels == 1, 1.0, -1.0)

    def loss(x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margin = signs * (facts @ x[:-1] + x[-1])
        apart = x[:-1] - prior
        value = float((emphasis * np.logaddexp(0, -margin)).sum() + 0.5 * (apart @ apart))
        pull = -emphasis * signs / (1 + np.exp(np.clip(margin, -40, 40)))
        return value, np.append(facts.T @ pull + apart, pull.sum())

    start = np.append(prior, -3.0)
    found = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=[*map(_bounds, names), (-9, 0)]
    )
    return found.x[:-1], float(found.x[-1])


def _bounds(name: str) -> tuple[float | None, float | None]:
    if name in ("place_moves_often", "moved"):
        return None, -6.0  # five visits in a row outweigh the strongest sentence
    if name.startswith(NEVER_FOR):
        return None, 0.0
    return (0.0, None) if name.startswith(NEVER_AGAINST) else (None, None)


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


def tops(
    steps: list[Step], names: list[str], weights: NDArray[np.float64], base: float
) -> list[float]:
    """The highest sum of each step."""
    facts, _, owners = as_matrix(steps, names)
    sums = facts @ weights + base
    same = np.array([bool(each.difference.same) for step in steps for each in step.judged])
    highest = np.full(len(steps), -99.0)
    np.maximum.at(highest, owners, np.where(same, -99.0, sums))
    return highest.tolist()


def check(steps: list[Step], names: list[str]) -> None:
    """Cross-validate: every group is judged by weights that have not seen it."""
    groups = sorted({step.group for step in steps})
    fold = {group: number % FOLDS for number, group in enumerate(groups)}
    sums = [0.0] * len(steps)
    for number in range(FOLDS):
        held = [place for place, step in enumerate(steps) if fold[step.group] == number]
        weights, base = fit([step for step in steps if fold[step.group] != number], names)
        for place, total in zip(
            held, tops([steps[p] for p in held], names, weights, base), strict=True
        ):
            sums[place] = total
    for line in (-0.5, TOLD / 100, 0.2):
        print(f"told from {line}")
        report(steps, sums, line)


def gather_steps(arguments: argparse.Namespace) -> Iterable[Step]:
    """All steps of all sources."""
    yield from committed()
    for folder in arguments.pairs or ():
        yield from written(folder)
    if arguments.visits:
        yield from visited(arguments.visits)


def write(names: list[str], weights: NDArray[np.float64], base: float) -> None:
    """Write the table; the reasons stay."""
    whys = {
        name: row["why"]
        for name, row in json.loads(TABLE.read_text(encoding="utf-8"))["facts"].items()
    }
    rows = {
        name: {"weight": round(100 * weight), "why": whys.get(name, "")}
        for name, weight in sorted(zip(names, weights.tolist(), strict=True))
        if round(100 * weight)
    }
    table = {
        "told": TOLD,
        "strong": STRONG,
        "noise": NOISE,
        "base": round(100 * base),
        "facts": rows,
    }
    TABLE.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(
        f"{len(rows)} rows written; without a reason:",
        [name for name in rows if not rows[name]["why"]],
    )


def main() -> None:
    """Fit, or check."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--visits", type=Path)
    parser.add_argument("--pairs", type=Path, nargs="*")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    steps = [step for step in gather_steps(arguments) if step.judged]
    counts = Counter(name for step in steps for each in step.judged for name in each.facts)
    names = sorted(name for name, count in counts.items() if count >= FEWEST)
    if arguments.check:
        check(steps, names)
        return
    weights, base = fit(steps, names)
    write(names, weights, base)


if __name__ == "__main__":
    main()
