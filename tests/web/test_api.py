"""The HTTP API as programs use it, on SQLite and, in short, on PostgreSQL."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import kettle
from tests.web.server import Answer, Server, running

from pageloom.library import open_library


@dataclass
class Api:
    """A program with a token."""

    server: Server
    token: str

    def ask(self, method: str, path: str, data: Any = None, **headers: str) -> Answer:
        body = None if data is None else json.dumps(data)
        kind = {"Content_Type": "application/json"} if data is not None else {}
        bearer = {"Authorization": f"Bearer {self.token}"}
        return self.server.ask(method, f"/api/v1{path}", body=body, **bearer, **kind, **headers)


@pytest.fixture(scope="module")
def token(database, server) -> str:
    with open_library(database) as library:
        return library.make_token("test", scopes=["read", "save", "write", "watch", "admin"])


@pytest.fixture(scope="module")
def api(server, token) -> Api:
    return Api(server, token)


@pytest.fixture(scope="module")
def page(api, site) -> dict[str, Any]:
    """A page that was saved by its URL."""
    site.add_html("/kettle", kettle())
    answer = api.ask("POST", "/pages", {"url": site.url("/kettle"), "tags": ["Kitchen"]})
    assert answer.status == 201, answer.text
    return answer.json


def test_a_page_is_saved_by_its_url_and_read_in_every_format(api, page):
    assert page["outcome"] == "saved"
    known = api.ask("GET", f"/pages/{page['id']}").json
    assert (known["title"], known["tags"]) == ("Harbour kettle", ["Kitchen"])
    document = api.ask("GET", f"/pages/{page['id']}/document")
    assert document.json["title"] == "Harbour kettle"
    for form, start in (("markdown", "---"), ("text", ""), ("html", "<")):
        answer = api.ask("GET", f"/pages/{page['id']}/document?format={form}")
        assert answer.status == 200
        assert answer.text.startswith(start)
        assert "steel kettle" in answer.text
    epub = api.ask("GET", f"/pages/{page['id']}/document", Accept="application/epub+zip")
    assert epub.body.startswith(b"PK")
    assert epub.headers["content-disposition"].startswith(
        'attachment; filename="Harbour kettle.epub"'
    )


def test_saving_it_again_says_that_it_is_the_same(api, page, site):
    answer = api.ask("POST", "/pages", {"url": site.url("/kettle")})
    assert (answer.status, answer.json["outcome"]) == (200, "same")
    assert answer.headers["location"] == f"/api/v1/pages/{page['id']}"


def test_a_captured_page_is_saved_without_fetching(api, server, token):
    url = "https://shop.example/kettle"
    answer = api.ask("POST", "/pages", {"url": url, "html": kettle(), "note": "By hand."})
    assert (answer.status, answer.json["outcome"]) == (201, "saved")
    notes = api.ask("GET", f"/pages/{answer.json['id']}/notes").json["items"]
    assert [note["text"] for note in notes] == ["By hand."]
    parts = (
        '--x\r\nContent-Disposition: form-data; name="url"\r\n\r\nhttps://shop.example/lid\r\n'
        '--x\r\nContent-Disposition: form-data; name="tags"\r\n\r\nlids, tin\r\n'
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.html"\r\n'
        f"Content-Type: text/html\r\n\r\n{kettle('1.00')}\r\n--x--\r\n"
    )
    sent = server.ask(
        "POST",
        "/api/v1/pages",
        body=parts.encode(),
        Authorization=f"Bearer {token}",
        Content_Type="multipart/form-data; boundary=x",
    )
    assert sent.status == 201, sent.text
    assert api.ask("GET", f"/pages/{sent.json['id']}/tags").json["items"] == ["lids", "tin"]


def test_a_page_that_cannot_be_had_is_a_problem_with_its_reason(api, site):
    for url, status, code in (
        (site.url("/nothing"), 502, "FetchError.status"),
        ("http://169.254.169.254/", 422, "FetchError.blocked_address"),
        ("ftp://a.example/", 422, "InvalidUrl"),
    ):
        answer = api.ask("POST", "/pages", {"url": url})
        assert answer.headers["content-type"] == "application/problem+json"
        assert (answer.status, answer.json["code"]) == (status, code)
        assert answer.json["request_id"] == answer.headers["x-request-id"]


def test_many_pages_are_a_job_that_can_be_followed(api, site):
    urls = []
    for number in range(3):
        site.add_html(f"/many/{number}", kettle(words=f"Kettle number {number}. " * 20))
        urls.append(site.url(f"/many/{number}"))
    answer = api.ask("POST", "/pages", {"urls": [*urls, site.url("/nothing")]})
    assert answer.status == 202
    job = answer.headers["location"].removeprefix("/api/v1")
    for _ in range(200):
        state = api.ask("GET", job).json
        if state["state"] in ("done", "failed"):
            break
        time.sleep(0.05)
    assert (state["state"], state["total"], state["done"], state["failed"]) == ("failed", 4, 3, 1)
    items = api.ask("GET", f"{job}/items").json["items"]
    assert [item["state"] for item in items].count("done") == 3


def test_who_does_not_wait_gets_the_job(api, site):
    site.add_html("/later", kettle(words="Later. " * 40))
    answer = api.ask("POST", "/pages", {"url": site.url("/later")}, Prefer="respond-async")
    assert answer.status == 202
    assert answer.json["state"] in ("queued", "running", "done")


def test_the_same_key_gives_the_same_answer_and_does_nothing_twice(api, page):
    path = f"/pages/{page['id']}/notes"
    first = api.ask("POST", path, {"text": "Once."}, Idempotency_Key="note-1")
    again = api.ask("POST", path, {"text": "Once."}, Idempotency_Key="note-1")
    assert (first.status, first.body) == (again.status, again.body) == (201, first.body)
    texts = [note["text"] for note in api.ask("GET", path).json["items"]]
    assert texts.count("Once.") == 1
    other = api.ask("POST", path, {"text": "Twice."}, Idempotency_Key="note-1")
    assert other.status == 422


def test_a_secret_is_never_kept_to_be_repeated(api, database):
    body = {"label": "once"}
    made = api.ask("POST", "/tokens", body, Idempotency_Key="token-1")
    assert made.status == 201
    assert api.ask("POST", "/tokens", body, Idempotency_Key="token-1").status == 422
    labels = [one["label"] for one in api.ask("GET", "/tokens").json["items"]]
    assert labels.count("once") == 1
    assert made.json["token"].encode() not in Path(database).read_bytes()


def test_who_has_it_already_gets_304(api, page):
    for path in (f"/pages/{page['id']}", f"/pages/{page['id']}/document", "/tags"):
        mark = api.ask("GET", path).headers["etag"]
        answer = api.ask("GET", path, If_None_Match=mark)
        assert (answer.status, answer.body) == (304, b"")


def test_a_change_of_what_has_changed_meanwhile_is_refused(api, page):
    path = f"/pages/{page['id']}"
    seen = api.ask("GET", path).headers["etag"]
    assert api.ask("PATCH", path, {"pinned": True}, If_Match=seen).status == 200
    late = api.ask("PATCH", path, {"pinned": False}, If_Match=seen)
    assert (late.status, late.json["code"]) == (412, "Outdated")
    assert api.ask("PATCH", path, {"pinned": False, "read": True, "tags": ["Tin"]}).json[
        "tags"
    ] == ["Tin"]


def test_lists_are_read_part_by_part_and_searched(api, page):
    first = api.ask("GET", "/pages?limit=2&sort=title")
    assert list(first.json) == ["items", "next", "total", "exact"]
    assert len(first.json["items"]) == 2
    rest = api.ask("GET", f"/pages?limit=2&sort=title&cursor={first.json['next']}").json
    assert {one["id"] for one in rest["items"]}.isdisjoint(one["id"] for one in first.json["items"])
    assert 'rel="next"' in first.headers["link"]
    wrong = api.ask("GET", f"/pages?limit=2&sort=words&cursor={first.json['next']}")
    assert (wrong.status, wrong.json["code"]) == (422, "InvalidQuery")
    api.ask("POST", f"/pages/{page['id']}/tags", {"tags": ["Found"]})
    found = api.ask("GET", "/pages?q=galley&tag=found").json["items"]
    assert page["id"] in [one["id"] for one in found]
    assert found[0]["snippet"]["text"]
    assert api.ask("GET", "/pages?q=%22").status == 422


def test_a_page_is_found_by_its_url(api, page, site):
    found = api.ask("GET", f"/pages?url={site.url('/kettle')}%23top").json
    assert [one["id"] for one in found["items"]] == [page["id"]]
    assert api.ask("GET", "/pages?url=https://nowhere.example/").json["total"] == 0


def test_a_key_repeats_only_what_the_same_token_did(api, server, page):
    body = {"text": "Mine alone."}
    path = f"/pages/{page['id']}/notes"
    assert api.ask("POST", path, body, Idempotency_Key="own").status == 201
    reader = Api(server, api.ask("POST", "/tokens", {"scopes": ["read"]}).json["token"])
    assert reader.ask("POST", path, body, Idempotency_Key="own").status == 403


def test_the_same_is_done_to_many_pages_and_undone(api, page):
    select = {"ids": [page["id"], 999_999]}
    done = api.ask("POST", "/pages/bulk", {"select": select, "do": "archive"}).json
    assert done["pages"] == [page["id"]]
    assert api.ask("GET", f"/pages/{page['id']}").json["archived"] is True
    assert api.ask("POST", f"/undo/{done['undo']}").json["count"] == 1
    assert api.ask("GET", f"/pages/{page['id']}").json["archived"] is False
    by_query = {"select": {"query": "q=galley"}, "do": "pin", "dry_run": True}
    assert page["id"] in api.ask("POST", "/pages/bulk", by_query).json["pages"]


def test_versions_and_what_changed_between_them(api, page, site):
    site.add_html("/kettle", kettle(price="29.90"))
    assert api.ask("POST", "/pages", {"url": site.url("/kettle")}).json["outcome"] == "updated"
    versions = api.ask("GET", f"/pages/{page['id']}/versions").json["items"]
    assert [one["number"] for one in versions] == [2, 1]
    report = api.ask("GET", f"/pages/{page['id']}/diff?from=1&to=2").json
    assert "price" in report["changedFields"]
    old = api.ask("GET", f"/pages/{page['id']}/document?version=1&format=text").text
    assert "39.90" in old
    assert api.ask("GET", f"/pages/{page['id']}/versions/9").status == 404


def test_a_deleted_page_comes_back_until_it_is_purged(api):
    url = "https://shop.example/gone"
    number = api.ask("POST", "/pages", {"url": url, "html": kettle("3.00")}).json["id"]
    assert api.ask("DELETE", f"/pages/{number}").status == 204
    assert api.ask("GET", f"/pages/{number}").json["deleted_at"]
    assert api.ask("DELETE", f"/pages/{number}?purge=true").status == 204
    assert api.ask("GET", f"/pages/{number}").status == 404


def test_pages_are_read_and_compared_without_keeping_them(api, site):
    before = api.ask("GET", "/pages").json["total"]
    made = api.ask("POST", "/extract", {"html": kettle(), "url": "https://a.example/x"})
    assert made.json["title"] == "Harbour kettle"
    fetched = api.ask("POST", "/markdown", {"url": site.url("/kettle")})
    assert "steel kettle" in fetched.text
    assert fetched.headers["content-type"] == "text/markdown; charset=utf-8"
    changed = api.ask("POST", "/diff", {"before": kettle(), "after": kettle("9.90")}).json
    assert changed["hasChanges"]
    assert api.ask("POST", "/extract", {"url": "http://127.0.0.2/"}).status == 422
    assert api.ask("GET", "/pages").json["total"] == before


def test_a_watch_is_made_checked_changed_and_removed(api, site):
    site.add_html("/watched", kettle("20.00"))
    body = {"url": site.url("/watched"), "every": "6h", "name": "Kettle"}
    made = api.ask("POST", "/watches", body)
    assert made.status == 201, made.text
    path = f"/watches/{made.json['id']}"
    assert api.ask("POST", "/watches", body).status == 200
    assert api.ask("POST", f"{path}/check").json["outcome"] in ("new", "skipped")
    assert api.ask("PATCH", path, {"every": "2h"}).json["schedule"] == "every 2h"
    assert api.ask("POST", f"{path}/pause").json["paused"] is True
    assert api.ask("POST", f"{path}/resume").json["paused"] is False
    assert api.ask("PATCH", path, {"cron": "nonsense"}).status == 422
    assert api.ask("DELETE", path).status == 204
    assert api.ask("GET", path).status == 404


def test_a_told_change_is_in_the_list(api, site):
    site.add_html("/told", kettle("20.00"))
    path = f"/watches/{api.ask('POST', '/watches', {'url': site.url('/told')}).json['id']}"
    for price in ("20.00", "15.00"):
        site.add_html("/told", kettle(price))
        checked = {"outcome": "skipped"}
        while checked["outcome"] == "skipped":  # the scheduler may be checking it just now
            checked = api.ask("POST", f"{path}/check").json
    [change] = api.ask("GET", f"/changes?watch={path.rpartition('/')[2]}").json["items"]
    assert "15.00" in change["summary"]
    assert api.ask("GET", f"/changes/{change['id']}").json == change
    prices = api.ask("GET", f"/pages/{change['page_id']}/prices").json
    assert [point["amount"] for point in prices["items"]][-1] == "15.00"


def test_tags_are_renamed_and_removed(api, page):
    api.ask("POST", f"/pages/{page['id']}/tags", {"tags": ["Copper"]})
    assert api.ask("PATCH", "/tags/copper", {"name": "Brass"}).json == {"tag": "Brass", "pages": 1}
    assert "Brass" in [one["tag"] for one in api.ask("GET", "/tags").json["items"]]
    assert api.ask("DELETE", "/tags/brass").status == 204
    assert "Brass" not in api.ask("GET", f"/pages/{page['id']}/tags").json["items"]


def test_tokens_are_made_with_what_one_may_do_oneself(api, server):
    made = api.ask("POST", "/tokens", {"label": "reader", "scopes": ["read", "write"]})
    reader = Api(server, made.json["token"])
    assert reader.ask("GET", "/me").json["scopes"] == ["read", "write"]
    assert reader.ask("POST", "/tokens", {"scopes": ["admin"]}).status == 403
    assert reader.ask("GET", "/users").status == 403
    assert api.ask("DELETE", f"/tokens/{made.json['id']}").status == 204
    assert reader.ask("GET", "/me").status == 401


@pytest.mark.parametrize("bearer", ["", "Bearer", "Bearer plm_wrong", "Basic bG9jYWw6", "plm_x"])
def test_without_a_valid_token_nothing_is_answered(server, browser, bearer):
    answer = server.ask("GET", "/api/v1/pages", Authorization=bearer, Cookie=browser.cookie)
    assert (answer.status, answer.json["code"]) == (401, "SignInNeeded")
    assert "Bearer" in answer.headers["www-authenticate"]


def test_a_cookie_opens_the_api_to_the_app_but_to_no_other_site(server, browser):
    assert browser.get("/api/v1/pages").status == 200
    foreign = {"Cookie": browser.cookie, "Sec_Fetch_Site": "cross-site"}
    assert server.ask("GET", "/api/v1/pages", **foreign).status == 403


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ('{"url": "https://a.example/", "colour": "red"}', "/colour"),
        ('{"url": 7}', "/url"),
        ("{", "/"),
        ("[]", "/"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_with_its_place(server, token, body, pointer):
    answer = server.ask("POST", "/api/v1/pages", body=body, Authorization=f"Bearer {token}")
    assert answer.status == 422
    assert answer.json["errors"][0]["pointer"] == pointer


def test_nothing_at_a_url_and_no_such_method_are_problems_too(api):
    assert (api.ask("GET", "/nothing").status, api.ask("PUT", "/pages").status) == (404, 405)


def test_every_answer_says_what_is_left_of_the_rate(api):
    headers = api.ask("GET", "/me").headers
    assert headers["ratelimit-policy"] == '"token";q=600;w=60'
    assert headers["ratelimit"].startswith('"token";r=')


def test_whoever_asks_too_often_has_to_wait(tmp_path):
    with running(str(tmp_path / "a.db"), "--no-work", PAGELOOM_WEB_RATE_LIMIT="3") as server:
        with open_library(tmp_path / "a.db") as library:
            api = Api(server, library.make_token())
        statuses = [api.ask("GET", "/me").status for _ in range(9)]
        assert 429 in statuses
        answer = api.ask("GET", "/me")
        if answer.status == 429:  # another minute may have begun
            assert int(answer.headers["retry-after"]) > 0


def test_the_description_names_every_route_and_its_scope(server):
    made = server.ask("GET", "/api/v1/openapi.json").json
    assert made["openapi"] == "3.1.0"
    for path, item in made["paths"].items():
        for operation in item.values():
            assert operation["x-scope"], path
            assert operation["summary"], path
    assert "/api/v1/pages/{page}/document" in made["paths"]


def test_the_same_on_postgres(postgres, site):
    from tests.postgres import new_database

    site.add_html("/pg", kettle())
    with new_database(postgres) as database:
        with open_library(database) as library:
            token = library.make_token()
        with running(database) as server:
            api = Api(server, token)
            saved = api.ask("POST", "/pages", {"url": site.url("/pg"), "tags": ["pg"]})
            assert (saved.status, saved.json["outcome"]) == (201, "saved")
            assert api.ask("GET", "/pages?q=kettle&tag=pg").json["total"] == 1
            done = api.ask("POST", "/pages/bulk", {"select": {"query": ""}, "do": "delete"}).json
            assert api.ask("POST", f"/undo/{done['undo']}").json["count"] == 1
            key = {"Idempotency_Key": "k"}
            one, two = (api.ask("POST", "/watches", {"url": site.url("/pg")}, **key) for _ in "ab")
            assert (one.status, one.body) == (two.status, two.body) == (201, one.body)
            assert server.browser().get("/login").status == 303
