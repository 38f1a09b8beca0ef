"""The scrape endpoints, by the services' own client, unchanged; and what must not work."""

from __future__ import annotations

import json
import time

import pytest
from tests.site.server import send

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
