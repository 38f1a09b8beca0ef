"""A page that was read again: compared with the version before it, and kept, in one transaction.

Comparing and giving the number belong together: a version is compared with the one that its number
follows, whoever else checks the same address at the same time. What is asked twice under one key
is answered from the note of the first time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import msgspec

from pageloom.core.compare.change import diff
from pageloom.core.compare.options import DEFAULTS, DiffOptions
from pageloom.core.compare.report import ChangeReport
from pageloom.edges.store.saving import save_in
from pageloom.edges.store.seen import lock_name, recall, remember
from pageloom.edges.store.versions import latest_in

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.saving import Prepared
    from pageloom.edges.store.versions import Version

CONSUMER = "check"

Outcome = Literal["new", "changed", "unchanged", "trivial", "stale", "kept_old"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What came of one check."""

    report: ChangeReport
    outcome: Outcome
    version: int
    """The number of the version that holds the page now."""
    page_id: int
    new_version: bool = False
    notes: tuple[str, ...] = ()
    """What was in the way: a damaged version, an answer that came too late."""
    repeated: bool = False
    """It had been done before; nothing was done again."""

    @property
    def path(self) -> str:
        """Whether the hashes were enough."""
        return "hash" if self.report.same_hash or self.outcome == "stale" else "diff"


def check_document(  # noqa: PLR0913  two of them are the page, the rest says how
    store: Store,
    owner: str,
    ready: Prepared,
    *,
    key: str,
    line: str = "",
    origin: str = "agent",
    options: DiffOptions = DEFAULTS,
) -> Check:
    """Compare a page with its last version and keep it, once for each key.

    Args:
        store: the library.
        owner: whose page it is.
        ready: the page, from ``prepare``.
        key: names this check; the same again changes nothing.
        line: the line of versions it belongs to.
        origin: who asked.
        options: of comparing.
    """

    def work(tx: Tx) -> Check:
        lock_name(tx, f"check:{owner}:{ready.key}")
        known = recall(tx, CONSUMER, key)
        if known is not None:
            return replace(msgspec.convert(known, Check), repeated=True)
        check = _check(tx, owner, ready, line, origin, options)
        remember(tx, CONSUMER, key, msgspec.to_builtins(check))
        return check

    return store.transact(work)


def _check(
    tx: Tx, owner: str, ready: Prepared, line: str, origin: str, options: DiffOptions
) -> Check:
    page = tx.one("SELECT id FROM pages WHERE owner = ? AND url = ?", owner, ready.key)
    last = _last_number(tx, page["id"], line) if page else 0
    before = latest_in(tx, page["id"], line=line) if page and last else None
    if page and before and ready.fetched_at < before.info.fetched_at:
        return _stale(page["id"], before, ready)
    ready = _with_known_body(tx, ready)
    whole = before is not None and before.info.number == last
    report = diff(before.document if before else None, ready.document, options)
    saved = save_in(
        tx,
        owner,
        ready,
        line=line,
        origin=origin,
        trivial=before is not None and not report.has_changes,
        # A damaged version is followed by a whole one, even of the same snapshot.
        always=report.has_changes or bool(last and not whole),
    )
    if saved.kept_old:
        report = ChangeReport(url=report.url, snapshot_hash=report.snapshot_hash)
    return Check(
        report=replace(
            report,
            previous_version=_previous(before, saved.version, last),
            current_version=saved.version,
            baseline_version=before.info.number if before else None,
        ),
        outcome="kept_old" if saved.kept_old else _outcome(report, new=saved.version > last),
        version=saved.version,
        page_id=saved.page_id,
        new_version=saved.version > last,
        notes=_notes(before, last),
    )


def _with_known_body(tx: Tx, ready: Prepared) -> Prepared:
    """An original is named only where it is kept."""
    if ready.body is not None or ready.body_hash is None:
        return ready
    found = tx.value("SELECT 1 FROM bodies WHERE hash = ?", ready.body_hash)
    return ready if found else replace(ready, body_hash=None)


def _last_number(tx: Tx, page_id: int, line: str) -> int:
    found = tx.value("SELECT last_number FROM lines WHERE page_id = ? AND line = ?", page_id, line)
    return found or 0


def _stale(page_id: int, before: Version, ready: Prepared) -> Check:
    """An answer older than what is kept: comparing it would tell of a change back."""
    number = before.info.number
    report = ChangeReport(
        url=ready.document.final_url or ready.document.url,
        summary="Older than what is kept.",
        snapshot_hash=ready.document.snapshot_hash,
        previous_version=number,
        current_version=number,
    )
    note = f"fetched at {ready.fetched_at}, version {number} at {before.info.fetched_at}"
    return Check(report=report, outcome="stale", version=number, page_id=page_id, notes=(note,))


def _previous(before: Version | None, version: int, last: int) -> int | None:
    """The number before this one; the same where no new one was given."""
    if before is None:
        return None
    return min(version, last)


def _outcome(report: ChangeReport, *, new: bool) -> Outcome:
    if report.is_new:
        return "new"
    if report.has_changes:
        return "changed"
    return "trivial" if new else "unchanged"


def _notes(before: Version | None, last: int) -> tuple[str, ...]:
    if not last:
        return ()
    if before is None:
        return (f"none of {last} versions can be read: taken as new, nobody is told",)
    if before.info.number != last:
        return (f"version {last} cannot be read: compared with {before.info.number}",)
    return ()
