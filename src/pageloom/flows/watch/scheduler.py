"""The scheduler: leases watches that are due, checks them side by side, and sends notices.

Everything it knows is in the database: a process that is killed loses nothing, and what it had
leased is taken over by another when the lease ends.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.edges.store import host_leases, watches
from pageloom.edges.store.clock_jumps import TOLERANCE, forget_future
from pageloom.edges.store.runs import runs_of
from pageloom.edges.store.times import later, read_time
from pageloom.errors import BrokerError, PageloomError, StorageError
from pageloom.flows.capture.fetch_jobs import failure_of
from pageloom.flows.events import emit
from pageloom.flows.library.housekeep import EVERY_SECONDS, housekeep
from pageloom.flows.notify.outbox_sender import SendCounts, send_due
from pageloom.flows.repeat import repeat
from pageloom.flows.watch.check import check_watch
from pageloom.flows.watch.record_check import CheckResult, LostLease

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from pageloom.flows.notify.deliver import NotifyContext
    from pageloom.flows.watch.context import WatchContext
    from pageloom.model.watch import Watch

    HandOver = Callable[[Watch], Awaitable[None]]

_LONGEST_SLEEP = 5.0
_BUSY_SLEEP = 0.2
_PATIENCE = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """Who hears what the scheduler does."""

    checked: Callable[[CheckResult], None] = lambda _: None
    sent: Callable[[SendCounts], None] = lambda _: None
    trouble: Callable[[PageloomError], None] = lambda _: None


async def run_scheduler(
    context: WatchContext,
    notify: NotifyContext,
    stop: asyncio.Event,
    observer: Observer | None = None,
) -> None:
    """Check what is due and send notices, until asked to stop; errors are reported.

    Checks under way have ``shutdown_timeout`` seconds to end; those that do not are taken up again
    later.
    """
    chosen = observer or Observer()
    try:
        async with asyncio.TaskGroup() as loops:
            loops.create_task(_check_on(context, stop, chosen))
            loops.create_task(_send_on(context, notify, stop, chosen))
            loops.create_task(_housekeep_on(context, stop, chosen))
    finally:
        if context.hand_over is None:  # what was handed over is still being checked
            await asyncio.to_thread(host_leases.free_all, context.store, context.holder)


async def _check_on(context: WatchContext, stop: asyncio.Event, observer: Observer) -> None:
    under_way: set[asyncio.Task[None]] = set()
    clock = _Clock()

    async def begin_due() -> None:
        if clock.went_back(context.now()):
            await asyncio.to_thread(forget_future, context.store, context.at())
        for watch in await asyncio.to_thread(_claim, context, len(under_way)):
            under_way.add(asyncio.create_task(_check_one(watch, context, observer)))
        pause = await asyncio.to_thread(_pause, context)
        await _wait_for_any(under_way, stop, pause)

    await repeat(begin_due, stop, name="scheduler", on_error=observer.trouble)
    await _let_finish(under_way, context.options.shutdown_timeout)


@dataclass(slots=True)
class _Clock:
    """Notices a clock that is set back. At the start it may have been, by whoever ran before."""

    last: float = math.inf

    def went_back(self, now: float) -> bool:
        before, self.last = self.last, now
        return now < before - TOLERANCE


def _claim(context: WatchContext, busy: int) -> list[Watch]:
    free = context.options.concurrency - busy
    if free <= 0:
        return []
    return host_leases.claim_due(
        context.store,
        context.holder,
        limit=free,
        seconds=context.options.lease_seconds,
        at=context.at(),
    )


def _pause(context: WatchContext) -> float:
    """How long there is nothing to begin."""
    due = watches.first_due(context.store)
    moment = read_time(due) if due else None
    if moment is None:
        return _LONGEST_SLEEP
    left = moment.timestamp() - context.now()
    if left <= 0:
        return _BUSY_SLEEP  # due, but its host is busy or resting
    return min(left, _LONGEST_SLEEP)


async def _check_one(watch: Watch, context: WatchContext, observer: Observer) -> None:
    rest = context.options.host_delay
    try:
        # Workers take no screenshots.
        if context.hand_over is not None and not watch.settings.visual:
            await _queue_check(watch, context, context.hand_over)
        else:
            observer.checked(await _check_here(watch, context))
    except (StorageError, BrokerError) as error:
        rest = max(rest, _LONGEST_SLEEP)  # it is still due, and would fail again at once
        observer.trouble(error)
    finally:
        await _release_host(watch.host, context, rest)


async def _check_here(watch: Watch, context: WatchContext) -> CheckResult:
    try:
        return await check_watch(watch, context)
    except LostLease:
        why = "it was removed, or another process took it over, during the check"
        return CheckResult(watch=watch, outcome="skipped", reason=why)


async def _queue_check(watch: Watch, context: WatchContext, hand_over: HandOver) -> None:
    """Queue a check for the workers; a watch that cannot be queued can be checked again at once."""
    try:
        await hand_over(watch)
    except BaseException:
        await _quietly(watch.host, lambda: watches.release_watch(context.store, watch))
        raise


async def _release_host(host: str, context: WatchContext, rest: float) -> None:
    at = later(context.at(), rest)
    await _quietly(
        host, lambda: host_leases.release_host(context.store, host, context.holder, free_at=at)
    )


async def _quietly(host: str, release: Callable[[], None]) -> None:
    """Release a lease; where the database is away, its time runs out instead."""
    try:
        await asyncio.to_thread(release)
    except StorageError as error:
        emit("lease.not_released", level="warning", host=host, reason=error.message)


async def _send_on(
    context: WatchContext, notify: NotifyContext, stop: asyncio.Event, observer: Observer
) -> None:
    async def send() -> None:
        done = await send_due(
            context.store, notify, context.holder, lease=context.options.lease_seconds
        )
        if done != SendCounts():
            observer.sent(done)

    await repeat(send, stop, name="outbox", pause=_BUSY_SLEEP * 2, on_error=observer.trouble)


async def _housekeep_on(context: WatchContext, stop: asyncio.Event, observer: Observer) -> None:
    async def work() -> None:
        days = context.options.retention_days
        await asyncio.to_thread(housekeep, context.store, context.library, days, at=context.at())

    await repeat(
        work,
        stop,
        name="housekeeping",
        pause=EVERY_SECONDS,
        pause_after_error=EVERY_SECONDS,
        on_error=observer.trouble,
    )


async def _wait_for_any(
    tasks: set[asyncio.Task[None]], stop: asyncio.Event, seconds: float
) -> None:
    """Wait until a task ends, the time is over or a stop is asked for; drop tasks that ended."""
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({*tasks, stopping}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    ended = {task for task in tasks if task.done()}
    tasks -= ended
    for task in ended:
        task.result()


async def _let_finish(tasks: set[asyncio.Task[None]], grace: float) -> None:
    if not tasks:
        return
    _, late = await asyncio.wait(tasks, timeout=grace)
    for task in late:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def check_now(
    wanted: Sequence[Watch], context: WatchContext, observer: Observer | None = None
) -> list[CheckResult]:
    """Check these watches now, due or not: side by side, one at a time for each host."""
    chosen = observer or Observer()
    by_host: dict[str, list[Watch]] = {}
    for watch in wanted:
        by_host.setdefault(watch.host, []).append(watch)
    places = asyncio.Semaphore(max(context.options.concurrency, 1))

    async def serve(host: str, mine: list[Watch]) -> list[CheckResult]:
        async with places:
            return [await _check_now(watch, host, context, chosen) for watch in mine]

    parts = await asyncio.gather(*(serve(host, mine) for host, mine in by_host.items()))
    return [checked for part in parts for checked in part]


async def _check_now(
    watch: Watch, host: str, context: WatchContext, observer: Observer
) -> CheckResult:
    if not await _take_turn(host, context):
        return CheckResult(
            watch=watch, outcome="skipped", reason="its host is busy with other checks"
        )
    try:
        taken = await asyncio.to_thread(
            watches.lease_watch,
            context.store,
            watch,
            context.holder,
            context.options.lease_seconds,
            context.at(),
        )
        if taken is None:
            return CheckResult(watch=watch, outcome="skipped", reason="it is already being checked")
        if context.hand_over is not None:
            checked = await _hand_over(taken, context, context.hand_over)
        else:
            checked = await _check_here(taken, context)
        if checked.outcome != "skipped":
            observer.checked(checked)
        return checked
    finally:
        await _release_host(host, context, context.options.host_delay)


async def _hand_over(watch: Watch, context: WatchContext, hand_over: HandOver) -> CheckResult:
    """Have others make a check, and wait for what comes of it."""
    await _queue_check(watch, context, hand_over)
    deadline = context.now() + context.patience
    while context.now() < deadline:
        found = await asyncio.to_thread(watches.get_watch, context.store, watch.owner, watch.id)
        if found is None or found.lease_owner != watch.lease_owner:
            return await asyncio.to_thread(_checked_by_others, watch, found, context)
        await asyncio.sleep(_BUSY_SLEEP)
    why = f"the workers did not finish within {context.patience:g} s; the check is still queued"
    return CheckResult(watch=watch, outcome="waiting", reason=why)


def _checked_by_others(watch: Watch, found: Watch | None, context: WatchContext) -> CheckResult:
    runs = runs_of(context.store, watch.owner, watch.url, track=watch.track, limit=1)
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
        error=failure_of(run, watch.url_full) if failed else None,
        next_due=found.next_due or "",
    )


async def _take_turn(host: str, context: WatchContext) -> bool:
    """Wait for the host's turn; a host may rest between two checks, or be busy elsewhere."""
    waited = 0.0
    while waited < _PATIENCE:
        taken = await asyncio.to_thread(
            host_leases.lease_host,
            context.store,
            host,
            context.holder,
            seconds=context.options.lease_seconds,
            at=context.at(),
        )
        if taken:
            return True
        await asyncio.sleep(_BUSY_SLEEP)
        waited += _BUSY_SLEEP
    return False
