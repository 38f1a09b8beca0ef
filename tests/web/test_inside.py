"""Addresses of this machine through every field that the API and the forms have: none is asked."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.api.conftest import kettle
from tests.web.server import Server, running

from pageloom.library import open_library


@pytest.fixture(scope="module")
def careful(tmp_path_factory) -> Iterator[tuple[Server, str, str]]:
    """A server with the settings of everybody: nothing inside may be asked for."""
    database = str(tmp_path_factory.mktemp("inside") / "library.db")
    with open_library(database) as library:
        library.save("https://shop.example/", content=kettle())
        token = library.make_token(scopes=["read", "save", "write", "watch", "admin"])
    with running(database, PAGELOOM_FETCH_ALLOWED_HOSTS="") as server:
        yield server, token, database


def resolved(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """A schema without references and without its way of saying that it may be null."""
    if "$ref" in schema:
        found = whole
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return resolved(found, whole)
    for choice in schema.get("anyOf", ()):
        if choice.get("type") != "null":
            return resolved(choice, whole)
    return schema


def bodies(whole: dict[str, Any], bait: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every operation with a body, once for each of its fields that takes text, with the bait."""
    for path, item in whole["paths"].items():
        for method, operation in item.items():
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" not in content:
                continue
            schema = resolved(content["application/json"]["schema"], whole)
            texts = {
                name: kind
                for name, each in schema.get("properties", {}).items()
                if (kind := text_kind(resolved(each, whole), whole))
            }
            needed = {
                name: bait if texts.get(name) == "text" else [bait]
                for name in schema.get("required", ())
                if name in texts
            }
            for name, kind in texts.items():
                yield method, path, needed | {name: bait if kind == "text" else [bait]}


def text_kind(schema: dict[str, Any], whole: dict[str, Any]) -> str:
    if schema.get("type") == "string" and "enum" not in schema:
        return "text"
    is_list = schema.get("type") == "array"
    items = resolved(schema.get("items", {}), whole) if is_list else {}
    return "list" if items.get("type") == "string" and "enum" not in items else ""


def test_nothing_inside_is_asked_for_whatever_the_field(careful, site):
    server, token, database = careful
    bait = site.url("/bait")
    bearer = {"Authorization": f"Bearer {token}", "Content_Type": "application/json"}
    whole = server.ask("GET", "/api/v1/openapi.json").json
    sent = list(bodies(whole, bait))
    assert {
        ("post", "/api/v1/pages"),
        ("post", "/api/v1/extract"),
        ("post", "/api/v1/watches"),
    } <= {(method, path) for method, path, _ in sent}
    for method, path, body in sent:
        place = path.replace("{page}", "1").replace("{watch}", "1").replace("{tag}", "x")
        answer = server.ask(method.upper(), place, body=json.dumps(body), **bearer)
        assert answer.status < 500 or answer.status == 503, (place, body)
    browser = server.browser()
    for path, fields in (
        ("/save", {"urls": bait, "watch": "true"}),
        ("/save", {"urls": bait}),
        ("/watches", {"url": bait}),
        ("/watches/new", {"url": bait, "targets": bait}),
        ("/watches/preview", {"url": bait}),
    ):
        browser.post(path, **fields)
    for given in ({}, {"X_Save": "true"}, {"X_Engine": "browser"}, {"X_Proxy": bait}):
        assert server.ask("GET", f"/r/{bait}", **bearer, **given).status == 422
    with open_library(database) as library:
        for watch in library.watches():
            browser.post(f"/watches/{watch.id}", do="check")
        for _ in range(200):
            if all(job.state not in ("queued", "running") for job in library.jobs()):
                break
            time.sleep(0.05)
    assert site.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:127.0.0.1]/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.0.0.1.nip.example@127.0.0.1/",
        "file:///etc/passwd",
        "gopher://127.0.0.1/",
        "http://localhost:8460/api/v1/pages",
    ],
)
def test_every_spelling_of_an_address_inside_is_refused(careful, url):
    server, token, _ = careful
    bearer = {"Authorization": f"Bearer {token}", "Content_Type": "application/json"}
    answer = server.ask("POST", "/api/v1/extract", body=json.dumps({"url": url}), **bearer)
    assert answer.status == 422, answer.text
