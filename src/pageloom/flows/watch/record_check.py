"""The end of a watch's turn: its notices, its run, its state and its lease, in one transaction.

A page that could not be fetched, or that is something else (a challenge, a login, an error page),
is a failed check and never a change. Failing, gone and back are notified once each.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pageloom.core.normalize.urls import url_key
from pageloom.edges.store.runs import record_run
from pageloom.edges.store.times import write_time
from pageloom.edges.store.tracks import note_still
from pageloom.edges.store.versions import see_version_again
from pageloom.edges.store.watches import finish_check
from pageloom.errors import FetchError, StorageError
from pageloom.flows.notify.notices import change_notice, health_notice, queue_notice
from pageloom.flows.watch.judge import change_of
from pageloom.flows.watch.schedule import next_check, schedule_of
from pageloom.model.library import Run
from pageloom.model.watch import WatchState

if TYPE_CHECKING:
    from pageloom.edges.notify.notice import Notice
    from pageloom.edges.store.base import Tx
    from pageloom.errors import PageloomError
    from pageloom.flows.watch.context import CheckContext
    from pageloom.flows.watch.judge import ChangeVerdict
    from pageloom.model.capture import Capture
    from pageloom.model.files import VisualChange
    from pageloom.model.watch import Health, Watch

SOON = 300.0
"""Seconds after which a price that is hard to believe is looked at again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """What came of one check of a watch."""

    watch: Watch
    outcome: str
    """The kind of its verdict, or ``failed``."""
    reason: str = ""
    path: str = ""
    """``304``, ``hash`` or ``diff``: how the verdict was found."""
    version: int | None = None
    duration_ms: int = 0
    finding: ChangeVerdict | None = None
    error: PageloomError | None = None
    next_due: str = ""
    visual: VisualChange | None = None
    """What looks different, for a watch that compares screenshots."""


class LostLease(StorageError):
    """Another process has taken the watch over; nothing of this check was stored."""


def end_check(
    tx: Tx,
    context: CheckContext,
    watch: Watch,
    captured: Capture,
    verdict: ChangeVerdict,
    started: float,
) -> CheckResult:
    """End the turn of a watch whose page was fetched and judged.

    Raises:
        LostLease: another process has taken the watch over.
    """
    if verdict.kind == "worse":
        return end_failed(tx, context, watch, _poor(watch), started)
    title = captured.document.title
    queue_notices(tx, context, watch, title, verdict)
    _notify_back(tx, watch, context, title, verdict.at)
    held = verdict.kind == "held"
    result = CheckResult(
        watch=watch,
        outcome=verdict.kind,
        reason=verdict.reason,
        path=verdict.path,
        version=verdict.version,
        duration_ms=_milliseconds(started),
        finding=verdict,
        next_due=_next_due(watch, context, soon=_look_again(verdict, context)),
    )
    state = WatchState(
        page_id=verdict.page_id,
        page_key=watch.state.page_key or url_key(captured.final_url),
        # A price that is held has to be seen again, not said to be the same.
        etag="" if held else captured.headers.get("etag", "")[:500],
        last_modified="" if held else captured.headers.get("last-modified", "")[:100],
        body_version=verdict.version,
        browser=captured.used_browser and watch.settings.render == "auto",
        outcome=verdict.kind,
        reason=verdict.reason[:500],
    )
    # Not when the page was fetched: servers date by the second, and runs are listed by their time.
    _finish(tx, result, state, failures=0, at=context.at())
    return result


def end_unchanged(tx: Tx, context: CheckContext, watch: Watch, started: float) -> CheckResult:
    """End the turn of a watch whose server says that nothing changed: the cheapest answer.

    Raises:
        LostLease: another process has taken the watch over.
    """
    at, known = context.at(), watch.state
    if known.page_id is not None and known.body_version is not None:
        see_version_again(tx, known.page_id, watch.track, known.body_version, at)
        note_still(tx, known.page_id, watch.track)
    _notify_back(tx, watch, context, "", at)
    result = CheckResult(
        watch=watch,
        outcome="unchanged",
        path="304",
        version=known.body_version,
        duration_ms=_milliseconds(started),
        next_due=_next_due(watch, context),
    )
    state = replace(known, outcome="unchanged", reason="", health="", missing=0)
    _finish(tx, result, state, failures=0, at=at)
    return result


def end_failed(
    tx: Tx, context: CheckContext, watch: Watch, error: PageloomError, started: float
) -> CheckResult:
    """End the turn of a watch whose check failed.

    Raises:
        LostLease: another process has taken the watch over.
    """
    at = context.at()
    failures = watch.failures + 1
    missing = watch.state.missing + 1 if _is_missing(error) else 0
    health = _health_after(watch, error, failures, missing, context.options.fail_after)
    if health != watch.state.health and health:
        why = _because(error, failures)
        _queue(tx, watch, context, health_notice(watch, "", health, why, at))
    wait = error.figures.get("retry_after", 0)
    seconds = float(wait) if isinstance(wait, int | float) else 0.0
    result = CheckResult(
        watch=watch,
        outcome="failed",
        reason=f"{error.code}: {error.message}",
        duration_ms=_milliseconds(started),
        error=error,
        next_due=_next_due(watch, context, failures=failures, wait=seconds),
    )
    state = replace(
        watch.state,
        health=health,
        missing=missing,
        outcome="failed",
        reason=result.reason[:500],
    )
    _finish(tx, result, state, failures=failures, at=at)
    return result


def queue_notices(
    tx: Tx, context: CheckContext, watch: Watch, title: str, verdict: ChangeVerdict
) -> None:
    """Queue the notices that follow from a verdict."""
    if verdict.follows.is_notified:
        change = change_of(verdict, watch.owner, watch.track)
        named = replace(change, url=watch.url_full, title=title)
        _queue(tx, watch, context, change_notice(watch, named, verdict))


def _queue(tx: Tx, watch: Watch, context: CheckContext, notice: Notice) -> None:
    chosen = watch.settings.digest_minutes
    queue_notice(
        tx,
        watch.owner,
        notice,
        watch.settings.targets or context.notify.targets,
        watch_id=watch.id,
        digest_minutes=context.notify.digest_minutes if chosen is None else chosen,
    )


def _notify_back(tx: Tx, watch: Watch, context: CheckContext, title: str, at: str) -> None:
    if watch.state.health:
        why = f"It was {watch.state.health} before: {watch.state.reason}"
        _queue(tx, watch, context, health_notice(watch, title, "back", why, at))


def _poor(watch: Watch) -> PageloomError:
    return FetchError(
        "The page that was fetched is far poorer than the stored one.",
        kind="status",
        url=watch.url_full,
        retryable=True,
        suggestions=("Open the page in a browser to see what it shows.",),
    )


def _is_missing(error: PageloomError) -> bool:
    return isinstance(error, FetchError) and error.figures.get("status") in (404, 410)


def _health_after(
    watch: Watch, error: PageloomError, failures: int, missing: int, fail_after: int
) -> Health:
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


def _finish(tx: Tx, result: CheckResult, state: WatchState, *, failures: int, at: str) -> None:
    """Write the run down and give the watch back, if it is still ours."""
    watch = result.watch
    run = Run(
        url=watch.url,
        track=watch.track,
        at=at,
        outcome=result.outcome,
        duration_ms=result.duration_ms,
        version=result.version,
        path=result.path,
        reason=result.reason[:500],
    )
    record_run(tx, watch.owner, run)
    done = finish_check(tx, watch, state=state, failures=failures, at=at, next_due=result.next_due)
    if not done:
        raise LostLease("Another process has taken over this watch.")


def _next_due(
    watch: Watch, context: CheckContext, *, failures: int = 0, wait: float = 0.0, soon: float = 0.0
) -> str:
    now = datetime.fromtimestamp(context.now(), UTC)
    due = next_check(schedule_of(watch.settings), str(watch.id), now, failures=failures, wait=wait)
    if soon:
        due = min(due, datetime.fromtimestamp(context.now() + soon, UTC))
    return write_time(due)


def _look_again(verdict: ChangeVerdict, context: CheckContext) -> float:
    """Seconds until a page is looked at again before its time; 0 for not before."""
    if verdict.kind == "held":
        return SOON
    return context.options.second_look if verdict.kind == "new" else 0.0


def _milliseconds(started: float) -> int:
    return int((time.monotonic() - started) * 1000)
