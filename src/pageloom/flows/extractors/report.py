"""Reports of extractor comparisons: a history row per run, a row per page, an HTML report."""

from __future__ import annotations

import csv
import io
from html import escape
from itertools import zip_longest
from statistics import fmean, pstdev
from typing import TYPE_CHECKING

from pageloom.edges.atomic_write import atomic_write
from pageloom.errors import UnsupportedContent
from pageloom.flows.extractors.measure import KINDS, STRUCTURES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pageloom.flows.extractors.compare import Compared

_COVERAGE = tuple(name for kind in KINDS for name in (f"coverage_{kind}", f"std_coverage_{kind}"))
_COUNTS = tuple(name for kind in KINDS for name in (f"missing_{kind}", f"extra_{kind}"))
_SHAPES = tuple(name for kind in STRUCTURES for name in (f"diff_{kind}", f"std_diff_{kind}"))
HISTORY_COLUMNS = (
    "run_at",
    "git_sha",
    "ok_count",
    "error_count",
    "avg_similarity",
    "std_similarity",
    *_COVERAGE,
    *_COUNTS,
    *_SHAPES,
)
_FIRST = frozenset(("run_at", "ok_count", "error_count", "avg_similarity"))
"""The columns a history file must have."""
SUMMARY_COLUMNS = (
    "name",
    "url",
    "status",
    "similarity",
    "words_before",
    "words_after",
    *(f"coverage_{kind}" for kind in KINDS),
    *_COUNTS,
    *(f"diff_{kind}" for kind in STRUCTURES),
    "error",
)
WATCHED = ("avg_similarity", *(f"coverage_{kind}" for kind in KINDS))
"""The metrics that must not fall."""
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
_WORST = 100


def run_row(results: Sequence[Compared], *, run_at: str, git_sha: str) -> dict[str, str]:
    """The figures of one run."""
    measured = [one.measure for one in results if one.measure]
    row = {
        "run_at": run_at,
        "git_sha": git_sha,
        "ok_count": str(len(measured)),
        "error_count": str(len(results) - len(measured)),
    }
    mean, spread = _spread([one.similarity for one in measured])
    row |= {"avg_similarity": mean, "std_similarity": spread}
    for kind in KINDS:
        mean, spread = _spread([one.coverage[kind] for one in measured])
        row |= {f"coverage_{kind}": mean, f"std_coverage_{kind}": spread}
        row[f"missing_{kind}"] = str(sum(one.missing[kind] for one in measured))
        row[f"extra_{kind}"] = str(sum(one.extra[kind] for one in measured))
    for kind in STRUCTURES:
        mean, spread = _spread([one.structure[kind] for one in measured])
        row |= {f"diff_{kind}": mean, f"std_diff_{kind}": spread}
    return {name: row[name] for name in HISTORY_COLUMNS}


def _spread(values: Sequence[float]) -> tuple[str, str]:
    if not values:
        return "", ""
    return f"{fmean(values):.6f}", f"{pstdev(values):.6f}"


def read_history(path: Path) -> list[dict[str, str]]:
    """The runs before this one, oldest first.

    Raises:
        UnsupportedContent: the file is not a history and would be overwritten.
    """
    try:
        text = path.read_text("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text), strict=True))
    except FileNotFoundError:
        return []
    except (UnicodeDecodeError, csv.Error):
        raise _no_history() from None
    columns = rows[0] if rows else []
    if text.strip() and not set(columns) >= _FIRST:
        raise _no_history()
    if any(len(row) > len(columns) for row in rows):
        raise _no_history()
    return [dict(zip_longest(columns, row, fillvalue="")) for row in rows[1:] if row]


def _no_history() -> UnsupportedContent:
    return UnsupportedContent(
        "The file is not a comparison history; nothing was written to it.",
        suggestions=("Give another file to --history.",),
    )


def append_history(path: Path, row: dict[str, str]) -> None:
    """Append a run; the order of an older file's columns is kept."""
    before = read_history(path)
    columns = list(before[0]) if before else list(HISTORY_COLUMNS)
    columns += [name for name in HISTORY_COLUMNS if name not in columns]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows([*before, row])
    with atomic_write(path) as file:
        file.write(text.getvalue().encode())


def fallen(before: dict[str, str], after: dict[str, str], tolerance: float) -> list[str]:
    """The metrics that fell by more than the tolerance, as messages."""
    found: list[str] = []
    for name in WATCHED:
        old, new = _number(before.get(name)), _number(after.get(name))
        if old is not None and new is not None and old - new > tolerance:
            found.append(f"{name} fell from {old:.4f} to {new:.4f}")
    old, new = _number(before.get("error_count")), _number(after.get("error_count"))
    if old is not None and new is not None and new > old:
        found.append(f"errors rose from {old:.0f} to {new:.0f}")
    return found


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def summary_csv(results: Iterable[Compared]) -> str:
    """A CSV row for each page; no cell can be taken for a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(SUMMARY_COLUMNS)
    for one in results:
        writer.writerow([_cell(value) for value in _summary(one)])
    return text.getvalue()


def _summary(one: Compared) -> list[object]:
    start = [one.subject.name, one.subject.url]
    if one.measure is None:
        blank = [""] * (len(SUMMARY_COLUMNS) - len(start) - 2)
        return [*start, "error", *blank, one.error]
    found = one.measure
    counts = [value for kind in KINDS for value in (found.missing[kind], found.extra[kind])]
    return [
        *start,
        "ok",
        found.similarity,
        *one.words,
        *(found.coverage[kind] for kind in KINDS),
        *counts,
        *(found.structure[kind] for kind in STRUCTURES),
        "",
    ]


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(_DANGEROUS):
        return f"'{value}"
    return value


def html_report(
    results: Sequence[Compared], row: dict[str, str], runs: Sequence[dict[str, str]]
) -> str:
    """An HTML report: the worst pages first, and the trend over runs."""
    worst = sorted(results, key=lambda one: one.measure.similarity if one.measure else -1.0)
    lines = "".join(_line(one) for one in worst[:_WORST])
    figures = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(row[name])}</td></tr>"
        for name in HISTORY_COLUMNS[2:]
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Comparison</title>'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\';'
        " style-src 'unsafe-inline'\">"
        "<style>body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;"
        "padding:0 1rem}"
        "table{border-collapse:collapse}td,th{padding:.2rem .6rem;border-bottom:1px solid #ddd;"
        "text-align:left}td.n{text-align:right}.bad{color:#b00}svg{width:100%;height:220px}</style>"
        f"</head><body><h1>Comparison of {escape(row['run_at'])}</h1>{_plot(runs)}"
        "<h2>Worst pages first</h2><table><tr><th>page</th><th>similarity</th><th>words</th>"
        f"<th>missing</th><th>extra</th><th></th></tr>{lines}</table>"
        f"<h2>Figures</h2><table>{figures}</table></body></html>\n"
    )


def _line(one: Compared) -> str:
    name = escape(one.subject.url or one.subject.name)
    if one.measure is None:
        return (
            f'<tr class="bad"><td>{name}</td><td colspan="4"></td><td>{escape(one.error)}</td></tr>'
        )
    cells = (
        f"{one.measure.similarity:.3f}",
        f"{one.words[0]} → {one.words[1]}",
        str(one.measure.missing["words"]),
        str(one.measure.extra["words"]),
    )
    numbers = "".join(f'<td class="n">{cell}</td>' for cell in cells)
    return f"<tr><td>{name}</td>{numbers}<td></td></tr>"


_COLORS = ("#1565c0", "#2e7d32", "#ef6c00", "#6a1b9a", "#c62828")


def _plot(runs: Sequence[dict[str, str]]) -> str:
    """The metrics of the last runs as an SVG chart, without external resources."""
    shown = list(runs)[-60:]
    if len(shown) < 2:
        return "<p>The trend appears from the second run on.</p>"
    step = 900 / (len(shown) - 1)
    parts: list[str] = []
    for color, name in zip(_COLORS, WATCHED, strict=True):
        values = [_number(run.get(name)) for run in shown]
        points = " ".join(
            f"{40 + number * step:.1f},{200 - 180 * value:.1f}"
            for number, value in enumerate(values)
            if value is not None
        )
        place = 20 + 16 * WATCHED.index(name)
        parts.append(f'<polyline fill="none" stroke="{color}" stroke-width="2" points="{points}"/>')
        parts.append(f'<text x="950" y="{place}" fill="{color}" font-size="12">{name}</text>')
    axes = (
        '<line x1="40" y1="200" x2="940" y2="200" stroke="#999"/>'
        '<line x1="40" y1="20" x2="940" y2="20" stroke="#eee"/>'
        '<text x="10" y="24" font-size="12">1.0</text>'
        '<text x="10" y="204" font-size="12">0.0</text>'
    )
    return f'<h2>Trend</h2><svg viewBox="0 0 1100 220" role="img">{axes}{"".join(parts)}</svg>'
