"""Every route of the table: who may ask, for whose things, from where; and no GET changes any."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.api.conftest import kettle
from tests.web.server import Answer, Browser, Server

from pageloom.apps.web.app import ROUTES
from pageloom.apps.web.problems import FOR_PROGRAMS
from pageloom.apps.web.scoped_routes import OPEN
from pageloom.edges.store.user_rules import put_rule
from pageloom.library import open_library
from pageloom.model.library import SCOPES
from pageloom.model.user_rules import UserRule

TABLE: dict[tuple[str, str], str] = {
    key: scope for part in ROUTES for key, scope in part.scopes.items()
}
UNSAFE = sorted(key for key in TABLE if key[0] != "GET")
SECRET = "Anchovis"
NAMES = (
    "page number note highlight search tag watch job token session undo change ending mac name"
    " secret key kind form target run rule"
)


BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("PATCH", "/api/v1/pages/{page}"): {"pinned": True},
    ("POST", "/api/v1/pages/{page}/tags"): {"tags": ["x"]},
    ("POST", "/api/v1/pages/{page}/notes"): {"text": "x"},
    ("POST", "/api/v1/pages/{page}/highlights"): {"quote": SECRET},
    ("PATCH", "/api/v1/pages/{page}/highlights/{highlight}"): {"note": "x"},
    ("POST", "/p/{page:int}/highlights"): {"quote": SECRET},
    ("PUT", "/api/v1/searches/{search}"): {"name": "x", "query": "x"},
    ("POST", "/searches/{search:int}"): {"do": "remove"},
    ("POST", "/p/{page:int}/highlights/{highlight:int}"): {"do": "remove"},
    ("PATCH", "/api/v1/watches/{watch}"): {"every": "2h"},
    ("PATCH", "/api/v1/tags/{tag}"): {"name": "x"},
    ("POST", "/p/{page:int}/act"): {"do": "delete"},
    ("POST", "/p/{page:int}/tags"): {"add": "x"},
    ("POST", "/p/{page:int}/notes"): {"text": "x"},
    ("POST", "/watches/{watch:int}"): {"do": "remove"},
    ("POST", "/jobs/{job}"): {"do": "cancel"},
    ("POST", "/settings/tokens"): {"revoke": "{token}"},
    ("POST", "/settings/sessions"): {"end": "{session}"},
    ("POST", "/undo"): {"id": "{undo}"},
    ("POST", "/duplicates"): {"keep": "{page}", "page": "{page}"},
    ("POST", "/watches/{watch:int}/edit"): {"every": "2h"},
    ("POST", "/watches/{watch:int}/matters"): {"how": "always", "key": "0a1b2c3d"},
    ("POST", "/watches/preview"): {"url": "https://a.example/", "watch": "{watch}"},
    ("POST", "/p/{page:int}/read"): {"back": "/changes"},
    ("POST", "/p/{page:int}/progress"): {"version": "1", "block": "1", "blocks": "2"},
    ("POST", "/api/v1/pages/{page}/progress"): {"version": 1, "block": 1, "blocks": 2},
    ("POST", "/api/v1/watches/{watch}/places"): {"key": "0a1b2c3d", "matters": "never"},
    ("POST", "/api/v1/watches/{watch}/backtest"): {"every": "2h"},
    ("POST", "/rules/try"): {"page": "{page}", "text": ""},
    ("POST", "/rules/remove"): {"name": SECRET},
    ("POST", "/api/v1/rules"): {"page": 0, "text": "x"},
    ("POST", "/api/v1/rules/try"): {"page": 0, "text": "x"},
}
QUERIES = {
    ("GET", "/watches/{watch:int}/matters"): "?key=0a1b2c3d",
    ("GET", "/prices"): "?page={page}",
    ("GET", "/api/v1/prices"): "?page={page}",
    ("GET", "/rules/try"): "?page={page}",
    ("GET", "/rules/pick"): "?page={page}&n=5",
    ("GET", "/rules/frame"): "?page={page}",
}
"""The same of what stands in a query."""
"""What makes a request whole, so that it fails for whose things it asks and for nothing else."""
BY_NAME = {
    ("PATCH", "/api/v1/tags/{tag}"),
    ("DELETE", "/api/v1/tags/{tag}"),
    ("GET", "/first/{secret}"),
    ("GET", "/static/{name}"),
    ("GET", "/media/{mac}/{name}"),
    ("GET", "/feeds/{key}/{kind}.{form}"),
    ("GET", "/highlights.{form}"),
    ("GET", "/r/{target:path}"),
    ("POST", "/r/{target:path}"),
}
HOLDS = ("POST", "/capture/form")
"""It takes forms of other sites, and keeps none of them: see the tests of capturing."""
ENDLESS = ("GET", "/events")
"""It ends when whoever asks leaves: see the tests of it."""
"""What stands in the path is no number of somebody's: see the test of names."""


@pytest.fixture(scope="module")
def anns(database, server) -> dict[str, str]:
    """What Ann has, by the names in paths."""
    with open_library(database, "ann") as ann:
        url = "https://shop.example/ann"
        for price in ("2.00", "1.00"):
            saved = ann.save(url, content=kettle(price, words=f"{SECRET} " * 50), tags=[SECRET])
        note = ann.note(saved, SECRET)
        search = ann.save_search(SECRET, SECRET)
        highlight = ann.highlight(saved, SECRET, note=SECRET)
        watch = ann.watch(url, name=SECRET)
        ann.pause(watch)
        job = ann.save_later(["http://10.0.0.1/"])
        ann.make_token(SECRET)
        undo = ann.act_on_many("pin", [saved.saved.page_id])
        ann.open_session(SECRET)
        rule = UserRule(name=SECRET, text=SECRET, url=url, expected="{}", page=b"x")
        put_rule(ann.context.store, "ann", rule)
        return {
            "page": str(saved.saved.page_id),
            "number": "1",
            "note": str(note.id),
            "highlight": str(highlight.id),
            "search": str(search.id),
            "tag": SECRET,
            "watch": str(watch.id),
            "job": job.id,
            "token": str(ann.tokens()[0].id),
            "session": str(ann.sessions()[0].id),
            "undo": undo.id,
            "change": "0" * 32,
            "rule": SECRET,
            "ending": "md",
            "mac": "0" * 32,
            "name": "x",
            "secret": "x",
            "key": "plm_x",
            "kind": "changes",
            "form": "atom",
            "target": "http://10.0.0.1/",
            "run": "0" * 32,
        }


@pytest.fixture(scope="module")
def tokens(database, server) -> dict[str, str]:
    """A token of Bob's for each scope alone."""
    with open_library(database, "bob") as bob:
        bob.set_role("admin")
        return {scope: bob.make_token(scope, scopes=[scope]) for scope in SCOPES}


@pytest.fixture(scope="module")
def bob(database, server, tokens) -> Browser:
    with open_library(database, "bob") as library:
        browser = Browser(server)
        browser.cookie = f"pageloom={library.open_session('bob')}"
        return browser


def filled(path: str, values: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda found: values[found[1]], path)


def send(server: Server, key: tuple[str, str], values: dict[str, str], **headers: str) -> Answer:
    """A request of the table that is whole."""
    method, path = key
    body = {
        name: filled(str(value), values) if isinstance(value, str) else value
        for name, value in BODIES.get(key, {}).items()
    }
    if body.get("page") == 0:
        body["page"] = int(values["page"])
    if path.startswith("/api/"):
        sent, kind = (json.dumps(body) if body else None), "application/json"
    else:
        sent, kind = urlencode(body), "application/x-www-form-urlencoded"
    known = {"Content_Type": kind} if method != "GET" else {}
    place = filled(path + QUERIES.get(key, ""), values)
    return server.ask(method, place, body=sent if method != "GET" else None, **known, **headers)


def test_every_route_of_the_app_is_in_the_table():
    served = set()
    for part in ROUTES:
        for route in part.router.routes:
            served |= {(method, route.path) for method in route.methods}
    assert served == set(TABLE)
    assert len(TABLE) > 70
    assert set(TABLE.values()) <= {*SCOPES, OPEN}


def test_strangers_get_in_nowhere_but_where_it_is_said(server, anns):
    for key, scope in TABLE.items():
        if scope == OPEN:
            continue
        answer = send(server, key, anns)
        api, get = key[1].startswith(FOR_PROGRAMS), key[0] == "GET"
        wanted = 401 if api or not get else 303
        assert answer.status == wanted, key
        assert SECRET not in answer.text, key
        if not api and get:
            assert answer.headers["location"].startswith("/login?next=/"), key


def test_a_token_does_what_its_scope_says_and_nothing_else(server, tokens, anns):
    for key, needed in TABLE.items():
        if needed == OPEN:
            continue
        for scope, token in tokens.items():
            if scope == needed:
                continue
            answer = send(server, key, anns, Authorization=f"Bearer {token}")
            assert answer.status == 403, (key, scope)


def test_what_is_anothers_is_not_found(server, bob, anns, database):
    with open_library(database, "ann") as ann:
        before = picture(ann)
        headers = {"Cookie": bob.cookie, "Origin": server.origin, "Sec_Fetch_Site": "same-origin"}
        for key, scope in TABLE.items():
            takes_id = "{" in key[1] or key in BODIES or key in QUERIES
            if scope == OPEN or not takes_id or key in BY_NAME:
                continue
            assert key[0] == "GET" or key in BODIES or not _takes_body(key), f"{key}: add a body"
            answer = send(server, key, anns, **headers)
            assert answer.status == 404, key
            assert SECRET not in answer.text, key
        assert picture(ann) == before


def _takes_body(key: tuple[str, str]) -> bool:
    for part in ROUTES:
        for route in part.router.routes:
            if route.path == key[1] and key[0] in route.methods:
                return bool(route.dependant.body_params)
    raise KeyError(key)


def test_a_name_that_another_has_too_touches_only_ones_own(server, bob, anns, database):
    headers = {"Cookie": bob.cookie, "Origin": server.origin, "Sec_Fetch_Site": "same-origin"}
    with open_library(database, "ann") as ann:
        before = picture(ann)
        for key in BY_NAME:
            answer = send(server, key, anns, **headers)
            assert SECRET not in answer.text or "tags" in key[1], key
        bob.post("/tags", tag=SECRET, do="remove")
        bob.post("/act", [("page", anns["page"]), ("do", "delete")])
        bob.post("/act", do="delete", everything="true", where="")
        bob.send(
            "POST", "/api/v1/pages/bulk", {"select": {"ids": [int(anns["page"])]}, "do": "delete"}
        )
        assert picture(ann) == before


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null", "Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {},
    ],
)
def test_another_site_changes_nothing(server, bob, anns, headers):
    for key in UNSAFE:
        if key == HOLDS:
            continue
        answer = send(server, key, anns, Cookie=bob.cookie, **headers)
        assert answer.status == 403, key


def test_no_get_changes_anything(server, bob, anns, database):
    before = rows(database)
    headers = {"Cookie": bob.cookie, "Sec_Fetch_Site": "same-origin"}
    for key in TABLE:
        if key[0] != "GET" or key == ENDLESS:
            continue
        send(server, key, anns, **headers)
        server.ask("HEAD", filled(key[1], anns), **headers)
    assert rows(database) == before


def test_no_number_that_is_typed_breaks_anything(server, bob):
    for odd in ("0", "-1", "999999999999999999999999", "1e9", "%00", "..%2f", "%F0%9F", "' OR 1=1"):
        values = dict.fromkeys(NAMES.split(), odd.replace(" ", "%20"))
        for key in TABLE:
            if "{" in key[1] and key[0] == "GET":
                answer = send(server, key, values, Cookie=bob.cookie)
                assert answer.status < 500, (key, odd)


def rows(database: str) -> dict[str, int]:
    """How many rows each table has, and a sum over what they hold."""
    with sqlite3.connect(database) as connection:
        names = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if name not in ("sessions", "events", "jobs", "job_items")  # kept alive; work goes on
            and not name.startswith(("search", "sqlite"))
        ]
        found = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}  # noqa: S608
        # The work beside the server notes there, at its own time, that it has cleaned up today.
        marks = [row for row in found["idempotency_keys"] if "housekeeping" not in row]
        return {
            name: hash(str(each)) for name, each in (found | {"idempotency_keys": marks}).items()
        }


def picture(library) -> str:
    """Everything of a user's, as text."""
    page = library.get(1) if library.find(1) else None
    return repr(
        [
            [
                (one, library.tags(one), library.notes(one), library.highlights(one))
                for one in library.pages()
            ],
            library.watches(),
            library.searches(),
            library.user_rules(),
            library.tokens(),
            library.sessions(),
            [(job.id, job.cancel_requested_at) for job in library.jobs()],
            page,
        ]
    )
