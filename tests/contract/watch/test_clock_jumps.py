"""A clock that is years ahead, or behind, and is set right: nobody waits for the years to pass."""

from __future__ import annotations

import asyncio

import pytest
from tests.contract.watch.pages import article
from tests.contract.watch.rig import FETCH, START, Rig

from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.store import host_leases
from pageloom.edges.store.clock_jumps import forget_future
from pageloom.edges.store.times import now, read_time
from pageloom.flows.watch.scheduler import Observer, run_scheduler

YEARS = 5 * 366 * 86_400.0


async def schedule(rig: Rig, enough: int, *, between=lambda: None) -> list[str]:
    """The outcomes of a scheduler that runs until there are enough of them."""
    outcomes: list[str] = []
    stop = asyncio.Event()

    def checked(result) -> None:
        outcomes.append(result.outcome)
        between()
        if len(outcomes) >= enough:
            stop.set()

    async with open_fetcher(FETCH) as fetcher:
        running = run_scheduler(rig.world(fetcher), rig.means(), stop, Observer(checked=checked))
        async with asyncio.timeout(30):
            await running
    return outcomes


def test_what_was_checked_by_a_clock_that_was_ahead_is_due(rig: Rig):
    rig.serve(article())
    watch = rig.watch()
    rig.check(watch, after=YEARS)
    rig.clock = START
    assert asyncio.run(schedule(rig, 1)) == ["unchanged"]
    assert rig.again(watch).next_due < "2027"


def test_what_it_leased_and_never_released_is_free(rig: Rig):
    rig.serve(article())
    watch = rig.watch()
    rig.clock = START + YEARS
    ahead = rig.world(None).at()
    [leased] = host_leases.claim_due(rig.store, "killed", limit=9, seconds=600, at=ahead)
    assert leased.id == watch.id
    rig.clock = max(START, _real())
    assert asyncio.run(schedule(rig, 1)) == ["new"]


def _real() -> float:
    """The present: what is due at once is due by the clock of the machine."""
    moment = read_time(now())
    assert moment is not None
    return moment.timestamp()


def test_a_clock_that_is_set_back_while_the_scheduler_runs(rig: Rig):
    rig.serve(article())
    watch = rig.watch()
    rig.clock = _real() + YEARS

    def set_right() -> None:
        rig.clock = _real()

    assert asyncio.run(schedule(rig, 2, between=set_right)) == ["new", "unchanged"]
    assert rig.again(watch).last_checked_at[:4] <= now()[:4]


@pytest.mark.parametrize("jump", [-YEARS, YEARS])
def test_a_notice_is_sent_once_whatever_the_clock_does(rig: Rig, jump: float):
    rig.serve(article())
    watch = rig.watch()
    rig.check(watch)
    rig.clock += jump
    rig.serve(article().replace("</h1>", "</h1><p>The ferry is sold, and will not sail again.</p>"))
    rig.check(watch)
    rig.clock -= jump
    rig.check(watch)
    rig.tell(after=3_600)
    forget_future(rig.store, rig.world(None).at())
    for _ in range(3):
        rig.tell(after=3_600)
    assert [message.state for message in rig.messages()] == ["sent"]
