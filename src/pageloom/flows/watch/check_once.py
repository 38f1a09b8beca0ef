"""A page that comes by itself, as from a queue: compared and kept once for each key.

Comparing, giving the number and the note that it was done are one transaction: a version is
compared with the one that its number follows, whoever else checks the same address at the same
time, and what is asked again under the same key is answered from the note of the first time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from pageloom.core.compare.report import ChangeReport
from pageloom.edges.store.idempotency import find_result, store_result

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.edges.store.base import Store, Tx
    from pageloom.flows.watch.judge import Capture, ChangeVerdict, Reread
    from pageloom.flows.watch.policy import WatchPolicy

CONSUMER = "check"
_TOLD = frozenset({"changed", "filtered"})


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedCheck:
    """What came of one check."""

    report: ChangeReport
    """What is told: without a difference where none matters."""
    outcome: str
    """A kind of Finding: ``new``, ``unchanged``, ``trivial``, ``changed`` …"""
    path: str
    """``hash`` when the hashes were enough, otherwise ``diff``."""
    reason: str = ""
    version: int
    page_id: int
    change_id: str = ""
    new_version: bool = False
    has_price: bool = False
    """Whether a price was added to the series."""
    repeated: bool = False
    """It had been done before; nothing was done again."""


class _DoneBefore(Exception):
    """Somebody has done this already; what he came to."""

    def __init__(self, known: QueuedCheck) -> None:
        super().__init__()
        self.known = known


def check_once(  # noqa: PLR0913  three of them are the page, the rest says how
    store: Store,
    owner: str,
    arrival: Capture,
    terms: WatchPolicy | None = None,
    *,
    key: str,
    reread: Reread | None = None,
    also: Callable[[Tx, ChangeVerdict], None] | None = None,
) -> QueuedCheck:
    """Compare a page with what is known of it and keep what follows, once for each key.

    Args:
        store: the library.
        owner: whose page it is.
        arrival: the page.
        terms: how it is compared.
        key: names this check; the same again changes nothing.
        reread: reads an original again, so that a new parser is no change.
        also: what else belongs into the same transaction.
    """
    with store.read() as tx:
        known = recall_check(tx, key)
    if known is not None:
        return known
    from pageloom.flows.watch.judge import compare_and_record  # most only ask what is known

    made: list[QueuedCheck] = []

    def note(tx: Tx, finding: ChangeVerdict) -> None:
        before = recall_check(tx, key)
        if before is not None:
            raise _DoneBefore(before)
        made[:] = [_check(finding)]
        store_result(tx, CONSUMER, key, msgspec.to_builtins(made[0]))
        if also is not None:
            also(tx, finding)

    try:
        compare_and_record(store, owner, arrival, terms, reread=reread, also=note)
    except _DoneBefore as done:
        return done.known
    return made[0]


def recall_check(tx: Tx, key: str) -> QueuedCheck | None:
    """What a check of that key came to; None when there was none."""
    known = find_result(tx, CONSUMER, key)
    return None if known is None else replace(msgspec.convert(known, QueuedCheck), repeated=True)


def _check(finding: ChangeVerdict) -> QueuedCheck:
    report = finding.report
    if finding.kind not in _TOLD:
        report = _silent(finding)
    return QueuedCheck(
        report=report,
        outcome=finding.kind,
        path=finding.path,
        reason=finding.reason,
        version=finding.version,
        page_id=finding.page_id,
        change_id=finding.change_id,
        new_version=finding.kind == "new" or finding.previous is not None,
        has_price=bool(finding.prices.accepted),
    )


def _silent(finding: ChangeVerdict) -> ChangeReport:
    """What is told where nothing changed: no difference, only which version this is."""
    report = finding.report
    damaged = finding.kind == "rebased" and "damaged" in finding.reason
    is_new = finding.kind == "new" or damaged
    # Where no number was given, the version before is the one that still holds.
    previous = finding.previous if finding.previous or is_new else finding.version
    is_plain = finding.kind in ("new", "unchanged") and not finding.reason
    return ChangeReport(
        url=report.url,
        is_new=is_new,
        same_hash=report.same_hash,
        summary=report.summary if is_plain else finding.reason,
        classification=report.classification,
        snapshot_hash=report.snapshot_hash,
        previous_version=None if is_new else previous,
        current_version=finding.version,
        baseline_version=finding.baseline,
    )
