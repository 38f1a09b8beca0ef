"""linkding's documented calls, in the order in which its extension and apps make them."""

from __future__ import annotations

import json
import time

import pytest
from tests.web.server import running

from pageloom.library import open_library

HOME = "/compat/linkding/api"


@pytest.fixture(scope="module")
def call(server, database):
    with open_library(database) as library:
        token = library.make_token("extension")

    def run(method: str, path: str, data=None):
        body = None if data is None else json.dumps(data)
        headers = {"Authorization": f"Token {token}", "Content_Type": "application/json"}
        return server.ask(method, f"{HOME}{path}", body=body, **headers)

    return run


def test_the_story_of_a_bookmark(call, site, database):
    words = "<p>The boats lie in the mud until the tide comes back in the evening.</p>" * 12
    site.add_html("/tide", f"<html><title>Tide</title><article>{words}</article></html>")
    url = f"http://127.0.0.1:{site.port}/tide"
    assert call("GET", "/user/profile/").json["theme"] == "auto"
    assert call("GET", f"/bookmarks/check/?url={url}").json["bookmark"] is None
    sent = {
        "url": url,
        "title": "My title",
        "description": "About the tide",
        "notes": "Read on Sunday",
        "is_archived": False,
        "unread": True,
        "shared": False,
        "tag_names": ["sea", "mud"],
    }
    added = call("POST", "/bookmarks/", sent)
    assert added.status == 201
    made = added.json
    assert made["url"] == url
    assert set(made["tag_names"]) == {"sea", "mud"}
    assert made["notes"] == "About the tide\n\nRead on Sunday"
    assert made["unread"]
    again = call("POST", "/bookmarks/", sent | {"tag_names": ["sea"]}).json
    assert (again["id"], again["tag_names"]) == (made["id"], ["sea"])
    assert call("GET", f"/bookmarks/check/?url={url}").json["bookmark"]["id"] == made["id"]
    changed = call("PATCH", f"/bookmarks/{made['id']}/", {"notes": "Read", "unread": False}).json
    assert (changed["notes"], changed["unread"]) == ("Read", False)
    found = call("GET", "/bookmarks/?q=%23sea&limit=10").json
    assert [one["id"] for one in found["results"]] == [made["id"]]
    assert call("GET", "/bookmarks/?q=%23none").json["count"] == 0
    assert call("POST", f"/bookmarks/{made['id']}/archive/").status == 204
    assert call("GET", "/bookmarks/archived/").json["count"] == 1
    assert call("POST", f"/bookmarks/{made['id']}/unarchive/").status == 204
    tags = call("GET", "/tags/").json["results"]
    assert [tag["name"] for tag in tags] == ["sea"]
    assert call("GET", f"/tags/{tags[0]['id']}/").json["name"] == "sea"
    assert call("POST", "/tags/", {"name": "new"}).status == 201
    with open_library(database) as library:
        while not library.get(made["id"]).version:  # the work beside the server fetches it
            time.sleep(0.05)
        assert "boats" in library.document(made["id"]).text
        assert library.tags(made["id"]) == ("sea",)
    assert call("DELETE", f"/bookmarks/{made['id']}/").status == 204
    assert call("GET", f"/bookmarks/check/?url={url}").json["bookmark"] is None


def test_lists_go_on_by_offset(call):
    for number in range(3):
        call("POST", "/bookmarks/", {"url": f"https://a.example/{number}", "tag_names": ["set"]})
    first = call("GET", "/bookmarks/?limit=2&q=%23set").json
    assert (first["count"], len(first["results"])) == (3, 2)
    rest = call("GET", first["next"].partition(HOME)[2]).json
    assert len(rest["results"]) == 1
    assert rest["next"] is None


def test_what_cannot_be_used_is_refused(call):
    for body in (
        {},
        {"url": "javascript:alert(1)"},
        {"url": 7},
        {"url": "https://a.example", "tag_names": 3},
    ):
        answer = call("POST", "/bookmarks/", body)
        assert answer.status == 400, body
        assert answer.json["detail"]
    assert call("GET", "/bookmarks/99999/").status == 404


def test_what_is_switched_off_is_not_there(tmp_path):
    database = str(tmp_path / "library.db")
    with open_library(database) as library:
        token = library.make_token()
    with running(database, "--no-work", PAGELOOM_WEB_COMPAT="false") as server:
        headers = {"Authorization": f"Bearer {token}", "Content_Type": "application/json"}
        assert server.ask("GET", f"{HOME}/tags/", **headers).status == 404
        assert server.ask("POST", "/v2/scrape", body="{}", **headers).status == 404
        assert server.ask("GET", "/api/v1/pages", **headers).status == 200
