"""Housekeeping deletes what the settings no longer keep, once a day, and nothing else."""

from __future__ import annotations

import pytest
from tests.saving import save_document

from pageloom.edges.store import jobs, retention
from pageloom.edges.store.events import events_after, record_event
from pageloom.edges.store.idempotency import find_result, store_result
from pageloom.edges.store.jobs import finish_job, list_jobs, open_job
from pageloom.edges.store.outbox import list_messages, queue_message
from pageloom.edges.store.retention import Pruned, Retention, prune_daily
from pageloom.edges.store.runs import record_run, runs_of
from pageloom.edges.store.times import later, now
from pageloom.edges.store.versions import history
from pageloom.model import Document
from pageloom.model.library import OutboxMessage, Run
from pageloom.model.pages import PageRef

OLD = later(now(), -100 * 86_400)
PAGE = PageRef("local", 1)


@pytest.fixture
def aged(store, monkeypatch):
    """A library in which something of everything is a hundred days old, and something is new."""
    for number in range(3):
        url = "https://a.example/"
        document = Document(url=url, text=str(number), snapshot_hash=str(number))
        body = b"%d" % number
        save_document(store, "local", document, body=body, fetched_at=OLD, trivial=number == 1)
    monkeypatch.setattr(jobs, "now", lambda: OLD)
    finish_job(store, open_job(store, "local", "save", {"n": 1}))
    monkeypatch.undo()
    finish_job(store, open_job(store, "local", "save", {"n": 2}))
    with store.write() as tx:
        for at in (OLD, now()):
            record_run(tx, "local", Run(url="u", outcome="new", at=at))
            message = OutboxMessage(id=at, owner="local", target="console", created_at=at)
            queue_message(tx, message)
            store_result(tx, "test", at)
        tx.run("UPDATE outbox SET state = 'sent', done_at = created_at")
        tx.run("UPDATE idempotency_keys SET at = key WHERE consumer = 'test'")
        tx.run("UPDATE events SET at = ?", OLD)
        tx.run("UPDATE bodies SET created_at = ?", OLD)
        record_event(tx, "local", "test.new")
    return store


def figures(store) -> tuple[int, ...]:
    with store.read() as tx:
        results = sum(find_result(tx, "test", row) is not None for row in tx.column(KEYS))
    return (
        len(runs_of(store, "local", "u")),
        len(list_messages(store, "local")),
        len(list_jobs(store, "local")),
        len(events_after(store, "local")),
        results,
    )


KEYS = "SELECT key FROM idempotency_keys WHERE consumer = 'test'"


def test_what_is_old_is_deleted_and_what_is_new_stays(aged):
    assert figures(aged)[:3] == (2, 2, 2)
    done = prune_daily(aged, Retention(originals=30))
    assert (done.originals, done.versions) == (2, 1)
    assert figures(aged) == (1, 1, 1, 1, 1)
    versions = [(one.thinned, bool(one.body_hash)) for one in history(aged, PAGE)]
    assert versions == [(False, True), (True, False), (False, False)]


def test_nothing_is_deleted_where_the_settings_keep_all(aged):
    before = figures(aged)
    keep = Retention(
        originals=0, trivial_versions=0, runs=0, messages=0, jobs=0, events=0, results=0
    )
    assert prune_daily(aged, keep) == Pruned()
    assert figures(aged) == before


def test_it_is_done_once_a_day_and_again_when_the_settings_change(store, monkeypatch):
    at = "2026-03-05T08:30:00.000Z"
    assert prune_daily(store, Retention(), at=at)
    writes: list[object] = []
    monkeypatch.setattr(store, "transact", writes.append)
    assert prune_daily(store, Retention(), at="2026-03-05T23:59:00.000Z") is None
    assert writes == []  # not even a marker is written on every other call
    monkeypatch.undo()
    assert prune_daily(store, Retention(jobs=3), at=at)
    assert prune_daily(store, Retention(), at="2026-03-06T00:00:00.000Z")
    with store.read() as tx:
        sql = "SELECT count(*) FROM idempotency_keys WHERE consumer = ?"
        assert tx.value(sql, retention._MARKER) == 1
