"""A bug of ours: nobody sees a stack trace, and everybody gets an answer with the request's id."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from pageloom.library import open_library


def ask(app: Any, path: str) -> tuple[int, dict[str, str], bytes]:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:8460"), (b"x-request-id", b"r1")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8460),
        "scheme": "http",
        "http_version": "1.1",
        "root_path": "",
    }
    asyncio.run(app(scope, receive, send))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(each.get("body", b"") for each in sent[1:])


def broken() -> None:
    raise ZeroDivisionError("the secret of hunter2")


@pytest.mark.parametrize("path", ["/api/v1/broken", "/broken"])
def test_a_bug_is_an_answer_without_its_details(tmp_path, path):
    from pageloom.apps.web.app import make_app  # whoever only collects tests need not load it
    from pageloom.apps.web.server_state import make_site

    with open_library(tmp_path / "a.db") as library:
        app = make_app(make_site(library, 8460))
        app.app.add_api_route(path, broken)
        status, headers, body = ask(app, path)
    assert status == 500
    assert headers["x-request-id"] == "r1"
    assert "content-security-policy" in headers
    assert b"hunter2" not in body
    assert b"ZeroDivisionError" not in body
    if path.startswith("/api/"):
        assert headers["content-type"] == "application/problem+json"
        assert json.loads(body)["code"] == "InternalError"
    else:
        assert b"Something went wrong here" in body
