"""``pageloom stats``: the library in figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.output import count, print_json, print_lines, size_of
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import one_line

if TYPE_CHECKING:
    pass
from pageloom.apps.cli.flags import Json, User

_COUNTED = ("page", "word", "version")


_STATES = ("unread", "pinned", "archived", "deleted")


def stats(*, user: User = None, as_json: Json = False) -> None:
    """Show statistics about the library."""
    with open_library(user) as library:
        found = library.stats()
    if as_json:
        print_json({"success": True} | found)
        return
    print_lines(_figures(found))


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
