"""A parsed page is judged and committed, by the same steps as in the scheduler."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.bodies import has_body
from pageloom.flows.queue.documents import fetched_at_of, validators_of
from pageloom.flows.queue.lookups import holds_lease, watch_of
from pageloom.flows.queue.messages import given_or
from pageloom.flows.queue.runs import check_key
from pageloom.flows.watch.check import check_message, rereader, rules_version, watch_task
from pageloom.flows.watch.commit import CheckTask
from pageloom.flows.watch.policy import WatchPolicy
from pageloom.flows.watch.request import options_for
from pageloom.model.capture import Capture

if TYPE_CHECKING:
    from pageloom.flows.queue.messages import ChangeCheck
    from pageloom.flows.watch.context import CheckContext
    from pageloom.flows.watch.idempotent_check import QueuedCheck
    from pageloom.model import Document


def check_parsed_page(
    context: CheckContext,
    message: ChangeCheck,
    given: dict[str, Any],
    document: Document,
    owner: str,
) -> QueuedCheck:
    """Judge a parsed page by its history and commit what follows, once.

    Args:
        context: how pages are compared.
        message: the page.
        given: the same, with all its fields.
        document: its Document.
        owner: whose page it is.
    """
    context = context.for_owner(owner)
    store = context.store
    watch = watch_of(store, owner, message)
    options = options_for(watch, context.extraction) if watch else context.extraction
    body_hash = given_or(message.body_hash, "")
    captured = Capture(
        document=document,
        # An original is named only where it is stored.
        body_hash=body_hash if body_hash and has_body(store, body_hash) else "",
        content_type=str(given.get("contentType") or ""),
        status=_status(given.get("status")),
        headers=validators_of(message),
        protocol="browser" if given.get("rendered") is True else "",
        fetched_at=fetched_at_of(message),
        rules_version=rules_version(context, options),
    )
    key, started = check_key(owner, message), time.monotonic() - _age(given, context.now())
    if watch is not None:
        leased = holds_lease(watch, message.lease)
        task = watch_task(context, watch, started=started, key=key, ends_turn=leased)
    else:
        task = CheckTask(
            owner=owner,
            policy=WatchPolicy(options=context.comparing),
            reread=rereader(context, message.url, options),
            key=key,
            started=started,
        )
    return check_message(context, task, captured)


def _age(given: dict[str, Any], now: float) -> float:
    """Seconds since the page was parsed."""
    stamp = given.get("ts")
    return max(0.0, now - stamp / 1000) if isinstance(stamp, int) else 0.0


def _status(given: object) -> int | None:
    """The HTTP status, if it is one: some databases have no room for any number."""
    return given if isinstance(given, int) and 0 < given < 1000 else None
