"""What there is beside the content of a page: outline, links, similar pages, where it came from."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import Depends, Query, Response

from pageloom.apps.web.api.answers import api_routes, as_types, json_answer, list_answer
from pageloom.apps.web.api.bodies import ProgressBody
from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.documents import original_answer
from pageloom.apps.web.query_params import Limit
from pageloom.flows.library.reading import readable
from pageloom.views import records, results

routes = api_routes("beside the content")
Reads = Annotated[Ask, Depends(needs("read"))]
Writes = Annotated[Ask, Depends(needs("write"))]
Admins = Annotated[Ask, Depends(needs("admin"))]
Number = Annotated[int | None, Query(ge=1, le=10**9)]


@routes.add("GET", "/pages/{page}/outline", "read", summary="The headings of a page")
def get_outline(ask: Reads, page: str, version: Number = None) -> Response:
    """The headings, with the anchors that the reader gives them."""
    document = ask.library.document(page, version)
    sections = readable(document, lambda _: "").sections
    items = [{"anchor": each.anchor, "level": each.level, "title": each.title} for each in sections]
    facts = {"words": document.word_count, "characters": len(document.text)}
    return json_answer({"items": items, **facts}, ask=ask)


@routes.add("GET", "/pages/{page}/links", "read", summary="The links of a page")
def get_links(ask: Reads, page: str, version: Number = None) -> Response:
    """The links, with their texts and where on the page they stand."""
    links: list[dict[str, Any]] = msgspec.to_builtins(ask.library.document(page, version).links)
    return list_answer(ask, links, None, len(links), exact=True)


@routes.add("GET", "/pages/{page}/explain", "read", summary="Where each field came from")
def get_explanation(ask: Reads, page: str, version: Number = None) -> Response:
    """Of each field the source that won, the rules that applied, how it was fetched and read."""
    found = ask.library.version(page, version)
    return json_answer(results.explanation(found.document, found.info), ask=ask)


@routes.add(
    "GET",
    "/pages/{page}/original",
    "read",
    summary="What the server sent",
    **as_types("text/html", "text/plain"),
)
def get_original(ask: Reads, page: str, version: Number = None) -> Response:
    """What the server sent, inert."""
    return original_answer(ask, ask.library.get(page), version)


@routes.add("GET", "/pages/{page}/similar", "read", summary="Pages like this one")
def get_similar(ask: Reads, page: str, limit: Limit = 10) -> Response:
    """Pages with nearly the same text, then those that share words of the title."""
    found = ask.library.similar(page, limit=limit)
    items = [
        records.page(each.page) | {"is_duplicate": each.is_duplicate, "words": list(each.words)}
        for each in found
    ]
    return list_answer(ask, items, None, len(items), exact=True)


@routes.add("GET", "/pages/{page}/progress", "read", summary="How far a page was read")
def get_progress(ask: Reads, page: str) -> Response:
    """The block at the top of the window, of so many, of a version; null before that."""
    found = ask.library.progress(page)
    return json_answer(msgspec.to_builtins(found) if found else None, ask=ask)


@routes.add("POST", "/pages/{page}/progress", "write", summary="Note how far a page was read")
def set_progress(ask: Writes, page: str, body: ProgressBody) -> Response:
    """Remember the place, for every device."""
    ask.library.note_progress(page, body.version, body.block, body.blocks)
    return json_answer(msgspec.to_builtins(ask.library.progress(page)))


@routes.add("GET", "/system", "admin", summary="This server in figures")
def get_system(ask: Admins) -> Response:
    """Its version, its database, and what it has of you and of all users."""
    from pageloom import __version__

    library = ask.library
    users = library.users()
    return json_answer(
        {
            "version": __version__,
            "database": library.context.store.dialect,
            "works": ask.site.options.work,
            "users": len(users),
            "pages": sum(user["pages"] for user in users),
            "library": library.stats(),
            "watches": len(library.watches()),
            "failing_watches": sum(1 for watch in library.watches() if watch.failures),
        }
    )
