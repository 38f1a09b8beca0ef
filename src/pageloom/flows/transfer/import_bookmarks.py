"""Import bookmarks as HTML: browsers, and the older exports of Pocket and Instapaper."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from pageloom.flows.transfer.import_values import split_tags
from pageloom.flows.transfer.portable_page import Portable, PortableNote

if TYPE_CHECKING:
    from collections.abc import Iterator

_ARCHIVES = frozenset({"archive", "read archive"})
_SHELVES = _ARCHIVES | {"", "unread", "starred", "liked"}
"""The standard headings of Pocket and Instapaper; others are the user's folders."""
_BUILT_IN = frozenset({"personal_toolbar_folder", "unfiled_bookmarks_folder"})
"""Marks of folders that a browser has by itself; their names say nothing about a page."""
_BUILT_IN_NAMES = frozenset(
    (
        *("bookmarks", "bookmarks bar", "bookmarks menu", "bookmarks toolbar", "other bookmarks"),
        *("mobile bookmarks", "favourites", "favorites", "favourites bar", "favorites bar"),
        *("imported", "reading list"),
    )
)
_LINKDING_ARCHIVED = "linkding:bookmarks.archived"
_LINKDING_NOTES = re.compile(r"\[/?linkding-notes\]")
"""How linkding writes into bookmarks what they have no place for."""


@dataclass(slots=True)
class _Link:
    given: dict[str, str]
    section: str
    folders: tuple[str, ...]
    """The user's folders that it is in, the outermost first."""
    title: str = ""
    notes: list[str] = field(default_factory=list[str])


class _Links(HTMLParser):
    """Collects links with their date, tags, heading and notes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[_Link] = []
        self._section = ""
        self._folder = ""
        self._open: list[str] = []
        self._into = ""
        self._is_folder = False  # the link that a note below belongs to

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._into = ""
        given = {name: value or "" for name, value in attrs}
        if tag == "a" and given.get("href"):
            self._is_folder = False
            folders = tuple(filter(None, self._open))
            self.found.append(_Link(given, " ".join(self._section.split()), folders))
            self._into = "title"
        elif tag == "h1":
            self._section, self._into = "", "section"
        elif tag == "h3":
            self._is_folder = True
            self._folder = ""
            self._into = "" if _BUILT_IN & given.keys() else "folder"
        elif tag == "dl":
            self._open.append(_folder_name(self._folder))
            self._folder = ""
        elif tag == "dd" and self.found and not self._is_folder:
            self.found[-1].notes.append("")
            self._into = "notes"

    def handle_endtag(self, tag: str) -> None:
        if tag in {"a", "h1", "h3"}:
            self._into = ""
        elif tag == "dl" and self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._into == "section":
            self._section += data
        elif self._into == "folder":
            self._folder += data
        elif self._into == "title":
            self.found[-1].title += data
        elif self._into == "notes":
            self.found[-1].notes[-1] += data

    def parse_marked_section(self, i: int, report: int = 1) -> int:  # noqa: ARG002  the parser's
        """Skip an unknown marked section, where the base class would abort the file."""
        end = self.rawdata.find(">", i)
        return end + 1 if end >= 0 else len(self.rawdata)


def _folder_name(text: str) -> str:
    name = " ".join(text.split())
    return "" if name.casefold() in _BUILT_IN_NAMES else name


def read_bookmarks(text: str) -> Iterator[Portable]:
    """Read a browser's bookmarks; each folder that a link is in becomes a tag."""
    for link in _links(text):
        yield _page(link, folders=link.folders)


def read_shelves(text: str) -> Iterator[Portable]:
    """Read Pocket's and Instapaper's HTML: each heading is a folder, or the archive."""
    for link in _links(text):
        shelf = link.section.casefold()
        yield _page(
            link,
            archived=shelf in _ARCHIVES,
            pinned=shelf in {"starred", "liked"},
            folders=() if shelf in _SHELVES else (link.section,),
        )


def _links(text: str) -> list[_Link]:
    parser = _Links()
    parser.feed(text)
    parser.close()
    return parser.found


def _page(
    link: _Link, *, archived: bool = False, pinned: bool = False, folders: tuple[str, ...] = ()
) -> Portable:
    given = link.given
    texts = (part.strip() for note in link.notes for part in _LINKDING_NOTES.split(note))
    tags = split_tags(given.get("tags", ""))
    return Portable(
        url=given["href"],
        title=" ".join(link.title.split()),
        saved_at=given.get("add_date") or given.get("time_added") or "",
        archived=archived or _LINKDING_ARCHIVED in tags,
        pinned=pinned,
        read_at=given.get("add_date", "") if given.get("toread") == "0" else "",
        tags=(*(tag for tag in tags if tag != _LINKDING_ARCHIVED), *folders),
        notes=tuple(PortableNote(text=text) for text in texts if text),
    )
