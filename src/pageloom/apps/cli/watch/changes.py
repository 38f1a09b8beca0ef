"""``pageloom changes``: changes that were found, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.filters import read_date
from pageloom.apps.cli.output import print_json, print_lines, print_table, time_of
from pageloom.apps.cli.pages import open_library, require_page
from pageloom.apps.cli.safe import one_line, safe
from pageloom.core.compare.report import ChangeReport
from pageloom.edges.store.changes import list_changes
from pageloom.flows.notify.notices import describe

if TYPE_CHECKING:
    from pageloom.model.library import Change
from typing import Annotated

import typer

from pageloom.apps.cli.flags import CommonStream, Limit, takes


@dataclass(frozen=True, kw_only=True)
class ChangesFlags(CommonStream):
    """The flags of ``changes``."""

    page: Annotated[
        str | None, typer.Argument(metavar="[PAGE]", help="Only changes of this page.")
    ] = None
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="DATE", help="Since a date (2026-03-05) or age (7d)."),
    ] = None
    untold: Annotated[
        bool,
        typer.Option("--silent", "--untold", help="Also changes that nobody was notified of."),
    ] = False
    min_importance: Annotated[
        float, typer.Option("--min-importance", help="Only changes this important (0 to 1).")
    ] = 0.0
    full: Annotated[bool, typer.Option("--full", help="Show what changed, in some lines.")] = False
    limit: Limit = 50


@takes(ChangesFlags)
def changes(*, flags: ChangesFlags) -> None:
    """List changes that were found, newest first."""
    with open_library(flags.user) as library:
        page = require_page(library, flags.page) if flags.page else None
        found = list_changes(
            library.store,
            library.owner,
            page_id=page.id if page else None,
            since=read_date(flags.since, "--since"),
            notified_only=not flags.untold,
            least=flags.min_importance,
            limit=flags.limit,
        )
    if flags.as_json:
        print_json({"success": True, "changes": [change_data(change) for change in found]})
    elif not found:
        print_lines(["No changes."])
    elif flags.full:
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
