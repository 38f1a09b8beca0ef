"""Watches whose checks are made by the workers."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.integration.agents.bench import Bench, until
from tests.integration.agents.pages import ARTICLE
from tests.integration.cli import environment, pageloom

from pageloom.edges.store.watches import lease_watch, list_watches

pytestmark = pytest.mark.integration


def test_checks_that_are_due_are_made_by_the_workers(bench: Bench, site):
    site.add("/clocks", ARTICLE.format(extra="Both tick.").encode(), Content_Type="text/html")
    bench.variables |= {
        "PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.1",
        "PAGELOOM_WATCH_THROUGH_WORKERS": "true",
        "PAGELOOM_WATCH_HOST_DELAY": "0",
    }
    for path in ("/clocks", "/gone"):
        added = pageloom("watch", "add", site.url(path), **bench.environment())
        assert added.code == 0, added.err
    with bench.working("fetcher", "parser", "classifier", "change-detector", "storage"):
        scheduler = subprocess.Popen(
            [sys.executable, "-m", "pageloom", "check", "--loop"],
            env=environment(**bench.environment()),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        bench.processes.append(scheduler)
        until(lambda: len(bench.query("SELECT * FROM watches WHERE last_checked_at > ''")) == 2)
        bench.stop(scheduler)
    good, gone = bench.query("SELECT * FROM watches ORDER BY id")
    assert (good["failures"], gone["failures"]) == (0, 1)
    assert good["lease_owner"] is None
    assert good["next_due"] > good["last_checked_at"]
    runs = bench.query("SELECT outcome, version FROM runs WHERE key IS NULL ORDER BY version")
    assert sorted(run["outcome"] for run in runs) == ["failed", "new"]


def test_a_check_is_given_up_once_though_the_watch_cannot_be_told(bench: Bench, tmp_path):
    """What the history cannot be told, here for want of rules, holds no message back."""
    bench.variables |= {"PAGELOOM_RULES_DIRECTORY": str(tmp_path / "missing")}
    added = pageloom("watch", "add", "https://mill.example/clocks", **bench.environment())
    assert added.code == 0, added.err
    (watch,) = list_watches(bench.store, "local")
    leased = lease_watch(bench.store, watch, "scheduler", 600, "2030-01-01T00:00:00Z")
    assert leased is not None
    bench.send(
        "storage-agent",
        {"jobId": "j1", "url": "https://mill.example/clocks", "watchId": "1", "lease": "scheduler"},
        {"jobId": "j2", "url": "https://mill.example/clocks"},
    )
    with bench.working("storage"):
        until(lambda: bench.waiting("dead_letter") == 2)
    assert bench.waiting("storage-agent") == 0
