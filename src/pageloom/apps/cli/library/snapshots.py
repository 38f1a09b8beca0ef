"""``pageloom snapshots``: what a browser showed of pages."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.files import require_free, write_file
from pageloom.apps.cli.flags import Force, Json, User
from pageloom.apps.cli.output import print_json, print_lines, size_of, time_of
from pageloom.apps.cli.page_flags import PageName
from pageloom.apps.cli.pages import open_library, require_page
from pageloom.model.files import SnapshotKind

if TYPE_CHECKING:
    from pageloom.library import Library
    from pageloom.model.files import Snapshot, VisualChange


def list_(page: PageName, *, user: User = None, as_json: Json = False) -> None:
    """List the snapshots of a page, newest first."""
    with open_library(user) as library:
        found = require_page(library, page)
        snapshots = library.snapshots(found)
    if as_json:
        items = [asdict(each) for each in snapshots]
        print_json({"success": True, "id": found.id, "items": items})
        return
    print_lines([_line(each) for each in snapshots] or [f"Page {found.id} has no snapshots."])


def write(
    page: PageName,
    kind: Annotated[SnapshotKind, typer.Argument(help="What to write.")],
    output: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    *,
    version: Annotated[
        int | None, typer.Option("--version", min=1, help="Of this version; default: the newest.")
    ] = None,
    force: Force = False,
    user: User = None,
) -> None:
    """Write a snapshot of a page to a file."""
    require_free([output], force=force)
    with open_library(user) as library:
        file = library.snapshot(require_page(library, page), kind, version)
    write_file(output, file.body)


def changes(
    page: PageName,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="DIR", help="Write before, after and outlined as PNG files."
        ),
    ] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List what looked different on a page watched with --visual."""
    with open_library(user) as library:
        found = require_page(library, page)
        looks = library.visual_changes(found)
        for look in looks if output else ():
            _write_look(library, look, output)  # pyright: ignore[reportArgumentType]
    if as_json:
        items = [asdict(each) for each in looks]
        print_json({"success": True, "id": found.id, "items": items})
        return
    lines = [f"{time_of(each.at)}  v{each.version}  {each.summary}" for each in looks]
    print_lines(lines or [f"Page {found.id} has looked the same so far."])


def _write_look(library: Library, look: VisualChange, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    names = {
        "before": look.before_hash,
        "after": look.after_hash,
        "outlined": look.outlined_hash,
    }
    for name, file in names.items():
        if file:
            write_file(folder / f"{look.id}-{name}.png", library.file(file))


def _line(snapshot: Snapshot) -> str:
    size = f"{snapshot.width} × {snapshot.height}, " if snapshot.width else ""
    shown = f"{size}{size_of(snapshot.size)}"
    return f"v{snapshot.version}  {time_of(snapshot.taken_at)}  {snapshot.kind:<10}  {shown}"
