"""The scheduler: leases watches that are due, checks them side by side, and sends notices.

Everything it knows is in the database: a process that is killed loses nothing, and what it had
leased is taken over by another when the lease ends.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.edges.store import host_leases, watches
from pageloom.edges.store.runs import runs_of
from pageloom.edges.store.times import later, read_time
from pageloom.errors import BrokerError, PageloomError, StorageError
from pageloom.flows.events import emit
from pageloom.flows.library.housekeep import EVERY_SECONDS, housekeep
from pageloom.flows.notify.outbox_sender import SendCounts, send_due
from pageloom.flows.watch.check import check_watch
from pageloom.flows.watch.record_check import CheckResult

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from pageloom.flows.notify.deliver import NotifyContext
    from pageloom.flows.watch.context import WatchContext
    from pageloom.model.watch import Watch

_LONGEST_SLEEP = 5.0
_BUSY_SLEEP = 0.2
_TROUBLE_SLEEP = 5.0
_PATIENCE = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """Whom the scheduler tells what it does."""

    checked: Callable[[CheckResult], None] = lambda _: None
    told: Callable[[SendCounts], None] = lambda _: None
    trouble: Callable[[StorageError | BrokerError], None] = lambda _: None


async def run_scheduler(
    world: WatchContext, means: NotifyContext, stop: asyncio.Event, observer: Observer | None = None
) -> None:
    """Check what is due and send notices, until asked to stop.

    Checks under way have ``grace`` seconds to end; those that do not are taken up again later.
    """
    chosen = observer or Observer()
    telling = asyncio.create_task(_tell_on(world, means, stop, chosen))
    try:
        await _check_on(world, stop, chosen)
    finally:
        await telling
        if world.hand_over is None:  # what was handed over is still being checked
            await asyncio.to_thread(host_leases.free_all, world.store, world.holder)


async def _check_on(world: WatchContext, stop: asyncio.Event, observer: Observer) -> None:
    under_way: set[asyncio.Task[None]] = set()
    while not stop.is_set():
        try:
            claimed = await asyncio.to_thread(_claim, world, len(under_way))
        except StorageError as error:
            observer.trouble(error)
            await _wait(stop, _TROUBLE_SLEEP)
            continue
        for watch in claimed:
            under_way.add(asyncio.create_task(_check_one(watch, world, observer)))
        pause = await asyncio.to_thread(_pause, world, bool(under_way))
        under_way = await _wait_for_any(under_way, stop, pause)
    await _let_finish(under_way, world.options.shutdown_timeout)


def _claim(world: WatchContext, busy: int) -> list[Watch]:
    free = world.options.concurrency - busy
    if free <= 0:
        return []
    return host_leases.claim_due(
        world.store, world.holder, limit=free, seconds=world.options.lease_seconds, at=world.at()
    )


def _pause(world: WatchContext, busy: bool) -> float:  # noqa: FBT001  called by to_thread
    """How long there is nothing to begin."""
    due = watches.first_due(world.store)
    moment = read_time(due) if due else None
    if moment is None:
        return _LONGEST_SLEEP
    left = moment.timestamp() - world.now()
    if left <= 0:
        return _BUSY_SLEEP  # due, but its host is busy or resting
    return min(left, _LONGEST_SLEEP)


async def _check_one(watch: Watch, world: WatchContext, observer: Observer) -> None:
    try:
        if world.hand_over is not None:
            await world.hand_over(watch)
        else:
            observer.checked(await check_watch(watch, world))
    except (StorageError, BrokerError) as error:
        observer.trouble(error)
    finally:
        free_at = later(world.at(), world.options.host_delay)
        await _quietly(host_leases.release_host, world, watch.host, free_at)


async def _quietly(give_back: Callable[..., None], world: WatchContext, host: str, at: str) -> None:
    """Give a turn back; where the database is away, its time runs out instead."""
    try:
        await asyncio.to_thread(give_back, world.store, host, world.holder, free_at=at)
    except StorageError as error:
        emit("host_lease.kept", level="warning", host=host, reason=error.message)


async def _tell_on(
    world: WatchContext, means: NotifyContext, stop: asyncio.Event, observer: Observer
) -> None:
    tidied = 0.0
    while not stop.is_set():
        try:
            done = await send_due(
                world.store, means, world.holder, lease=world.options.lease_seconds
            )
            if done != SendCounts():
                observer.told(done)
            if world.now() - tidied > EVERY_SECONDS:
                tidied = world.now()
                await asyncio.to_thread(
                    housekeep,
                    world.store,
                    world.library,
                    world.options.retention_days,
                    at=world.at(),
                )
        except StorageError as error:
            observer.trouble(error)
            await _wait(stop, _TROUBLE_SLEEP)
        await _wait(stop, _BUSY_SLEEP * 2)


async def _wait_for_any(
    tasks: set[asyncio.Task[None]], stop: asyncio.Event, seconds: float
) -> set[asyncio.Task[None]]:
    """Wait until a task ends, the time is over or a stop is asked for; the tasks left."""
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({*tasks, stopping}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    ended = {task for task in tasks if task.done()}
    for task in ended:
        task.result()
    return tasks - ended


async def _let_finish(tasks: set[asyncio.Task[None]], grace: float) -> None:
    if not tasks:
        return
    _, late = await asyncio.wait(tasks, timeout=grace)
    for task in late:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _wait(stop: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return


async def check_now(
    wanted: Sequence[Watch], world: WatchContext, observer: Observer | None = None
) -> list[CheckResult]:
    """Check these watches now, due or not: side by side, one at a time for each host."""
    chosen = observer or Observer()
    by_host: dict[str, list[Watch]] = {}
    for watch in wanted:
        by_host.setdefault(watch.host, []).append(watch)
    places = asyncio.Semaphore(max(world.options.concurrency, 1))

    async def serve(host: str, mine: list[Watch]) -> list[CheckResult]:
        async with places:
            return [await _check_now(watch, host, world, chosen) for watch in mine]

    parts = await asyncio.gather(*(serve(host, mine) for host, mine in by_host.items()))
    return [checked for part in parts for checked in part]


async def _check_now(
    watch: Watch, host: str, world: WatchContext, observer: Observer
) -> CheckResult:
    if not await _take_turn(host, world):
        return CheckResult(
            watch=watch, outcome="skipped", reason="its host is busy with other checks"
        )
    try:
        taken = await asyncio.to_thread(
            watches.lease_watch,
            world.store,
            watch,
            world.holder,
            world.options.lease_seconds,
            world.at(),
        )
        if taken is None:
            return CheckResult(watch=watch, outcome="skipped", reason="it is already being checked")
        if world.hand_over is not None:
            checked = await _hand_over(taken, world, world.hand_over)
        else:
            checked = await check_watch(taken, world)
        observer.checked(checked)
        return checked
    finally:
        free_at = later(world.at(), world.options.host_delay)
        await _quietly(host_leases.release_host, world, host, free_at)


async def _hand_over(
    watch: Watch, world: WatchContext, hand_over: Callable[[Watch], Awaitable[None]]
) -> CheckResult:
    """Have others make a check, and wait for what comes of it."""
    await hand_over(watch)
    deadline = world.now() + world.patience
    while world.now() < deadline:
        found = await asyncio.to_thread(watches.get_watch, world.store, watch.owner, watch.id)
        if found is None or found.lease_owner != watch.lease_owner:
            return await asyncio.to_thread(_checked_by_others, watch, found, world)
        await asyncio.sleep(_BUSY_SLEEP)
    why = f"the workers did not finish within {world.patience:g} s; the check is still queued"
    return CheckResult(watch=watch, outcome="waiting", reason=why)


def _checked_by_others(watch: Watch, found: Watch | None, world: WatchContext) -> CheckResult:
    runs = runs_of(world.store, watch.owner, watch.url, track=watch.track, limit=1)
    if found is None or not runs:
        return CheckResult(watch=watch, outcome="skipped", reason="it was removed in the meantime")
    run = runs[0]
    failed = run.outcome == "failed"
    return CheckResult(
        watch=found,
        outcome=run.outcome,
        reason=run.reason,
        path=run.path,
        version=run.version,
        duration_ms=run.duration_ms,
        error=PageloomError(run.reason, url=watch.url_full) if failed else None,
        next_due=found.next_due or "",
    )


async def _take_turn(host: str, world: WatchContext) -> bool:
    """Wait for the host's turn; a host may rest between two checks, or be busy elsewhere."""
    waited = 0.0
    while waited < _PATIENCE:
        taken = await asyncio.to_thread(
            host_leases.lease_host,
            world.store,
            host,
            world.holder,
            seconds=world.options.lease_seconds,
            at=world.at(),
        )
        if taken:
            return True
        await asyncio.sleep(_BUSY_SLEEP)
        waited += _BUSY_SLEEP
    return False
