"""Requests that are made to hurt: bounded, refused, and others are served beside them."""

from __future__ import annotations

import json
import re
import socket
from contextlib import ExitStack, suppress
from importlib.metadata import version
from urllib.parse import quote

import pytest
from tests.api.conftest import kettle
from tests.site.server import send
from tests.web.server import Server
from tests.web.test_following import stream
from tests.web.test_sweeps import TABLE, filled

from pageloom.apps.web.scoped_routes import OPEN
from pageloom.library import open_library


@pytest.fixture(scope="module")
def library(database, server):
    with open_library(database) as opened:
        yield opened


@pytest.fixture(scope="module")
def token(library) -> str:
    return library.make_token(scopes=["read", "save", "write"])


def multipart(parts: int, name: str = "urls", value: str = "x") -> bytes:
    part = f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
    return (part * parts + "--b--\r\n").encode()


def deep(opening: str, closing: str, depth: int) -> str:
    return opening * depth + "1" + closing * depth


BODIES = {
    "deep lists": ("application/json", deep("[", "]", 100_000)),
    "deep objects": ("application/json", deep('{"select":', "}", 50_000)),
    "long number": ("application/json", '{"select": {"ids": [' + "9" * 50_000 + "]}}"),
    "many keys": ("application/json", json.dumps({f"k{n}": n for n in range(50_000)})),
    "lone surrogate": ("application/json", '{"select": {"query": "\\ud800"}, "do": "pin"}'),
    "not a number": ("application/json", '{"select": {"ids": [NaN]}, "do": "pin"}'),
    "no text": ("application/json", b"\xff\xfe\x00"),
    "many parts": ("multipart/form-data; boundary=b", multipart(20_000)),
    "long name": ("multipart/form-data; boundary=b", multipart(1, "n" * 500_000)),
    "no boundary": ("multipart/form-data", multipart(1)),
    "other boundary": ("multipart/form-data; boundary=c", multipart(3)),
    "many fields": ("application/x-www-form-urlencoded", "a=b&" * 100_000),
}


@pytest.mark.parametrize("path", ["/save", "/act", "/api/v1/pages", "/api/v1/pages/bulk"])
def test_a_body_that_is_made_to_hurt_is_refused(server, browser, token, path):
    for name, (kind, body) in BODIES.items():
        sent = body if isinstance(body, bytes) else body.encode()
        if path.startswith("/api"):
            who = {"Authorization": f"Bearer {token}"}
        else:
            who = {"Cookie": browser.cookie, "Origin": server.origin}
        answer = server.ask("POST", path, body=sent, Content_Type=kind, **who)
        assert answer.status < 500, (path, name)
        if path == "/api/v1/pages/bulk" and name != "lone surrogate":
            assert answer.status in (400, 413, 415, 422), name
    assert server.ask("GET", "/healthz").status == 200


@pytest.mark.parametrize(
    "query",
    [
        "a* " * 1_500,
        "a OR " * 1_500 + "b",
        "-a " * 2_000,
        '"' * 3_000,
        "(" * 3_000,
        "tag:a " * 1_000,
        "NEAR(" * 500,
        "\u202e" * 2_000,
        "字" * 3_000,
    ],
    ids=range(9),
)
def test_an_expensive_search_is_no_fault(server, browser, query):
    for path in ("/?q=", "/api/v1/pages?q="):
        assert browser.get(path + quote(query)[:30_000]).status < 500, path


def test_lists_of_ranges_and_long_lines_are_bounded(server, browser, library):
    number = library.save("https://a.example/", content=kettle()).saved.page_id
    ranges = "bytes=" + ",".join(f"{n}-{n}" for n in range(4_000))
    for path in (f"/p/{number}/original", f"/p/{number}.epub", f"/p/{number}.md", "/keys"):
        answer = browser.get(path, Range=ranges)
        assert answer.status in (200, 206, 400, 416), path
        assert len(answer.body) < 1_000_000
    for path in ("/" + "a" * 60_000, "/?" + "a=b&" * 10_000, "/p/" + "9" * 5_000):
        with suppress(ConnectionError):
            assert browser.get(path).status in (400, 404, 414, 422, 431, 200), path[:20]


def test_streams_are_limited_and_others_are_served(server, browser, library):
    token = library.make_token(scopes=["read"])
    with ExitStack() as opened:
        for _ in range(30):
            assert opened.enter_context(stream(server, token)).status == 200
        refused = server.ask("GET", "/events", Authorization=f"Bearer {token}")
        assert refused.text.endswith("retry: 30000\n\n")  # it has ended: come back later
        assert browser.get("/").status == 200


def test_no_other_protocol_is_spoken(server, browser):
    answer = browser.get(
        "/events",
        Connection="Upgrade",
        Upgrade="websocket",
        Sec_WebSocket_Version="13",
        Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
        Accept="text/html",
        Sec_Fetch_Site="cross-site",
    )
    assert answer.status not in (101, 200)
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        with suppress(ConnectionError):
            assert b" 200 " not in line.recv(1_000)
    assert server.ask("TRACE", "/", Cookie=browser.cookie).status in (403, 405)


def test_what_a_proxy_would_say_is_not_believed_from_anybody(server):
    said = {
        "X_Forwarded_Host": "evil.example",
        "X_Forwarded_Proto": "https",
        "X_Forwarded_Prefix": "/evil.example",
        "Forwarded": "host=evil.example",
        "X_Original_URL": "/settings",
        "X_Rewrite_URL": "/settings",
    }
    for path in ("/", "/login", "/nowhere", "/static/nothing.css"):
        answer = server.ask("GET", path, **said)
        assert "evil.example" not in answer.text + str(answer.headers), path
        assert answer.headers.get("access-control-allow-origin") is None


def test_strangers_do_not_learn_which_version_answers(server):
    """Routes that are open, and what every route says to a stranger."""
    values = dict.fromkeys("secret name mac key kind form target ending".split(), "x")
    for (method, path), scope in TABLE.items():
        if scope == OPEN and method == "GET":
            answer = server.ask("GET", filled(path, values))
            assert version("pageloom") not in answer.text, path
            assert answer.headers.get("server") is None


@pytest.mark.parametrize("kind", ["redirect inside", "huge", "page"])
def test_a_picture_that_attacks_is_not_passed_on(kind, browser, library, site):
    path = f"/{kind.replace(' ', '-')}.png"
    answers = {
        "redirect inside": lambda asked: send(asked, b"", 302, Location="http://10.0.0.1/x.png"),
        "huge": lambda asked: send(asked, b"\x89PNG\r\n\x1a\n" + b"0" * 11_000_000),
        "page": lambda asked: send(asked, b"<script>alert(1)</script>", Content_Type="image/png"),
    }
    site.pages[path] = answers[kind]
    content = f"<title>P</title><article><p>{'Words. ' * 60}<img src='{site.url(path)}' alt=p>"
    saved = library.save(f"https://{kind.replace(' ', '-')}.example/", content=content)
    [picture] = re.findall(r'src="(/media/[^"]+)"', browser.get(f"/p/{saved.saved.page_id}").text)
    answer = browser.get(picture)
    assert answer.status == 404, kind
    assert b"alert(1)" not in answer.body
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_one_server_serves_beside_all_of_this(server: Server, browser):
    assert browser.get("/").status == 200
    assert server.process.poll() is None
