"""Import from services for bookmarks: Karakeep's JSON, linkding's HTML and JSON, OPML."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, cast
from xml.sax.saxutils import quoteattr

import msgspec

from pageloom.core.normalize.urls import domain_of
from pageloom.errors import InvalidUrl
from pageloom.flows.transfer.import_bookmarks import read_bookmarks
from pageloom.flows.transfer.import_values import flag_of, names_of, text_of
from pageloom.flows.transfer.portable_page import (
    Portable,
    PortableNote,
    PortableSource,
    Unread,
    no_import,
    with_address,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.flows.transfer.portable_page import Found
    from pageloom.model.library import Source

_NOT_A_NAME = re.compile(r"[^a-z0-9]+")


def read_karakeep(text: str) -> Iterator[Found]:
    """Karakeep's export: links with tags, lists and notes; texts and files have no URL."""
    whole = _object(text)
    lists = {text_of(one.get("id")): text_of(one.get("name")) for one in _rows(whole, "lists")}
    for number, entry in enumerate(_rows(whole, "bookmarks"), start=1):
        content = entry.get("content")
        known = cast("dict[str, Any]", content) if isinstance(content, dict) else {}
        note = text_of(entry.get("note")).strip()
        inside = [lists.get(each, "") for each in names_of(entry.get("lists"))]
        page = Portable(
            url=text_of(known.get("url")),
            title=text_of(entry.get("title")) or text_of(known.get("text"))[:80],
            saved_at=text_of(entry.get("createdAt")),
            archived=flag_of(entry.get("archived")),
            pinned=flag_of(entry.get("favourited")),
            tags=(*names_of(entry.get("tags")), *filter(None, inside)),
            notes=(PortableNote(text=note),) if note else (),
        )
        yield with_address(page, f"entry {number}")


def read_linkding(text: str) -> Iterator[Found]:
    """Linkding's export, which is bookmarks as HTML; or the JSON of its API."""
    if text.lstrip().startswith("<"):
        yield from read_bookmarks(text)
        return
    for number, entry in enumerate(_rows(_object(text), "results"), start=1):
        remarks = (text_of(entry.get(name)).strip() for name in ("description", "notes"))
        added = text_of(entry.get("date_added"))
        page = Portable(
            url=text_of(entry.get("url")),
            title=text_of(entry.get("title")) or text_of(entry.get("website_title")),
            saved_at=added,
            read_at="" if flag_of(entry.get("unread")) else added,
            archived=flag_of(entry.get("is_archived")),
            tags=names_of(entry.get("tag_names")),
            notes=tuple(PortableNote(text=remark) for remark in remarks if remark),
        )
        yield with_address(page, f"entry {number}")


def _object(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text.encode("utf-8", "replace"), type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError):
        raise no_import("The file is not the JSON of an export.") from None


def _rows(whole: dict[str, Any], name: str) -> list[dict[str, Any]]:
    rows = whole.get(name)
    found = cast("list[Any]", rows) if isinstance(rows, list) else []
    return [cast("dict[str, Any]", row) for row in found if isinstance(row, dict)]


class _Outlines(HTMLParser):
    """Collects the attributes of outlines: a file that is not quite XML is read too."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "outline":
            self.found.append({name: value or "" for name, value in attrs})


def read_opml(text: str) -> Iterator[Found]:
    """The feeds of an OPML file as sources, named as in the file."""
    reader = _Outlines()
    reader.feed(text)
    reader.close()
    for number, outline in enumerate(reader.found, start=1):
        feed = outline.get("xmlurl", "").strip()
        name = (outline.get("title") or outline.get("text", "")).strip()
        if not feed:
            continue  # a folder
        try:
            host = domain_of(feed)
        except InvalidUrl:
            yield Unread(where=f"outline {number}", why="its feed has no web URL", what=name)
            continue
        site = outline.get("htmlurl", "").strip()
        yield PortableSource(
            id=_NOT_A_NAME.sub("-", (name or host).lower()).strip("-")[:60] or host,
            name=name or host,
            site=_site_of(site) or host,
            feeds=(feed,),
        )


def _site_of(url: str) -> str:
    try:
        return domain_of(url) if url else ""
    except InvalidUrl:
        return ""


def write_opml(sources: Iterable[Source]) -> str:
    """The feeds of sources as OPML 2.0, for other feed readers."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<opml version="2.0">',
        "<head><title>Pageloom</title></head>",
        "<body>",
    ]
    for source in sources:
        name = quoteattr(source.name or source.id)
        for feed in source.feeds:
            home = f" htmlUrl={quoteattr(f'https://{source.site}/')}" if source.site else ""
            url = quoteattr(feed)
            lines.append(f'<outline type="rss" text={name} title={name} xmlUrl={url}{home}/>')
    return "\n".join([*lines, "</body>", "</opml>", ""])
