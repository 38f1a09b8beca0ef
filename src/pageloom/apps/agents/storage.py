"""Storage: keeps what a check came to, once.

The version has its number already when our own change detector sent the message. One that comes
from elsewhere brings its Document along and is kept here, under the next number.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pageloom.apps.agents.history import address_key, failure_key
from pageloom.apps.agents.messages import ChangeResult, given_or, read_message
from pageloom.apps.agents.pages import document_of
from pageloom.apps.agents.work import Agent, Waves, World
from pageloom.edges.store.runs import Run, forget_run, note_run
from pageloom.edges.store.seen import forget_old, recall
from pageloom.flows.checking import CONSUMER, check_document
from pageloom.flows.observing import tell

if TYPE_CHECKING:
    from pageloom.edges.broker.letters import Letter
    from pageloom.edges.store.base import Store, Tx

_KEEP_DAYS = 30.0
_CLEAN_EVERY = 5_000


async def store_result(letter: Letter, world: World) -> Waves:
    """``storage-agent`` ends in the library."""
    message, given = read_message(letter.body, ChangeResult)
    await world.with_store(lambda store: _keep(store, world, message, given))
    return []


AGENT = Agent(name="storage", handle=store_result)


def _keep(store: Store, world: World, message: ChangeResult, given: dict[str, Any]) -> None:
    key = f"{message.job_id}:{message.snapshot_hash}"
    version = _number_of(store, world, message, key)
    run = Run(
        url=address_key(message.url),
        outcome=str(given.get("outcome") or _outcome(message)),
        duration_ms=_duration(given, world.now()),
        version=version,
        path=str(given.get("path", "")),
        reason=str(given.get("summary", ""))[:500],
        key=key,
    )

    def work(tx: Tx) -> bool:
        forget_run(tx, failure_key(message.job_id, "storage"))
        return note_run(tx, world.owner, run)

    first = store.transact(work)
    tell("run.kept", level="debug", url=message.url, outcome=run.outcome, repeated=not first)


def _number_of(store: Store, world: World, message: ChangeResult, key: str) -> int:
    """The version of this check; a message from elsewhere gets its number here."""
    with store.read() as tx:
        known = recall(tx, CONSUMER, key)
    if known is not None:
        return known["version"]
    document = document_of(message)
    if document is None:
        return message.current_version
    from pageloom.edges.store.saving import prepare

    ready = prepare(document, fetched_at=given_or(message.fetched_at, ""))
    ready = replace(ready, body_hash=given_or(message.body_hash, None))
    return check_document(store, world.owner, ready, key=key).version


def _outcome(message: ChangeResult) -> str:
    if message.is_new:
        return "new"
    return "changed" if message.has_changes else "unchanged"


def _duration(given: dict[str, Any], now: float) -> int:
    """Milliseconds since the page was parsed, or fetched where that is known."""
    since = _seconds(given.get("fetchedAt")) or (given.get("ts") or 0) / 1000
    return max(0, int((now - since) * 1000)) if since else 0


def _seconds(text: object) -> float:
    if not isinstance(text, str):
        return 0.0
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def clean_up(store: Store) -> int:
    """Drop the notes of messages that cannot come back any more."""
    return store.transact(lambda tx: forget_old(tx, _KEEP_DAYS))
