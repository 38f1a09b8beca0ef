"""Discovery follows links within scope, depth and budget, each page once."""

from __future__ import annotations

import pytest
from tests.integration.agents.bench import Bench, until
from tests.integration.cli import pageloom

pytestmark = pytest.mark.integration

TEXT = "The village had a school, a smithy and an inn, and all of them stood by the one road. "


def page(*links: str) -> bytes:
    spelt = "".join(f'<li><a href="{link}">To {link}</a></li>' for link in links)
    return f"<title>A page</title><main><p>{TEXT * 3}</p><ul>{spelt}</ul></main>".encode()


def crawl(bench: Bench, site, *flags: str) -> set[str]:
    """The paths that were asked for, robots.txt aside."""
    bench.variables["PAGELOOM_FETCH_ALLOWED_HOSTS"] = "127.0.0.1"
    workers = ("fetcher", "parser", "discovery", "classifier", "change-detector", "storage")
    with bench.working(*workers):
        until(lambda: pageloom("top", "--json", **bench.environment()).json["queues"]["fetch.jobs"])
        done = pageloom("enqueue", site.url("/a/"), "--follow", *flags, **bench.environment())
        assert done.code == 0, done.err
        until(lambda: quiet(bench))
    asked = [path for path, _ in site.asked if path != "/robots.txt"]
    assert len(asked) == len(set(asked)), "a page was asked for twice"
    return set(asked)


def quiet(bench: Bench) -> bool:
    """Nothing waits, and nothing has come for a moment."""
    before = bench.query("SELECT count(*) AS n FROM runs")[0]["n"]
    import time

    time.sleep(1)
    return before > 0 and before == bench.query("SELECT count(*) AS n FROM runs")[0]["n"]


@pytest.fixture
def village(site):
    """/a/ leads to /a/1 … /a/3 and out; those lead further down, and back."""
    outside = site.url("/elsewhere", host="localhost")
    site.add("/a/", page("1", "2", "3", "/b", outside, "mailto:x@y.example", "/a/#top"))
    for number in (1, 2, 3):
        site.add(f"/a/{number}", page("/a/", f"{number}/deep", "1"))
        site.add(f"/a/{number}/deep", page("deeper"))
        site.add(f"/a/{number}/deeper", page())
    site.add("/b", page("/a/"))
    site.add("/robots.txt", b"User-agent: *\nDisallow: /a/3\n", Content_Type="text/plain")
    return site


def test_it_stays_on_its_host_within_its_depth_and_heeds_robots(bench: Bench, village):
    asked = crawl(bench, village, "--depth", "1")
    assert asked == {"/a/", "/a/1", "/a/2", "/b"}


def test_it_stays_below_its_path_and_within_its_budget(bench: Bench, village):
    asked = crawl(bench, village, "--scope", "path", "--depth", "5", "--max-pages", "4")
    assert asked <= {"/a/", "/a/1", "/a/2", "/a/1/deep", "/a/2/deep"}
    assert len(asked) <= 4
    assert "/b" not in asked


def test_pages_that_are_found_are_rendered_as_the_first_and_get_none_of_its_headers(bench, village):
    bench.variables["PAGELOOM_FETCH_ALLOWED_HOSTS"] = "127.0.0.1"
    job = {
        "jobId": "first",
        "url": village.url("/a/"),
        "render": "never",
        "headers": {"Authorization": "Bearer secret"},
        "crawl": {"id": "walk", "maxDepth": 1, "maxPages": 2},
    }
    with bench.working("fetcher", "parser", "discovery"):
        until(lambda: bench.waiting("html.parsed.discovery") == 0)
        bench.send("fetch.jobs", job)
        messages = {each["jobId"]: each for each in bench.receive_json("html.parsed", 2)}
    asked = {path: headers for path, headers in village.asked if path != "/robots.txt"}
    assert asked["/a/"]["authorization"] == "Bearer secret"
    assert "authorization" not in asked["/a/1"]
    assert len(messages) == 2
    assert {each["render"] for each in messages.values()} == {"never"}
    assert not any("headers" in each for each in messages.values())
