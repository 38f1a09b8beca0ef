"""Whoever makes a check, the scheduler or the workers: the same rows, the same notices."""

from __future__ import annotations

import pytest
from tests.contract.watch_both_ways.conftest import BothWays
from tests.contract.watch_both_ways.scenarios import OTHER_SETTINGS, SCENARIOS
from tests.contract.watch_both_ways.ways import running, settings_for
from tests.integration.agents.bench import until
from tests.saving import save_document

from pageloom import extract
from pageloom.context import Context, open_context

pytestmark = [pytest.mark.slow_file(seconds=40), pytest.mark.integration, pytest.mark.timeout(180)]
EVERY = [*SCENARIOS, *OTHER_SETTINGS]


@pytest.mark.parametrize("scenario", EVERY, ids=lambda each: each.name)
def test_both_ways_come_to_the_same(played: BothWays, scenario):
    ours, theirs = played.scheduler[scenario.name], played.workers[scenario.name]
    assert ours.outcomes == [outcome for _, outcome in scenario.steps]
    assert theirs.outcomes == ours.outcomes
    assert theirs.paths == ours.paths
    for table, rows in ours.rows.items():
        assert theirs.rows[table] == rows, table
    assert theirs.notices == ours.notices
    assert sorted(each["payload"]["kind"] for each in ours.notices) == sorted(scenario.notices)


def test_workers_refuse_a_login_page_in_the_place_of_the_page(played: BothWays):
    left = played.workers["login in place"]
    assert [run["outcome"] for run in left.rows["runs"]] == ["new", "failed", "unchanged"]
    assert "login" in left.rows["runs"][1]["reason"]
    assert (left.rows["changes"], left.notices) == ([], [])


def test_workers_compare_as_the_settings_of_changes_say(played: BothWays):
    assert played.workers["wording matters"].outcomes == ["new", "changed"]
    assert played.workers["ignored fields"].outcomes == ["new", "trivial"]


def test_no_original_is_stored_where_none_is_to_be_kept(played: BothWays):
    for way in (played.scheduler, played.workers):
        versions = way["originals are not kept"].rows["versions"]
        assert [row["body_hash"] for row in versions] == [None] * len(versions)
    assert all(row["body_hash"] for row in played.workers["changed text"].rows["versions"])


def test_workers_ask_in_the_way_that_the_watch_says(played: BothWays):
    assert played.workers["not modified"].paths == ["diff", "304", "diff", "304"]
    assert played.workers["robots ignored"].outcomes == ["new"]
    assert "robots" in played.workers["robots kept"].rows["runs"][0]["reason"]
    waited = played.workers["wait for a script"].rows
    assert [row["used_js"] for row in waited["versions"]] == [1, 1]
    assert played.workers["remembered browser"].rows["watch"]["state"].browser


def test_checks_go_through_the_proxy_of_the_source(played: BothWays):
    for way in (played.scheduler, played.workers):
        reason = way["dead proxy of its source"].rows["runs"][-1]["reason"]
        assert "Could not connect" in reason


@pytest.mark.parametrize("workers", [False, True], ids=["scheduler", "workers"])
def test_whatever_runs_for_long_deletes_what_is_no_longer_kept(broker, tmp_path, workers):
    url = broker.url(broker.take_vhost())
    settings = settings_for(
        str(tmp_path / "library.db"), url, workers=False, **{"library.originals_days": 30}
    )
    with open_context(settings=settings) as context:
        for text in ("One.", "Two."):
            document = extract(f"<p>{text} Swifts are back.", "https://tidewatch.example/swifts")
            old = {"body": text.encode(), "fetched_at": "2020-01-01"}
            save_document(context.store, "local", document, **old)
        context.store.transact(lambda tx: tx.run("UPDATE bodies SET created_at = '2020-01-01'"))
        with running(context, workers=workers):
            until(lambda: _originals(context) == 1)


def _originals(context: Context) -> int:
    with context.store.read() as tx:
        return tx.value("SELECT count(*) FROM bodies")
