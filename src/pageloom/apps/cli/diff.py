"""``pageloom diff``: read two pages, compare them, show what changed."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pageloom.apps.cli.extract import read_source
from pageloom.apps.cli.safe import escape_json, safe
from pageloom.apps.cli.trouble import UsageTrouble
from pageloom.core.compare.change import diff
from pageloom.errors import why_not
from pageloom.flows.capture.extract import extract
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from pageloom.core.compare.report import ChangeReport
    from pageloom.model import Document

_MOST_TRIVIAL = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRequest:
    """What was asked for on the command line."""

    before: str
    after: str | None = None
    """None: two versions of a page of the library."""
    from_version: int | None = None
    to_version: int | None = None
    watch: str | None = None
    user: str | None = None
    url: str | None = None
    as_json: bool = False
    message: bool = False
    side_by_side: bool = False
    html: str | None = None
    threshold: float | None = None
    quiet: bool = False


def run_diff(request: DiffRequest) -> None:
    """Compare two files, or two versions, and write what was asked for."""
    if request.message and not request.as_json:
        raise UsageTrouble("--message goes with --json.")
    before, after, report = _files(request) if request.after else _versions(request)
    if request.html is not None:
        write_page(request.html, before, after, report, side_by_side=request.side_by_side)
    if request.as_json:
        shape = report.to_message() if request.message else report.to_detailed()
        print(escape_json(json.dumps(shape, ensure_ascii=False, indent=2)))
        return
    show_report(report)
    if not request.quiet and report.text.changed:
        print()
        show_texts(before, after, side_by_side=request.side_by_side)


def _files(request: DiffRequest) -> tuple[Document, Document, ChangeReport]:
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
    return before, after, diff(before, after, settings.changes)


def _versions(request: DiffRequest) -> tuple[Document, Document, ChangeReport]:
    from pageloom.apps.cli.diff_versions import load_pair

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
        diff(pair.before, pair.after, options),
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
