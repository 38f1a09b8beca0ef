"""The text of an export: JSON Lines, Markdown with frontmatter, bookmarks; page text is escaped."""

from __future__ import annotations

import re
import unicodedata
from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

import msgspec

from pageloom.core.render.frontmatter import (
    MAX_GENERATED_TAGS,
    join_tags,
    markdown_body,
    page_fields,
    write_frontmatter,
)
from pageloom.edges.store.bodies import read_body
from pageloom.edges.store.highlights import highlights_of
from pageloom.edges.store.identity import aliases_of
from pageloom.edges.store.pictures import read_files
from pageloom.edges.store.tags import notes_of, tags_of
from pageloom.edges.store.times import read_time
from pageloom.edges.store.versions import history, latest_version, version
from pageloom.flows.transfer.export_pictures import asset_list, link_assets
from pageloom.flows.transfer.portable_page import (
    Portable,
    PortableNote,
    PortablePicture,
    PortableVersion,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pageloom.edges.store.base import Store
    from pageloom.model import Document
    from pageloom.model.files import KeptFile
    from pageloom.model.library import VersionInfo
    from pageloom.model.pages import Page

    _Fields = dict[str, str | int | list[str]]

_NO_TAG = re.compile(r"[^\w/-]+")
"""What a tag of Obsidian cannot have in it."""


def portable_page(store: Store, page: Page, *, originals: bool = False) -> Portable:
    """A page with all its versions, tags, notes and highlights."""
    infos = reversed(history(store, page, limit=1_000_000))
    notes = notes_of(store, page)
    return Portable(
        url=page.url_full or page.url,
        key=page.url,
        aliases=aliases_of(store, page),
        title=page.title,
        uuid=page.uuid,
        saved_at=page.saved_at,
        created_at=page.created_at,
        updated_at=page.updated_at,
        last_opened_at=page.last_opened_at or "",
        read_at=page.read_at or "",
        deleted_at=page.deleted_at or "",
        pinned=page.pinned,
        archived=page.archived,
        tags=tags_of(store, page),
        notes=tuple(PortableNote(text=note.text, created_at=note.created_at) for note in notes),
        highlights=tuple(highlights_of(store, page)),
        metadata=page.metadata,
        versions=tuple(_portable_version(store, page, info, originals=originals) for info in infos),
        pictures=_portable_pictures(store, page) if originals else (),
    )


def _portable_pictures(store: Store, page: Page) -> tuple[PortablePicture, ...]:
    files = read_files(store, page)
    return tuple(
        PortablePicture(url=url, body=b64encode(file.body).decode()) for url, file in files.items()
    )


def _portable_version(
    store: Store, page: Page, info: VersionInfo, *, originals: bool
) -> PortableVersion:
    found = None if info.thinned else version(store, page, info.number)
    body = read_body(store, page, info.body_hash) if originals and info.body_hash else None
    return PortableVersion(
        number=info.number,
        document=found.document if found else None,
        fetched_at=info.fetched_at,
        last_seen_at=info.last_seen_at,
        trivial=info.trivial,
        origin=info.origin,
        content_type=info.content_type,
        status=info.status,
        used_js=info.used_js,
        body=None if body is None else b64encode(body).decode(),
    )


def jsonl_lines(store: Store, pages: Iterable[Page], *, originals: bool) -> Iterator[bytes]:
    """One JSON object on each line, with all versions."""
    for page in pages:
        yield msgspec.json.encode(portable_page(store, page, originals=originals)) + b"\n"


def markdown_file(store: Store, page: Page, files: Mapping[str, KeptFile] | None = None) -> str:
    """The page as a Markdown file with full frontmatter; the given pictures are beside it."""
    found = latest_version(store, page)
    own = list(tags_of(store, page))
    if found is None:
        known: _Fields = {"source": page.url_full, "title": page.title}
        body = ""
    else:
        known = dict(page_fields(found.document, page.saved_at, own))  # pyright: ignore[reportAssignmentType]
        known = _for_vault(known, found.document, own)
        body = "" if found.document.discarded else markdown_body(found.document)
    notes = [note.text for note in notes_of(store, page)]
    more = {"own_tags": own} | ({"notes": notes} if notes else {})
    if files:
        body = link_assets(body, files)
        more |= {"pictures": asset_list(files)}
    head = write_frontmatter(known | _more_fields(page, str(known["source"])) | more)
    return f"{head}\n{body}" if body else head


def _for_vault(known: _Fields, document: Document, own: list[str]) -> _Fields:
    """Tags as a vault takes them: the user's and the page's; what we only guess are keywords."""
    slugs = join_tags([slug for tag in (*own, *document.tags) if (slug := slug_tag(tag))], (), ())
    is_told = all(slug_tag(tag) == tag for tag in document.tags)  # an import can tell them
    tags = {
        "tags": slugs,
        "page_tags": [] if is_told else list(document.tags),
        "keywords": list(document.generated_tags[:MAX_GENERATED_TAGS]),
    }
    present = {name: names for name, names in tags.items() if names}
    fields: _Fields = {}
    for name, value in known.items():
        fields |= present if name == "tags" else {name: value}
    return fields


def slug_tag(tag: str) -> str:
    """A tag that a vault reads as one: without spaces and signs, and not a number alone."""
    slug = _NO_TAG.sub("-", unicodedata.normalize("NFC", tag)).strip("-/")
    return f"tag-{slug}" if slug.replace("/", "").replace("-", "").isdecimal() else slug


def _more_fields(page: Page, source: str) -> dict[str, str | bool]:
    """Further frontmatter that lets an import restore the page: its type and its state."""
    address = page.url_full or page.url
    fields: dict[str, str | bool | None] = {
        "address": address if address != source else "",
        "page_type": page.page_type,
        "site": page.source if page.source != page.domain else "",
        "read_at": page.read_at,
        "last_opened_at": page.last_opened_at,
        "pinned": page.pinned,
        "archived": page.archived,
    }
    return {name: value for name, value in fields.items() if value}


def bookmarks_file(store: Store, pages: Iterable[Page]) -> Iterator[str]:
    """Bookmarks in the Netscape format that every browser imports."""
    yield (
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n"
        '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n'
        "<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n"
    )
    for page in pages:
        saved = read_time(page.saved_at)
        date = int(saved.timestamp()) if saved else 0
        tags = escape(",".join(tags_of(store, page)))
        url = escape(page.url_full or page.url)
        yield f'<DT><A HREF="{url}" ADD_DATE="{date}" TAGS="{tags}">{escape(page.title)}</A>\n'
        for note in notes_of(store, page):
            yield f"<DD>{escape(note.text)}\n"
    yield "</DL><p>\n"
