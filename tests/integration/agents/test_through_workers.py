"""Commands of the library and of watches whose work is done by the workers, by a setting."""

from __future__ import annotations

import asyncio
import time

import pytest
from tests.integration.agents.bench import Bench
from tests.integration.agents.pages import ARTICLE
from tests.integration.cli import pageloom

from pageloom.context import open_context
from pageloom.edges.store.jobs import open_job, request_cancel
from pageloom.edges.store.sources import get_source, put_source
from pageloom.flows.library.save import SaveResult
from pageloom.library import Library, open_library
from pageloom.model.library import Source

pytestmark = [
    pytest.mark.integration,
    pytest.mark.parametrize("database", ["postgres"], indirect=True),
]

WAY = ("fetcher", "parser", "classifier", "change-detector", "storage")


@pytest.fixture
def mill(bench: Bench, site):
    """A site with a page, and the settings that send work to the workers."""
    bench.variables |= {
        "PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.1",
        "PAGELOOM_LIBRARY_THROUGH_WORKERS": "true",
        "PAGELOOM_WATCH_THROUGH_WORKERS": "true",
        "PAGELOOM_WATCH_HOST_DELAY": "0",
    }
    show(site, "Both tick.")
    return site


def show(site, extra: str) -> None:
    site.add("/clocks", ARTICLE.format(extra=extra).encode(), Content_Type="text/html")


def test_a_page_is_saved_by_the_workers(bench: Bench, mill):
    variables = bench.environment()
    with bench.working(*WAY):
        first = pageloom("save", mill.url("/clocks"), "--tag", "mills", "--json", **variables)
        show(mill, "Both have stopped since the winter, and nobody in the village winds them.")
        second = pageloom("save", mill.url("/clocks"), **variables)
        third = pageloom("save", mill.url("/clocks"), **variables)
    saved = first.json
    assert (saved["is_new"], saved["version"], saved["engine"]) == (True, 1, "workers")
    assert saved["title"] == "Two clocks"
    assert second.out.startswith("updated"), second.out
    assert third.out.startswith("same"), third.out
    shown = pageloom("list", "--tag", "mills", "--json", **variables).json
    assert [page["title"] for page in shown["items"]] == ["Two clocks"]


def test_many_pages_are_saved_for_the_user_who_asks_and_a_failure_stops_nobody(bench: Bench, mill):
    variables = bench.environment()
    urls = [mill.url("/clocks"), mill.url("/gone"), "http://10.0.0.1/inside"]
    with bench.working(*WAY):
        done = pageloom("save", *urls, "--user", "miller", "--json", **variables)
        alone = pageloom("save", urls[2], "--json", **variables)
    assert done.code == 1
    pages = {page["url"]: page for page in done.json["items"]}
    assert pages[urls[0]]["success"]
    assert pages[urls[1]]["error"]["code"] == "FetchError.status"
    assert pages[urls[2]]["error"]["code"] == "FetchError.blocked_address"
    assert alone.code == 4
    rows = bench.query("SELECT owner FROM pages")
    assert [row["owner"] for row in rows] == ["miller"]
    (job,) = bench.query("SELECT total, done, failed FROM jobs WHERE owner = 'miller'")
    assert (job["total"], job["done"], job["failed"]) == (3, 1, 2)


def test_a_queued_job_is_done_by_the_workers_too(bench: Bench, mill):
    async def until_done(library: Library, job_id: str) -> None:
        stop = asyncio.Event()
        working = asyncio.create_task(library.run_work(stop))
        await asyncio.to_thread(wait_for_end, library, job_id)
        stop.set()
        await working

    def wait_for_end(library: Library, job_id: str) -> None:
        while library.get_job(job_id).state in ("queued", "running"):
            time.sleep(0.05)

    urls = [mill.url("/clocks"), mill.url("/gone")]
    with bench.working(*WAY), open_library(settings=bench.settings()) as library:
        job = library.save_later(urls, tags=["mills"])
        asyncio.run(until_done(library, job.id))
        done = library.get_job(job.id)
        assert (done.state, done.done, done.failed) == ("failed", 1, 1)
        assert library.tags(mill.url("/clocks")) == ("mills",)
    assert bench.query("SELECT count(*) AS n FROM runs")[0]["n"] >= 2  # which only workers write


def test_the_pages_of_a_cancelled_job_are_not_queued(bench: Bench, mill):
    with open_context(settings=bench.settings()) as context:
        job = open_job(context.store, "local", "save", {"urls": 1}, total=1)
        assert request_cancel(context.store, "local", job.id)
        results: list[SaveResult] = []
        saving = context.save_context()
        context.save_through_workers(saving, [mill.url("/clocks")], job, results.append)
    assert results == []
    assert bench.waiting("fetch.jobs") == 0


def test_without_workers_a_save_says_so_and_loses_nothing(bench: Bench, mill):
    bench.variables["PAGELOOM_BROKER_RESULT_TIMEOUT"] = "0.3"
    done = pageloom("save", mill.url("/clocks"), **bench.environment())
    assert done.code == 1
    assert "stays queued" in done.err
    assert "pageloom worker all" in done.err
    assert bench.waiting("fetch.jobs") == 1


def test_a_watch_is_checked_by_the_workers_while_its_owner_waits(bench: Bench, mill):
    variables = bench.environment()
    for path in ("/clocks", "/gone", "/private"):
        pageloom("watch", "add", mill.url(path), **variables)
    mill.add("/robots.txt", b"User-agent: *\nDisallow: /private\n", Content_Type="text/plain")
    with bench.working(*WAY):
        first = pageloom("check", mill.url("/clocks"), "--json", **variables)
        show(mill, "Both have stopped since the winter, and nobody in the village winds them.")
        second = pageloom("check", mill.url("/clocks"), **variables)
        gone = pageloom("check", mill.url("/gone"), **variables)
        blocked = pageloom("check", mill.url("/private"), **variables)
    assert [each["outcome"] for each in first.json["items"]] == ["new"]
    assert second.out.startswith("changed"), second.out + second.err
    assert "v2" in second.out
    assert gone.out.startswith("failed"), gone.out + gone.err
    assert gone.code == 1
    assert blocked.code == 4, blocked.out + blocked.err


def test_the_history_has_every_run_and_sources_are_judged_by_their_pages(bench: Bench, mill):
    put_source(bench.store, "local", Source(id="mill", site="127.0.0.1", timezone="Europe/Oslo"))
    variables = bench.environment()
    with bench.working(*WAY):
        for _ in range(2):
            pageloom("save", mill.url("/clocks"), **variables)
        mill.add("/empty", b"  ", Content_Type="text/html")
        pageloom("save", mill.url("/empty"), **variables)
    runs = bench.query(
        "SELECT at, outcome, duration_ms, version, path, reason FROM runs ORDER BY id"
    )
    assert [run["outcome"] for run in runs] == ["new", "unchanged", "dead_letter"]
    assert [run["version"] for run in runs] == [1, 1, None]
    assert [run["path"] for run in runs] == ["diff", "hash", ""]
    assert all(run["at"] > "2026" and run["duration_ms"] >= 0 for run in runs)
    assert "EmptyContent" in runs[2]["reason"]
    told = pageloom("history", mill.url("/empty"), "--runs", **variables)
    assert "EmptyContent" in told.out
    source = get_source(bench.store, "local", "mill")
    assert source
    assert (source.successes, source.errors) == (2, 1)
    assert [row["source_id"] for row in bench.query("SELECT source_id FROM pages")] == ["mill"]
