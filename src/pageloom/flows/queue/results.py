"""What came of a check ends in the library, once.

The version has its number already when our own change detector sent the message. What comes from
elsewhere is stored here, under the next number: see ``foreign``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from pageloom.edges.store.runs import delete_run, record_run
from pageloom.edges.store.times import read_time
from pageloom.flows.events import emit
from pageloom.flows.queue.documents import fetched_at_of, url_or_key
from pageloom.flows.queue.foreign import page_in, page_of
from pageloom.flows.queue.runs import check_key, failure_key
from pageloom.flows.watch.idempotent_check import recall_check
from pageloom.model.capture import Capture
from pageloom.model.library import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.edges.store.base import Store, Tx
    from pageloom.flows.queue.messages import ChangeResult
    from pageloom.flows.watch.context import CheckContext


def store_result(
    store: Store,
    message: ChangeResult,
    given: dict[str, Any],
    owner: str,
    context: Callable[[], CheckContext],
    now: float,
) -> None:
    """Store the run that a message tells of, and its page where that comes from elsewhere.

    Args:
        store: the library.
        message: what came of comparing.
        given: the same, with all its fields.
        owner: whose page it is.
        context: makes what comparing a page needs.
        now: seconds since 1970.
    """
    key = check_key(owner, message)
    run = Run(
        url=url_or_key(message.url),
        outcome=str(given.get("outcome") or _outcome(message)),
        duration_ms=_duration(given, now),
        version=_number_of(store, message, given, owner, context),
        path=str(given.get("path", "")),
        reason=_reason(message, given)[:500],
        key=key,
    )

    def work(tx: Tx) -> bool:
        delete_run(tx, owner, failure_key(owner, message.job_id, "storage"))
        known = recall_check(tx, key)
        # The run of a watch was written down when its turn ended.
        return not (known and known.ended_turn) and record_run(tx, owner, run)

    first = store.transact(work)
    emit("run.stored", level="debug", url=message.url, outcome=run.outcome, repeated=not first)


def _number_of(
    store: Store,
    message: ChangeResult,
    given: dict[str, Any],
    owner: str,
    context: Callable[[], CheckContext],
) -> int:
    """The version of this check; a message from elsewhere gets its number here."""
    key = check_key(owner, message)
    with store.read() as tx:
        known = recall_check(tx, key)
        kept = None if known else page_in(tx, owner, message.url)
    if known is not None:
        return known.version
    document = page_of(message, given, kept)
    if document is None:
        return kept.info.number if kept else message.current_version
    # Our own change detector has compared it already.
    from pageloom.flows.watch.check import check_message
    from pageloom.flows.watch.commit import CheckTask

    captured = Capture(document=document, fetched_at=fetched_at_of(message))
    task = CheckTask(owner=owner, key=key)
    return check_message(context(), task, captured).version


def _outcome(message: ChangeResult) -> str:
    if message.is_new:
        return "new"
    return "changed" if message.has_changes else "unchanged"


def _reason(message: ChangeResult, given: dict[str, Any]) -> str:
    summary = given.get("summary")
    if summary is None and message.diff is not UNSET:
        return message.diff.text_diff
    return str(summary or "")


def _duration(given: dict[str, Any], now: float) -> int:
    """Milliseconds since the page was fetched, or parsed where that is all that is known."""
    fetched, parsed = given.get("fetchedAt"), given.get("ts")
    moment = read_time(fetched) if isinstance(fetched, str) else None
    since = moment.timestamp() if moment else parsed / 1000 if isinstance(parsed, int) else now
    return max(0, int((now - since) * 1000))
