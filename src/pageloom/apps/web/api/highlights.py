"""Highlights: passages of pages, with their notes, and what became of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Response

from pageloom.apps.web.api.answers import api_routes, json_answer, list_answer
from pageloom.apps.web.api.bodies import HighlightBody, HighlightChangeBody
from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.query_params import Cursor, Limit
from pageloom.views.highlights import highlight as as_data

routes = api_routes("highlights")
Reads = Annotated[Ask, Depends(needs("read"))]
Writes = Annotated[Ask, Depends(needs("write"))]


@routes.add("GET", "/highlights", "read", summary="The highlights of all pages")
def list_highlights(
    ask: Reads,
    q: Annotated[str, Query(max_length=1000, description="With all of these words.")] = "",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> Response:
    """Highlights, newest first."""
    found = ask.library.all_highlights(q, limit=limit, cursor=cursor)
    return list_answer(ask, map(as_data, found), found.next_cursor, found.total, exact=not q)


@routes.add("GET", "/pages/{page}/highlights", "read", summary="The highlights of a page")
def get_highlights(ask: Reads, page: str) -> Response:
    """Highlights in the order of the text; `state` says what the last version did to each."""
    return json_answer({"items": list(map(as_data, ask.library.highlights(page)))}, ask=ask)


@routes.add("POST", "/pages/{page}/highlights", "write", summary="Mark a passage", status_code=201)
def add_highlight(ask: Writes, page: str, body: HighlightBody) -> Response:
    """Mark words of a page; with `before` and `after` where it has them several times."""
    made = ask.library.highlight(
        page,
        body.quote,
        before=body.before,
        after=body.after,
        colour=body.colour,
        note=body.note,
        version=body.version,
    )
    return json_answer(as_data(made), 201)


@routes.add("PATCH", "/pages/{page}/highlights/{highlight}", "write", summary="Change a highlight")
def change_highlight(ask: Writes, page: str, highlight: int, body: HighlightChangeBody) -> Response:
    """Change its colour or its note."""
    changed = ask.library.change_highlight(page, highlight, colour=body.colour, note=body.note)
    return json_answer(as_data(changed))


@routes.add(
    "DELETE",
    "/pages/{page}/highlights/{highlight}",
    "write",
    summary="Remove a highlight",
    status_code=204,
)
def remove_highlight(ask: Writes, page: str, highlight: int) -> Response:
    """Remove a highlight with its note."""
    ask.library.remove_highlight(page, highlight)
    return Response(None, 204)
