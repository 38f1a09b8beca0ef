"""``pageloom history --runs``: every check of an address, how it ended, and why."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from pageloom.apps.cli.library import open_library, print_json, print_lines, print_table, time_of
from pageloom.apps.cli.safe import one_line
from pageloom.core.normalize.urls import url_key
from pageloom.edges.store.pages import find_page
from pageloom.edges.store.runs import runs_of
from pageloom.errors import InvalidUrl, NotInLibrary

if TYPE_CHECKING:
    from pageloom.model.library import Run

_HEADERS = ("when", "outcome", ">version", "by", ">ms", "why")


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
