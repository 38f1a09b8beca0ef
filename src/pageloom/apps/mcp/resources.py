"""Pages, versions, differences, changes and searches as resources, with templates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import msgspec
from mcp_types import (
    ListResourcesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from pageloom.apps.mcp.door import NOTICE, page_uri
from pageloom.errors import InvalidArgument
from pageloom.views import documents, records
from pageloom.views.comparison import render_diff

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.library import Library

CHANGES = "pageloom://changes"
_AT_ONCE = 50
_COMPLETED = 20


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of resource."""

    template: str
    pattern: re.Pattern[str]
    title: str
    mime_type: str
    read: Callable[[Library, re.Match[str]], str]


def _page(library: Library, found: re.Match[str]) -> str:
    return documents.markdown(library.document(found[1]))


def _version(library: Library, found: re.Match[str]) -> str:
    return documents.markdown(library.document(found[1], int(found[2])))


def _diff(library: Library, found: re.Match[str]) -> str:
    pair = library.compare(found[1], int(found[2]), int(found[3]))
    return f"{pair.report.summary}\n\n{render_diff(pair.before.text, pair.after.text)}"


def _changes(library: Library, found: re.Match[str]) -> str:
    items = [records.change(each) for each in library.changes(limit=_AT_ONCE)]
    return msgspec.json.encode({"items": items}).decode()


def _search(library: Library, found: re.Match[str]) -> str:
    hits = library.search(unquote(found[1]), limit=_AT_ONCE)
    items = [records.hit(hit) for hit in hits.hits]
    return msgspec.json.encode({"items": items, "total": hits.total}).decode()


_NUMBER = r"(\d{1,15})"
KINDS = (
    Kind(
        "pageloom://page/{page}",
        re.compile(rf"pageloom://page/{_NUMBER}"),
        "The text of a saved page",
        "text/markdown",
        _page,
    ),
    Kind(
        "pageloom://page/{page}/version/{version}",
        re.compile(rf"pageloom://page/{_NUMBER}/version/{_NUMBER}"),
        "The text of a version of a page",
        "text/markdown",
        _version,
    ),
    Kind(
        "pageloom://page/{page}/diff/{from}..{to}",
        re.compile(rf"pageloom://page/{_NUMBER}/diff/{_NUMBER}\.\.{_NUMBER}"),
        "What changed between two versions of a page",
        "text/plain",
        _diff,
    ),
    Kind(CHANGES, re.compile(CHANGES), "The last changes", "application/json", _changes),
    Kind(
        "pageloom://search/{words}",
        re.compile(r"pageloom://search/([^/]{1,3000})"),
        "The pages that a search finds",
        "application/json",
        _search,
    ),
)


def list_resources(library: Library, cursor: str) -> ListResourcesResult:
    """The changes, and the pages, newest first, a part of them."""
    found = library.list(limit=_AT_ONCE, cursor=cursor)
    first = [Resource(uri=CHANGES, name="changes", mime_type="application/json")]
    pages = [
        Resource(
            uri=page_uri(page.id),
            name=f"page-{page.id}",
            title=page.title or page.url_full,
            description=page.url_full,
            mime_type="text/markdown",
        )
        for page in found.pages
    ]
    listed = pages if cursor else first + pages
    return ListResourcesResult(resources=listed, next_cursor=found.next_cursor)


def list_templates() -> list[ResourceTemplate]:
    """How resources are named."""
    return [
        ResourceTemplate(
            uri_template=kind.template,
            name=kind.title.lower().replace(" ", "-"),
            title=kind.title,
            mime_type=kind.mime_type,
        )
        for kind in KINDS
        if "{" in kind.template
    ]


def read_resource(library: Library, uri: str) -> ReadResourceResult:
    """A resource by its URI.

    Raises:
        InvalidArgument: it has no such form.
        NotInLibrary: this user has no such page or version.
    """
    for kind in KINDS:
        found = kind.pattern.fullmatch(uri)
        if found:
            text = kind.read(library, found)
            notice = {"pageloom/notice": NOTICE}
            content = TextResourceContents(
                uri=uri, text=text, mime_type=kind.mime_type, _meta=notice
            )
            return ReadResourceResult(contents=[content])
    raise InvalidArgument(
        f"There is no resource {uri[:80]}.",
        suggestions=(f"Write for example {page_uri(12)}.",),
    )


def complete(library: Library, name: str, value: str, known: dict[str, str]) -> list[str]:
    """Values of an argument that begin as what was typed; of pages also by their words."""
    if name == "page":
        return _pages_like(library, value)
    if name in ("version", "from", "to") and known.get("page", "").isdigit():
        numbers = [str(info.number) for info in library.history(known["page"])]
        return [number for number in numbers if number.startswith(value)][:_COMPLETED]
    if name in ("words", "search"):
        tags = [tag for tag, _ in library.all_tags()]
        found = [tag for tag in tags if tag.casefold().startswith(value.casefold())][:_COMPLETED]
        return [quote(tag, safe="") for tag in found] if name == "words" else found
    if name == "since":
        return [age for age in ("1d", "7d", "30d") if age.startswith(value)]
    return []


def _pages_like(library: Library, value: str) -> list[str]:
    if value and not value.isdigit():
        hits = library.search(f"{value}*", limit=_COMPLETED).hits
        return [str(hit.page.id) for hit in hits]
    numbers = [str(page.id) for page in library.list(limit=200).pages]
    return [number for number in numbers if number.startswith(value)][:_COMPLETED]
