"""Saved searches: a query with a name, and whom to notify of pages that it newly finds."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Response

from pageloom.apps.web.api.answers import api_routes, json_answer, list_answer
from pageloom.apps.web.api.bodies import SearchBody
from pageloom.apps.web.auth import Ask, needs
from pageloom.views import records

routes = api_routes("saved searches")
Reads = Annotated[Ask, Depends(needs("read"))]
Writes = Annotated[Ask, Depends(needs("write"))]


@routes.add("GET", "/searches", "read", summary="Saved searches")
def list_searches(ask: Reads) -> Response:
    """Saved searches, by name."""
    found = ask.library.searches()
    return list_answer(ask, map(records.saved_search, found), None, len(found), exact=True)


@routes.add("POST", "/searches", "write", summary="Save a search", status_code=201)
def add_search(ask: Writes, body: SearchBody) -> Response:
    """Keep a query under a name; with `targets`, pages that it newly finds are notified."""
    made = ask.library.save_search(body.name, body.query, notify=body.targets)
    return json_answer(records.saved_search(made), 201)


@routes.add("PUT", "/searches/{search}", "write", summary="Change a saved search")
def change_search(ask: Writes, search: int, body: SearchBody) -> Response:
    """Give it another name, query and targets."""
    made = ask.library.save_search(body.name, body.query, notify=body.targets, number=search)
    return json_answer(records.saved_search(made))


@routes.add(
    "DELETE", "/searches/{search}", "write", summary="Remove a saved search", status_code=204
)
def remove_search(ask: Writes, search: int) -> Response:
    """Remove it."""
    ask.library.remove_search(search)
    return Response(None, 204)
