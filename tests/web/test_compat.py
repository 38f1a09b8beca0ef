"""Endpoints of other services: by Firecrawl's own client, by the calls that linkding documents."""

from __future__ import annotations

import json
import time

import pytest
from tests.site.server import send
from tests.web.server import running

from pageloom.library import open_library
from pageloom.library.fetch import fetch
from pageloom.views import documents

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
WORDS = "The {} lies by the sea, and its boats go out before dawn every day of the year. "


def page_of(name: str, *links: str) -> str:
    rows = "".join(f'<li><a href="{link}">About {link}</a></li>' for link in links)
    return (
        f"<html lang='en'><head><title>{name}</title></head><body><nav>Menu of the site</nav>"
        f"<article><h1>{name}</h1><p>{WORDS.format(name) * 12}</p><p class='ad'>Buy now</p>"
        f"<p>More:</p><ul>{rows}</ul></article><footer>Imprint</footer></body></html>"
    )


@pytest.fixture(scope="module")
def harbour(site) -> str:
    """A site of five pages, one of them closed to robots, one outside the path."""
    site.add_html("/walks/", page_of("Harbour", "/walks/a", "/walks/b?x=1", "/other", "/walks/no"))
    site.add_html("/walks/a", page_of("Mole", "/walks/b?x=1", "/walks/c"))
    site.add_html("/walks/b", page_of("Quay"))
    site.add_html("/walks/c", page_of("Crane"))
    site.add_html("/walks/no", page_of("Secret"))
    site.add_html("/other", page_of("Other"))
    host = f"http://127.0.0.1:{site.port}"
    listed = "".join(f"<url><loc>{host}/walks/{name}</loc></url>" for name in ("c", "mapped"))
    site.add_html("/sitemap.xml", f"<urlset>{listed}</urlset>")
    site.pages["/robots.txt"] = lambda request: send(
        request, b"User-agent: *\nDisallow: /walks/no\n", Content_Type="text/plain"
    )
    return f"{host}/walks/"


@pytest.fixture(scope="module")
def token(database, server) -> str:
    with open_library(database) as library:
        return library.make_token("scraper", scopes=["save", "read"])


@pytest.fixture(scope="module")
def client(server, token):
    from firecrawl import Firecrawl

    return Firecrawl(api_key=token, api_url=server.origin)


def pages_of(database: str) -> int:
    with open_library(database) as library:
        return library.count()


def test_a_scrape_gives_the_same_document_as_local_and_keeps_nothing(
    client, harbour, database, monkeypatch
):
    monkeypatch.setenv("PAGELOOM_FETCH_ALLOWED_HOSTS", "127.0.0.1")
    forms = ["markdown", "html", "rawHtml", "links", "images", "summary"]
    found = client.scrape(harbour, formats=forms)
    assert found.markdown == documents.markdown(fetch(harbour))
    assert "<h1>" in found.raw_html
    assert "Imprint" not in found.markdown
    assert f"{harbour}a" in found.links
    assert found.summary
    assert (found.metadata.title, found.metadata.status_code) == ("Harbour", 200)
    assert found.metadata.source_url == harbour
    without = client.scrape(harbour, formats=["markdown"], exclude_tags=[".ad"])
    assert "Buy now" not in without.markdown
    odd = client.scrape(harbour, formats=["markdown"], only_main_content=False, wait_for=500)
    assert odd.warning == "These do nothing here: waitFor, onlyMainContent: false."
    assert pages_of(database) == 0


def test_changes_are_said_from_the_history_of_the_library(client, site, harbour, database):
    url = f"{harbour}tracked"
    site.add_html("/walks/tracked", page_of("Lock"))
    asked = {"formats": ["markdown", {"type": "changeTracking", "modes": ["git-diff"]}]}
    first = client.scrape(url, **asked)
    assert first.change_tracking["changeStatus"] == "new"
    assert first.change_tracking["previousScrapeAt"] is None
    assert client.scrape(url, **asked).change_tracking["changeStatus"] == "same"
    site.add_html("/walks/tracked", page_of("Lock").replace("before dawn", "after noon"))
    changed = client.scrape(url, **asked).change_tracking
    assert changed["changeStatus"] == "changed"
    assert changed["previousScrapeAt"]
    assert "after noon" in changed["diff"]["text"]
    assert pages_of(database) == 1
    del site.pages["/walks/tracked"]
    gone = client.scrape(url, **asked).change_tracking
    assert gone["changeStatus"] == "removed"


def test_a_page_of_the_library_is_enough_where_it_is_young(client, site, harbour, database):
    url = f"{harbour}kept"
    with open_library(database) as library:
        library.save(url, content=page_of("Kept"))
    found = client.scrape(url, formats=["markdown"], max_age=3_600_000)
    assert (found.metadata.title, found.metadata.cache_state) == ("Kept", "hit")


def test_a_batch_a_crawl_and_a_map(client, harbour):
    batch = client.batch_scrape([f"{harbour}a", f"{harbour}missing"], poll_interval=0.1)
    assert batch.status == "completed"
    assert [one.metadata.title for one in batch.data] == ["Mole"]
    crawl = client.crawl(harbour, limit=10, poll_interval=0.1)
    titles = sorted(one.metadata.title for one in crawl.data)
    assert titles == ["Crane", "Harbour", "Mole", "Quay"]
    started = client.start_crawl(harbour, limit=10, exclude_paths=["/walks/a$"], sitemap="skip")
    errors = client.get_crawl_errors(started.id)
    assert errors is not None
    mapped = {link.url.rpartition("/")[2] for link in client.map(harbour).links}
    assert {"a", "b?x=1", "c", "mapped", "other"} <= mapped
    assert [link.url for link in client.map(harbour, search="crane").links] == []
    assert [link.url for link in client.map(harbour, search="walks/c").links] == [f"{harbour}c"]


def test_the_older_version_is_spoken_too(server, token, harbour):
    from firecrawl import V1FirecrawlApp

    client = V1FirecrawlApp(api_key=token, api_url=server.origin)
    found = client.scrape_url(f"{harbour}a", formats=["markdown", "links"])
    assert "boats go out" in found.markdown
    assert f"{harbour}a" in client.map_url(harbour).links
    batch = client.async_batch_scrape_urls([f"{harbour}a"])
    while (status := client.check_batch_scrape_status(batch.id)).status == "scraping":
        time.sleep(0.05)
    assert status.data[0].markdown == found.markdown


def test_what_needs_a_language_model_says_so(client, harbour):
    from firecrawl.v2.utils.error_handler import BadRequestError

    with pytest.raises(BadRequestError, match="language model"):
        client.scrape(harbour, formats=[{"type": "json", "prompt": "Who?", "schema": {}}])


ROUTES = (("scrape", "url"), ("batch/scrape", "urls"), ("crawl", "url"), ("map", "url"))


@pytest.mark.parametrize(("path", "field"), ROUTES)
def test_urls_inside_are_refused(server, token, path, field):
    headers = {"Authorization": f"Bearer {token}", "Content_Type": "application/json"}
    for url in ("http://10.0.0.1/", "http://169.254.169.254/latest/", "file:///etc/passwd"):
        body = json.dumps({field: [url] if field == "urls" else url})
        answer = server.ask("POST", f"/v2/{path}", body=body, **headers)
        run = answer.json.get("id")
        if run is None:
            assert answer.status == 400, (path, url)
            assert answer.json["success"] is False
            continue
        while (status := server.ask("GET", f"/v2/{path}/{run}", **headers).json)["status"] == (
            "scraping"
        ):
            time.sleep(0.05)
        assert status["data"] == []
        errors = server.ask("GET", f"/v2/{path}/{run}/errors", **headers).json["errors"]
        assert [one["code"] for one in errors] == ["FetchError.blocked_address"]


def test_bodies_that_do_not_fit_are_refused(server, token):
    headers = {"Authorization": f"Bearer {token}", "Content_Type": "application/json"}
    deep = "[" * 100_000
    for body in (
        "",
        "[]",
        "{",
        '{"url": 7}',
        deep,
    ):
        for path in ("scrape", "batch/scrape", "crawl", "map"):
            answer = server.ask("POST", f"/v2/{path}", body=body, **headers)
            assert answer.status == 400, (path, body[:40])
            assert answer.json["error"], path


def test_a_run_is_nobody_elses(server, token, database, harbour):
    with open_library(database, "ann") as ann:
        theirs = ann.make_token("x", scopes=["save"])
    headers = {"Content_Type": "application/json"}
    body = json.dumps({"urls": [harbour]})
    run = server.ask(
        "POST", "/v2/batch/scrape", body=body, Authorization=f"Bearer {token}", **headers
    ).json["id"]
    for method in ("GET", "DELETE"):
        answer = server.ask(method, f"/v2/batch/scrape/{run}", Authorization=f"Bearer {theirs}")
        assert answer.status == 404
    cancelled = server.ask("DELETE", f"/v2/batch/scrape/{run}", Authorization=f"Bearer {token}")
    assert cancelled.json["success"]


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
