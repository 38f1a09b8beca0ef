"""One check of one watch: get the page, compare it with what was told, keep what follows.

A page that could not be had, or that is something else (a challenge, a login, an error page), is a
failed check and never a change. Failing, gone and back are told once each.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from pageloom.core.compare.options import DEFAULTS as DIFF_DEFAULTS
from pageloom.core.compare.options import DiffOptions
from pageloom.core.normalize.urls import url_key
from pageloom.core.options import DEFAULTS, Options
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.edges.store.runs import record_run
from pageloom.edges.store.times import write_time
from pageloom.edges.store.tracks import forget_streaks, read_track, version_at
from pageloom.edges.store.versions import see_version_again
from pageloom.edges.store.watches import finish_check
from pageloom.errors import FetchError, InternalError, PageloomError, StorageError
from pageloom.flows.capture.acquire import acquire
from pageloom.flows.capture.extract import extract
from pageloom.flows.events import emit, intermediate
from pageloom.flows.notify.notices import change_notice, health_notice, muted_notice, queue_notice
from pageloom.flows.watch.admit import refuse_other_page
from pageloom.flows.watch.judge import Capture, compare_and_record
from pageloom.flows.watch.options import WatchOptions
from pageloom.flows.watch.policy import policy_of, reading_version
from pageloom.flows.watch.schedule import Schedule, next_check
from pageloom.model.library import Run
from pageloom.model.watch import WatchState

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.notify.notice import Notice
    from pageloom.edges.notify.options import NotifyOptions
    from pageloom.edges.store.base import Store, Tx
    from pageloom.flows.capture.acquire import Acquired
    from pageloom.flows.watch.judge import ChangeVerdict
    from pageloom.model import Document
    from pageloom.model.library import VersionInfo
    from pageloom.model.watch import Watch

SOON = 300.0
"""Seconds after which a price that is hard to believe is looked at again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchContext:
    """What checks need from the world."""

    store: Store
    fetcher: Fetcher
    notify: NotifyOptions
    options: WatchOptions = field(default_factory=WatchOptions)
    extraction: Options = DEFAULTS
    comparing: DiffOptions = DIFF_DEFAULTS
    rules: Any = ...
    rules_version: str = ""
    holder: str = "local"
    """The name under which this process takes watches."""
    now: Callable[[], float] = time.time
    hand_over: Callable[[Watch], Awaitable[None]] | None = None
    """Gives a check that is due to others, who end the watch's turn when it is made."""
    patience: float = 120.0
    """Seconds to wait for what they make of it, where somebody waits."""

    def at(self) -> str:
        """This instant, as the store writes it."""
        return write_time(datetime.fromtimestamp(self.now(), UTC))


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """What came of one check."""

    watch: Watch
    outcome: str
    """A kind of Finding, or ``failed``."""
    reason: str = ""
    path: Literal["", "304", "hash", "diff"] = ""
    version: int | None = None
    duration_ms: int = 0
    finding: ChangeVerdict | None = None
    error: PageloomError | None = None
    next_due: str = ""


class LostLease(StorageError):
    """Another process has taken the watch over; nothing of this check was kept."""


async def check_watch(watch: Watch, world: WatchContext) -> CheckResult:
    """Check a watch that this process has taken.

    Raises:
        StorageError: the library cannot be read or written; the watch stays due.
    """
    started = time.monotonic()
    try:
        checked = await _check(watch, world, started)
    except StorageError:
        raise
    except PageloomError as error:
        checked = await asyncio.to_thread(record_failure, watch, world, error, started)
    except Exception as error:  # noqa: BLE001  one page that meets a bug of ours stops no other
        ours = InternalError(
            "Pageloom failed on this page.", url=watch.url_full, cause=type(error).__name__
        )
        checked = await asyncio.to_thread(record_failure, watch, world, ours, started)
    emit(
        "watch.checked",
        level="info" if checked.error is None else "warning",
        url=watch.url_full,
        seconds=time.monotonic() - started,
        outcome=checked.outcome,
        path=checked.path,
        version=checked.version,
        reason=checked.reason,
    )
    return checked


async def _check(watch: Watch, world: WatchContext, started: float) -> CheckResult:
    known = await asyncio.to_thread(_known_version, watch, world.store)
    acquired = await _get(watch, world, known)
    if acquired.document is None:
        return await asyncio.to_thread(_keep_same, watch, world, started)
    refuse_other_page(acquired.page, acquired.document, known.word_count if known else None)
    return await asyncio.to_thread(
        _keep_finding, watch, world, acquired, acquired.document, started
    )


def _known_version(watch: Watch, store: Store) -> VersionInfo | None:
    if watch.state.page_id is None:
        return None
    with store.read() as tx:
        track = read_track(tx, watch.state.page_id, watch.track)
        return (
            version_at(tx, watch.state.page_id, watch.track, track.last_number) if track else None
        )


async def _get(watch: Watch, world: WatchContext, known: VersionInfo | None) -> Acquired:
    """Ask for the page in the way that works, and only if it is another than we know."""
    settings, state = watch.settings, watch.state
    render = "force" if state.browser and settings.render == "auto" else settings.render
    # Validators speak for the last body; they are of use only while its version is the last.
    fresh = known is not None and known.number == state.body_version and render != "force"
    request = FetchRequest(
        url=watch.url_full,
        etag=state.etag if fresh else "",
        last_modified=state.last_modified if fresh else "",
        respect_robots=settings.respect_robots,
    )
    return await acquire(
        request,
        fetcher=world.fetcher,
        rules=world.rules,
        options=reading_options(watch, world),
        render=render,
        rendering=Rendering(wait_for=settings.wait_for),
    )


def reading_options(watch: Watch, world: WatchContext) -> Options:
    """How the page of a watch is read: the parts that its owner chose."""
    return replace(world.extraction, scope=watch.settings.scope, ignore=watch.settings.ignore)


def _rules_version(watch: Watch, world: WatchContext) -> str:
    return reading_version(world.rules_version, watch.settings.scope, watch.settings.ignore)


def _keep_same(watch: Watch, world: WatchContext, started: float) -> CheckResult:
    """The server says that nothing changed: the cheapest of all answers."""
    at = world.at()
    checked = CheckResult(
        watch=watch,
        outcome="unchanged",
        path="304",
        version=watch.state.body_version,
        duration_ms=_milliseconds(started),
        next_due=_next_due(watch, world),
    )
    state = replace(watch.state, outcome="unchanged", reason="", health="", missing=0)

    def keep(tx: Tx) -> None:
        if watch.state.page_id is not None and watch.state.body_version is not None:
            see_version_again(tx, watch.state.page_id, watch.track, watch.state.body_version, at)
            forget_streaks(tx, watch.state.page_id, watch.track)
        _tell_back(tx, watch, world, "", at)
        _finish(tx, checked, state, world, failures=0, at=at)

    world.store.transact(keep)
    return checked


def _keep_finding(
    watch: Watch, world: WatchContext, acquired: Acquired, document: Document, started: float
) -> CheckResult:
    key = watch.state.page_key or url_key(document.final_url or document.url)
    arrival = Capture(
        document=document,
        body=acquired.page.body,
        content_type=acquired.page.content_type,
        status=acquired.page.status,
        used_js=acquired.used_browser,
        fetched_at=world.at(),
        rules_version=_rules_version(watch, world),
        page_key=key,
    )
    kept: list[CheckResult] = []

    def also(tx: Tx, finding: ChangeVerdict) -> None:
        kept[:] = [finish_check_in(tx, watch, world, acquired, finding, started)]

    compare_and_record(
        world.store,
        watch.owner,
        arrival,
        policy_of(watch.settings, watch.track, world.comparing),
        reread=lambda body, info: reread_original(watch, world, body, info),
        also=also,
    )
    if kept[0].error is not None:
        return replace(kept[0], watch=watch)
    return kept[0]


def reread_original(watch: Watch, world: WatchContext, body: bytes, info: VersionInfo) -> Document:
    """An original in today's way: today's parser, rules and scope."""
    options = reading_options(watch, world)
    with intermediate():
        return extract(
            body,
            watch.url_full,
            content_type=info.content_type,
            rules=world.rules,
            options=options,
            timeout_ms=options.parse_timeout_ms,
            fetched_at=info.fetched_at,
        )


def finish_check_in(
    tx: Tx,
    watch: Watch,
    world: WatchContext,
    acquired: Acquired,
    finding: ChangeVerdict,
    started: float,
) -> CheckResult:
    """What belongs to a finding of a watch, in its transaction."""
    document = acquired.document
    title = document.title if document else ""
    if finding.kind == "worse":
        return _fail(tx, watch, world, _poor(watch), started)
    for notice in _notices(watch, title, finding):
        _put(tx, watch, world, notice)
    _tell_back(tx, watch, world, title, finding.at)
    held = finding.kind == "held"
    checked = CheckResult(
        watch=watch,
        outcome=finding.kind,
        reason=finding.reason,
        path=finding.path,
        version=finding.version,
        duration_ms=_milliseconds(started),
        finding=finding,
        next_due=_next_due(watch, world, soon=held),
    )
    headers = acquired.page.headers
    state = WatchState(
        page_id=finding.page_id,
        page_key=watch.state.page_key or _page_key(acquired),
        # A price that is held has to be seen again, not said to be the same.
        etag="" if held else headers.get("etag", "")[:500],
        last_modified="" if held else headers.get("last-modified", "")[:100],
        body_version=finding.version,
        browser=acquired.used_browser and watch.settings.render == "auto",
        outcome=finding.kind,
        reason=finding.reason[:500],
    )
    _finish(tx, checked, state, world, failures=0, at=finding.at)
    return checked


def _page_key(acquired: Acquired) -> str:
    return url_key(acquired.page.final_url or acquired.page.url)


def _notices(watch: Watch, title: str, finding: ChangeVerdict) -> list[Notice]:
    found: list[Notice] = []
    if finding.kind == "changed":
        found.append(change_notice(watch, title, finding))
    if finding.muted:
        found.append(muted_notice(watch, title, finding.muted, finding.at))
    return found


def _put(tx: Tx, watch: Watch, world: WatchContext, notice: Notice) -> None:
    chosen = watch.settings.digest_minutes
    queue_notice(
        tx,
        watch,
        notice,
        watch.settings.targets or world.notify.targets,
        digest_minutes=world.notify.digest_minutes if chosen is None else chosen,
    )


def _tell_back(tx: Tx, watch: Watch, world: WatchContext, title: str, at: str) -> None:
    if watch.state.health:
        why = f"It was {watch.state.health} before: {watch.state.reason}"
        _put(tx, watch, world, health_notice(watch, title, "back", why, at))


def _poor(watch: Watch) -> PageloomError:
    return FetchError(
        "What came is far poorer than the page that is kept.",
        kind="status",
        url=watch.url_full,
        retryable=True,
        suggestions=("Look at the page in a browser.",),
    )


def record_failure(
    watch: Watch, world: WatchContext, error: PageloomError, started: float
) -> CheckResult:
    """What belongs to a check that failed."""
    return world.store.transact(lambda tx: _fail(tx, watch, world, error, started))


def _fail(
    tx: Tx, watch: Watch, world: WatchContext, error: PageloomError, started: float
) -> CheckResult:
    at = world.at()
    failures = watch.failures + 1
    missing = watch.state.missing + 1 if _is_missing(error) else 0
    health = _health_after(watch, error, failures, missing, world.options.fail_after)
    if health != watch.state.health and health:
        _put(tx, watch, world, health_notice(watch, "", health, _because(error, failures), at))
    wait = error.figures.get("retry_after", 0)
    checked = CheckResult(
        watch=watch,
        outcome="failed",
        reason=f"{error.code}: {error.message}",
        duration_ms=_milliseconds(started),
        error=error,
        next_due=_next_due(
            watch,
            world,
            failures=failures,
            wait=float(wait) if isinstance(wait, int | float) else 0.0,
        ),
    )
    state = replace(
        watch.state,
        health=health,
        missing=missing,
        outcome="failed",
        reason=checked.reason[:500],
    )
    _finish(tx, checked, state, world, failures=failures, at=at)
    return checked


def _is_missing(error: PageloomError) -> bool:
    return isinstance(error, FetchError) and error.figures.get("status") in (404, 410)


def _health_after(
    watch: Watch, error: PageloomError, failures: int, missing: int, fail_after: int
) -> Literal["", "failing", "gone"]:
    """Gone after a 410, or after a second 404: the first may be a deployment under way."""
    if missing >= (1 if error.figures.get("status") == 410 else 2):
        return "gone"
    if watch.state.health == "gone":
        return "gone"
    if watch.state.health or failures >= fail_after:
        return "failing"
    return ""


def _because(error: PageloomError, failures: int) -> str:
    tried = "" if failures == 1 else f" ({failures} checks in a row)"
    return f"{error.message}{tried}"


def _finish(
    tx: Tx, checked: CheckResult, state: WatchState, world: WatchContext, *, failures: int, at: str
) -> None:
    """Write the run down and give the watch back, if it is still ours."""
    watch = checked.watch
    run = Run(
        url=watch.url,
        track=watch.track,
        at=at,
        outcome=checked.outcome,
        duration_ms=checked.duration_ms,
        version=checked.version,
        path=checked.path,
        reason=checked.reason[:500],
    )
    record_run(tx, watch.owner, run)
    done = finish_check(tx, watch, state=state, failures=failures, at=at, next_due=checked.next_due)
    if not done:
        raise LostLease("Another process has taken this watch over.")


def _next_due(
    watch: Watch, world: WatchContext, *, failures: int = 0, wait: float = 0.0, soon: bool = False
) -> str:
    now = datetime.fromtimestamp(world.now(), UTC)
    schedule = schedule_of(watch)
    due = next_check(schedule, str(watch.id), now, failures=failures, wait=wait)
    if soon:
        due = min(due, datetime.fromtimestamp(world.now() + SOON, UTC))
    return write_time(due)


def schedule_of(watch: Watch) -> Schedule:
    """When a watch is checked."""
    chosen = watch.settings
    return Schedule(
        every=chosen.every,
        cron=chosen.cron,
        zone=chosen.zone,
        hours=chosen.hours,
        jitter=chosen.jitter,
    )


def _milliseconds(started: float) -> int:
    return int((time.monotonic() - started) * 1000)
