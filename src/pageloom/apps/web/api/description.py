"""The description of the API: OpenAPI 3.1, and the same as a page."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi

from pageloom.apps.web.api.answers import api_routes, json_answer
from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.render import render
from pageloom.apps.web.scoped_routes import OPEN, Routes

routes = api_routes("description")
pages = Routes()
_METHODS = ("get", "post", "patch", "delete")


@cache
def describe(app: FastAPI) -> dict[str, Any]:
    """The API as OpenAPI says it."""
    made = get_openapi(
        title="Pageloom",
        version="1",
        openapi_version="3.1.0",
        summary="Pages as clean, versioned documents; what changed, and whether it matters.",
        routes=app.routes,
    )
    schemes = {"token": {"type": "http", "scheme": "bearer"}}
    made.setdefault("components", {})["securitySchemes"] = schemes
    for path in made["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)  # one of the 4XX
            if operation.get("x-scope") != OPEN:
                operation["security"] = [{"token": []}]
    return made


@routes.add("GET", "/openapi.json", OPEN, summary="This description")
def openapi(request: Request) -> Response:
    """The description of the API, OpenAPI 3.1."""
    return json_answer(describe(request.app))


@pages.add("GET", "/api", "read")
def docs_page(ask: Annotated[Ask, Depends(needs("read"))]) -> Response:
    """The description for people."""
    made = describe(ask.request.app)
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, item in made["paths"].items():
        for method in _METHODS:
            if method in item:
                known = {"path": path, "method": method.upper(), **item[method]}
                groups.setdefault(item[method]["tags"][0], []).append(known)
    return render(ask, "api.html", groups=groups)
