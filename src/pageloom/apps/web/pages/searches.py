"""Saved searches: listed, changed, with their feeds, and with notices of what they newly find."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import Depends, Form, Query, Response
from starlette.responses import RedirectResponse

from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.render import render
from pageloom.apps.web.scoped_routes import Routes
from pageloom.errors import InvalidArgument, SettingsError
from pageloom.redaction import redact_target

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
Writes = Annotated[Ask, Depends(needs("write"))]
Name = Annotated[str, Form(max_length=200)]
Words = Annotated[str, Form(max_length=1000)]
Targets = Annotated[str, Form(max_length=4000)]


def _page(ask: Ask, status: int = 200, **values: Any) -> Response:
    known: dict[str, Any] = {"name": "", "query_text": "", "targets": "", "problem": ""} | values
    found = ask.library.searches()
    shown = {each.id: "\n".join(map(redact_target, each.targets)) for each in found}
    feeds = {each.id: urlencode({"q": each.query}) for each in found}
    return render(
        ask,
        "searches.html",
        status,
        place="searches",
        searches=found,
        feeds=feeds,
        shown=shown,
        **known,
    )


@routes.add("GET", "/searches", "read")
def searches_page(ask: Reads, q: Annotated[str, Query(max_length=1000)] = "") -> Response:
    """All saved searches, and the form for another."""
    return _page(ask, query_text=q)


@routes.add("POST", "/searches", "write")
def add_search(ask: Writes, name: Name = "", query: Words = "", targets: Targets = "") -> Response:
    """Save a search."""
    try:
        ask.library.save_search(name, query, notify=targets.splitlines())
    except (InvalidArgument, SettingsError) as error:
        given: dict[str, Any] = {"name": name, "query_text": query, "targets": targets}
        return _page(ask, 422, problem=error.message, **given)
    return RedirectResponse(ask.site.link("/searches"), 303)


@routes.add("POST", "/searches/{search:int}", "write")
def change_search(
    ask: Writes,
    search: int,
    do: Annotated[Literal["keep", "remove"], Form()] = "keep",
    name: Name = "",
    query: Words = "",
    targets: Targets = "",
) -> Response:
    """Change a saved search, or remove it."""
    if do == "remove":
        ask.library.remove_search(search)
        return RedirectResponse(ask.site.link("/searches"), 303)
    before = ask.library.get_search(search)
    known = {redact_target(target): target for target in before.targets}
    try:
        ask.library.save_search(
            name or before.name,
            query or before.query,
            notify=[known.get(line.strip(), line) for line in targets.splitlines()],
            number=search,
        )
    except SettingsError as error:
        return _page(ask, 422, problem=error.message)
    return RedirectResponse(ask.site.link("/searches"), 303)
