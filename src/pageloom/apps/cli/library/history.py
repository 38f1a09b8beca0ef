"""``pageloom history``: the versions of a page, or every check of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.flags import CommonStream, Limit, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import print_items, print_lines, print_table, time_of
from pageloom.apps.cli.page_flags import PageName
from pageloom.apps.cli.pages import open_library, require_page, watch_number
from pageloom.apps.cli.safe import one_line
from pageloom.apps.cli.table_layout import cut, terminal_width
from pageloom.views import records

if TYPE_CHECKING:
    from pageloom.library import Library
    from pageloom.model.library import Run


_HEADERS = ("when", "outcome", ">version", "by", ">ms", "why")


@dataclass(frozen=True, kw_only=True)
class HistoryFlags(CommonStream):
    """The flags of ``history``."""

    page: PageName
    runs: Annotated[
        bool, typer.Option("--runs", help="Show every check instead of versions, failed ones too.")
    ] = False
    limit: Limit = 100


@takes(HistoryFlags)
def history(*, flags: HistoryFlags) -> None:
    """List the versions of a page, newest first."""
    with open_library(flags.user) as library:
        if flags.runs:
            _show_runs(_runs(library, flags), flags)
            return
        page = require_page(library, flags.page)
        versions = library.history(page, limit=flags.limit)
    if current.as_json:
        print_items(map(records.version, versions), page=records.page(page))
        return
    print_lines([cut(f"{page.id}  {one_line(page.title or page.url, 100)}", terminal_width())])
    rows = [
        (
            str(one.number),
            time_of(one.fetched_at),
            time_of(one.last_seen_at),
            f"{one.word_count:,}",
            str(one.quality),
            one_line(one.origin + (" trivial" if one.trivial else ""), 30),
        )
        for one in versions
    ]
    headers = (">version", "fetched", "last seen", ">words", ">quality", "by")
    print_table(headers, rows, flexible=5, drop=(2, 4))


def _runs(library: Library, flags: HistoryFlags) -> list[Run]:
    number = watch_number(flags.page)
    name = flags.page if number is None else library.get_watch(number)
    return library.runs(name, limit=flags.limit)


def _show_runs(runs: list[Run], flags: HistoryFlags) -> None:
    if current.as_json:
        print_items(map(records.run, runs))
    elif runs:
        print_table(_HEADERS, [_row(run) for run in runs], flexible=5)
    else:
        print_lines([f"No checks of {one_line(flags.page, 80)} yet."])


def _row(run: Run) -> tuple[str, ...]:
    version = str(run.version) if run.version else ""
    duration = f"{run.duration_ms:,}"
    why = one_line(run.reason, 200)
    return time_of(run.at), run.outcome, version, run.path, duration, why
