"""Import formats: one reader for each (JSON Lines, wallabag, URL lists, ``websites`` …).

Archives are never unpacked to disk.
"""

from __future__ import annotations

import re
import zipfile
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from pageloom.errors import UnsupportedContent
from pageloom.flows.transfer.import_archives import (
    holds_omnivore,
    open_files,
    read_each,
    read_entries,
    read_markdown_folder,
    read_omnivore,
)
from pageloom.flows.transfer.import_bookmarks import read_bookmarks, read_shelves
from pageloom.flows.transfer.import_changedetection import (
    holds_changedetection,
    read_changedetection,
)
from pageloom.flows.transfer.import_services import read_karakeep, read_linkding, read_opml
from pageloom.flows.transfer.import_tables import (
    read_instapaper,
    read_pocket,
    read_readwise,
    table_rows,
)
from pageloom.flows.transfer.import_values import decode_text, flag_of, names_of, text_of
from pageloom.flows.transfer.import_websites import pages_of_websites, read_websites
from pageloom.flows.transfer.portable_page import (
    Portable,
    PortableNote,
    Unread,
    no_import,
    with_address,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pageloom.flows.transfer.portable_page import Found

ImportFormat = Literal[
    "jsonl",
    "markdown",
    "bookmarks",
    "pocket",
    "instapaper",
    "omnivore",
    "readwise",
    "wallabag",
    "karakeep",
    "linkding",
    "changedetection",
    "opml",
    "urls",
    "websites",
    "warc",
]
"""The command line takes its formats from here."""
_LARGEST = 2_000_000_000
_HEAD = 4096
_ADDRESS = re.compile(r"(https?)(://[^\s<>\"]+)", re.IGNORECASE)
_LINK_TEXT = re.compile(r"\[([^\[\]]*)\]\(<?$")
_BINARY = re.compile("[\x00-\x08\ufffd]")
_TEXTS = (".csv", ".html", ".htm", ".json", ".txt")
_FAILED = re.compile(r"\s*(?:<[^>]*>\s*)*wallabag can.{1,6}t retrieve contents", re.IGNORECASE)
"""What wallabag stores as the content of a page that it could not fetch."""
_NO_TITLE = "No title found"
_KARAKEEP = re.compile(r'\{\s*"(?:bookmarks|lists)"\s*:\s*\[')


def read_ours(lines: Iterable[bytes]) -> Iterator[Found]:
    """Read JSON Lines as ``pageloom export jsonl`` writes them, one at a time."""
    decode = msgspec.json.Decoder(Portable).decode
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if text.strip():
            try:
                yield decode(text)
            except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
                why = f"this is not an exported page ({_first(error)})"
                yield Unread(where=f"line {number}", why=why, what=_start(text))


def _first(error: Exception) -> str:
    return str(error).partition("\n")[0][:100]


def _start(line: bytes) -> str:
    return line[:100].decode("utf-8", "replace").strip()


def read_wallabag(text: str) -> Iterator[Found]:
    """Wallabag's JSON."""
    for entry in read_entries(text):
        if isinstance(entry, Unread):
            yield entry
        else:
            yield with_address(_wallabag_page(entry[1]), entry[0])


def _wallabag_page(entry: dict[str, Any]) -> Portable:
    content, title = text_of(entry.get("content")), text_of(entry.get("title"))
    if _FAILED.match(content):
        content, title = "", "" if title == _NO_TITLE else title
    return Portable(
        url=text_of(entry.get("url")),
        title=title,
        content=content,
        content_is_html=True,
        author=", ".join(names_of(entry.get("published_by"))),
        published=text_of(entry.get("published_at")),
        hero_image=text_of(entry.get("preview_picture")),
        language=text_of(entry.get("language"))[:2].lower(),
        saved_at=text_of(entry.get("created_at")),
        updated_at=text_of(entry.get("updated_at")),
        read_at=text_of(entry.get("archived_at")),
        archived=flag_of(entry.get("is_archived")),
        pinned=flag_of(entry.get("is_starred")),
        tags=names_of(entry.get("tags"), "label"),
        notes=tuple(PortableNote(text=note) for note in _remarks(entry.get("annotations"))),
    )


def _remarks(annotations: object) -> list[str]:
    found = cast("list[Any]", annotations) if isinstance(annotations, list) else list[Any]()
    return [text for one in found if (text := _remark(one))]


def _remark(annotation: object) -> str:
    if not isinstance(annotation, dict):
        return annotation if isinstance(annotation, str) else ""
    known = cast("dict[str, Any]", annotation)
    quote, text = text_of(known.get("quote")), text_of(known.get("text"))
    return "\n".join(part for part in (f"> {quote}" if quote else "", text) if part)


def read_urls(text: str) -> Iterator[Found]:
    """Read a list of URLs: the first on each line, optionally with a title."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _ADDRESS.search(line)
        if found is None:
            where, what = f"line {number}", line.strip()
            yield Unread(where=where, why="not a web URL", what=what, is_other=True)
            continue
        url = _closed(found[1].lower() + found[2])
        named = _LINK_TEXT.search(line[: found.start()])
        behind = line[found.start() + len(url) :].lstrip(")>\"'").strip()
        yield Portable(url=url, title=named[1].strip() if named else behind)


def _closed(address: str) -> str:
    """The URL up to an unmatched closing parenthesis."""
    depth = 0
    for place, sign in enumerate(address):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return address[:place]
    return address


def read_website_rows(text: str, user: str = "") -> Iterator[Found]:
    """Read a dump of a ``websites`` table: CSV, a JSON list, or JSON Lines."""
    if text.lstrip()[:1] == "[":
        rows: Iterable[tuple[str, dict[str, Any]] | Unread] = read_entries(text)
    elif text.lstrip()[:1] == "{":
        rows = _json_rows(text)
    else:
        rows = table_rows(text)
    for row in rows:
        if isinstance(row, Unread):
            yield row
        else:
            yield from pages_of_websites((row,), user)


def _json_rows(text: str) -> Iterator[tuple[str, dict[str, Any]] | Unread]:
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield f"line {number}", decode(line)
            except (msgspec.MsgspecError, RecursionError):
                why = "the row does not match the columns"
                yield Unread(where=f"line {number}", why=why, what=line[:100])


def _by_look(
    html: Callable[[str], Iterator[Found]], table: Callable[[str], Iterator[Found]]
) -> Callable[[str], Iterator[Found]]:
    return lambda text: html(text) if text.lstrip().startswith("<") else table(text)


READERS: dict[str, Callable[[str], Iterator[Found]]] = {
    "bookmarks": read_bookmarks,
    "pocket": _by_look(read_shelves, read_pocket),
    "instapaper": _by_look(read_shelves, read_instapaper),
    "readwise": read_readwise,
    "wallabag": read_wallabag,
    "karakeep": read_karakeep,
    "linkding": read_linkding,
    "opml": read_opml,
    "urls": read_urls,
    "websites": read_website_rows,
}


def read_library(path: Path, form: str, *, user: str = "") -> Iterator[Found]:
    """Read pages of a known format from a file, folder or archive; of ``websites``, one user's."""
    if form == "omnivore":
        yield from read_omnivore(path)
    elif form == "changedetection":
        yield from read_changedetection(path)
    elif form == "markdown":
        yield from read_markdown_folder(path)
    elif path.is_dir() or zipfile.is_zipfile(path):
        yield from _read_several(path, form)
    elif form == "jsonl":
        with path.open("rb") as file:
            yield from read_ours(file)
    elif form == "websites" and _is_sqlite(path):
        yield from read_websites(str(path), user=user)
    elif form == "websites":
        yield from read_website_rows(_text(path), user)
    else:
        yield from READERS[form](_text(path))


def _read_several(path: Path, form: str) -> Iterator[Found]:
    """Read an export in several files, such as Pocket's; other files are reported."""
    for found in read_each(path, _TEXTS):
        if isinstance(found, Unread):
            yield found
            continue
        name, text = found
        if _guess_text(text[:_HEAD].lstrip()) == form:
            yield from READERS[form](text)
        else:
            yield Unread(where=name, why=f"the file is not a {form} export", is_other=True)


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(15) == b"SQLite format 3"


def _text(path: Path) -> str:
    size = path.stat().st_size
    if size > _LARGEST:
        raise no_import(f"The file has {size:,} bytes; the limit for imports is {_LARGEST:,}.")
    return decode_text(path.read_bytes())


def guess_format(path: Path) -> str:
    """Detect the format of a file or folder; empty when it is not certain."""
    if path.is_dir() or zipfile.is_zipfile(path):
        return _guess_several(path) or ("markdown" if path.is_dir() else "")
    with path.open("rb") as file:
        start = file.read(_HEAD)
    if path.name.endswith((".warc", ".warc.gz")) or start.startswith(b"WARC/1."):
        return "warc"
    head = decode_text(start).lstrip()
    if head.startswith("SQLite format 3"):
        return "websites"
    if path.suffix == ".md":
        return "markdown"
    return _guess_text(head)


def _guess_several(path: Path) -> str:
    with open_files(path) as files:
        if holds_changedetection(list(files)):
            return "changedetection"
        if holds_omnivore(list(files)):
            return "omnivore"
        if any(name.endswith(".md") for name in files):
            return "markdown"
        for name, read in files.items():
            if name.lower().endswith(_TEXTS):
                try:
                    form = _guess_text(read()[:_HEAD].lstrip())
                except UnsupportedContent:
                    continue
                if form in READERS:
                    return form
    return ""


def _guess_text(head: str) -> str:
    first = head.partition("\n")[0].lower()
    columns = {name.strip().strip('"') for name in first.split(",")}
    is_text = not _BINARY.search(head[:-4])  # the last character may be incomplete
    title = re.search(r"<title>\s*(pocket|instapaper)\b", head, re.IGNORECASE)
    signs: tuple[tuple[str, bool], ...] = (
        (title[1].lower() if title else "", bool(title) and head.startswith("<")),
        ("opml", "<opml" in head[:500].lower()),
        ("bookmarks", "netscape-bookmark" in first or head.startswith("<")),
        ("websites", _is_websites(columns, head)),
        ("jsonl", head.startswith('{"url"')),
        ("karakeep", bool(_KARAKEEP.match(head))),
        ("linkding", head.startswith("{") and '"tag_names"' in head),
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
