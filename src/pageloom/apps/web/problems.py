"""Errors as answers: problem+json for programs, a page for people."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pageloom.apps.web.errors import (
    InvalidRequest,
    NotAllowed,
    NotFound,
    SignInNeeded,
    TooManyRequests,
    problem_of,
    status_of,
)
from pageloom.errors import PageloomError
from pageloom.views.advice import advice_of

if TYPE_CHECKING:
    from fastapi.exceptions import RequestValidationError
    from pydantic import ValidationError
    from starlette.exceptions import HTTPException
    from starlette.types import Scope

    from pageloom.apps.web.server_state import Site

_RETRY_SECONDS = "2"
FOR_PROGRAMS = ("/api/", "/r/", "/events", "/mcp", "/v1/", "/v2/", "/compat/")
"""What answers with problems, and what no other site may read with somebody's session."""


async def error_response(site: Site, scope: Scope, error: PageloomError) -> Response:
    """An error as whoever asked reads it."""
    path = scope["path"]
    if path.startswith(FOR_PROGRAMS):
        return _problem(scope, error)
    if isinstance(error, SignInNeeded) and scope["method"] in ("GET", "HEAD"):
        return RedirectResponse(site.link(f"/login?next={quote(_here(scope))}"), 303)
    return await asyncio.to_thread(_page, site, scope, error)


def _page(site: Site, scope: Scope, error: PageloomError) -> Response:
    from pageloom.apps.web.auth import guess
    from pageloom.apps.web.render import render_error

    status = status_of(error)
    html = render_error(
        site,
        guess(site, Request(scope)),
        status=status,
        message=error.message,
        advice=advice_of(error),
        request_id=scope["state"]["request_id"],
    )
    return Response(html, status, _headers(error, status), "text/html; charset=utf-8")


def _problem(scope: Scope, error: PageloomError) -> Response:
    answer = problem_of(error, scope["state"]["request_id"])
    kind = "application/problem+json"
    if scope["path"].startswith(("/v1/", "/v2/", "/compat/")):
        answer |= _as_others(answer)
        kind = "application/json"
    headers = _headers(error, answer["status"])
    return Response(msgspec.json.encode(answer), answer["status"], headers, kind)


def _as_others(answer: dict[str, Any]) -> dict[str, Any]:
    """What clients of other services look for in an error; they repeat what has status 502."""
    status = {422: 400, 502: 500, 504: 408}.get(answer["status"], answer["status"])
    words = " ".join([answer["title"], *answer["suggestions"]])
    return {"success": False, "error": words, "detail": answer["title"], "status": status}


def _headers(error: PageloomError, status: int) -> dict[str, str]:
    if isinstance(error, TooManyRequests):
        return {"Retry-After": str(error.figures.get("seconds", 60))}
    if isinstance(error, SignInNeeded):
        return {"WWW-Authenticate": 'Bearer realm="pageloom"'}
    return {"Retry-After": _RETRY_SECONDS} if status == 503 else {}


def _here(scope: Scope) -> str:
    query = scope["query_string"].decode("latin-1")
    return scope["path"] + (f"?{query}" if query else "")


def of_http(error: HTTPException) -> PageloomError:
    """An error of the framework as one of ours."""
    if error.status_code == 405:
        return NotAllowed("This URL has no such method.", suggestions=())
    if error.status_code == 404:
        return NotFound("There is nothing at this URL.", suggestions=())
    return InvalidRequest(str(error.detail))


def of_validation(error: RequestValidationError | ValidationError) -> InvalidRequest:
    """A body or parameters that do not fit, each with its place."""
    return InvalidRequest("The request cannot be used as it is.", places_of(error))


def places_of(error: RequestValidationError | ValidationError) -> list[dict[str, str]]:
    """What does not fit, and where it stands."""
    return [
        {"pointer": "/" + "/".join(map(str, each["loc"])), "detail": str(each["msg"])}
        for each in error.errors()
    ]
