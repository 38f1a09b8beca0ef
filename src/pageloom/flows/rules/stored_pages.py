"""Pages that rules are tried on: the originals of a library, or HTML files in a folder."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.dom import parse
from pageloom.edges.store.bodies import read_body
from pageloom.edges.store.listing import walk_pages
from pageloom.edges.store.versions import latest_version
from pageloom.model.pages import WITH_ARCHIVED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pageloom.edges.store.base import Store

_HTML = re.compile(r"\.x?html?$", re.IGNORECASE)
_STATED = (
    ("link[rel='canonical'][href]", "href"),
    ("meta[property='og:url'][content]", "content"),
)


def html_files(folder: Path, url: str, max_bytes: int) -> Iterator[tuple[str, str]]:
    """The HTML files below a folder, each with the URL that it states.

    Args:
        folder: where they are.
        url: of those that state none.
        max_bytes: larger files are left out.
    """
    for path in sorted(folder.rglob("*")):
        if _HTML.search(path.name) and path.is_file() and path.stat().st_size <= max_bytes:
            html = path.read_bytes().decode("utf-8", "replace")
            yield _stated_url(html) or url, html


def _stated_url(html: str) -> str:
    tree = parse(html)
    for selector, name in _STATED:
        element = tree.select_one(selector)
        found = element.attr(name) if element is not None else None
        if found and found.startswith("http"):
            return found
    return ""


def library_originals(store: Store, owner: str) -> Iterator[tuple[str, str]]:
    """The last original of every page of a library that has one, with its URL."""
    for page in walk_pages(store, owner, WITH_ARCHIVED):
        last = latest_version(store, page)
        body_hash = last.info.body_hash if last else ""
        body = read_body(store, page, body_hash) if body_hash else None
        if last is not None and body:
            yield last.document.final_url, body.decode("utf-8", "replace")
