"""Leases, turns and messages hold under several processes, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from pageloom.edges.store import host_leases, outbox, prices, runs, watches
from pageloom.edges.store.times import later
from pageloom.model.library import OutboxMessage, Run, StoredPrice
from pageloom.model.pages import PageRef
from pageloom.model.watch import NewWatch, Watch, WatchSettings

T0 = "2026-03-05T08:00:00.000Z"


def new(number: int, host: str, **rest) -> NewWatch:
    url = f"https://{host}/{number}"
    given = {"owner": "local", "url": url, "url_full": url, "host": host, "next_due": T0} | rest
    return NewWatch(**given)


def add(store, number: int, host: str, **rest) -> Watch:
    return watches.add_watch(store, new(number, host, **rest))[0]


def test_a_watch_is_added_once_found_changed_and_removed(store):
    settings = WatchSettings(every=3600, scope=("#a",), targets=("console",))
    first, added = watches.add_watch(store, new(1, "a.example", settings=settings))
    again, added_again = watches.add_watch(store, new(1, "a.example"))
    assert (added, added_again, again.id) == (True, False, first.id)
    assert watches.get_watch(store, "local", first.id).settings == settings
    assert watches.get_watch(store, "other", first.id) is None
    watches.change_watch(
        store, first, settings=replace(settings, every=60), name="mine", next_due=later(T0, 60)
    )
    changed = watches.watches_of(store, "local", first.url)[0]
    assert (changed.settings.every, changed.name) == (60, "mine")
    watches.pause_watch(store, changed, paused=True)
    assert host_leases.claim_due(store, "p", limit=9, seconds=60, at=later(T0, 9999)) == []
    watches.remove_watch(store, changed)
    assert watches.list_watches(store, "local") == []


def test_one_watch_of_each_host_is_claimed_the_longest_waiting_first(store):
    for number in range(6):
        add(store, number, "busy.example", next_due=later(T0, number))
    add(store, 7, "quiet.example", next_due=later(T0, 100))
    at = later(T0, 200)
    claimed = host_leases.claim_due(store, "p1", limit=10, seconds=60, at=at)
    assert [watch.url for watch in claimed] == [
        "https://busy.example/0",
        "https://quiet.example/7",
    ]
    assert host_leases.claim_due(store, "p2", limit=10, seconds=60, at=at) == []
    host_leases.release_host(store, "busy.example", "p1", free_at=later(at, 5))
    assert host_leases.claim_due(store, "p2", limit=10, seconds=60, at=later(at, 4)) == []
    (second,) = host_leases.claim_due(store, "p2", limit=10, seconds=60, at=later(at, 6))
    assert second.url == "https://busy.example/1"


def test_what_a_killed_process_held_is_free_when_its_time_is_over(store):
    watch = add(store, 1, "a.example")
    assert host_leases.claim_due(store, "dead", limit=1, seconds=60, at=T0)
    assert watches.lease_watch(store, watch, "p", 60, later(T0, 59)) is None
    (taken,) = host_leases.claim_due(store, "alive", limit=1, seconds=60, at=later(T0, 61))
    assert taken.lease_owner == "alive"
    with store.write() as tx:  # the dead one comes back and finds that it is late
        late = replace(taken, lease_owner="dead")
        done = watches.finish_check(
            tx, late, state=taken.state, failures=0, at=T0, next_due=later(T0, 99)
        )
    assert not done


def test_many_claimers_at_once_get_each_watch_once(store):
    for number in range(60):
        add(store, number, f"h{number % 30}.example")

    def claim(name: int) -> list[int]:
        found: list[int] = []
        for _ in range(12):
            for watch in host_leases.claim_due(store, f"p{name}", limit=4, seconds=60, at=T0):
                found.append(watch.id)  # noqa: PERF401  one claim after another
        return found

    with ThreadPoolExecutor(6) as pool:
        claimed = [number for part in pool.map(claim, range(6)) for number in part]
    assert len(claimed) == len(set(claimed)) == 30  # one of each host


def message(number: int, target: str = "console", **rest) -> OutboxMessage:
    return OutboxMessage(
        id=f"m{number}",
        owner="local",
        target=target,
        payload={"n": number},
        created_at=later(T0, number),
        **rest,
    )


def put(store, *messages: OutboxMessage) -> None:
    def work(tx) -> None:
        for each in messages:
            outbox.queue_message(tx, each)

    store.transact(work)


def test_a_message_is_put_once_taken_once_and_sent_once(store):
    put(store, message(1), message(2), message(1))
    at = later(T0, 10)
    taken = outbox.take_messages(store, "local", "console", "p1", seconds=60, at=at)
    assert [each.payload["n"] for each in taken] == [1, 2]
    assert outbox.due_targets(store, at) == []
    outbox.mark_sent(store, taken[0], at)
    outbox.mark_failed(store, taken[1], error="no", next_try=later(at, 60), at=at)
    assert outbox.due_targets(store, later(at, 30)) == []
    (again,) = outbox.take_messages(store, "local", "console", "p2", seconds=60, at=later(at, 61))
    assert (again.id, again.attempts, again.error) == ("m2", 1, "no")
    outbox.mark_failed(store, again, error="never", next_try=None, at=later(at, 62))
    assert [each.state for each in outbox.list_messages(store, "local")] == ["failed", "sent"]
    assert outbox.retry_failed(store, "local", at) == 1
    assert outbox.due_targets(store, at) == [("local", "console")]


def test_a_message_whose_sender_was_killed_is_taken_again_under_its_id(store):
    put(store, message(1))
    assert outbox.take_messages(store, "local", "console", "dead", seconds=30, at=later(T0, 5))
    assert outbox.take_messages(store, "local", "console", "p", seconds=30, at=later(T0, 30)) == []
    (again,) = outbox.take_messages(store, "local", "console", "p", seconds=30, at=later(T0, 36))
    assert again.id == "m1"


def test_several_messages_become_one(store):
    put(store, message(1), message(2))
    outbox.bundle(store, [message(1), message(2)], message(3), at=later(T0, 9), lease_until=T0)
    (left,) = outbox.take_messages(store, "local", "console", "p", seconds=30, at=later(T0, 9))
    assert left.id == "m3"


def test_runs_are_listed_newest_first(store):
    with store.write() as tx:
        for number in range(3):
            key = f"k{number % 2}"
            run = Run(url="u", at=later(T0, number), outcome="unchanged", key=key)
            runs.record_run(tx, "local", run)
    listed = runs.runs_of(store, "local", "u")
    assert [run.at for run in listed] == [later(T0, 1), T0]


@pytest.mark.parametrize("amount", ["39.90", "0.1", "12345678901234567890.12"])
def test_prices_come_back_as_they_went(store, amount):
    from decimal import Decimal

    from tests.saving import save_document

    import pageloom

    page = save_document(store, "local", pageloom.extract("<p>x</p>", "https://a.example/"))
    price = StoredPrice(page_id=page.page_id, at=T0, amount=Decimal(amount), currency="EUR")
    with store.write() as tx:
        prices.insert_price(tx, price)
        prices.insert_price(tx, price)
    assert prices.price_series(store, PageRef("local", page.page_id)) == [price]
