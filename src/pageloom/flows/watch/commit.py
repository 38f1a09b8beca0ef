"""Fourth step of a check: everything that follows from a verdict, in one transaction.

Version, change and prices; of a watch also its notices, its run and the end of its lease; of a
message the note that it was handled.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from pageloom.edges.store.changes import insert_change
from pageloom.edges.store.prices import insert_event, insert_price
from pageloom.edges.store.saving import save_in
from pageloom.edges.store.sources import note_outcome
from pageloom.edges.store.tracks import (
    TrackState,
    page_id_of,
    read_track,
    replace_document,
    write_track_state,
)
from pageloom.flows.library.pictures import want_pictures_of
from pageloom.flows.watch.idempotent_check import AlreadyDone, note_check, recall_check
from pageloom.flows.watch.judge import change_of
from pageloom.flows.watch.policy import WatchPolicy
from pageloom.flows.watch.prices import read_held
from pageloom.flows.watch.record_check import end_check, queue_notices
from pageloom.model.library import StoredPrice, StoredPriceEvent
from pageloom.model.pages import PageRef

if TYPE_CHECKING:
    from pageloom.core.prices import PricePoint
    from pageloom.edges.store.base import Tx
    from pageloom.edges.store.saving import Prepared
    from pageloom.flows.watch.context import CheckContext
    from pageloom.flows.watch.history import PageHistory, Reread
    from pageloom.flows.watch.judge import ChangeVerdict
    from pageloom.flows.watch.record_check import CheckResult
    from pageloom.model.capture import Capture
    from pageloom.model.library import Saved
    from pageloom.model.watch import Watch

_KNOWN = 6


class Stale(Exception):
    """Somebody else has written to the page since it was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTask:
    """One check: whose page it is, how it is judged, and what ends with it."""

    owner: str
    policy: WatchPolicy = field(default_factory=WatchPolicy)
    watch: Watch | None = None
    """The watch that the check is of: its notices follow."""
    ends_turn: bool = True
    """Whether the watch was leased for this check: its run and its lease end with it."""
    page_key: str = ""
    """The page it belongs to, where a redirect does not decide."""
    reread: Reread | None = None
    """Reads an original again, so that a new parser or new rules are no change."""
    key: str = ""
    """Names a message that may come again: what it led to is stored, and done only once."""
    origin: str = "save"
    """What its versions came from: ``watch``, or ``save`` for the page of a plain job."""
    started: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCapture:
    """A capture with its verdict and what that was made of."""

    captured: Capture
    ready: Prepared
    history: PageHistory
    verdict: ChangeVerdict


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedCheck:
    """What was stored."""

    verdict: ChangeVerdict
    ended: CheckResult | None = None
    """How the turn of the watch ended; None where none did."""


def commit(tx: Tx, context: CheckContext, task: CheckTask, judged: JudgedCapture) -> CommittedCheck:
    """Store a verdict and all that follows from it.

    Raises:
        Stale: what it was made of is no longer so; nothing was stored.
        AlreadyDone: the message was handled before; nothing was stored.
        LostLease: another process has taken the watch over; nothing was stored.
    """
    owner, track = task.owner, task.policy.track
    _require_unchanged(tx, owner, judged.ready.key, judged.history, track)
    if task.key and (known := recall_check(tx, task.key)):
        raise AlreadyDone(known)
    verdict = _store_page(tx, task, judged)
    if verdict.page_id and _keeps_pictures(context, task):
        page, document = PageRef(owner, verdict.page_id), judged.captured.document
        want_pictures_of(tx, page, document, context.library)
    if source := judged.captured.document.source_id:
        note_outcome(tx, owner, source, "success")
    ended = _end_watch(tx, context, task, judged.captured, verdict)
    if task.key:
        note_check(tx, task.key, verdict, ended_turn=ended is not None)
    return CommittedCheck(verdict=verdict, ended=ended)


def _keeps_pictures(context: CheckContext, task: CheckTask) -> bool:
    """Of watched pages only if asked for; those of a scope are the page's."""
    if task.watch is None:
        return task.origin == "save" and context.library.keep_pictures
    return context.options.keep_pictures


def _end_watch(
    tx: Tx, context: CheckContext, task: CheckTask, captured: Capture, verdict: ChangeVerdict
) -> CheckResult | None:
    """The notices of a watch, and the end of its turn where it was leased for this check."""
    if task.watch is None:
        return None
    if task.ends_turn:
        return end_check(tx, context, task.watch, captured, verdict, task.started)
    queue_notices(tx, context, task.watch, captured.document.title, verdict)
    return None


def _store_page(tx: Tx, task: CheckTask, judged: JudgedCapture) -> ChangeVerdict:
    """The version, the change and the prices."""
    owner, track = task.owner, task.policy.track
    verdict, history, ready = judged.verdict, judged.history, judged.ready
    if not verdict.follows.is_stored:
        return verdict
    _refresh(tx, history, ready, track)
    saved = _save(tx, task, ready, verdict)
    if not history.page_id and not saved.is_new:
        raise Stale  # two saw a page for the first time, and the other was quicker
    done = _number(verdict, saved, owner, track)
    _keep_track(tx, done, track)
    _keep_change(tx, owner, done, track)
    _keep_prices(tx, done, track)
    return done


def _require_unchanged(tx: Tx, owner: str, key: str, history: PageHistory, track: str) -> None:
    """Lock the page and look whether it is still what was compared with."""
    page_id = page_id_of(tx, owner, key, lock=True)
    if page_id != history.page_id:
        raise Stale
    now = read_track(tx, page_id, track) if page_id else None
    before = history.track
    if (now is None) != (before is None):
        raise Stale
    if now and before and (now.last_number, now.raw) != (before.last_number, before.raw):
        raise Stale


def _refresh(tx: Tx, history: PageHistory, ready: Prepared, track: str) -> None:
    """Keep versions as today's parser reads them, so that they are read again only once."""
    for number, document in history.reread.items():
        replace_document(tx, history.page_id, track, number, document, ready.rules_version)


def _save(tx: Tx, task: CheckTask, ready: Prepared, verdict: ChangeVerdict) -> Saved:
    return save_in(
        tx,
        task.owner,
        ready,
        track=task.policy.track,
        origin=task.origin,
        trivial=verdict.follows.is_trivial,
        keep_better=False,  # a result that is far worse was refused before
        # A change of links or ratings alone is a version too, although the snapshot is the same.
        always=verdict.follows.is_change,
    )


def _number(verdict: ChangeVerdict, saved: Saved, owner: str, track: str) -> ChangeVerdict:
    report = replace(
        verdict.report,
        previous_version=saved.previous_version,
        current_version=saved.version,
        baseline_version=verdict.baseline,
    )
    change_id = ""
    if verdict.follows.is_change:
        # By the page's number, not its URL: after a purge versions of a URL begin at 1 again.
        spelt = "\n".join((owner, str(saved.page_id), track, str(saved.version)))
        change_id = hashlib.sha256(spelt.encode()).hexdigest()[:32]
    return replace(
        verdict,
        report=report,
        page_id=saved.page_id,
        version=saved.version,
        previous=saved.previous_version,
        change_id=change_id,
    )


def _keep_track(tx: Tx, verdict: ChangeVerdict, track: str) -> None:
    state = verdict.state
    if verdict.follows.moves_baseline or state.baseline is None:
        state = notified_versions(state, verdict.version)
    write_track_state(tx, verdict.page_id, track, state)


def notified_versions(state: TrackState, version: int) -> TrackState:
    """The state after a version was notified."""
    known = (*(each for each in state.known if each != version), version)
    return replace(state, baseline=version, known=known[-_KNOWN:])


def _keep_change(tx: Tx, owner: str, verdict: ChangeVerdict, track: str) -> None:
    if not verdict.change_id:
        return
    insert_change(tx, change_of(verdict, owner, track))


def _keep_prices(tx: Tx, verdict: ChangeVerdict, track: str) -> None:
    for point in verdict.prices.accepted:
        insert_price(tx, _stored(verdict, point, track, held=False))
    if verdict.prices.held is not None:
        point = read_held(verdict.prices.held)
        insert_price(tx, _stored(verdict, point, track, held=True))
    for event in verdict.prices.events:
        spelt = f"{verdict.page_id}\n{track}\n{verdict.version}\n{event.kind}\n{verdict.at}"
        insert_event(
            tx,
            StoredPriceEvent(
                id=hashlib.sha256(spelt.encode()).hexdigest()[:32],
                page_id=verdict.page_id,
                track=track,
                at=verdict.at,
                kind=event.kind,
                detail=msgspec.to_builtins(event),
                notified_at=verdict.at if verdict.follows.is_notified else None,
            ),
        )


def _stored(verdict: ChangeVerdict, point: PricePoint, track: str, *, held: bool) -> StoredPrice:
    return StoredPrice(
        page_id=verdict.page_id,
        track=track,
        at=verdict.at,
        version=verdict.version,
        amount=point.amount,
        currency=point.currency,
        availability=point.availability,
        source=point.raw[:200],
        held=held,
    )
