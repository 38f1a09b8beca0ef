"""Measure content extraction on labelled pages, beside other extractors, and keep the figures.

    python -m tools.quality CORPUS [--peers] [--seeds 0 1 2] [--worst 15] [--only content|metadata]

The weights are learnt from the same data sets, so every page is read with a model that has seen no
page of its site: the fold models of `python -m tools.train CORPUS`, which is run first where they
are missing. The figures are means over the seeds. What is measured is what ships: decoding, the
engine and its fallbacks.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.decode.source import decode
from pageloom.core.extract.content import find_content
from pageloom.core.extract.sequence import read_sequence
from pageloom.core.extract.weights import Weights
from pageloom.core.forest import read
from pageloom.errors import PageloomError
from tools.corpus import PAGE_TYPES, LabelledPage, assign_folds, read_all_sets
from tools.labels import words_of
from tools.train import FOLDS, MODELS, SEEDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HISTORY = Path("bench/history/quality.csv")


@dataclass(frozen=True, slots=True)
class Reading:
    """What an extractor made of a page."""

    page: LabelledPage
    text: str
    page_type: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """F1, precision and recall."""

    f1: float
    precision: float
    recall: float

    def __str__(self) -> str:
        return f"{self.f1:.4f} {self.precision:.4f} {self.recall:.4f}"


def score_words(text: str, truth: str) -> Score:
    """Bags of words: how much of one is in the other."""
    found, wanted = Counter(words_of(text)), Counter(words_of(truth))
    common = (found & wanted).total()
    if not common:
        same = not found and not wanted
        return Score(float(same), float(same), float(same))
    precision, recall = common / found.total(), common / wanted.total()
    return Score(2 * precision * recall / (precision + recall), precision, recall)


def score_snippets(readings: Sequence[Reading]) -> Score:
    """Strings over all pages: wanted and found, wanted and missed, unwanted and found."""
    hits = misses = false = 0
    for reading in readings:
        text = " ".join(reading.text.split())
        found = sum(" ".join(string.split()) in text for string in reading.page.wanted)
        hits += found
        misses += len(reading.page.wanted) - found
        false += sum(" ".join(string.split()) in text for string in reading.page.unwanted)
    return Score(
        2 * hits / max(2 * hits + misses + false, 1),
        hits / max(hits + false, 1),
        hits / max(hits + misses, 1),
    )


def mean(scores: Sequence[Score]) -> Score:
    """The mean of each part."""
    if not scores:
        return Score(0, 0, 0)
    columns = np.array([(score.f1, score.precision, score.recall) for score in scores]).mean(0)
    return Score(*(float(value) for value in columns))


def read_with(page: LabelledPage, weights: Weights) -> Reading:
    """Our engine with these weights."""
    try:
        content = find_content(decode(page.body, url=page.url), weights=weights)
    except PageloomError:
        return Reading(page, "")
    return Reading(page, content.text, content.kind[0])


def read_all(pages: list[LabelledPage], seed: int) -> list[Reading]:
    """Every page with the model of its fold."""
    folds = assign_folds(pages, FOLDS, seed)
    models = [_load(MODELS / f"seed{seed}" / f"fold{fold}") for fold in range(FOLDS)]
    readings = []
    for number, (page, fold) in enumerate(zip(pages, folds, strict=True)):
        readings.append(read_with(page, models[fold]))
        if sys.stderr.isatty() and number % 20 == 0:
            print(f"\rseed {seed}: {number}/{len(pages)} pages ", end="", file=sys.stderr)
    return readings


def _load(directory: Path) -> Weights:
    blocks, sequence, kinds = (
        (directory / f"{name}.npz").read_bytes() for name in ("blocks", "sequence", "kinds")
    )
    return Weights(read(blocks), read_sequence(sequence), read(kinds))


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of one extractor on both data sets."""

    name: str
    pages: dict[str, Score]
    """By page type, and ``all``, ``drafted``, ``others`` of WCXB; by name of the other sets."""
    snippets: Score
    recipes: float = 0.0
    """The share of ingredients and steps that are in the text."""
    kinds: float = 0.0
    """The share of page types told right."""


def judge(name: str, readings: Sequence[Reading]) -> Report:
    """All figures of one run of one extractor."""
    whole = [reading for reading in readings if reading.page.data_set == "wcxb"]
    groups: dict[str, list[Score]] = {"all": []}
    for reading in readings:
        page = reading.page
        if page.truth is None:
            continue
        score = score_words(reading.text, page.truth)
        if page.data_set != "wcxb":
            groups.setdefault(page.data_set, []).append(score)
            continue
        for group in ("all", page.page_type, "drafted" if page.drafted else "others"):
            groups.setdefault(group, []).append(score)
    right = [reading.page_type == reading.page.page_type for reading in whole]
    return Report(
        name,
        {group: mean(members) for group, members in groups.items()},
        score_snippets([reading for reading in readings if reading.page.data_set == "snippets"]),
        score_recipes([reading for reading in readings if reading.page.data_set == "recipes"]),
        sum(right) / max(len(right), 1),
    )


def score_recipes(readings: Sequence[Reading]) -> float:
    """The mean share of the wanted strings that are found, word by word."""
    shares: list[float] = []
    for reading in readings:
        text = f" {' '.join(words_of(reading.text))} "
        wanted = [words for words in map(words_of, reading.page.wanted) if words]
        if wanted:
            shares.append(sum(f" {' '.join(words)} " in text for words in wanted) / len(wanted))
    return sum(shares) / max(len(shares), 1)


def join(name: str, reports: Sequence[Report]) -> Report:
    """The mean over several runs."""
    return Report(
        name,
        {group: mean([report.pages[group] for report in reports]) for group in reports[0].pages},
        mean([report.snippets for report in reports]),
        sum(report.recipes for report in reports) / len(reports),
        sum(report.kinds for report in reports) / len(reports),
    )


def _trafilatura(page: LabelledPage) -> str:
    import trafilatura

    return trafilatura.extract(page.body, include_comments=False) or ""


def _resiliparse(page: LabelledPage) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return extract_plain_text(_decoded(page), main_content=True)


def _readability(page: LabelledPage) -> str:
    from lxml.html import fromstring
    from readability import Document

    return str(fromstring(Document(_decoded(page)).summary()).text_content())


def _decoded(page: LabelledPage) -> str:
    from pageloom.core.decode.charset import decode_bytes

    return page.body if isinstance(page.body, str) else decode_bytes(page.body).text


PEERS: dict[str, Callable[[LabelledPage], str]] = {
    "trafilatura": _trafilatura,
    "resiliparse": _resiliparse,
    "readability-lxml": _readability,
}


def read_peer(name: str, pages: list[LabelledPage]) -> list[Reading]:
    """All pages by another extractor; one that fails on a page gives nothing for it."""
    readings = []
    for number, page in enumerate(pages):
        try:
            text = PEERS[name](page)
        except Exception:  # noqa: BLE001  whatever another library throws at a page is its failure
            text = ""
        readings.append(Reading(page, text))
        if sys.stderr.isatty() and number % 20 == 0:
            print(f"\r{name}: {number}/{len(pages)} pages ", end="", file=sys.stderr)
    return readings


def show(reports: Sequence[Report]) -> None:
    """A table: one row an extractor, one column a group of pages."""
    further = [group for group in ("news", "terms") if group in reports[0].pages]
    groups = ["all", *PAGE_TYPES, "drafted", "others", *further]
    print("\nF1 over words" + " " * 8 + "".join(f"{group[:9]:>10}" for group in groups))
    for report in reports:
        cells = "".join(f"{report.pages[group].f1:>10.4f}" for group in groups)
        print(f"{report.name:<21}{cells}")
    heads = ("words P", "words R", "snip F1", "snip P", "snip R", "recipes", "kind")
    print(f"\n{'':<21}" + "".join(f"{head:>10}" for head in heads))
    for report in reports:
        pages, snippets = report.pages["all"], report.snippets
        values = (
            pages.precision,
            pages.recall,
            snippets.f1,
            snippets.precision,
            snippets.recall,
            report.recipes,
            report.kinds,
        )
        print(f"{report.name:<21}" + "".join(f"{value:>10.4f}" for value in values))


def show_worst(readings: Sequence[Reading], count: int) -> None:
    """The pages with the lowest F1 of each type."""
    scored = [
        (score_words(reading.text, reading.page.truth), reading.page)
        for reading in readings
        if reading.page.truth
    ]
    print(f"\nThe {count} worst pages (F1, precision, recall):")
    for score, page in sorted(scored, key=lambda entry: entry[0].f1)[:count]:
        print(f"  {score}  {page.page_type:<14} {page.id}  {page.url[:80]}")


def keep(reports: Sequence[Report]) -> None:
    """Append the figures to the history."""
    HISTORY.parent.mkdir(parents=True, exist_ok=True)
    columns = [
        "run_at",
        "revision",
        "extractor",
        "all",
        *PAGE_TYPES,
        "snippet_f1",
        "snippet_precision",
    ]
    is_new = not HISTORY.exists()
    revision = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    with HISTORY.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(columns)
        for report in reports:
            figures = [report.pages[group].f1 for group in ("all", *PAGE_TYPES)]
            figures += [report.snippets.f1, report.snippets.precision]
            run_at = datetime.now(UTC).isoformat(timespec="seconds")
            writer.writerow([run_at, revision, report.name, *(f"{value:.4f}" for value in figures)])


def main() -> None:
    """Measure, show, keep."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--no-peers", action="store_true", help="leave the other extractors out")
    parser.add_argument("--seeds", type=int, nargs="*", default=SEEDS)
    parser.add_argument("--worst", type=int, default=15, help="how many of the worst pages to list")
    arguments = parser.parse_args()
    missing = [
        seed
        for seed in arguments.seeds
        if not (MODELS / f"seed{seed}" / f"fold{FOLDS - 1}" / "kinds.npz").exists()
    ]
    if missing:
        print("Training the fold models first; this takes some minutes a seed.", file=sys.stderr)
        command = [
            sys.executable,
            "-m",
            "tools.train",
            str(arguments.corpus),
            "--seeds",
            *map(str, missing),
        ]
        subprocess.run(command, check=True)
    pages = read_all_sets(arguments.corpus)
    runs = [read_all(pages, seed) for seed in arguments.seeds]
    reports = [
        judge(f"pageloom seed {seed}", run) for seed, run in zip(arguments.seeds, runs, strict=True)
    ]
    reports = [join("pageloom", reports), *reports]
    if not arguments.no_peers:
        reports += [judge(name, read_peer(name, pages)) for name in PEERS]
    show(reports)
    show_worst(runs[0], arguments.worst)
    keep(reports)


if __name__ == "__main__":
    main()
