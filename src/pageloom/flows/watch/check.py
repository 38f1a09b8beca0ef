"""One check in four steps: request, admit, judge, commit.

1. ``request_for`` says what to ask for (``request.py``).
2. ``admit`` refuses a login or a front page in the place of the page (``admit.py``).
3. ``judge`` compares the capture with the history of its page (``judge.py``).
4. ``commit`` stores everything that follows, in one transaction (``commit.py``).

The scheduler takes them in a row (``check_watch``). The workers take the same ones apart: a job
carries the request, the parser admits, the change detector judges and commits.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.edges.store.identity import key_of
from pageloom.edges.store.saving import prepare
from pageloom.edges.store.sources import note_outcome, outcome_of, source_of
from pageloom.errors import InternalError, PageloomError, StorageError
from pageloom.flows.capture.acquire import NotModified, acquire
from pageloom.flows.capture.extract import extract
from pageloom.flows.events import emit, intermediate
from pageloom.flows.library.pictures import PictureContext, fetch_pictures
from pageloom.flows.watch.admit import admit
from pageloom.flows.watch.commit import (
    CheckTask,
    CommittedCheck,
    JudgedCapture,
    Stale,
    commit,
)
from pageloom.flows.watch.history import load_history
from pageloom.flows.watch.idempotent_check import AlreadyDone, QueuedCheck, recall_check, summarise
from pageloom.flows.watch.judge import judge
from pageloom.flows.watch.policy import policy_of, reading_version
from pageloom.flows.watch.record_check import CheckResult, end_failed, end_unchanged
from pageloom.flows.watch.request import known_version, options_for, request_for
from pageloom.flows.watch.visual import look_at

if TYPE_CHECKING:
    from pageloom.core.options import Options
    from pageloom.edges.store.base import Tx
    from pageloom.flows.watch.context import CheckContext, WatchContext
    from pageloom.flows.watch.history import Reread
    from pageloom.flows.watch.judge import ChangeVerdict
    from pageloom.model import Document
    from pageloom.model.capture import Capture
    from pageloom.model.library import VersionInfo
    from pageloom.model.watch import Watch

_MOST_RACES = 50


async def check_watch(watch: Watch, context: WatchContext) -> CheckResult:
    """Check a watch that this process has leased.

    Raises:
        StorageError: the library cannot be read or written; the watch stays due.
    """
    started = time.monotonic()
    try:
        result = await _check(watch, context, started)
    except StorageError:
        raise
    except PageloomError as error:
        result = await asyncio.to_thread(fail_check, context, watch, error, started)
    except Exception as error:  # noqa: BLE001  one page that meets a bug of ours stops no other
        ours = InternalError(
            "An internal error occurred while extracting this page.",
            url=watch.url_full,
            cause=type(error).__name__,
        )
        result = await asyncio.to_thread(fail_check, context, watch, ours, started)
    emit(
        "watch.checked",
        level="info" if result.error is None else "warning",
        url=watch.url_full,
        seconds=time.monotonic() - started,
        outcome=result.outcome,
        path=result.path,
        version=result.version,
        reason=result.reason,
    )
    return result


async def _check(watch: Watch, context: WatchContext, started: float) -> CheckResult:
    context = await asyncio.to_thread(context.for_owner, watch.owner)
    known = await asyncio.to_thread(known_version, context.store, watch)
    try:
        captured = await _capture(watch, context, known)
    except NotModified:
        return await asyncio.to_thread(end_same, context, watch, started)
    admit(captured, known)
    done = await asyncio.to_thread(
        check_page, context, watch_task(context, watch, started=started), captured
    )
    if done.ended is None:
        raise InternalError("The check of a watch did not finish.", url=watch.url_full)
    if context.options.keep_pictures and done.verdict.page_id:
        keeping = PictureContext(store=context.store, owner=watch.owner, library=context.library)
        await fetch_pictures(keeping, context.fetcher, done.verdict.page_id)
    if not watch.settings.visual or not done.verdict.page_id:
        return done.ended
    page, version = done.verdict.page_id, done.ended.version or 0
    return replace(done.ended, visual=await look_at(context, watch, captured, page, version))


async def _capture(watch: Watch, context: WatchContext, known: VersionInfo | None) -> Capture:
    wanted, options = request_for(watch, known), options_for(watch, context.extraction)
    source = await asyncio.to_thread(source_of, context.store, watch.owner, watch.url_full)
    captured = await acquire(
        wanted.fetch,
        fetcher=context.fetcher,
        rules=context.rules,
        options=options,
        render=wanted.render,
        rendering=wanted.rendering,
        source=source,
    )
    return replace(captured, fetched_at=context.at(), rules_version=rules_version(context, options))


def rules_version(context: CheckContext, options: Options) -> str:
    """The name of the way a page is read, beside the parser."""
    return reading_version(context.rules_version, options.scope, options.ignore)


def watch_task(
    context: CheckContext, watch: Watch, *, started: float, key: str = "", ends_turn: bool = True
) -> CheckTask:
    """The check of a watch.

    Args:
        context: how pages are read and compared.
        watch: the watch.
        started: when it began, by the monotonic clock.
        key: names the message that asks for it.
        ends_turn: whether the watch was leased for this check.
    """
    return CheckTask(
        owner=watch.owner,
        policy=policy_of(
            watch.settings,
            watch.track,
            context.comparing,
            second_look=context.options.second_look,
        ),
        watch=watch,
        ends_turn=ends_turn,
        page_key=watch.state.page_key,
        reread=rereader(context, watch.url_full, options_for(watch, context.extraction)),
        key=key,
        origin="watch",
        started=started,
    )


def rereader(context: CheckContext, url: str, options: Options) -> Reread:
    """Reads originals in today's way: today's parser, rules and scope."""

    def reread(body: bytes, info: VersionInfo) -> Document:
        with intermediate():
            return extract(
                body,
                url,
                content_type=info.content_type,
                rules=context.rules,
                options=options,
                timeout_ms=options.parse_timeout_ms,
                fetched_at=info.fetched_at,
            )

    return reread


def check_page(context: CheckContext, task: CheckTask, captured: Capture) -> CommittedCheck:
    """Judge a capture by the history of its page, and commit what follows.

    What it was compared with is looked at again inside the transaction: if somebody else was
    quicker, it is judged again.

    Raises:
        AlreadyDone: the message of the task was handled before.
        StorageError: the library cannot be read or written; nothing was stored.
    """
    store, owner = context.store, task.owner
    arrived = prepare(captured, keep_original=context.library.keep_originals)
    captured = replace(captured, fetched_at=arrived.fetched_at)
    if task.page_key:
        arrived = replace(arrived, key=task.page_key)
    for _ in range(_MOST_RACES):
        with store.read() as tx:
            ready = replace(arrived, key=key_of(tx, owner, arrived.key, arrived.document))
        history = load_history(store, owner, ready, task.policy.track, task.reread)
        judged = JudgedCapture(
            captured=captured,
            ready=ready,
            history=history,
            verdict=judge(history, captured, task.policy),
        )
        try:
            done = store.transact(lambda tx, each=judged: commit(tx, context, task, each))
        except Stale:
            continue
        _observe(done.verdict, captured.url)
        return done
    raise StorageError("Too many other processes were writing to this page at the same time.")


def check_message(context: CheckContext, task: CheckTask, captured: Capture) -> QueuedCheck:
    """The same for a message that may come again: what it led to the first time holds."""
    with context.store.read() as tx:
        known = recall_check(tx, task.key)
    if known is not None:
        return known
    try:
        done = check_page(context, task, captured)
    except AlreadyDone as before:
        return before.known
    return summarise(done.verdict, ended_turn=done.ended is not None)


def end_same(context: CheckContext, watch: Watch, started: float) -> CheckResult:
    """Store that the server has nothing newer (304)."""
    return context.store.transact(lambda tx: end_unchanged(tx, context, watch, started))


def fail_check(
    context: CheckContext, watch: Watch, error: PageloomError, started: float
) -> CheckResult:
    """Store that a check failed; a page that cannot be read says something of its source too."""
    outcome = outcome_of(error)
    source = source_of(context.store, watch.owner, watch.url_full) if outcome else None

    def fail(tx: Tx) -> CheckResult:
        if source is not None:
            note_outcome(tx, watch.owner, source.id, outcome)
        return end_failed(tx, context, watch, error, started)

    return context.store.transact(fail)


def _observe(verdict: ChangeVerdict, url: str) -> None:
    lost = verdict.kind == "new" and verdict.reason
    is_doubtful = lost or verdict.follows.is_doubtful
    emit(
        "page.checked",
        level="warning" if is_doubtful else "info",
        url=url,
        outcome=verdict.kind,
        path=verdict.path,
        version=verdict.version,
        new_version=verdict.kind == "new" or verdict.previous is not None,
        has_changes=verdict.follows.is_change,
        reason=verdict.reason or verdict.report.summary,
    )
    for point in verdict.prices.accepted:
        emit("price.stored", url=url, amount=str(point.amount), currency=point.currency)
