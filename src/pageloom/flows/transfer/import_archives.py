"""Import from folders and zip archives: Markdown files, Omnivore, exports in several parts."""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from base64 import b64encode
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, cast

import msgspec

from pageloom.core.render.frontmatter import read_frontmatter
from pageloom.edges.unpack import Unpacker
from pageloom.errors import FetchError, UnsupportedContent, why_not
from pageloom.flows.capture.fetch_picture import MOST_BYTES
from pageloom.flows.transfer.export_pictures import read_asset_list, unlink_assets
from pageloom.flows.transfer.export_texts import slug_tag
from pageloom.flows.transfer.import_values import decode_text, names_of, text_of
from pageloom.flows.transfer.portable_page import (
    Portable,
    PortableNote,
    PortablePicture,
    Unread,
    no_import,
    with_address,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.flows.transfer.portable_page import Found

Files = dict[str, Callable[[], str]]
"""The files of a folder or an archive by name; each is read on demand."""

_ADDRESSES = ("address", "source", "url")
_LARGEST_FILE = 50_000_000
_LARGEST_MEMBER = 10_500_000
"""A page of 10 MB, which is the longest that is kept, and what stands before it. A small archive
may hold a thousand times its size, and reading a list takes twenty times its length in memory."""
_MOST_MEMBERS = 1_000_000
_WHOLE = re.compile(r"\d{1,9}", re.ASCII)
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError),
    *(RuntimeError, NotImplementedError),
)


@contextmanager
def open_files(path: Path) -> Generator[Files]:
    """The files of a folder or an archive, or the single file.

    Archives are never unpacked to disk, so names in them can do no harm.

    Raises:
        UnsupportedContent: the archive cannot be read.
    """
    if path.is_dir():
        yield _folder(path.resolve())
    elif zipfile.is_zipfile(path):
        try:
            archive = zipfile.ZipFile(path)
        except _DAMAGE:
            raise no_import("The archive cannot be read because it is damaged.") from None
        with archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) > _MOST_MEMBERS:
                raise no_import(
                    f"The archive contains more than {_MOST_MEMBERS:,} files,"
                    " the limit for one import."
                )
            named = {member.filename: partial(_unpack, archive, member) for member in members}
            yield {name: named[name] for name in sorted(named) if not _is_macs(name)}
    else:
        yield {path.name: partial(_load, path, _LARGEST_FILE)}


def _folder(root: Path) -> Files:
    # A symbolic link may not lead out of the folder.
    files = (
        file
        for file in sorted(root.rglob("*"))
        if file.is_file() and file.resolve().is_relative_to(root)
    )
    return {file.relative_to(root).as_posix(): partial(_load, file) for file in files}


def _is_macs(name: str) -> bool:
    """Whether it is a metadata file that macOS adds to archives."""
    return name.startswith("__MACOSX/") or PurePosixPath(name).name.startswith("._")


def _load(path: Path, most: int = _LARGEST_MEMBER) -> str:
    try:
        with path.open("rb") as file:
            return _limited(file, most)
    except OSError as error:
        raise no_import(f"it cannot be read: {why_not(error)}") from None


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> str:
    try:
        with archive.open(member) as file:
            return _limited(file, _LARGEST_MEMBER)
    except _DAMAGE:
        raise no_import(
            "it is damaged, encrypted, or compressed with an unsupported method"
        ) from None


def _limited(file: IO[bytes], most: int) -> str:
    content = file.read(most + 1)
    if len(content) > most:
        raise no_import("it is larger than a page may be")
    if file.name.endswith(".br"):
        content = _unpacked(content, most)
    return decode_text(content)


def _unpacked(content: bytes, most: int) -> bytes:
    unpacker = Unpacker("br", most)
    try:
        for _ in unpacker.feed(content):
            pass
    except FetchError:
        raise no_import("it is damaged, or larger than a page may be") from None
    return unpacker.result()


def read_each(path: Path, suffixes: tuple[str, ...]) -> Iterator[tuple[str, str] | Unread]:
    """The name and the text of each file with one of these suffixes."""
    with open_files(path) as files:
        wanted = (name for name in files if name.lower().endswith(suffixes) or name == path.name)
        for name in wanted:
            try:
                yield name, files[name]()
            except UnsupportedContent as error:
                yield Unread(where=name, why=error.message)


def read_markdown_folder(path: Path) -> Iterator[Found]:
    """Read Markdown files with a ``source`` in their frontmatter: a folder, a zip, or one file."""
    for found in read_each(path, (".md",)):
        if isinstance(found, Unread):
            yield found
            continue
        name, text = found
        why = "its frontmatter has no source URL"
        folder = path if path.is_dir() else None
        yield read_markdown_file(text, folder) or Unread(where=name, why=why, is_other=True)


def read_markdown_file(text: str, folder: Path | None = None) -> Portable | None:
    """The page in a Markdown file; None when its frontmatter has no source URL.

    Args:
        text: the file.
        folder: where the pictures are that an export of ours put beside it.
    """
    fields, body = read_frontmatter(text)
    assets = read_asset_list(_list(fields, "pictures"))
    body = unlink_assets(body, assets)
    url = next((found for name in _ADDRESSES if (found := text_of(fields.get(name)))), "")
    if not url.startswith(("http://", "https://")):
        return None
    return Portable(
        url=url,
        title=text_of(fields.get("title")),
        content=body,
        author=text_of(fields.get("author")) or ", ".join(_list(fields, "author")),
        published=text_of(fields.get("published_date")),
        description=text_of(fields.get("description")),
        language=text_of(fields.get("language")),
        hero_image=text_of(fields.get("hero_image")),
        site_name=text_of(fields.get("site")),
        page_type=text_of(fields.get("page_type")),
        word_count=_number(fields, "word_count"),
        reading_time=_number(fields, "reading_time"),
        saved_at=text_of(fields.get("saved_at")),
        pinned=fields.get("pinned") is True,
        archived=fields.get("archived") is True,
        read_at=text_of(fields.get("read_at")),
        last_opened_at=text_of(fields.get("last_opened_at")),
        tags=_list(fields, "own_tags" if "own_tags" in fields else "tags"),
        page_tags=_page_tags(fields),
        keywords=_list(fields, "keywords") if "own_tags" in fields else (),
        notes=tuple(PortableNote(text=note) for note in _notes(fields.get("notes"))),
        pictures=_read_pictures(folder, assets) if folder else (),
    )


def _read_pictures(folder: Path, assets: list[tuple[str, str]]) -> tuple[PortablePicture, ...]:
    """The pictures in the folder of an export; those that are gone are left out."""
    found = {
        url: (folder / name).read_bytes()
        for name, url in assets
        if (folder / name).is_file() and (folder / name).stat().st_size <= MOST_BYTES
    }
    return tuple(
        PortablePicture(url=url, body=b64encode(body).decode()) for url, body in found.items()
    )


def _page_tags(fields: dict[str, Any]) -> tuple[str, ...]:
    """The page's own tags, as opposed to the user's; only our own exports tell them apart."""
    if "own_tags" not in fields:
        return ()
    if "page_tags" in fields:
        return _list(fields, "page_tags")
    own = {each.casefold() for tag in _list(fields, "own_tags") for each in (tag, slug_tag(tag))}
    return tuple(tag for tag in _list(fields, "tags") if tag.casefold() not in own)


def _notes(value: object) -> tuple[str, ...]:
    """Notes from the frontmatter; a comma does not separate them."""
    return names_of([value] if isinstance(value, str) else value)


def _number(fields: dict[str, Any], name: str) -> int:
    found = _WHOLE.match(text_of(fields.get(name)).strip())
    return int(found[0]) if found else 0


def _list(fields: dict[str, Any], name: str) -> tuple[str, ...]:
    return names_of(fields.get(name))


def holds_omnivore(names: list[str]) -> bool:
    """Whether these files are an Omnivore export."""
    return any(_is_list(name) for name in names)


def _is_list(name: str) -> bool:
    file = PurePosixPath(name).name
    return file.startswith("metadata_") and file.endswith(".json")


def read_omnivore(path: Path) -> Iterator[Found]:
    """Read an Omnivore export: ``metadata_*.json``, ``content/SLUG.html``, ``highlights/SLUG.md``.

    A zip or its unpacked folder; the files may be in a subfolder.
    """
    with open_files(path) as files:
        lists = [name for name in files if _is_list(name)]
        if not lists:
            raise no_import("The archive has no Omnivore list (metadata_….json).")
        for name in lists:
            try:
                entries = read_entries(files[name](), name)
            except UnsupportedContent as error:
                yield Unread(where=name, why=error.message)
                continue
            root = name.removesuffix(PurePosixPath(name).name)
            for entry in entries:
                if isinstance(entry, Unread):
                    yield entry
                else:
                    yield from _omnivore_page(files, root, *entry)


def read_entries(text: str, where: str = "") -> list[tuple[str, dict[str, Any]] | Unread]:
    """The objects of a JSON list, each with its position.

    Raises:
        UnsupportedContent: the text is not a JSON list.
    """
    import json

    try:
        found: Any = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        try:
            found = json.loads(text)  # accepts lone surrogates, which some programs write
        except (ValueError, RecursionError):
            found = None
    if not isinstance(found, list):
        raise no_import("The file is not the JSON list that this format uses.")
    entries = cast("list[Any]", found)
    return [_entry(one, f"{where} entry {n}".strip()) for n, one in enumerate(entries, start=1)]


def _entry(value: object, where: str) -> tuple[str, dict[str, Any]] | Unread:
    if isinstance(value, dict):
        return where, cast("dict[str, Any]", value)
    return Unread(where=where, why="the entry is not a JSON object", what=str(value)[:100])


def _omnivore_page(files: Files, root: str, where: str, entry: dict[str, Any]) -> Iterator[Found]:
    slug = text_of(entry.get("slug"))
    parts: list[str] = []
    for name in (f"{root}content/{slug}.html", f"{root}highlights/{slug}.md"):
        try:
            parts.append(files[name]() if name in files else "")
        except UnsupportedContent as error:
            parts.append("")
            yield Unread(where=name, why=error.message)
    content, note = parts[0], parts[1].strip()
    progress = entry.get("readingProgress")
    saved_at = text_of(entry.get("savedAt"))
    page = Portable(
        url=text_of(entry.get("url")),
        title=text_of(entry.get("title")),
        content=content,
        content_is_html=True,
        author=text_of(entry.get("author")),
        description=text_of(entry.get("description")),
        published=text_of(entry.get("publishedAt")),
        hero_image=text_of(entry.get("thumbnail")),
        saved_at=saved_at,
        updated_at=text_of(entry.get("updatedAt")),
        read_at=saved_at if isinstance(progress, int | float) and progress >= 100 else "",
        archived=text_of(entry.get("state")).lower() == "archived",
        tags=names_of(entry.get("labels")),
        notes=(PortableNote(text=note),) if note else (),
    )
    yield with_address(page, where)
