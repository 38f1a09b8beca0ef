"""``pageloom restore``: deleted pages, or a whole library from a backup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pageloom.apps.cli.admin.backup import Replace, is_backup_name, restore_file
from pageloom.apps.cli.flags import Json, User, Yes
from pageloom.apps.cli.library.state import change_state


def restore(
    names: Annotated[
        list[str], typer.Argument(metavar="PAGE…|BACKUP", help="Deleted pages, or a backup file.")
    ],
    *,
    replace: Replace = False,
    yes: Yes = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Restore deleted pages, or a backup.

    Given a backup file, the whole library is restored from it.
    """
    if len(names) == 1 and is_backup_name(names[0]):
        restore_file(Path(names[0]), replace=replace, yes=yes, as_json=as_json)
    else:
        change_state(user, "restore", names, as_json=as_json)
