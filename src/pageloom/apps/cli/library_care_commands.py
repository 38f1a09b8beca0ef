"""The flags of ``restore``, ``backup`` and ``reparse``."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import LARGEST, Json, takes
from pageloom.apps.cli.library_flags import ChosenAnywhere, DryRun, Restart, User

Replace = Annotated[
    bool, typer.Option("--replace", help="A backup: in the place of all that is there.")
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(restore)
    app.command()(backup)
    app.command()(reparse)


def restore(
    names: Annotated[
        list[str], typer.Argument(metavar="ID|URL…|BACKUP", help="Deleted pages, or a backup.")
    ],
    *,
    replace: Replace = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Bring deleted pages back; or, given a backup file, restore the whole library from it."""
    from pathlib import Path

    from pageloom.apps.cli.library_care import is_backup_name, restore_file
    from pageloom.apps.cli.library_shelf import run_act

    if len(names) == 1 and is_backup_name(names[0]):
        restore_file(Path(names[0]), replace=replace, as_json=as_json)
    else:
        run_act(user, "restore", names, as_json=as_json)


def backup(
    words: Annotated[
        list[str],
        typer.Argument(metavar="[create|restore] FILE", help="Where the backup is, or is to be."),
    ],
    *,
    replace: Replace = False,
    as_json: Json = False,
) -> None:
    """Write the whole library to one file, or restore it from one.

    A backup is one state of the library with all originals, made while others go on using it, and
    can be restored into SQLite and PostgreSQL alike. Restoring happens as a whole or not at all.
    """
    from pageloom.apps.cli.library_care import run_backup

    run_backup(words, replace=replace, as_json=as_json)


@takes(ChosenAnywhere, "chosen")
def reparse(  # noqa: PLR0913  one argument per flag
    *,
    dry_run: DryRun = False,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, max=LARGEST, help="At most so many pages.")
    ] = None,
    outdated: Annotated[
        bool, typer.Option("--outdated", help="Only pages that an older parser read.")
    ] = False,
    refetch: Annotated[
        bool, typer.Option("--refetch", help="Fetch the pages whose original was not kept.")
    ] = False,
    restart: Restart = False,
    chosen: ChosenAnywhere,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Read the stored originals again with today's parser.

    Nothing is fetched, unless --refetch asks for it, and nobody is told. Numbers of versions, tags,
    notes, pins and dates stay; where the new reading fails or is much poorer, so does the old
    content. Interrupted, it goes on where it stopped. Archived pages are always among them, deleted
    ones only with --deleted.
    """
    from pageloom.apps.cli.library_care import run_reparse

    code = run_reparse(
        user,
        chosen.filters(everything=not chosen.archived),
        dry_run=dry_run,
        limit=limit,
        restart=restart,
        outdated=outdated,
        refetch=refetch,
        as_json=as_json,
    )
    raise typer.Exit(code)
