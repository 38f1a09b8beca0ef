"""``pageloom history``: the versions of a page, or every check of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from pageloom.apps.cli.output import print_json, print_lines, print_table, time_of
from pageloom.apps.cli.pages import open_library, page_data, require_page
from pageloom.apps.cli.safe import one_line
from pageloom.core.normalize.urls import url_key
from pageloom.edges.store.pages import find_page
from pageloom.edges.store.runs import runs_of
from pageloom.errors import InvalidUrl, NotInLibrary

if TYPE_CHECKING:
    from pageloom.model.library import Run
from dataclasses import dataclass
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Common, Limit, takes
from pageloom.apps.cli.page_flags import PageName

_HEADERS = ("when", "outcome", ">version", "by", ">ms", "why")


@dataclass(frozen=True, kw_only=True)
class HistoryFlags(Common):
    """The flags of ``history``."""

    page: PageName
    runs: Annotated[
        bool, typer.Option("--runs", help="Show every check instead, failed ones too.")
    ] = False
    limit: Limit = 100


@takes(HistoryFlags)
def history(*, flags: HistoryFlags) -> None:
    """List the versions of a page, newest first."""
    if flags.runs:
        run_runs(flags.user, flags.page, limit=flags.limit, as_json=flags.as_json)
    else:
        run_history(flags.user, flags.page, limit=flags.limit, as_json=flags.as_json)


def run_history(user: str | None, name: str, *, limit: int, as_json: bool) -> None:
    """The versions of a page, newest first."""
    from pageloom.apps.cli.columns import cut, terminal_width
    from pageloom.edges.store.versions import history

    with open_library(user) as library:
        page = require_page(library, name)
        versions = history(library.store, page, limit=limit)
    if as_json:
        print_json({"page": page_data(page), "versions": [asdict(one) for one in versions]})
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


def run_runs(user: str | None, name: str, *, limit: int, as_json: bool) -> None:
    """The runs of a page, or of an address that no page has come of yet, newest first.

    Raises:
        NotInLibrary: nothing is known of it.
    """
    with open_library(user) as library:
        page = find_page(library.store, library.owner, name)
        keys = dict.fromkeys(([page.url] if page else []) + _as_address(name))
        found = [
            run
            for key in keys
            for run in runs_of(library.store, library.owner, key, track=None, limit=limit)
        ]
    if not (page or found):
        raise NotInLibrary(f"There is no run of {one_line(name, 80)}.")
    runs = sorted(found, key=lambda run: run.at, reverse=True)[:limit]
    if as_json:
        print_json({"success": True, "runs": [asdict(run) for run in runs]})
        return
    if not runs:
        print_lines(["No runs: checks of watches and workers are kept here."])
        return
    print_table(_HEADERS, [_row(run) for run in runs], flexible=5)


def _as_address(name: str) -> list[str]:
    """The address as runs are kept by: a page may have been asked for under another."""
    try:
        return [url_key(name)]
    except InvalidUrl:
        return []


def _row(run: Run) -> tuple[str, ...]:
    version = str(run.version) if run.version else ""
    duration = f"{run.duration_ms:,}"
    why = one_line(run.reason, 200)
    return time_of(run.at), run.outcome, version, run.path, duration, why
