"""``pageloom stats``: the library in figures."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pageloom.apps.cli.flags import Json, User
from pageloom.apps.cli.output import count, print_json, print_lines, size_of
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line

_COUNTED = ("page", "word", "version")


_STATES = ("unread", "pinned", "archived", "deleted")


def stats(
    *,
    storage: Annotated[
        bool, typer.Option("--storage", help="Show what takes room instead.")
    ] = False,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Show statistics about the library."""
    with open_library(user) as library:
        found = library.storage() if storage else library.stats()
    if as_json:
        print_json({"success": True} | found)
        return
    print_lines(_storage(found) if storage else _figures(found))


def _storage(storage: dict[str, Any]) -> list[str]:
    originals, documents = storage["originals"], storage["documents"]
    lines = [
        f"{'originals':<15} {originals['count']:>9,}  {size_of(originals['stored_size'])}",
        f"{'documents':<15} {documents['count']:>9,}  {size_of(documents['size'])}",
    ]
    for name in ("pictures", "smaller copies", "snapshots", "looks", "outlines"):
        kind = storage[name]
        saved = f" ({size_of(kind['saved'])} more if each was kept apart)" if kind["saved"] else ""
        lines.append(f"{name:<15} {kind['count']:>9,}  {size_of(kind['size'])}{saved}")
    return [*lines, f"{'database':<15} {'':>9}  {size_of(storage['database_size'])}"]


def _figures(stats: dict[str, Any]) -> list[str]:
    bodies = stats["bodies"]
    pages, words, versions = (count(stats[f"{name}s"], name) for name in _COUNTED)
    kept = ", ".join(f"{stats[name]:,} {name}" for name in _STATES)
    sizes = f"{size_of(bodies['size'])}, stored in {size_of(bodies['stored_size'])}"
    lines = [
        f"{pages}, {words}, {versions}",
        kept,
        f"{count(bodies['count'], 'original')}: {sizes}",
        f"database: {size_of(stats['database_size'])}",
    ]
    for name, title in (("domains", "sites"), ("languages", "languages"), ("page_types", "types")):
        most = ", ".join(f"{one_line(one['name'], 40)} {one['pages']:,}" for one in stats[name][:6])
        if most:
            lines.append(f"{title}: {most}")
    return lines
