"""``pageloom compare``: two extractors over the same pages."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pageloom.apps.cli.library import (
    count,
    open_library,
    print_json,
    print_lines,
    spare_library,
)
from pageloom.apps.cli.progress import show_progress
from pageloom.apps.cli.safe import one_line
from pageloom.apps.cli.trouble import UsageTrouble
from pageloom.errors import why_not
from pageloom.flows.extractors.compare import (
    Bench,
    Compared,
    Subject,
    compare_pages,
    folder_subjects,
    jsonl_subjects,
    make_extractor,
    stored_subjects,
)
from pageloom.flows.extractors.report import (
    WATCHED,
    append_history,
    fallen,
    html_report,
    read_history,
    run_row,
    summary_csv,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.context import Context
    from pageloom.model.library import Filters


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRequest:
    """What was asked for on the command line."""

    source: str | None
    one: str | None
    two: str
    filters: Filters
    canonical: bool = False
    limit: int | None = None
    history: str | None = None
    summary: str | None = None
    report: str | None = None
    tolerance: float = 0.01
    timeout: float = 30.0
    git_sha: str | None = None
    user: str | None = None
    as_json: bool = False


def run_compare(request: CompareRequest) -> int:
    """Compare, write what was asked for, and say what fell; the exit code."""
    runs = _runs(request)  # before the work: a file that is no history is told at once
    with open_library(request.user) as library:
        for name in filter(None, (request.history, request.summary, request.report)):
            spare_library(library, Path(name))
        bench = Bench(
            options=library.settings.extraction,
            fetch=library.settings.fetch,
            timeout=request.timeout,
            reader_token=library.settings.library.reader_token,
            rules=library.rules.sealed,
        )
        default = "stored" if request.source is None else "reference"
        one = make_extractor(request.one or default, bench)
        two = make_extractor(request.two, bench)
        subjects = islice(_subjects(library, request), request.limit)
        results: list[Compared] = []
        with show_progress("comparing", None, quiet=request.as_json) as advance:
            for result in compare_pages(subjects, one, two, canonical=request.canonical):
                advance()
                results.append(result)
    if not results:
        raise UsageTrouble("There are no pages to compare.")
    return _finish(results, runs, request)


def _runs(request: CompareRequest) -> list[dict[str, str]]:
    try:
        return read_history(Path(request.history)) if request.history else []
    except OSError as error:
        raise UsageTrouble(f"The history cannot be read: {why_not(error)}.") from None


def _subjects(library: Context, request: CompareRequest) -> Iterator[Subject]:
    from pageloom.edges.store.listing import walk_pages

    if request.source is None:
        pages = walk_pages(library.store, library.owner, request.filters)
        return stored_subjects(library.store, pages)
    path = Path(request.source)
    options = library.settings.extraction
    if path.is_dir():
        return folder_subjects(path, options)
    if path.is_file():
        return jsonl_subjects(path, options)
    raise UsageTrouble(f"{one_line(request.source, 80)} is neither a folder nor a file.")


def _finish(results: list[Compared], runs: list[dict[str, str]], request: CompareRequest) -> int:
    run_at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    row = run_row(results, run_at=run_at, git_sha=request.git_sha or _git_sha())
    worse = fallen(runs[-1], row, request.tolerance) if runs else []
    try:
        if request.history:
            append_history(Path(request.history), row)
        if request.summary:
            Path(request.summary).write_text(summary_csv(results), encoding="utf-8")
        if request.report:
            Path(request.report).write_text(html_report(results, row, [*runs, row]), "utf-8")
    except OSError as error:
        raise UsageTrouble(f"A file cannot be written: {why_not(error)}.") from None
    _tell(results, row, worse, as_json=request.as_json)
    return 1 if worse or not any(one.measure for one in results) else 0


def _git_sha() -> str:
    """The commit of the working directory, for the history; empty where there is none."""
    try:
        done = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607  the user's own
            capture_output=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else ""


def _tell(results: list[Compared], row: dict[str, str], worse: list[str], *, as_json: bool) -> None:
    if as_json:
        pages = [
            {"name": one.subject.name, "url": one.subject.url, "error": one.error}
            | (one.measure.to_dict() if one.measure else {})
            for one in results
        ]
        print_json({"success": not worse, "run": row, "fallen": worse, "pages": pages})
        return
    ranked = sorted(results, key=lambda one: one.measure.similarity if one.measure else -1.0)
    for one in ranked[:5]:
        figure = f"{one.measure.similarity:.3f}" if one.measure else "error"
        print_lines(
            [f"{figure}  {one_line(one.subject.url, 90)}  {one_line(one.error, 80)}".rstrip()]
        )
    print_lines(
        [f"{count(len(results), 'page')}: {row['ok_count']} ok, {row['error_count']} errors"]
    )
    print_lines([f"{name:<18} {row[name]}" for name in WATCHED])
    print_lines([f"FELL: {one}" for one in worse])
