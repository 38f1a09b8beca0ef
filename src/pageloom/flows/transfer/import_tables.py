"""Import CSV: Pocket, Instapaper, Readwise Reader."""

from __future__ import annotations

import ast
import csv
import io
from typing import TYPE_CHECKING, Any, cast

import msgspec

from pageloom.flows.transfer.import_values import names_of, split_tags
from pageloom.flows.transfer.portable_page import Portable, PortableNote, Unread, with_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pageloom.flows.transfer.portable_page import Found

_LONGEST_CELL = 50_000_000


def table_rows(text: str) -> Iterator[tuple[str, dict[str, str]] | Unread]:
    """The rows of a CSV table as dicts (lower-case column names), each with its line."""
    csv.field_size_limit(_LONGEST_CELL)
    rows = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""))
    header: list[str] | None = None
    while True:
        try:
            row = next(rows, None)
        except csv.Error:
            yield Unread(where=f"line {rows.line_num}", why="the row does not match the columns")
            continue
        if row is None:
            return
        if header is None:
            header = [name.strip().lower() for name in row]
        elif any(cell.strip() for cell in row):
            yield f"line {rows.line_num}", dict(zip(header, row, strict=False))


def _read(text: str, make: Callable[[dict[str, str]], Portable]) -> Iterator[Found]:
    for found in table_rows(text):
        if isinstance(found, Unread):
            yield found
            continue
        where, row = found
        yield with_address(make(row), where)


def read_pocket(text: str) -> Iterator[Found]:
    """Pocket's CSV: title, url, time_added, tags, status."""
    return _read(text, _pocket)


def _pocket(row: dict[str, str]) -> Portable:
    return Portable(
        url=row.get("url", ""),
        title=row.get("title", ""),
        saved_at=row.get("time_added", ""),
        tags=split_tags(row.get("tags", ""), "|,"),
        archived=row.get("status", "").strip().lower() == "archive",
    )


def read_instapaper(text: str) -> Iterator[Found]:
    """Instapaper's CSV: URL, Title, Selection, Folder, Timestamp, Tags."""
    return _read(text, _instapaper)


def _instapaper(row: dict[str, str]) -> Portable:
    folder = row.get("folder", "")
    selection = row.get("selection", "").strip()
    extra = () if folder in {"", "Unread", "Archive", "Starred"} else (folder,)
    return Portable(
        url=row.get("url", ""),
        title=row.get("title", ""),
        saved_at=row.get("timestamp", ""),
        archived=folder == "Archive",
        pinned=folder == "Starred",
        tags=(*_listed(row.get("tags", "")), *extra),
        notes=(PortableNote(text=selection),) if selection else (),
    )


def read_readwise(text: str) -> Iterator[Found]:
    """Readwise Reader's CSV: Title, URL, Document tags, Saved date, Location, Document note."""
    return _read(text, _readwise)


def _readwise(row: dict[str, str]) -> Portable:
    note = row.get("document note", "").strip()
    saved = row.get("saved date", "")
    return Portable(
        url=row.get("url", ""),
        title=row.get("title", ""),
        author=row.get("author", ""),
        saved_at=saved,
        read_at=saved if _is_read(row.get("reading progress", "")) else "",
        archived=row.get("location", "") == "archive",
        tags=_listed(row.get("document tags", "")),
        notes=(PortableNote(text=note),) if note else (),
    )


def _is_read(progress: str) -> bool:
    try:
        return float(progress) >= 1
    except ValueError:
        return False


def _listed(text: str) -> tuple[str, ...]:
    """A list in JSON or Python syntax, otherwise separated by commas."""
    if text.lstrip().startswith("["):
        for read in (msgspec.json.decode, ast.literal_eval):
            try:
                found: Any = cast("Callable[[str], Any]", read)(text.strip())
            except (msgspec.MsgspecError, ValueError, SyntaxError, MemoryError, RecursionError):
                continue
            return names_of(found)
    return split_tags(text.strip().removeprefix("[").removesuffix("]"))
