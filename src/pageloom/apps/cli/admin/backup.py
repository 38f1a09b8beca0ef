"""``pageloom backup``: the whole library in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import Json, Yes
from pageloom.apps.cli.output import confirm, count, print_json, print_lines
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line

_VERBS = ("create", "restore")

Replace = Annotated[
    bool, typer.Option("--replace", help="Restoring a backup: replace everything in the library.")
]


def backup(
    words: Annotated[
        list[str],
        typer.Argument(metavar="[create|restore] FILE", help="The backup file."),
    ],
    *,
    replace: Replace = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an older backup.")] = False,
    yes: Yes = False,
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
        restore_file(Path(names[0]), replace=replace, yes=yes, as_json=as_json)
    else:
        _create(Path(names[0]), force=force, as_json=as_json)


def _create(path: Path, *, force: bool, as_json: bool) -> None:
    with open_library(None) as library:
        counts = library.backup(path, force=force)
    _print("Backed up", counts, path, as_json=as_json)


def restore_file(path: Path, *, replace: bool, yes: bool, as_json: bool) -> None:
    """Replace what the library holds by a backup."""
    if not path.is_file():
        raise UsageTrouble(f"File {one_line(str(path), 80)} does not exist.")
    if replace:
        confirm("Replace everything in the library with this backup", yes=yes)
    with open_library(None) as library:
        counts = library.restore_backup(path, replace=replace)
    _print("Restored", counts, path, as_json=as_json)


def _print(done: str, counts: dict[str, int], path: Path, *, as_json: bool) -> None:
    if as_json:
        print_json({"success": True, "file": str(path), "rows": counts})
        return
    pages, versions = count(counts["pages"], "page"), count(counts["versions"], "version")
    print_lines([f"{done} {pages} with {versions}: {path}"])


def is_backup_name(name: str) -> bool:
    """Whether an argument of ``restore`` means a backup and not a page."""
    return not name.isdigit() and (Path(name).is_file() or name.endswith(".zip"))
