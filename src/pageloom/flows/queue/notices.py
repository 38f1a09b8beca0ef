"""What a message tells of a change is queued in the outbox, once for every target.

The notices of a watch that our own change detector checked are queued already, with the change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from pageloom.edges.notify.notice import Notice
from pageloom.edges.store.times import now
from pageloom.edges.store.users import ensure_user
from pageloom.flows.events import emit
from pageloom.flows.notify.notices import queue_notice
from pageloom.flows.queue.lookups import watch_of
from pageloom.flows.queue.runs import check_key

if TYPE_CHECKING:
    from pageloom.edges.notify.options import NotifyOptions
    from pageloom.edges.store.base import Store, Tx
    from pageloom.flows.queue.messages import Notification
    from pageloom.model.watch import Watch

_INTERNAL = frozenset(
    "document jobId owner lease watchId bodyHash validators rendered ts status contentType".split()
)
"""What workers need among themselves: it reaches no target."""


def queue_notification(
    store: Store,
    message: Notification,
    given: dict[str, Any],
    owner: str,
    options: NotifyOptions,
) -> None:
    """Queue a message for every target; what is queued already stays as it is."""
    watch = watch_of(store, owner, message)
    chosen = watch.settings if watch else None
    minutes = chosen.digest_minutes if chosen else None
    notice = _notice(message, given, watch, check_key(owner, message))

    def work(tx: Tx) -> int:
        ensure_user(tx, owner)
        return queue_notice(
            tx,
            owner,
            notice,
            (chosen.targets if chosen else ()) or options.targets,
            watch_id=watch.id if watch else None,
            digest_minutes=options.digest_minutes if minutes is None else minutes,
        )

    queued = store.transact(work)
    emit("notice.queued", level="debug", url=message.url, messages=queued)


def _notice(message: Notification, given: dict[str, Any], watch: Watch | None, key: str) -> Notice:
    change = str(given.get("changeId") or key)
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
        data=_data(message, given, change),
    )


def _data(message: Notification, given: dict[str, Any], change: str) -> dict[str, Any]:
    """The change in our shape, as far as a message from elsewhere tells of it."""
    numbers = {"previous": message.previous_version, "current": message.current_version}
    said = {name: value for name, value in given.items() if name not in _INTERNAL}
    return {
        "id": change,
        "url": message.url,
        "from_version": message.previous_version,
        "to_version": message.current_version,
        "importance": given.get("importance") or 0.0,
        "summary": given.get("summary") or "",
        "report": {"changes": {}, "version": numbers} | said,
    }


def _text(message: Notification) -> str:
    return "" if message.diff is UNSET else message.diff.text_diff
