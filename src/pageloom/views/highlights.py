"""Highlights in the formats that they are taken along in: Markdown, JSON, CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.model.highlights import Highlight

HighlightFormat = Literal["md", "json", "csv"]
TYPES: dict[HighlightFormat, str] = {
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
}
STATES = {
    "moved": "Stands elsewhere on the page now.",
    "edited": "Now:",
    "gone": "The page no longer has this passage.",
}
"""What is said of highlights whose passage did not stay as it was."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def highlight(value: Highlight) -> dict[str, Any]:
    """A highlight as JSON."""
    return asdict(value)


def write_highlights(found: Iterable[Highlight], form: HighlightFormat) -> str:
    """Highlights as a file."""
    if form == "json":
        return msgspec.json.format(msgspec.json.encode(list(map(highlight, found)))).decode() + "\n"
    return _as_csv(found) if form == "csv" else _as_markdown(found)


def _as_markdown(found: Iterable[Highlight]) -> str:
    """By pages, each passage as a quotation, and below it the note and what became of it."""
    parts: list[str] = []
    ordered = sorted(found, key=lambda each: (each.page_id, each.start, each.id))
    for _, group in groupby(ordered, key=lambda each: each.page_id):
        marks = list(group)
        title = " ".join((marks[0].page_title or marks[0].page_url).split())
        parts.append(f"## [{_escaped(title)}](<{marks[0].page_url}>)")
        parts += map(_passage, marks)
    return "\n\n".join(parts) + "\n" if parts else ""


def _passage(value: Highlight) -> str:
    lines = [f"> {_escaped(line)}" for line in value.quote.splitlines()]
    said = STATES.get(value.state, "")
    if value.state == "edited":
        said += f" {_escaped(' '.join(value.text.split()))}"
    rest = [each for each in (value.note, f"*{said}*" if said else "") if each]
    return "\n\n".join(["\n>\n".join(lines), *rest])


def _escaped(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_[]<>#" else char for char in text)


def _as_csv(found: Iterable[Highlight]) -> str:
    names = ("page_url", "page_title", "quote", "note", "colour", "state", "text", "created_at")
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow(names)
    for each in found:
        writer.writerow([_harmless(str(getattr(each, name))) for name in names])
    return target.getvalue()


def _harmless(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
