"""``pageloom changes``: what was found, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.library import (
    open_library,
    print_json,
    print_lines,
    print_table,
    require_page,
    time_of,
)
from pageloom.apps.cli.library_filters import read_date
from pageloom.apps.cli.safe import one_line, safe
from pageloom.core.compare.report import ChangeReport
from pageloom.edges.store.changes import list_changes
from pageloom.flows.notify.notices import describe

if TYPE_CHECKING:
    from pageloom.model.library import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesRequest:
    """What was asked for on the command line."""

    page: str | None = None
    since: str | None = None
    untold: bool = False
    min_importance: float = 0.0
    full: bool = False
    limit: int = 50
    user: str | None = None
    as_json: bool = False


def run_changes(request: ChangesRequest) -> None:
    """List changes."""
    with open_library(request.user) as library:
        page = require_page(library, request.page) if request.page else None
        found = list_changes(
            library.store,
            library.owner,
            page_id=page.id if page else None,
            since=read_date(request.since, "--since"),
            told_only=not request.untold,
            least=request.min_importance,
            limit=request.limit,
        )
    if request.as_json:
        print_json({"success": True, "changes": [change_data(change) for change in found]})
    elif not found:
        print_lines(["No changes."])
    elif request.full:
        for change in found:
            print_lines(_full(change))
    else:
        _table(found)


def change_data(change: Change) -> dict[str, Any]:
    """A change as JSON shows it: the message, and the details."""
    report = ChangeReport.from_dict(change.report)
    return {
        "id": change.id,
        "url": change.url,
        "title": change.title,
        "at": change.created_at,
        "toldAt": change.notified_at,
        "scope": change.track,
        **report.to_message(),
        **report.to_detailed(),
    }


def _table(found: list[Change]) -> None:
    rows = [
        (
            time_of(change.created_at),
            f"{change.importance:.2f}",
            f"v{change.to_version}",
            one_line(change.title or change.url, 40),
            one_line(change.summary, 100) + ("" if change.notified_at else " (not told)"),
        )
        for change in found
    ]
    print_table(("found", ">matters", ">version", "page", "what"), rows, flexible=4)


def _full(change: Change) -> list[str]:
    report = ChangeReport.from_dict(change.report)
    head = f"{time_of(change.created_at)}  {one_line(change.title or change.url, 80)}"
    where = f"  {safe(change.url)}  v{change.from_version or '–'} → v{change.to_version}"
    body = [f"  {safe(line)}" for line in describe(report).splitlines()]
    return [head, where, *body, ""]
