"""``pageloom changes``: changes that were found, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.flags import CommonStream, Limit, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import print_items, print_lines, print_table, time_of
from pageloom.apps.cli.pages import open_library, require_page
from pageloom.apps.cli.safe import one_line, safe
from pageloom.flows.library.read_dates import read_date
from pageloom.flows.notify.notices import describe_change
from pageloom.views import records

if TYPE_CHECKING:
    from pageloom.model.library import Change


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
    silent: Annotated[
        bool,
        typer.Option(
            "--silent",
            help="Only changes not notified because a condition of the watch was not met.",
        ),
    ] = False
    min_importance: Annotated[
        float,
        typer.Option("--min-importance", help="Only changes at least this important (0 to 1)."),
    ] = 0.0
    full: Annotated[bool, typer.Option("--full", help="Show a few lines of each change.")] = False
    limit: Limit = 50
    cursor: Annotated[
        str,
        typer.Option(
            "--cursor",
            metavar="NEXT",
            help="Continue the list: the value of next in the last --json output.",
        ),
    ] = ""


@takes(ChangesFlags)
def changes(*, flags: ChangesFlags) -> None:
    """List changes that were found, newest first."""
    with open_library(flags.user) as library:
        found = library.changes(
            require_page(library, flags.page) if flags.page else None,
            since=read_date(flags.since, "--since"),
            notified=False if flags.silent else None,
            min_importance=flags.min_importance,
            limit=flags.limit,
            cursor=flags.cursor,
        )
    if current.as_json:
        print_items(map(records.change, found), next=found.next_cursor)
    elif not found:
        print_lines(["No changes."])
    elif flags.full:
        for change in found:
            print_lines(_full(change))
    else:
        _table(found)


def _table(found: list[Change]) -> None:
    rows = [
        (
            time_of(change.created_at),
            f"{change.importance:.2f}",
            f"v{change.to_version}",
            one_line(change.title or change.url, 40),
            one_line(f"{_mark(change)}{change.summary}", 120),
        )
        for change in found
    ]
    print_table(("found", ">importance", ">version", "page", "change"), rows, flexible=4)


def _mark(change: Change) -> str:
    return "" if change.notified_at else "(not notified) "


def _full(change: Change) -> list[str]:
    head = (
        f"{time_of(change.created_at)}  {_mark(change)}{one_line(change.title or change.url, 80)}"
    )
    where = f"  {safe(change.url)}  v{change.from_version or '–'} → v{change.to_version}"
    body = [f"  {safe(line)}" for line in describe_change(change).splitlines()]
    return [head, where, *body, ""]
