"""Back up the whole library to one file, and restore it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pageloom.edges.store.backup import back_up, is_backup, restore_backup
from pageloom.edges.store.base import files_of
from pageloom.errors import InvalidArgument

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store
    from pageloom.edges.store.options import DatabaseOptions


def write_backup(
    store: Store, database: DatabaseOptions, path: str | Path, *, force: bool = False
) -> dict[str, int]:
    """Write a backup; returns the number of rows of each table.

    Args:
        store: the library.
        database: where it is.
        path: the file.
        force: overwrite an older backup; never any other file.

    Raises:
        InvalidArgument: the file exists, or is the library itself.
    """
    target = Path(path)
    if target.exists() and not (target.is_file() and is_backup(target)):
        raise InvalidArgument(f"{target} already exists and is not a backup; give another file.")
    refuse_library_file(database, target)
    if target.exists() and not force:
        raise InvalidArgument(
            f"{target} already exists.",
            suggestions=("Give another file, or overwrite this one with --force.",),
        )
    return back_up(store, target)


def read_backup(store: Store, path: str | Path, *, replace: bool = False) -> dict[str, int]:
    """Replace the library's content by a backup; returns the number of rows of each table.

    Raises:
        InvalidArgument: there is no such file.
        StorageError: the file is no backup, or the library has pages and is not to be replaced.
    """
    source = Path(path)
    if not source.is_file():
        raise InvalidArgument(f"File {str(source)[:80]} does not exist.")
    return restore_backup(store, source, replace=replace)


def refuse_library_file(database: DatabaseOptions, path: Path) -> None:
    """Raise InvalidArgument if a path is the library's own file, by whatever name.

    Raises:
        InvalidArgument: the path leads there.
    """
    target = path.resolve()
    for file in files_of(database):
        if target == file or (target.exists() and file.exists() and target.samefile(file)):
            raise InvalidArgument(
                f"{str(path)[:80]} is the library's own file.", suggestions=("Give another file.",)
            )
