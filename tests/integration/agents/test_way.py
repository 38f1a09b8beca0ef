"""A page goes the whole way through real queues."""

from __future__ import annotations

import pytest
from tests.integration.agents.bench import Bench, until

pytestmark = pytest.mark.integration

PAGE = (
    "<html lang=en><head><title>Two clocks | Mill notes</title>"
    '<meta property="og:title" content="Two clocks"></head><body><nav><a href="/">Home</a></nav>'
    "<main><h1>Two clocks</h1><p>The miller keeps two clocks, one for the wind and one for the "
    "train to town, and neither has ever agreed with the other for a whole day.</p>"
    "<p>{extra}</p></main></body></html>"
)


def raw(job: str, extra: str = "He winds both on Sundays.", **more) -> dict:
    return {
        "jobId": job,
        "url": "https://mill.example/clocks",
        "html": PAGE.format(extra=extra),
    } | more


def test_a_page_goes_from_raw_html_to_the_library(bench: Bench):
    with bench.working("parser", "classifier", "change-detector", "storage"):
        bench.send("html.raw", raw("one"))
        until(lambda: bench.query("SELECT * FROM runs"))
        bench.send("html.raw", raw("two"))
        until(lambda: len(bench.query("SELECT * FROM runs")) == 2)
        bench.send("html.raw", raw("three", "He sold one of them to a widow from Harrow in 1921."))
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
