"""Folders and archives: our own Markdown, and Omnivore's."""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, cast

import msgspec

from pageloom.core.render.frontmatter import read_frontmatter
from pageloom.flows.portable import Portable, PortableNote, names_of, no_import

if TYPE_CHECKING:
    from collections.abc import Iterator

_ADDRESSES = ("address", "source", "url")
_LARGEST_MEMBER = 50_000_000
_MOST_MEMBERS = 1_000_000


def read_markdown_folder(path: Path) -> Iterator[Portable]:
    """Markdown files with frontmatter that names their ``source``: a folder, a zip, or one file."""
    for text in _texts(path, ".md"):
        page = read_markdown_file(text)
        if page:
            yield page


def _texts(path: Path, suffix: str) -> Iterator[str]:
    if path.is_dir():
        root = path.resolve()
        for file in sorted(root.rglob(f"*{suffix}")):
            # A link may not lead out of the folder that was named.
            if file.is_file() and file.resolve().is_relative_to(root):
                yield _limited(file.read_bytes(), file.name)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for member in _members(archive):
                if member.filename.endswith(suffix):
                    yield _read(archive, member)
    else:
        yield _limited(path.read_bytes(), path.name)


def _members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    members = archive.infolist()
    if len(members) > _MOST_MEMBERS:
        raise no_import("The archive has more files than an import can have.")
    return [member for member in members if not member.is_dir()]


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> str:
    """A member of an archive, in memory: whatever its name says, nothing is written anywhere."""
    try:
        with archive.open(member) as file:
            return _limited(file.read(_LARGEST_MEMBER + 1), member.filename)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError):
        raise no_import(
            "A file of the archive cannot be read: it is damaged, encrypted or packed in a way we "
            "do not know."
        ) from None


def _limited(content: bytes, name: str) -> str:
    if len(content) > _LARGEST_MEMBER:
        raise no_import(f"{PurePosixPath(name).name} is larger than a page can be.")
    return content.decode("utf-8-sig", "replace")


def read_markdown_file(text: str) -> Portable | None:
    """The page in a Markdown file; None when its frontmatter names no address."""
    fields, body = read_frontmatter(text)
    url = next((found for name in _ADDRESSES if (found := _text(fields, name))), "")
    if not url.startswith(("http://", "https://")):
        return None
    return Portable(
        url=url,
        title=_text(fields, "title"),
        content=body,
        author=_text(fields, "author"),
        published=_text(fields, "published_date"),
        description=_text(fields, "description"),
        language=_text(fields, "language"),
        hero_image=_text(fields, "hero_image"),
        site_name=_text(fields, "site"),
        page_type=_text(fields, "page_type"),
        word_count=_number(fields, "word_count"),
        reading_time=_number(fields, "reading_time"),
        saved_at=_text(fields, "saved_at"),
        pinned=fields.get("pinned") is True,
        archived=fields.get("archived") is True,
        read_at=_text(fields, "read_at"),
        last_opened_at=_text(fields, "last_opened_at"),
        tags=_list(fields, "own_tags" if "own_tags" in fields else "tags"),
        page_tags=_page_tags(fields),
        notes=tuple(PortableNote(text=note) for note in _list(fields, "notes")),
    )


def _page_tags(fields: dict[str, Any]) -> tuple[str, ...]:
    """The tags that are not the user's; which these are, only our own files say."""
    if "own_tags" not in fields:
        return ()
    own = {tag.casefold() for tag in _list(fields, "own_tags")}
    return tuple(tag for tag in _list(fields, "tags") if tag.casefold() not in own)


def _text(fields: dict[str, Any], name: str) -> str:
    """A field as text; YAML reads some dates as dates."""
    value = fields.get(name)
    if value is None or isinstance(value, list | dict):
        return ""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _number(fields: dict[str, Any], name: str) -> int:
    first = str(fields.get(name) or "0").split()[0]
    return int(first) if first.isdigit() and len(first) < 10 else 0


def _list(fields: dict[str, Any], name: str) -> tuple[str, ...]:
    value = fields.get(name)
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return tuple(map(str, cast("list[Any]", value))) if isinstance(value, list) else ()


def read_omnivore(path: Path) -> Iterator[Portable]:
    """Omnivore's archive: ``metadata_*.json``, ``content/SLUG.html``, ``highlights/SLUG.md``."""
    if not zipfile.is_zipfile(path):
        raise no_import("Omnivore's export is a zip archive; this is none.")
    with zipfile.ZipFile(path) as archive:
        members = {member.filename: member for member in _members(archive)}
        for name in sorted(members):
            if PurePosixPath(name).name.startswith("metadata_") and name.endswith(".json"):
                for entry in _entries(_read(archive, members[name])):
                    yield _omnivore_page(archive, members, entry)


def _entries(text: str) -> list[dict[str, Any]]:
    try:
        found = msgspec.json.decode(text)
    except msgspec.MsgspecError:
        raise no_import("The archive's list of pages cannot be read.") from None
    entries = cast("list[Any]", found if isinstance(found, list) else [])
    return [cast("dict[str, Any]", entry) for entry in entries if isinstance(entry, dict)]


def _omnivore_page(
    archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], entry: dict[str, Any]
) -> Portable:
    slug = str(entry.get("slug") or "")
    content = members.get(f"content/{slug}.html")
    remarks = members.get(f"highlights/{slug}.md")
    note = _read(archive, remarks).strip() if remarks else ""
    progress = entry.get("readingProgress")
    saved_at = str(entry.get("savedAt") or "")
    return Portable(
        url=str(entry.get("url") or ""),
        title=str(entry.get("title") or ""),
        content=_read(archive, content) if content else "",
        content_is_html=True,
        author=str(entry.get("author") or ""),
        description=str(entry.get("description") or ""),
        published=str(entry.get("publishedAt") or ""),
        hero_image=str(entry.get("thumbnail") or ""),
        saved_at=saved_at,
        updated_at=str(entry.get("updatedAt") or ""),
        read_at=saved_at if isinstance(progress, int | float) and progress >= 100 else "",
        archived=str(entry.get("state") or "").lower() == "archived",
        tags=names_of(entry.get("labels"), "name"),
        notes=(PortableNote(text=note),) if note else (),
    )
