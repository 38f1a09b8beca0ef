"""What other libraries write, read as pages: one reader for each format.

Files are only ever looked into; nothing of an archive is written to the disk.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, cast

import msgspec

from pageloom.flows.import_archives import read_markdown_file, read_markdown_folder, read_omnivore
from pageloom.flows.import_websites import pages_of_websites, read_websites
from pageloom.flows.portable import Portable, PortableNote, names_of, no_import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

_LARGEST = 2_000_000_000
_LONGEST_CELL = 50_000_000
_ADDRESS = re.compile(r"https?://\S+")
_BINARY = re.compile("[\x00-\x08\ufffd]")


def read_ours(lines: Iterable[bytes]) -> Iterator[Portable]:
    """JSON lines as ``pageloom export jsonl`` writes them, one at a time."""
    decode = msgspec.json.Decoder(Portable).decode
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield decode(line)
            except msgspec.MsgspecError:
                raise no_import(f"Line {number} is no page of a library.") from None


class _Bookmarks(HTMLParser):
    """Netscape bookmarks, and Pocket's list: links with a date and tags, remarks below them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, Any]] = []
        self._into = ""
        self._is_folder = False  # what a remark below is about

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._into = ""
        given = {name: value or "" for name, value in attrs}
        if tag == "a" and given.get("href"):
            self._is_folder = False
            self.found.append(given | {"title": [""], "notes": []})
            self._into = "title"
        elif tag == "h3":
            self._is_folder = True
        elif tag == "dd" and self.found and not self._is_folder:
            self.found[-1]["notes"].append("")
            self._into = "notes"

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._into = ""

    def handle_data(self, data: str) -> None:
        if self._into:
            self.found[-1][self._into][-1] += data


def read_bookmarks(text: str) -> Iterator[Portable]:
    """Bookmarks of a browser, or Pocket's older export."""
    parser = _Bookmarks()
    parser.feed(text)
    parser.close()
    for link in parser.found:
        notes = filter(None, (note.strip() for note in link["notes"]))
        yield Portable(
            url=link["href"],
            title=" ".join(link["title"][-1].split()),
            saved_at=link.get("add_date") or link.get("time_added") or "",
            tags=_tags(link.get("tags", "")),
            notes=tuple(PortableNote(text=note) for note in notes),
        )


def _tags(text: str) -> tuple[str, ...]:
    return tuple(tag.strip() for tag in re.split(r"[,|;]", text) if tag.strip())


def _rows(text: str) -> Iterator[dict[str, str]]:
    """The rows of a CSV file by the names of its columns, in lower case."""
    csv.field_size_limit(_LONGEST_CELL)
    rows = csv.reader(io.StringIO(text.lstrip("\ufeff")))
    try:
        header = [name.strip().lower() for name in next(rows, list[str]())]
        for row in rows:
            yield dict(zip(header, row, strict=False))
    except csv.Error:
        raise no_import(f"Line {rows.line_num} is no row of a table.") from None


def read_pocket(text: str) -> Iterator[Portable]:
    """Pocket's CSV: title, url, time_added, tags, status."""
    for row in _rows(text):
        yield Portable(
            url=row.get("url", ""),
            title=row.get("title", ""),
            saved_at=row.get("time_added", ""),
            tags=_tags(row.get("tags", "")),
            archived=row.get("status", "") == "archive",
        )


def read_instapaper(text: str) -> Iterator[Portable]:
    """Instapaper's CSV: URL, Title, Selection, Folder, Timestamp, Tags."""
    for row in _rows(text):
        folder = row.get("folder", "")
        selection = row.get("selection", "").strip()
        extra = () if folder in {"", "Unread", "Archive", "Starred"} else (folder,)
        yield Portable(
            url=row.get("url", ""),
            title=row.get("title", ""),
            saved_at=row.get("timestamp", ""),
            archived=folder == "Archive",
            pinned=folder == "Starred",
            tags=(*_tags(row.get("tags", "").strip("[]").replace('"', "")), *extra),
            notes=(PortableNote(text=selection),) if selection else (),
        )


def read_readwise(text: str) -> Iterator[Portable]:
    """Readwise Reader's CSV: Title, URL, Document tags, Saved date, Location, Document note."""
    for row in _rows(text):
        note = row.get("document note", "").strip()
        progress = row.get("reading progress", "")
        saved = row.get("saved date", "")
        yield Portable(
            url=row.get("url", ""),
            title=row.get("title", ""),
            author=row.get("author", ""),
            saved_at=saved,
            read_at=saved if progress.startswith("1") else "",
            archived=row.get("location", "") == "archive",
            tags=_tags(row.get("document tags", "").strip("[]").replace("'", "")),
            notes=(PortableNote(text=note),) if note else (),
        )


def read_wallabag(text: str) -> Iterator[Portable]:
    """Wallabag's JSON."""
    for entry in _json_list(text):
        remarks = cast("list[dict[str, Any]]", entry.get("annotations") or [])
        yield Portable(
            url=str(entry.get("url") or ""),
            title=str(entry.get("title") or ""),
            content=str(entry.get("content") or ""),
            content_is_html=True,
            author=", ".join(names_of(entry.get("published_by"), "name")),
            published=str(entry.get("published_at") or ""),
            hero_image=str(entry.get("preview_picture") or ""),
            language=str(entry.get("language") or "")[:2].lower(),
            saved_at=str(entry.get("created_at") or ""),
            updated_at=str(entry.get("updated_at") or ""),
            read_at=str(entry.get("archived_at") or ""),
            archived=bool(entry.get("is_archived")),
            pinned=bool(entry.get("is_starred")),
            tags=names_of(entry.get("tags"), "label"),
            notes=tuple(PortableNote(text=_remark(one)) for one in remarks if _remark(one)),
        )


def _remark(annotation: dict[str, Any]) -> str:
    quote, text = str(annotation.get("quote") or ""), str(annotation.get("text") or "")
    return "\n".join(part for part in (f"> {quote}" if quote else "", text) if part)


def _json_list(text: str) -> list[dict[str, Any]]:
    try:
        found = msgspec.json.decode(text)
    except msgspec.MsgspecError:
        raise no_import("This is not the JSON that the format writes.") from None
    entries = cast("list[Any]", found if isinstance(found, list) else [])
    return [cast("dict[str, Any]", entry) for entry in entries if isinstance(entry, dict)]


def read_urls(text: str) -> Iterator[Portable]:
    """A list of addresses: the first on each line; behind it, a title."""
    for line in text.splitlines():
        found = _ADDRESS.search(line)
        if found and not line.lstrip().startswith("#"):
            yield Portable(url=found[0], title=line[found.end() :].strip())


def read_website_rows(text: str, user: str = "") -> Iterator[Portable]:
    """A dump of the older ``websites`` table: CSV, a JSON list, or JSON lines."""
    if text.lstrip()[:1] == "[":
        rows: Iterable[dict[str, Any]] = _json_list(text)
    elif text.lstrip()[:1] == "{":
        rows = _json_rows(text)
    else:
        rows = _rows(text)
    return pages_of_websites(rows, user)


def _json_rows(text: str) -> Iterator[dict[str, Any]]:
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield decode(line)
            except msgspec.MsgspecError:
                raise no_import(f"Line {number} is no row of the table.") from None


READERS: dict[str, Callable[[str], Iterator[Portable]]] = {
    "bookmarks": read_bookmarks,
    "pocket": lambda text: read_bookmarks(text) if "<a" in text.lower() else read_pocket(text),
    "instapaper": read_instapaper,
    "readwise": read_readwise,
    "wallabag": read_wallabag,
    "urls": read_urls,
    "websites": read_website_rows,
}
FORMATS = (*READERS, "jsonl", "markdown", "omnivore")


def read_library(path: Path, form: str, *, user: str = "") -> Iterator[Portable]:
    """The pages in a file, a folder or an archive of that format; of ``websites``, one user's."""
    if form == "omnivore":
        yield from read_omnivore(path)
    elif form == "markdown":
        yield from read_markdown_folder(path)
    elif form == "jsonl":
        with path.open("rb") as file:
            yield from read_ours(file)
    elif form == "websites" and _is_sqlite(path):
        yield from read_websites(str(path), user=user)
    elif form == "websites":
        yield from read_website_rows(_text(path), user)
    else:
        yield from READERS[form](_text(path))


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(15) == b"SQLite format 3"


def _text(path: Path) -> str:
    if path.stat().st_size > _LARGEST:
        raise no_import("The file is larger than an import can be.")
    return path.read_bytes().decode("utf-8-sig", "replace")


def guess_format(path: Path) -> str:
    """Which format a file is likely to have; empty when nothing is sure."""
    if path.is_dir():
        return "markdown"
    if zipfile.is_zipfile(path):
        return _guess_archive(path)
    with path.open("rb") as file:
        head = file.read(4096).decode("utf-8-sig", "replace").lstrip()
    if head.startswith("SQLite format 3"):
        return "websites"
    if path.suffix == ".md":
        return "markdown"
    return _guess_text(head)


def _guess_archive(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    if any(name.rpartition("/")[2].startswith("metadata_") for name in names):
        return "omnivore"
    return "markdown" if any(name.endswith(".md") for name in names) else ""


def _guess_text(head: str) -> str:
    first = head.partition("\n")[0].lower()
    columns = {name.strip().strip('"') for name in first.split(",")}
    is_text = not _BINARY.search(head[:-4])  # the last character may be cut
    signs: tuple[tuple[str, bool], ...] = (
        ("bookmarks", "netscape-bookmark" in first or head.startswith("<")),
        ("websites", _is_websites(columns, head)),
        ("jsonl", head.startswith('{"url"')),
        ("wallabag", head.startswith("[") and '"is_archived"' in head),
        ("pocket", {"time_added", "url"} <= columns),
        ("instapaper", {"selection", "folder", "url"} <= columns),
        ("readwise", {"document tags", "url"} <= columns),
        ("urls", is_text and bool(_ADDRESS.search(head))),
    )
    return next((form for form, fits in signs if fits), "")


def _is_websites(columns: set[str], head: str) -> bool:
    named = '"url_full"' in head and '"user_id"' in head
    return named or {"url_full", "content", "saved_at"} <= columns


__all__ = ["FORMATS", "guess_format", "read_library", "read_markdown_file"]
