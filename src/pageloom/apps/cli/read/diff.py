"""``pageloom diff``: what changed between two files, or two versions of a page."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.read.source import read_source
from pageloom.apps.cli.safe import escape_json, safe
from pageloom.core.compare.change import diff as compare_pages
from pageloom.errors import why_not
from pageloom.flows.capture.extract import extract
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from pageloom.core.compare.report import ChangeReport
    from pageloom.model import Document
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, Url, User, takes

_MOST_TRIVIAL = 5


@dataclass(frozen=True, kw_only=True)
class DiffFlags:
    """The flags of ``diff``."""

    before: Annotated[
        str,
        typer.Argument(
            metavar="BEFORE|PAGE", help="The older file; or a page of the library: number or URL."
        ),
    ]
    after: Annotated[str | None, typer.Argument(metavar="[AFTER]", help="The newer file.")] = None
    from_version: Annotated[
        int | None,
        typer.Option(
            "--from", metavar="N", help="Library: the older version; default: the one before."
        ),
    ] = None
    to_version: Annotated[
        int | None,
        typer.Option("--to", metavar="N", help="Library: the newer version; default: the last."),
    ] = None
    watch: Annotated[
        str | None,
        typer.Option("--watch", metavar="WATCH", help="Library: compare the scope of this watch."),
    ] = None
    url: Url = None
    message: Annotated[
        bool, typer.Option("--message", help="With --json: the shape of the queue message.")
    ] = False
    side_by_side: Annotated[
        bool, typer.Option("--side-by-side", "-y", help="Show two columns.")
    ] = False
    html: Annotated[
        str | None,
        typer.Option("--html", metavar="FILE", help="Write the comparison as a page of HTML."),
    ] = None
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold", metavar="0-1", help="Text less similar than this has changed (0.90)."
        ),
    ] = None
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show the summary only, not the text.")
    ] = False
    user: User = None
    as_json: Json = False


@takes(DiffFlags)
def diff(*, flags: DiffFlags) -> None:
    """Compare two files, or two versions of a saved page.

    Noise (counters, timestamps, advertisements, recommendations, session ids …) is named but does
    not count as a change.
    """
    if flags.message and not flags.as_json:
        raise UsageTrouble("--message needs --json.")
    before, after, report = _files(flags) if flags.after else _versions(flags)
    if flags.html is not None:
        write_page(flags.html, before, after, report, side_by_side=flags.side_by_side)
    if flags.as_json:
        shape = report.to_message() if flags.message else report.to_detailed()
        print(escape_json(json.dumps(shape, ensure_ascii=False, indent=2)))
        return
    show_report(report)
    if not flags.quiet and report.text.changed:
        print()
        show_texts(before, after, side_by_side=flags.side_by_side)


def _files(request: DiffFlags) -> tuple[Document, Document, ChangeReport]:
    if request.from_version is not None or request.to_version is not None or request.watch:
        raise UsageTrouble("--from, --to and --watch go with one page of the library.")
    settings = load_settings(flags={"changes.text_threshold": request.threshold})
    options = settings.extraction
    before, after = (
        extract(
            read_source(source, options.max_content_length),
            request.url,
            options=options,
            timeout_ms=options.parse_timeout_ms,
        )
        for source in (request.before, request.after or "")
    )
    return before, after, compare_pages(before, after, settings.changes)


def _versions(request: DiffFlags) -> tuple[Document, Document, ChangeReport]:
    from pageloom.apps.cli.read.versions import load_pair

    pair = load_pair(
        request.user,
        request.before,
        from_version=request.from_version,
        to_version=request.to_version,
        watch_name=request.watch,
    )
    chosen = request.threshold
    options = pair.options if chosen is None else replace(pair.options, text_threshold=chosen)
    report = replace(
        compare_pages(pair.before, pair.after, options),
        previous_version=pair.from_version,
        current_version=pair.to_version,
        baseline_version=pair.from_version,
    )
    return pair.before, pair.after, report


def write_page(
    file: str, before: Document, after: Document, report: ChangeReport, *, side_by_side: bool
) -> None:
    """Write the comparison as one page of HTML."""
    from pageloom.core.compare.render import render_html_page
    from pageloom.core.compare.rows import make_rows

    rows = make_rows(before.text, after.text)
    title = after.title or before.title or "Comparison"
    page = render_html_page(title, report.summary, rows, side_by_side=side_by_side)
    try:
        Path(file).write_text(page, encoding="utf-8")
    except OSError as error:
        raise UsageTrouble(f"{file} cannot be written: {why_not(error)}.") from None


def show_report(report: ChangeReport) -> None:
    """The summary, the levels that changed, and what was found trivial."""
    print(safe(report.summary))
    if report.has_changes:
        names = ", ".join(report.changed_fields)
        print(f"changed: {names} (importance {report.importance:.2f})")
    if report.text.changed:
        print(f"text: {report.text.similarity:.1%} the same")
    kinds: dict[str, int] = {}
    for each in report.trivial:
        kinds[each.kind] = kinds.get(each.kind, 0) + 1
    if kinds:
        shown = [f"{kind} {count}" for kind, count in list(kinds.items())[:_MOST_TRIVIAL]]
        print(f"trivial: {', '.join(shown)}{' …' if len(kinds) > _MOST_TRIVIAL else ''}")


def show_texts(before: Document, after: Document, *, side_by_side: bool) -> None:
    """The texts with what came and went, in colour on a terminal."""
    from pageloom.core.compare.rows import make_rows

    rows = make_rows(before.text, after.text)
    if sys.stdout.isatty() and not side_by_side:
        from pageloom.apps.cli.show import show_rows

        show_rows(rows)
        return
    from pageloom.apps.cli.columns import terminal_width
    from pageloom.core.compare.render import render_text

    print(safe(render_text(rows, side_by_side=side_by_side, width=terminal_width())))
