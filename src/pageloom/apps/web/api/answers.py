"""What API handlers share: JSON, lists, ETags, and answers that are given once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlencode
from weakref import WeakValueDictionary

import msgspec
from fastapi import Request, Response
from fastapi.routing import APIRoute

from pageloom.apps.web.auth import Ask, Who, identify, rate_headers
from pageloom.apps.web.errors import InvalidRequest, Outdated
from pageloom.apps.web.scoped_routes import Routes
from pageloom.apps.web.server_state import Site
from pageloom.library import Library

PROBLEM: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "code", "retryable", "suggestions", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "retryable": {"type": "boolean"},
        "suggestions": {"type": "array", "items": {"type": "string"}},
        "request_id": {"type": "string"},
        "url": {"type": "string"},
        "figures": {"type": "object"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"pointer": {"type": "string"}, "detail": {"type": "string"}},
            },
        },
    },
}
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "description": "The request cannot be met; the problem says why.",
        "content": {"application/problem+json": {"schema": PROBLEM}},
    },
    "5XX": {
        "description": "Something here or on the way failed; the problem says what.",
        "content": {"application/problem+json": {"schema": PROBLEM}},
    },
}
_LARGEST_KEPT = 1_000_000


class ApiRoute(APIRoute):
    """A route of the API: says what is left of the rate, and repeats answers by their key."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler with what all of them do."""
        inner = super().get_route_handler()

        async def handle(request: Request) -> Response:
            key = request.headers.get("idempotency-key", "")
            answer = (
                await _once(request, key, inner)
                if key and request.method == "POST"
                else await inner(request)
            )
            who: Who | None = getattr(request.state, "who", None)
            if who is not None:
                answer.headers.update(rate_headers(request.app.state.site, who))
            return answer

        return handle


def api_routes(tag: str) -> Routes:
    """The routes of one subject of the API."""
    return Routes(
        "/api/v1",
        documented=True,
        tags=[tag],
        route_class=ApiRoute,
        responses=_PROBLEMS,
    )


def as_types(*types: str) -> dict[str, Any]:
    """The settings of a route whose answers are of these types, and not JSON."""
    content: dict[str, Any] = {each: {"schema": {"type": "string"}} for each in types}
    return {
        "response_class": Response,
        "responses": {200: {"description": "As it is.", "content": content}},
    }


_locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()


async def _once(
    request: Request, key: str, inner: Callable[[Request], Coroutine[Any, Any, Response]]
) -> Response:
    """Give the answer of the first request with this key to all that repeat it."""
    site: Site = request.app.state.site
    who = await asyncio.to_thread(identify, site, request)
    if who is None:
        return await inner(request)  # which refuses it
    if len(key) > 200:
        raise InvalidRequest("An Idempotency-Key has at most 200 characters.")
    key = f"{who.via} {who.token.id if who.token else ''} {key}"  # what others did is not repeated
    lock = _locks.setdefault((who.owner, key), asyncio.Lock())
    async with lock:
        library = site.library.for_requests(who.owner)
        mark = sha256(f"{request.url.path}?{request.url.query}\n".encode() + await request.body())
        known = await asyncio.to_thread(library.find_answer, key)
        if known is not None:
            return _again(known, mark.hexdigest())
        answer = await inner(request)
        await asyncio.to_thread(_keep, library, key, mark.hexdigest(), answer)
        return answer


def _again(known: dict[str, Any], mark: str) -> Response:
    if known["mark"] != mark:
        raise InvalidRequest("This Idempotency-Key was used for another request.")
    if known["body"] is None:
        raise InvalidRequest("This was done already; its secret is not shown again.")
    return Response(known["body"], known["status"], known["headers"], known["type"])


def _keep(library: Library, key: str, mark: str, answer: Response) -> None:
    if answer.status_code >= 500 or len(answer.body) > _LARGEST_KEPT:
        return
    headers = {name: answer.headers[name] for name in ("location",) if name in answer.headers}
    is_secret = answer.headers.get("cache-control") == "no-store"
    library.keep_answer(
        key,
        {
            "mark": mark,
            "status": answer.status_code,
            "body": None if is_secret else bytes(answer.body).decode(),
            "type": answer.media_type or "application/json",
            "headers": headers,
        },
    )


def etag_of(body: bytes) -> str:
    """The ETag of an answer."""
    return f'"{sha256(body).hexdigest()[:24]}"'


def json_answer(
    data: Any, status: int = 200, *, ask: Ask | None = None, headers: dict[str, str] | None = None
) -> Response:
    """Data as JSON; with ``ask``, an ETag, and 304 for whoever has it already."""
    body = msgspec.json.encode(data)
    given = dict(headers or {})
    if ask is not None:
        given["ETag"] = etag_of(body)
        if _has(ask.request.headers.get("if-none-match", ""), given["ETag"]):
            return Response(None, 304, given)
    return Response(body, status, given, "application/json")


def _has(header: str, etag: str) -> bool:
    known = {each.strip().removeprefix("W/") for each in header.split(",")}
    return "*" in known or etag in known


def require_match(ask: Ask, data: Any) -> None:
    """Refuse to change what is no longer as whoever asks has seen it.

    Raises:
        Outdated: the If-Match of the request is another one.
    """
    stated = ask.request.headers.get("if-match")
    if stated is not None and not _has(stated, etag_of(msgspec.json.encode(data))):
        raise Outdated("It has changed meanwhile.")


def list_answer(
    ask: Ask, items: Iterable[Any], next_cursor: str | None, total: int, *, exact: bool
) -> Response:
    """A part of a list, and how the next part is asked for."""
    data = {"items": list(items), "next": next_cursor, "total": total, "exact": exact}
    headers: dict[str, str] = {}
    if next_cursor is not None:
        request = ask.request
        kept = [pair for pair in request.query_params.multi_items() if pair[0] != "cursor"]
        path = quote(ask.site.link(request.url.path))
        url = f"{path}?{urlencode([*kept, ('cursor', next_cursor)])}"
        headers["Link"] = f'<{url}>; rel="next"'
    return json_answer(data, ask=ask, headers=headers)
