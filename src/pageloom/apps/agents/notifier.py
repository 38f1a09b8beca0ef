"""The notifier: what changed is put out for every target once, and sent until it is taken."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from pageloom.apps.agents.history import check_key
from pageloom.apps.agents.messages import Notification, read_message
from pageloom.apps.agents.watch_lookup import watch_of
from pageloom.apps.agents.work import Agent, Batches, World
from pageloom.context import worker_id
from pageloom.edges.notify.notice import Notice, delivery_id
from pageloom.edges.store.outbox import queue_message
from pageloom.edges.store.times import later, now
from pageloom.edges.store.users import ensure_user
from pageloom.errors import StorageError
from pageloom.flows.events import emit
from pageloom.flows.notify.outbox_sender import LEASE, send_due
from pageloom.model.library import OutboxMessage

if TYPE_CHECKING:
    from pageloom.edges.broker.envelope import Envelope
    from pageloom.edges.store.base import Store, Tx
    from pageloom.model.watch import Watch

_PAUSE = 0.5
_TROUBLE_PAUSE = 3.0


async def notify(letter: Envelope, world: World) -> Batches:
    """``notify`` ends in the outbox, from where it is sent."""
    message, given = read_message(letter.body, Notification)
    put = await world.with_store(lambda store: _put(store, world, message, given))
    emit("notice.queued", level="debug", url=message.url, messages=put)
    return []


async def send_on(world: World, stop: asyncio.Event) -> None:
    """Send what is due, for ever; a target that fails holds up no other."""
    means = replace(world.context.notify_context(), now=world.now)
    holder = worker_id()
    lease = min(LEASE, world.settings.watch.lease_seconds)
    while not stop.is_set():
        try:
            store = await world.with_store(lambda store: store)
            await send_due(store, means, holder, lease=lease)
        except StorageError as error:
            emit("outbox.failed", level="warning", error=error.message)
            await asyncio.sleep(_TROUBLE_PAUSE)
            continue
        await asyncio.sleep(_PAUSE)


AGENT = Agent(name="notifier", handle=notify, background=send_on)


def _put(store: Store, world: World, message: Notification, given: dict[str, Any]) -> int:
    """Put it out for every target; what is there already stays as it is."""
    watch = watch_of(store, message)
    options = world.settings.notify
    targets = (watch.settings.targets if watch else ()) or options.targets
    minutes = options.digest_minutes
    if watch and watch.settings.digest_minutes is not None:
        minutes = watch.settings.digest_minutes
    notice = _notice(message, given, watch)

    def work(tx: Tx) -> int:
        owner = watch.owner if watch else world.owner_of(given)
        ensure_user(tx, owner)
        return sum(
            queue_message(tx, _message(notice, target, owner, watch, minutes))
            for target in dict.fromkeys(targets)
        )

    return store.transact(work)


def _notice(message: Notification, given: dict[str, Any], watch: Watch | None) -> Notice:
    change = str(given.get("changeId") or check_key(message))
    summary = str(given.get("summary") or "The page changed.")
    name = watch.name if watch and watch.name else message.url
    importance = given.get("importance")
    return Notice(
        id=change,
        kind="change",
        title=f"{name}: {summary}",
        text=_text(message),
        url=message.url,
        at=now(),
        importance=float(importance) if isinstance(importance, int | float) else 0.0,
        data=_missing(message) | {k: value for k, value in given.items() if k != "document"},
    )


def _missing(message: Notification) -> dict[str, Any]:
    """What ours always says, for messages from elsewhere."""
    numbers = {"previous": message.previous_version, "current": message.current_version}
    return {"changes": {}, "version": numbers}


def _text(message: Notification) -> str:
    return "" if message.diff is UNSET else message.diff.text_diff


def _message(
    notice: Notice, target: str, owner: str, watch: Watch | None, digest_minutes: float
) -> OutboxMessage:
    payload = notice.to_dict() | {"id": delivery_id(notice.id, target)}
    if digest_minutes:
        payload["data"] = notice.data | {"digest": True}
    return OutboxMessage(
        id=payload["id"],
        owner=owner,
        watch_id=watch.id if watch else None,
        change_id=notice.id,
        target=target,
        payload=payload,
        next_try=later(notice.at, digest_minutes * 60),
        created_at=notice.at,
    )
