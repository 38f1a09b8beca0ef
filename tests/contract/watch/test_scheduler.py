"""Many watches due at once: one request at a time for each host, and nobody is forgotten."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from dataclasses import replace

import pytest
from tests.contract.watch.pages import article
from tests.contract.watch.rig import FETCH, Rig

from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.store import host_leases, watches
from pageloom.edges.store.base import open_store
from pageloom.edges.store.times import later
from pageloom.edges.store.watches import add_watch, change_watch, list_watches, remove_watch
from pageloom.errors import BrokerError, InternalError, PageloomError, StorageError
from pageloom.flows.repeat import repeat
from pageloom.flows.watch import scheduler
from pageloom.flows.watch.context import WatchContext
from pageloom.flows.watch.options import WatchOptions
from pageloom.flows.watch.scheduler import Observer, check_now, run_scheduler
from pageloom.model.watch import NewWatch, WatchSettings

pytestmark = pytest.mark.slow_file(seconds=20)

on_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
T0 = "2026-03-05T08:00:00.000Z"


class Traffic:
    """Who is being asked right now."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.now: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.most_at_once = 0

    def answer(self, host: str):
        def handle(request) -> None:
            with self.lock:
                self.now[host] += 1
                self.most[host] = max(self.most[host], self.now[host])
                self.most_at_once = max(self.most_at_once, self.now.total())
            time.sleep(0.03)
            body = article().encode()
            request.send_response(200)
            request.send_header("Content-Type", "text/html")
            request.send_header("Content-Length", str(len(body)))
            request.end_headers()
            with self.lock:
                self.now[host] -= 1
            request.wfile.write(body)

        return handle


def add(rig: Rig, host: str, number: int, due: str) -> None:
    path = f"/{host}/{number}"
    url = rig.site.url(path)
    settings = WatchSettings(every=3600, respect_robots=False, render="never")
    new = NewWatch(owner="local", url=url, url_full=url, host=host, settings=settings, next_due=due)
    add_watch(rig.store, new)


def test_hosts_are_asked_side_by_side_and_each_by_one_at_a_time(rig: Rig, database):
    traffic = Traffic()
    due = rig.world(None).at()
    for host in ("one", "two", "three"):
        for number in range(5):
            rig.site.pages[f"/{host}/{number}"] = traffic.answer(host)
            add(rig, host, number, due)

    async def run(holder: str, store, seen: list[str]) -> None:
        stop = asyncio.Event()
        done: list[int] = []

        def checked(each) -> None:
            done.append(each.watch.id)
            seen.append(each.watch.url)

        async with open_fetcher(FETCH) as fetcher:
            world = WatchContext(
                store=store,
                fetcher=fetcher,
                notify=rig.notify,
                options=WatchOptions(concurrency=4, host_delay=0.0),
                rules=None,
                holder=holder,
            )
            task = asyncio.create_task(
                run_scheduler(world, rig.means(), stop, Observer(checked=checked))
            )
            for _ in range(600):
                await asyncio.sleep(0.05)
                if len(seen) >= 15:
                    break
            stop.set()
            await task

    async def both() -> list[str]:
        seen: list[str] = []
        with open_store(database) as other:
            await asyncio.gather(run("a", rig.store, seen), run("b", other, seen))
        return seen

    seen = asyncio.run(both())
    assert sorted(seen) == sorted(watch.url for watch in list_watches(rig.store, "local"))
    assert set(traffic.most.values()) == {1}
    assert traffic.most_at_once > 1
    with rig.store.read() as tx:
        assert tx.value("SELECT count(*) AS n FROM host_leases WHERE lease_owner IS NOT NULL") == 0


@pytest.mark.parametrize("hosts", [100])
def test_ten_thousand_watches_of_one_minute_are_served_politely(tmp_path, hosts):
    """Under a clock of ours: one at a time for each host, two seconds apart, all in turn."""
    with open_store(str(tmp_path / "many.db")) as store:
        _add_many(store, 10_000, hosts)
        begun: dict[str, list[float]] = {f"h{n}.example": [] for n in range(hosts)}
        served: set[int] = set()
        clock = 0.0
        for _ in range(3):
            claimed = host_leases.claim_due(store, "p", limit=200, seconds=60, at=later(T0, clock))
            assert len(claimed) == hosts  # one of each
            assert (
                host_leases.claim_due(store, "q", limit=200, seconds=60, at=later(T0, clock)) == []
            )
            for watch in claimed:
                begun[watch.host].append(clock)
                served.add(watch.id)
            _finish(store, claimed, later(T0, clock + 0.5), free_at=later(T0, clock + 2.5))
            early = host_leases.claim_due(
                store, "p", limit=200, seconds=60, at=later(T0, clock + 2)
            )
            assert early == []
            clock += 2.6
        assert len(served) == 3 * hosts
        assert all(len(times) == 3 for times in begun.values())


def _add_many(store, count: int, hosts: int) -> None:
    import json

    settings = json.dumps({"every": 3600})

    def work(tx) -> None:
        for number in range(count):
            host = f"h{number % hosts}.example"
            tx.run(
                "INSERT INTO watches (owner, url, url_full, host, settings, state, next_due,"
                " created_at, updated_at) VALUES ('local', ?, ?, ?, ?, '{}', ?, ?, ?)",
                f"https://{host}/{number}",
                f"https://{host}/{number}",
                host,
                settings,
                T0,
                T0,
                T0,
            )

    store.transact(work)


def _finish(store, claimed, at: str, *, free_at: str) -> None:
    def work(tx) -> None:
        for watch in claimed:
            tx.run(
                "UPDATE watches SET next_due = ?, lease_owner = NULL, lease_until = NULL"
                " WHERE id = ?",
                later(at, 3600),
                watch.id,
            )

    store.transact(work)
    for watch in claimed:
        host_leases.release_host(store, watch.host, "p", free_at=free_at)


def test_named_watches_are_checked_now_and_a_busy_one_is_left_alone(rig: Rig):
    rig.serve(article())
    rig.serve(article(), "/other")
    first, second = rig.watch(), rig.watch("/other")
    with rig.store.write() as tx:
        tx.run("UPDATE watches SET lease_owner = 'x', lease_until = '2999' WHERE id = ?", second.id)

    async def check():
        async with open_fetcher(FETCH) as fetcher:
            return await check_now([first, second], rig.world(fetcher))

    outcomes = [checked.outcome for checked in asyncio.run(check())]
    assert outcomes == ["new", "skipped"]


async def _run_until(rig: Rig, done, observer: Observer, **more) -> None:
    """The scheduler, until something is so; it ends soon after it is asked to."""
    stop = asyncio.Event()
    async with open_fetcher(FETCH) as fetcher, asyncio.timeout(30):
        world = replace(rig.world(fetcher), now=time.time, **more)
        task = asyncio.create_task(run_scheduler(world, rig.means(), stop, observer))
        while not done():  # noqa: ASYNC110  what is waited for is no event
            await asyncio.sleep(0.05)
        stop.set()
        await asyncio.wait_for(task, 5)


def _failing_once(monkeypatch, place, name: str, error: Exception) -> None:
    """Let a function fail when it is first called, and the next round come soon."""
    monkeypatch.setitem(repeat.__kwdefaults__, "pause_after_error", 0.1)
    real, left = getattr(place, name), [error]

    def call(*given, **named):
        if left:
            raise left.pop()
        return real(*given, **named)

    monkeypatch.setattr(place, name, call)


@on_sqlite
@pytest.mark.parametrize("name", ["first_due", "claim_due"])
def test_checks_go_on_after_an_error_of_the_database(rig: Rig, monkeypatch, name):
    rig.serve(article())
    rig.watch()
    errors: list[PageloomError] = []
    checked: list[str] = []
    place = watches if name == "first_due" else host_leases
    _failing_once(monkeypatch, place, name, StorageError("The database restarted."))

    def look(each) -> None:
        checked.append(each.outcome)
        if len(checked) == 1:
            rig.watch("/later")

    done = lambda: len(checked) == 2  # noqa: E731  short
    asyncio.run(_run_until(rig, done, Observer(checked=look, trouble=errors.append)))
    assert [error.message for error in errors] == ["The database restarted."]


@on_sqlite
@pytest.mark.parametrize("name", ["send_due", "housekeep"])
def test_notices_are_sent_though_a_round_before_met_a_bug(rig: Rig, monkeypatch, name):
    rig.serve(article())
    watch = rig.watch()
    rig.check(watch)
    rig.serve(article(closing="The path is closed since a landslide on 3 May."))
    rig.check(watch)
    errors: list[PageloomError] = []
    sent: list[int] = []
    _failing_once(monkeypatch, scheduler, name, KeyError("a bug"))
    observer = Observer(sent=lambda each: sent.append(each.sent), trouble=errors.append)
    asyncio.run(_run_until(rig, lambda: sum(sent) and errors, observer))
    assert [type(error) for error in errors] == [InternalError]


@pytest.mark.parametrize("loop", [False, True], ids=["check", "scheduler"])
def test_a_check_that_cannot_be_queued_leaves_its_watch_free(rig: Rig, loop):
    async def refuse(_) -> None:
        raise BrokerError("The broker is away.")

    watch = rig.watch()
    errors: list[PageloomError] = []
    if loop:
        observer = Observer(trouble=errors.append)
        asyncio.run(_run_until(rig, lambda: errors, observer, hand_over=refuse))
    else:
        with pytest.raises(BrokerError, match="away"):
            asyncio.run(check_now([watch], replace(rig.world(None), hand_over=refuse)))
    assert rig.again(watch).lease_owner is None
    rig.serve(article())
    assert rig.check(watch).outcome == "new"


def _during(rig: Rig, act) -> None:
    """Serve the page, and do something while it is fetched."""

    def answer(request) -> None:
        act()
        body = article().encode()
        request.send_response(200)
        request.send_header("Content-Type", "text/html")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    rig.site.pages["/page"] = answer


def test_a_watch_that_is_removed_during_its_check_is_skipped_and_others_are_checked(rig: Rig):
    rig.serve(article(), "/other")
    first, second = rig.watch(), rig.watch("/other")
    _during(rig, lambda: remove_watch(rig.store, first))

    async def check():
        async with open_fetcher(FETCH) as fetcher:
            return await check_now([first, second], rig.world(fetcher))

    gone, other = asyncio.run(check())
    assert (gone.outcome, other.outcome) == ("skipped", "new")
    assert "removed" in gone.reason


def test_a_schedule_that_is_edited_during_a_check_holds(rig: Rig):
    watch = rig.watch(every=30 * 24 * 3600)
    settings = replace(watch.settings, every=60)
    due = later(T0, 60)
    _during(rig, lambda: change_watch(rig.store, watch, settings=settings, name="", next_due=due))
    assert rig.check(watch).outcome == "new"
    found = rig.again(watch)
    assert (found.settings.every, found.next_due) == (60, due)
    rig.check(watch)
    assert rig.again(watch).next_due > due
