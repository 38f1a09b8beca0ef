"""Send the messages of the outbox: each reaches its target at least once, always with the same id.

Targets are served in parallel, so that a slow or failing one does not delay the others; messages
to one target are sent in order. Messages over the hourly limit of a target, and those of watches
with a digest, are joined into one message.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pageloom.edges.notify.notice import Notice, delivery_id, one_line
from pageloom.edges.notify.target import is_feed
from pageloom.edges.store import outbox
from pageloom.edges.store.times import later, write_time
from pageloom.errors import (
    FetchError,
    InternalError,
    NotifyError,
    PageloomError,
    StorageError,
)
from pageloom.flows.events import emit
from pageloom.flows.notify.deliver import NotifyContext, deliver
from pageloom.model.library import OutboxMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store

HOUR = 3_600
LEASE = 120.0
_SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SendCounts:
    """How many messages of one round were sent, failed or were postponed."""

    sent: int = 0
    failed: int = 0
    postponed: int = 0

    def __add__(self, other: SendCounts) -> SendCounts:
        return SendCounts(
            sent=self.sent + other.sent,
            failed=self.failed + other.failed,
            postponed=self.postponed + other.postponed,
        )


async def send_due(
    store: Store, context: NotifyContext, holder: str, *, lease: float = LEASE
) -> SendCounts:
    """Send everything that is due now, target by target."""
    at = _at(context)
    targets = await asyncio.to_thread(outbox.due_targets, store, at)
    rounds = [
        _serve(store, replace(context, owner=owner), holder, target, lease)
        for owner, target in targets
    ]
    done = await asyncio.gather(*rounds)
    return sum(done, SendCounts())


async def _serve(
    store: Store, context: NotifyContext, holder: str, target: str, lease: float
) -> SendCounts:
    at = _at(context)
    taken = await asyncio.to_thread(
        outbox.take_messages, store, context.owner, target, holder, seconds=lease, at=at
    )
    if not taken:
        return SendCounts()
    until = await asyncio.to_thread(_full_until, store, target, context)
    if until:
        await asyncio.to_thread(outbox.postpone, store, taken, until)
        return SendCounts(postponed=len(taken))
    queue = await asyncio.to_thread(_joined, store, taken, context, lease)
    done = SendCounts()
    for number, message in enumerate(queue):
        outcome = await _send(store, context, message)
        done += outcome
        if outcome.failed:
            # The target's later messages would fail too: they stay queued, no attempt counted.
            rest = queue[number + 1 :]
            until = later(_at(context), retry_delay(message.attempts, context))
            await asyncio.to_thread(outbox.postpone, store, rest, until)
            return done + SendCounts(postponed=len(rest))
    return done


async def _send(store: Store, context: NotifyContext, message: OutboxMessage) -> SendCounts:
    try:
        earlier = await asyncio.to_thread(_earlier, store, message, context)
        await deliver(read_notice(message), message.target, context, earlier=earlier)
    except StorageError:
        raise
    except PageloomError as error:
        return await _keep_failure(store, context, message, error)
    except Exception as error:  # noqa: BLE001  a notifier that meets a bug holds up no other
        ours = InternalError(
            "An internal error occurred while sending the message.", cause=type(error).__name__
        )
        return await _keep_failure(store, context, message, ours)
    await asyncio.to_thread(outbox.mark_sent, store, message, _at(context))
    emit("notice.sent", outcome="sent")
    return SendCounts(sent=1)


async def _keep_failure(
    store: Store, context: NotifyContext, message: OutboxMessage, error: PageloomError
) -> SendCounts:
    await asyncio.to_thread(
        outbox.mark_failed,
        store,
        message,
        error=f"{error.code}: {error.message}",
        next_try=_next_try(message, error, context),
        at=_at(context),
    )
    emit("notice.sent", level="warning", outcome="failed", error=error.message)
    return SendCounts(failed=1)


def read_notice(message: OutboxMessage) -> Notice:
    """The notice that a message carries."""
    known = {name: message.payload[name] for name in Notice.__dataclass_fields__}
    return Notice(**known)


def retry_delay(attempts: int, context: NotifyContext) -> float:
    """Seconds before the next attempt: twice as long each time, up to a limit."""
    options = context.options
    return min(options.retry_delay * 2.0 ** min(attempts, 30), options.retry_delay_max)


def _next_try(message: OutboxMessage, error: PageloomError, context: NotifyContext) -> str | None:
    """When to try again; never for an error that retrying cannot solve."""
    if message.attempts + 1 >= context.options.max_attempts:
        return None
    if isinstance(error, NotifyError | FetchError) and not error.retryable:
        return None
    return later(_at(context), retry_delay(message.attempts, context))


def _earlier(store: Store, message: OutboxMessage, context: NotifyContext) -> list[Notice]:
    """The notices that a feed already has; nothing for other targets."""
    if not is_feed(message.target):
        return []
    sent = outbox.recent_messages(
        store, message.owner, message.target, context.options.feed_entries
    )
    return [read_notice(each) for each in sent]


def _full_until(store: Store, target: str, context: NotifyContext) -> str:
    """Until when a target is over its hourly limit; empty when it is not."""
    limit = context.options.rate_limit
    at = _at(context)
    sent = outbox.sent_since(store, context.owner, target, later(at, -HOUR))
    if not limit or len(sent) < limit or is_feed(target):
        return ""
    return later(sent[-limit], HOUR)


def _joined(
    store: Store, taken: Sequence[OutboxMessage], context: NotifyContext, lease: float
) -> Sequence[OutboxMessage]:
    """The messages to send now; those in a digest or over the limit are joined into one."""
    target = taken[0].target
    if is_feed(target):
        return taken
    limit = context.options.rate_limit
    at = _at(context)
    sent = outbox.sent_since(store, context.owner, target, later(at, -HOUR)) if limit else []
    fits = not limit or len(taken) <= limit - len(sent)
    apart = [each for each in taken if fits and not _wants_digest(each)]
    together = [each for each in taken if each not in apart]
    if len(together) < 2:
        return taken
    digest = make_digest(together, target, at)
    stored = outbox.bundle(store, together, digest, at=at, lease_until=later(at, lease))
    return [*apart, stored]


def _wants_digest(message: OutboxMessage) -> bool:
    return bool(message.payload.get("data", {}).get("digest"))


def make_digest(messages: Sequence[OutboxMessage], target: str, at: str) -> OutboxMessage:
    """Join several messages into one; the same messages always give the same id."""
    notices = [read_notice(message) for message in messages]
    lines = [f"{number}. {each.title}\n   {each.url}" for number, each in enumerate(notices, 1)]
    if len(lines) > _SHOWN:
        lines = [*lines[:_SHOWN], f"… and {len(notices) - _SHOWN} more"]
    event = " ".join(sorted(message.id for message in messages))
    notice = Notice(
        id=delivery_id(event, target),
        kind="digest",
        title=f"{len(notices)} changes: {one_line('; '.join(n.title for n in notices[:3]), 120)}",
        text="\n".join(lines),
        at=at,
        importance=max(each.importance for each in notices),
        data={"notices": [_light(each) for each in notices]},
    )
    first = messages[0]
    return OutboxMessage(
        id=notice.id,
        owner=first.owner,
        target=target,
        payload=notice.to_dict(),
        lease_owner=first.lease_owner,
        created_at=at,
    )


def _light(notice: Notice) -> dict[str, object]:
    return {
        "id": notice.id,
        "type": notice.kind,
        "title": notice.title,
        "text": notice.text[:2_000],
        "url": notice.url,
        "at": notice.at,
        "importance": notice.importance,
    }


def _at(context: NotifyContext) -> str:
    return write_time(datetime.fromtimestamp(context.now(), UTC))
