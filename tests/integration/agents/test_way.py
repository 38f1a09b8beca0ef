"""A page goes the whole way through real queues."""

from __future__ import annotations

import pytest
from tests.integration.agents.bench import Bench, until
from tests.integration.agents.pages import article

pytestmark = pytest.mark.integration


def test_a_page_is_told_and_counted_once_on_its_whole_way(bench: Bench, site):
    site.add("/clocks", article("x")["html"].encode(), Content_Type="text/html")
    bench.variables["PAGELOOM_FETCH_ALLOWED_HOSTS"] = "127.0.0.1"
    process = bench.start("all")
    bench.send("fetch.jobs", {"jobId": "once", "url": site.url("/clocks")})
    until(lambda: bench.query("SELECT * FROM runs"))
    log = bench.stop(process)
    assert log.count('"event": "page.read"') == 1


def test_a_page_goes_from_raw_html_to_the_library(bench: Bench):
    with bench.working("parser", "classifier", "change-detector", "storage"):
        bench.send("html.raw", article("one"))
        until(lambda: bench.query("SELECT * FROM runs"))
        bench.send("html.raw", article("two"))
        until(lambda: len(bench.query("SELECT * FROM runs")) == 2)
        bench.send(
            "html.raw", article("three", "He sold one of them to a widow from Harrow in 1921.")
        )
        until(lambda: len(bench.query("SELECT * FROM runs")) == 3)
    runs = bench.query("SELECT key, outcome, version FROM runs ORDER BY id")
    assert [(run["outcome"], run["version"]) for run in runs] == [
        ("new", 1),
        ("unchanged", 1),
        ("changed", 2),
    ]
    (notice,) = bench.receive_json("notify")
    assert notice["hasChanges"] is True
    assert notice["version"]["current"] == 2
    assert bench.waiting("dead_letter") == 0
