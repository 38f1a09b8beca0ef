"""Storage: keeps what a check came to, once.

The version has its number already when our own change detector sent the message. What comes from
elsewhere is kept here, under the next number: see ``foreign``.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from pageloom.apps.agents.foreign import page_in, page_of
from pageloom.apps.agents.history import address_key, check_key, failure_key
from pageloom.apps.agents.messages import TURN, ChangeResult, read_message
from pageloom.apps.agents.pages import fetched_at_of
from pageloom.apps.agents.work import Agent, Batches, World
from pageloom.edges.store.idempotency import delete_old_results, find_result
from pageloom.edges.store.runs import delete_run, record_run
from pageloom.edges.store.times import read_time
from pageloom.errors import StorageError
from pageloom.flows.events import emit
from pageloom.flows.watch.check_once import check_once, recall_check
from pageloom.model.library import Run

if TYPE_CHECKING:
    from pageloom.edges.broker.envelope import Envelope
    from pageloom.edges.store.base import Store, Tx

KEEP_DAYS = 30.0
"""So long a message may come again and is known."""
_TIDY_SECONDS = 3600.0


async def store_result(letter: Envelope, world: World) -> Batches:
    """``storage-agent`` ends in the library."""
    message, given = read_message(letter.body, ChangeResult)
    await world.with_store(lambda store: _keep(store, world, message, given))
    return []


async def tidy_up(world: World, stop: asyncio.Event) -> None:
    """Forget, now and then, what no message can ask for any more."""
    while not stop.is_set():
        try:
            await world.with_store(
                lambda store: store.transact(lambda tx: delete_old_results(tx, KEEP_DAYS))
            )
        except StorageError as error:
            emit("tidying.failed", level="warning", error=error.message)
        await asyncio.sleep(_TIDY_SECONDS)


AGENT = Agent(name="storage", handle=store_result, beside=tidy_up)


def _keep(store: Store, world: World, message: ChangeResult, given: dict[str, Any]) -> None:
    key = check_key(message)
    owner = world.owner_of(given)
    run = Run(
        url=address_key(message.url),
        outcome=str(given.get("outcome") or _outcome(message)),
        duration_ms=_duration(given, world.now()),
        version=_number_of(store, owner, message, given),
        path=str(given.get("path", "")),
        reason=_reason(message, given)[:500],
        key=key,
    )

    def work(tx: Tx) -> bool:
        delete_run(tx, owner, failure_key(message.job_id, "storage"))
        # The run of a watch was written down with its turn.
        return find_result(tx, TURN, key) is None and record_run(tx, owner, run)

    first = store.transact(work)
    emit("run.kept", level="debug", url=message.url, outcome=run.outcome, repeated=not first)


def _number_of(store: Store, owner: str, message: ChangeResult, given: dict[str, Any]) -> int:
    """The version of this check; a message from elsewhere gets its number here."""
    key = check_key(message)
    with store.read() as tx:
        known = recall_check(tx, key)
        kept = None if known else page_in(tx, owner, message.url)
    if known is not None:
        return known.version
    document = page_of(message, given, kept)
    if document is None:
        return kept.info.number if kept else message.current_version
    from pageloom.flows.watch.judge import (
        Capture,  # our own change detector has compared it already
    )

    arrival = Capture(document=document, fetched_at=fetched_at_of(message))
    return check_once(store, owner, arrival, key=key).version


def _outcome(message: ChangeResult) -> str:
    if message.is_new:
        return "new"
    return "changed" if message.has_changes else "unchanged"


def _reason(message: ChangeResult, given: dict[str, Any]) -> str:
    told = given.get("summary")
    if told is None and message.diff is not UNSET:
        return message.diff.text_diff
    return str(told or "")


def _duration(given: dict[str, Any], now: float) -> int:
    """Milliseconds since the page was fetched, or parsed where that is all that is known."""
    fetched, parsed = given.get("fetchedAt"), given.get("ts")
    moment = read_time(fetched) if isinstance(fetched, str) else None
    since = moment.timestamp() if moment else parsed / 1000 if isinstance(parsed, int) else now
    return max(0, int((now - since) * 1000))
