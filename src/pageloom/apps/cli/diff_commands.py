"""The flags of ``diff``."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, Url
from pageloom.apps.cli.library_flags import User


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(diff)


def diff(  # noqa: PLR0913  one argument per flag
    before: Annotated[
        str,
        typer.Argument(
            metavar="BEFORE|ID|URL", help="A file: the page as it was; or a page of the library."
        ),
    ],
    after: Annotated[
        str | None, typer.Argument(metavar="[AFTER]", help="A file: the page as it is.")
    ] = None,
    *,
    from_version: Annotated[
        int | None, typer.Option("--from", metavar="N", help="Library: the version before.")
    ] = None,
    to_version: Annotated[
        int | None, typer.Option("--to", metavar="N", help="Library: the version after; the last.")
    ] = None,
    watch: Annotated[
        str | None, typer.Option("--watch", metavar="ID", help="Library: of this watch's scope.")
    ] = None,
    user: User = None,
    url: Url = None,
    as_json: Json = False,
    message: Annotated[
        bool, typer.Option("--message", help="With --json: the shape of the queue message.")
    ] = False,
    side_by_side: Annotated[
        bool, typer.Option("--side-by-side", "-y", help="Two columns instead of one.")
    ] = False,
    html: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="Write the comparison as a page.")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option("--threshold", metavar="0-1", help="Less similar text has changed (0.90)."),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Only the summary, not the texts.")
    ] = False,
) -> None:
    """Say what changed between two files, or two versions of a page, and whether it matters.

    Trivial differences (counters, times, advertisements, suggestions, session numbers …) are
    named but do not count.
    """
    from pageloom.apps.cli.diff import DiffRequest, run_diff

    run_diff(
        DiffRequest(
            before=before,
            after=after,
            from_version=from_version,
            to_version=to_version,
            watch=watch,
            user=user,
            url=url,
            as_json=as_json,
            message=message,
            side_by_side=side_by_side,
            html=html,
            threshold=threshold,
            quiet=quiet,
        )
    )
