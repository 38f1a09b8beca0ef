"""``pageloom compare``: two extractors over the same pages."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.files import require_free
from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.progress import show_progress
from pageloom.apps.cli.safe import one_line
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
from pageloom.flows.transfer.backups import refuse_library_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.library import Library
from typing import Annotated

import typer

from pageloom.apps.cli.flags import LARGEST, Common, Force, takes
from pageloom.apps.cli.page_flags import Chosen


@dataclass(frozen=True, kw_only=True)
class CompareFlags(Chosen, Common):
    """The flags of ``compare``."""

    given: Annotated[
        str | None,
        typer.Argument(
            metavar="[DIR|JSONL]", help="Pages with reference texts; default: pages of the library."
        ),
    ] = None
    one: Annotated[
        str | None,
        typer.Option(
            "--reference", "-a", metavar="EXTRACTOR", help="The extractor to compare with."
        ),
    ] = None
    two: Annotated[
        str, typer.Option("--with", "-b", metavar="EXTRACTOR", help="The extractor to measure.")
    ] = "ours"
    canonical: Annotated[
        bool, typer.Option("--canonical", help="Compare plain text, without case and punctuation.")
    ] = False
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", min=1, max=LARGEST, help="At most this many pages."),
    ] = None
    history: Annotated[
        str | None, typer.Option("--history", metavar="CSV", help="Append the result to this file.")
    ] = None
    summary: Annotated[
        str | None,
        typer.Option("--summary", metavar="CSV", help="Write one row per page to this file."),
    ] = None
    report: Annotated[
        str | None,
        typer.Option(
            "--report", metavar="HTML", help="Write a report with the worst pages and the trend."
        ),
    ] = None
    tolerance: Annotated[
        float, typer.Option("--tolerance", min=0, help="How much worse a figure may get.")
    ] = 0.01
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, help="Seconds per page for an extractor command.")
    ] = 30.0
    force: Force = False
    git_sha: Annotated[
        str | None,
        typer.Option("--git-sha", help="The commit to note in the history; default: HEAD."),
    ] = None


@takes(CompareFlags)
def compare(*, flags: CompareFlags) -> None:
    """Compare two extractors over the same pages.

    Exits with 1 if a figure is worse than in the last run. Extractors: ours (Pageloom),
    ours:setting=value,…, stored (as saved in the library), reference (the text given with each
    page), command:PROGRAM (HTML on standard input, the URL as last argument, Markdown or a Document
    on standard output), reader:URL (a reader service).
    """
    raise typer.Exit(_compare(flags))


def _compare(request: CompareFlags) -> int:
    runs = _runs(request)  # before the work: a file that is not a history is refused at once
    require_free((request.summary, request.report), force=request.force)
    with open_library(request.user) as library:
        for name in filter(None, (request.history, request.summary, request.report)):
            refuse_library_file(library.settings.database, Path(name))
        bench = Bench(
            options=library.settings.extraction,
            fetch=library.settings.fetch,
            timeout=request.timeout,
            reader_token=library.settings.library.reader_token,
            rules=library.context.own_rules.sealed,
        )
        default = "stored" if request.given is None else "reference"
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


def _runs(request: CompareFlags) -> list[dict[str, str]]:
    try:
        return read_history(Path(request.history)) if request.history else []
    except OSError as error:
        raise UsageTrouble(f"The history cannot be read: {why_not(error)}.") from None


def _subjects(library: Library, request: CompareFlags) -> Iterator[Subject]:
    if request.given is None:
        return stored_subjects(
            library.context.store,
            library.pages(request.filters(**({} if request.archived else {"archived": "all"}))),
        )
    path = Path(request.given)
    options = library.settings.extraction
    if path.is_dir():
        return folder_subjects(path, options)
    if path.is_file():
        return jsonl_subjects(path, options)
    raise UsageTrouble(f"{one_line(request.given, 80)} is neither a directory nor a file.")


def _finish(results: list[Compared], runs: list[dict[str, str]], request: CompareFlags) -> int:
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
        raise UsageTrouble(f"The comparison cannot be written: {why_not(error)}.") from None
    _print(results, row, worse, as_json=request.as_json)
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


def _print(
    results: list[Compared], row: dict[str, str], worse: list[str], *, as_json: bool
) -> None:
    if as_json:
        pages = [
            {"name": one.subject.name, "url": one.subject.url, "error": one.error}
            | (one.measure.to_dict() if one.measure else {})
            for one in results
        ]
        print_json({"success": not worse, "run": row, "fallen": worse, "items": pages})
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
    print_lines([f"WORSE: {one}" for one in worse])
