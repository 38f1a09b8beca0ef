"""Jobs: resumed, claimed, renewed, cancelled, kept, and pruned."""

from __future__ import annotations

import threading

import pytest

import pageloom
from pageloom.edges.store import jobs
from pageloom.edges.store.base import open_store
from pageloom.edges.store.events import events_after
from pageloom.edges.store.jobs import (
    cancel_job,
    claim_next,
    fail_job,
    finish_job,
    get_job,
    heartbeat,
    is_cancel_requested,
    list_items,
    list_jobs,
    mark_done,
    mark_item_failed,
    open_job,
    prune_jobs,
    release_job,
    request_cancel,
)
from pageloom.edges.store.times import later, now
from pageloom.errors import InvalidQuery

ASKED = {"urls": ["a", "b", "c"]}


def test_an_interrupted_job_goes_on_where_it_stopped(store):
    job = open_job(store, "local", "save", ASKED)
    assert not job.resumed
    with store.write() as tx:
        mark_done(tx, job, "a", {"version": 1})
    again = open_job(store, "local", "save", ASKED)
    assert (again.resumed, again.done, again.id) == (True, {"a"}, job.id)
    assert open_job(store, "local", "save", {"urls": []}).id != job.id
    finish_job(store, again)
    later_job = open_job(store, "local", "save", ASKED)
    assert (later_job.resumed, later_job.done) == (False, frozenset())
    assert later_job.id != job.id
    assert {row.kind for row in list_jobs(store, "local")} == {"save"}


def test_a_job_that_has_ended_keeps_its_figures_items_and_result(store):
    job = open_job(store, "local", "import", ASKED, total=3)
    with store.write() as tx:
        mark_done(tx, job, "a", {"page": 1})
        mark_done(tx, job, "a", {"page": 1})
        mark_item_failed(tx, job, "b", "no such host")
        mark_item_failed(tx, job, "c", "gone")
        mark_done(tx, job, "c")
    finish_job(store, job, {"saved": 2})
    info = get_job(store, "local", job.id)
    assert (info.state, info.total, info.done, info.failed) == ("done", 3, 2, 1)
    assert (info.settings, info.result, info.error) == (ASKED, {"saved": 2}, "")
    assert info.started_at <= info.finished_at
    items = {each.item: (each.state, each.result) for each in list_items(store, "local", job.id)}
    assert items == {
        "a": ("done", {"page": 1}),
        "b": ("failed", {"error": "no such host"}),
        "c": ("done", None),
    }
    assert [each.item for each in list_items(store, "local", job.id, state="failed")] == ["b"]
    fail_job(store, job, "too late")
    assert get_job(store, "local", job.id).state == "done"


def test_an_item_that_two_mark_at_once_is_counted_once(store, database):
    job = open_job(store, "local", "save", ASKED, total=20)
    together = threading.Barrier(2)

    def mark() -> None:
        with open_store(database) as mine:
            for number in range(20):
                together.wait()
                mine.transact(lambda tx, item=f"u{number}": mark_done(tx, job, item))

    threads = [threading.Thread(target=mark) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    info = get_job(store, "local", job.id)
    assert info is not None
    assert (info.total, info.done) == (20, 20)


def test_a_job_that_failed_goes_on_when_the_same_is_asked_for_again(store):
    job = open_job(store, "local", "save", ASKED, total=2)
    with store.write() as tx:
        mark_done(tx, job, "a")
        mark_item_failed(tx, job, "b", "gone")
    fail_job(store, job, "1 item failed")
    again = open_job(store, "local", "save", ASKED)
    assert (again.id, again.resumed, again.done) == (job.id, True, {"a"})
    info = get_job(store, "local", job.id)
    assert info is not None
    assert (info.state, info.error, info.finished_at) == ("running", "", None)
    with store.write() as tx:
        mark_done(tx, again, "b")
    finish_job(store, again)
    info = get_job(store, "local", job.id)
    assert info is not None
    assert (info.state, info.done, info.failed) == ("done", 2, 0)
    assert open_job(store, "local", "save", ASKED).id != job.id


def test_a_job_that_failed_is_left_as_it_is_by_a_restart(store):
    job = open_job(store, "local", "save", ASKED)
    fail_job(store, job, "gone")
    fresh = open_job(store, "local", "save", ASKED, restart=True)
    assert (fresh.id != job.id, fresh.resumed) == (True, False)
    assert open_job(store, "local", "save", ASKED).id == fresh.id
    assert {each.id: each.state for each in list_jobs(store, "local")} == {
        job.id: "failed",
        fresh.id: "running",
    }


def test_jobs_are_claimed_oldest_first_and_by_one_runner_each(store):
    first = open_job(store, "ann", "reparse", {"n": 1}, queued=True)
    second = open_job(store, "ben", "save", {"n": 2}, queued=True)
    assert get_job(store, "ann", first.id).state == "queued"
    assert claim_next(store, "w1", seconds=60, kinds=("export",)) is None
    assert claim_next(store, "w1", seconds=60).id == first.id
    assert claim_next(store, "w2", seconds=60, kinds=("save", "export")).id == second.id
    assert claim_next(store, "w3", seconds=60) is None
    assert get_job(store, "ann", first.id).lease_owner == "w1"


def test_a_job_whose_runner_is_gone_is_taken_up_by_another(store):
    job = open_job(store, "local", "save", ASKED, queued=True)
    assert claim_next(store, "dead", seconds=-1)
    with store.write() as tx:
        mark_done(tx, job, "a")
    again = claim_next(store, "alive", seconds=60)
    assert (again.id, again.resumed, again.done) == (job.id, True, {"a"})
    assert not heartbeat(store, job, "dead", seconds=60)
    assert heartbeat(store, again, "alive", seconds=60)
    release_job(store, again, "alive")
    assert claim_next(store, "next", seconds=60).id == job.id


def test_a_job_without_a_lease_is_left_to_whoever_opens_it_again(store):
    open_job(store, "local", "save", ASKED)
    assert claim_next(store, "w", seconds=60) is None


def test_many_runners_claim_each_job_once(store, database):
    for number in range(8):
        open_job(store, "local", "save", {"n": number}, queued=True)
    claimed: list[str] = []

    def run(name: str) -> None:
        with open_store(database) as mine:
            while job := claim_next(mine, name, seconds=60):
                claimed.append(job.id)

    threads = [threading.Thread(target=run, args=(f"w{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) == 8


@pytest.mark.parametrize("has_failed", [False, True])
def test_many_who_ask_the_same_at_once_have_one_job(store, database, has_failed):
    found: list[str] = []
    if has_failed:
        fail_job(store, open_job(store, "local", "save", ASKED), "gone")

    def ask() -> None:
        with open_store(database) as mine:
            found.append(open_job(mine, "local", "save", ASKED).id)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert len(set(found)) == 1
    assert [each.id for each in list_jobs(store, "local")] == found[:1]


def test_a_running_job_is_cancelled_by_its_runner_and_a_waiting_one_at_once(store):
    running = open_job(store, "local", "save", ASKED, queued=True)
    claim_next(store, "w", seconds=60)
    assert not is_cancel_requested(store, running)
    assert request_cancel(store, "local", running.id)
    assert is_cancel_requested(store, running)
    assert get_job(store, "local", running.id).state == "running"
    assert not heartbeat(store, running, "w", seconds=60)
    cancel_job(store, running)
    assert get_job(store, "local", running.id).state == "cancelled"
    waiting = open_job(store, "local", "save", {"n": 2}, queued=True)
    assert request_cancel(store, "local", waiting.id)
    assert get_job(store, "local", waiting.id).state == "cancelled"
    assert not request_cancel(store, "local", waiting.id)
    finish_job(store, waiting)
    assert get_job(store, "local", waiting.id).state == "cancelled"


def test_the_event_log_tells_of_every_state_of_a_job(store):
    job = open_job(store, "local", "save", ASKED, queued=True)
    claim_next(store, "w", seconds=60)
    fail_job(store, job, "The disk is full.")
    assert get_job(store, "local", job.id).error == "The disk is full."
    kinds = [event.kind for event in events_after(store, "local")]
    assert kinds == ["job.queued", "job.running", "job.failed"]


def test_jobs_are_listed_part_by_part(store):
    made = [open_job(store, "local", "save", {"n": number}).id for number in range(5)]
    first = list_jobs(store, "local", limit=2)
    open_job(store, "local", "save", {"n": 99})
    second = list_jobs(store, "local", limit=2, cursor=first.next_cursor)
    third = list_jobs(store, "local", limit=2, cursor=second.next_cursor)
    assert third.next_cursor is None
    assert sorted(each.id for each in (*first, *second, *third)) == sorted(made)
    with pytest.raises(InvalidQuery):
        list_jobs(store, "ann", limit=2, cursor=first.next_cursor)


def test_old_jobs_are_pruned_with_their_items_but_not_those_that_run(store, monkeypatch):
    old = later(now(), -31 * 86_400)
    monkeypatch.setattr(jobs, "now", lambda: old)
    ended = open_job(store, "local", "save", ASKED)
    with store.write() as tx:
        mark_done(tx, ended, "a")
    finish_job(store, ended)
    waiting = open_job(store, "local", "save", {"n": 2}, queued=True)
    running = open_job(store, "local", "export", {"n": 3}, queued=True)
    claim_next(store, "w", seconds=40 * 86_400, kinds=("export",))
    monkeypatch.undo()
    fresh = open_job(store, "local", "save", {"n": 4})
    assert store.transact(lambda tx: prune_jobs(tx, later(now(), -30 * 86_400))) == 1
    assert {each.id for each in list_jobs(store, "local")} == {waiting.id, running.id, fresh.id}
    with store.read() as tx:
        assert tx.value("SELECT count(*) FROM job_items") == 0


def test_work_that_is_cancelled_stops_and_says_so(database):
    """Saving many, reparsing and importing look before each page whether they are to go on."""
    with pageloom.open_library(database) as library:
        for number in range(3):
            library.save(f"https://a.example/{number}", content=b"<p>Swifts nest here.</p>")
        results = library.reparse()
        next(results)
        (running,) = library.jobs()
        assert (running.state, running.total, running.done) == ("running", 3, 1)
        assert library.cancel_job(running.id)
        assert list(results) == []
        (ended,) = library.jobs()
        assert (ended.state, ended.done) == ("cancelled", 1)
        again = list(library.reparse())
        assert len(again) == 3
        assert library.jobs()[0].state == "done"


def test_pages_that_failed_are_items_of_their_job(database):
    urls = ["http://127.0.0.1:9/a", "http://127.0.0.1:9/b", "http://127.0.0.1:9/a"]
    with pageloom.open_library(database) as library:
        results = library.save_all(urls, on_result=lambda _: None)
        assert all(result.error for result in results)
        (job,) = library.jobs()
        assert (job.state, job.total, job.done, job.failed) == ("failed", 2, 0, 2)
        assert job.error == "2 items failed"
        found = list_items(library.context.store, "local", job.id)
        assert [each.item for each in found] == urls[:2]
        assert "127.0.0.1" in found[0].result["error"]
