"""``pageloom diff``: what changed between two files, or two versions of a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.files import require_free, write_file
from pageloom.apps.cli.flags import Force, Json, Url, User, takes
from pageloom.apps.cli.output import print_json
from pageloom.apps.cli.pages import open_library, require_page, require_watch, watch_number
from pageloom.apps.cli.read.source import read_source
from pageloom.apps.cli.safe import has_styles, safe
from pageloom.flows.library.compare import (
    compare_files,
    comparison_page,
    comparison_rows,
    comparison_text,
)
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom import ChangeReport
    from pageloom.flows.library.compare import Row, VersionPair


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
            "--from", metavar="N", help="Saved page: the older version; default: the one before."
        ),
    ] = None
    to_version: Annotated[
        int | None,
        typer.Option(
            "--to", metavar="N", help="Saved page: the newer version; default: the latest."
        ),
    ] = None
    watch: Annotated[
        str | None,
        typer.Option(
            "--watch", metavar="WATCH", help="Saved page: compare the scope of this watch."
        ),
    ] = None
    url: Url = None
    message: Annotated[
        bool, typer.Option("--message", help="With --json: in the format of queue messages.")
    ] = False
    side_by_side: Annotated[
        bool, typer.Option("--side-by-side", "-y", help="Show two columns.")
    ] = False
    html: Annotated[
        str | None,
        typer.Option("--html", metavar="FILE", help="Write the comparison to this HTML file."),
    ] = None
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            metavar="0-1",
            help="Text less similar than this counts as changed; default: 0.90.",
        ),
    ] = None
    full: Annotated[
        bool, typer.Option("--full", help="Show whole paragraphs, not only what is near a change.")
    ] = False
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show the summary only, not the text.")
    ] = False
    force: Force = False
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
    require_free((flags.html,), force=flags.force)
    pair = _files(flags, flags.after) if flags.after else _versions(flags)
    report = pair.report
    if flags.html is not None:
        page = comparison_page(pair, side_by_side=flags.side_by_side)
        write_file(flags.html, page.encode())
    if flags.as_json:
        shape = report.to_message() if flags.message else report.to_detailed()
        print_json({"success": True} | shape)
        return
    show_report(report)
    if not flags.quiet and report.text.changed:
        print()
        rows = comparison_rows(pair, folded=not flags.full)
        show_texts(rows, side_by_side=flags.side_by_side)


def _files(flags: DiffFlags, after: str) -> VersionPair:
    if flags.from_version is not None or flags.to_version is not None or flags.watch:
        raise UsageTrouble("--from, --to and --watch need one page of the library, not two files.")
    settings = load_settings(flags={"changes.text_threshold": flags.threshold})
    options = settings.extraction
    old, new = (read_source(name, options.max_content_length) for name in (flags.before, after))
    return compare_files(old, new, flags.url, extraction=options, comparing=settings.changes)


def _versions(flags: DiffFlags) -> VersionPair:
    chosen = {"changes.text_threshold": flags.threshold}
    with open_library(flags.user, chosen) as library:
        number = watch_number(flags.before)
        named = flags.watch or (flags.before if number is not None else None)
        return library.compare(
            require_page(library, flags.before),
            flags.from_version,
            flags.to_version,
            watch=require_watch(library, named) if named else None,
        )


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


def show_texts(rows: Sequence[Row], *, side_by_side: bool) -> None:
    """The texts with what was added and removed, in colour on a terminal."""
    if has_styles() and not side_by_side:
        from pageloom.apps.cli.show import show_rows

        show_rows(rows)
        return
    from pageloom.apps.cli.table_layout import terminal_width

    print(safe(comparison_text(rows, side_by_side=side_by_side, width=terminal_width())))
