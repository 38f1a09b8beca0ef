"""``pageloom backup``: the whole library in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.pages import open_library, spare_library
from pageloom.apps.cli.safe import one_line
from pageloom.edges.store.backup import back_up, is_backup, restore_backup

if TYPE_CHECKING:
    pass
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json

_VERBS = ("create", "restore")

Replace = Annotated[
    bool, typer.Option("--replace", help="Backup: replace everything in the library.")
]


def backup(
    words: Annotated[
        list[str],
        typer.Argument(metavar="[create|restore] FILE", help="The backup file."),
    ],
    *,
    replace: Replace = False,
    as_json: Json = False,
) -> None:
    """Write the whole library to one file, or restore it.

    A backup is one consistent state of the library with all originals, made while others keep
    using it. It can be restored into SQLite and PostgreSQL alike, as a whole or not at all.
    """
    verb, names = (words[0], words[1:]) if words[0] in _VERBS else ("create", words)
    if len(names) != 1:
        raise UsageTrouble(f"backup {verb} takes one file.")
    if verb == "restore":
        restore_file(Path(names[0]), replace=replace, as_json=as_json)
    else:
        _create(Path(names[0]), as_json=as_json)


def _create(path: Path, *, as_json: bool) -> None:
    if path.exists() and not (path.is_file() and is_backup(path)):
        raise UsageTrouble(f"{path} is there already and is no backup; name another file.")
    with open_library(None) as library:
        spare_library(library, path)
        counts = back_up(library.store, path)
    _tell("Kept", counts, path, as_json=as_json)


def restore_file(path: Path, *, replace: bool, as_json: bool) -> None:
    """Put a backup in the place of what the library holds."""
    if not path.is_file():
        raise UsageTrouble(f"There is no file {one_line(str(path), 80)}.")
    with open_library(None) as library:
        counts = restore_backup(library.store, path, replace=replace)
    _tell("Restored", counts, path, as_json=as_json)


def _tell(done: str, counts: dict[str, int], path: Path, *, as_json: bool) -> None:
    if as_json:
        print_json({"file": str(path), "rows": counts})
        return
    pages, versions = count(counts["pages"], "page"), count(counts["versions"], "version")
    print_lines([f"{done} {pages} with {versions}: {path}"])


def is_backup_name(name: str) -> bool:
    """Whether an argument of ``restore`` means a backup and not a page."""
    return not name.isdigit() and (Path(name).is_file() or name.endswith(".zip"))
