"""Idempotency of checks that messages ask for: the result is stored under the message's key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from pageloom.core.compare.report import ChangeReport
from pageloom.edges.store.idempotency import find_result, store_result

if TYPE_CHECKING:
    from pageloom.edges.store.base import Tx
    from pageloom.flows.watch.judge import ChangeVerdict

CONSUMER = "check"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedCheck:
    """What came of one check."""

    report: ChangeReport
    """Without a difference where none matters."""
    outcome: str
    """The kind of its verdict: ``new``, ``unchanged``, ``trivial``, ``changed`` …"""
    path: str
    """``hash`` when the hashes were enough, otherwise ``diff``."""
    reason: str = ""
    version: int
    page_id: int
    change_id: str = ""
    new_version: bool = False
    has_price: bool = False
    """Whether a price was added to the series."""
    ended_turn: bool = False
    """Whether the turn of a watch ended with it, and its run is written down."""


class AlreadyDone(Exception):
    """The check of this message was made before; ``known`` is what came of it."""

    def __init__(self, known: QueuedCheck) -> None:
        super().__init__()
        self.known = known


def recall_check(tx: Tx, key: str) -> QueuedCheck | None:
    """What a check of that key came to; None when there was none."""
    known = find_result(tx, CONSUMER, key)
    return None if known is None else msgspec.convert(known, QueuedCheck)


def note_check(tx: Tx, key: str, verdict: ChangeVerdict, *, ended_turn: bool) -> None:
    """Store what a check came to, in its transaction."""
    made = summarise(verdict, ended_turn=ended_turn)
    store_result(tx, CONSUMER, key, msgspec.to_builtins(made))


def summarise(verdict: ChangeVerdict, *, ended_turn: bool) -> QueuedCheck:
    """A verdict as later messages report it."""
    return QueuedCheck(
        report=verdict.report if verdict.follows.is_change else _silent(verdict),
        outcome=verdict.kind,
        path=verdict.path,
        reason=verdict.reason,
        version=verdict.version,
        page_id=verdict.page_id,
        change_id=verdict.change_id,
        new_version=verdict.kind == "new" or verdict.previous is not None,
        has_price=bool(verdict.prices.accepted),
        ended_turn=ended_turn,
    )


def _silent(verdict: ChangeVerdict) -> ChangeReport:
    """The report where nothing changed: no difference, only which version this is."""
    report = verdict.report
    damaged = verdict.kind == "rebased" and "damaged" in verdict.reason
    is_new = verdict.kind == "new" or damaged
    # Where no number was given, the version before is the one that still holds.
    previous = verdict.previous if verdict.previous or is_new else verdict.version
    is_plain = verdict.kind in ("new", "unchanged") and not verdict.reason
    return ChangeReport(
        url=report.url,
        is_new=is_new,
        same_hash=report.same_hash,
        summary=report.summary if is_plain else verdict.reason,
        classification=report.classification,
        snapshot_hash=report.snapshot_hash,
        previous_version=None if is_new else previous,
        current_version=verdict.version,
        baseline_version=verdict.baseline,
    )
