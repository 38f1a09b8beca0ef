"""Checks of watches that go through the workers: their wishes, their turn, their health."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from pageloom.apps.agents.history import record_success
from pageloom.apps.agents.messages import LEASE, TURN
from pageloom.apps.agents.watch_lookup import find_watch
from pageloom.core.normalize.urls import url_key
from pageloom.edges.store.idempotency import store_result
from pageloom.flows.capture.acquire import Acquired
from pageloom.flows.watch.check import (
    WatchContext,
    finish_check_in,
    record_failure,
    reread_original,
)
from pageloom.flows.watch.check_once import QueuedCheck, check_once
from pageloom.flows.watch.policy import policy_of, reading_version
from pageloom.model import RawPage

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.apps.agents.work import World
    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.store.base import Store, Tx
    from pageloom.errors import PageloomError
    from pageloom.flows.watch.judge import Capture, ChangeVerdict
    from pageloom.model.watch import Watch


def watch_world(store: Store, world: World) -> WatchContext:
    """What keeping a check needs; nothing is fetched here."""
    return WatchContext(
        store=store,
        fetcher=cast("Fetcher", None),
        notify=world.settings.notify,
        options=world.settings.watch,
        extraction=world.settings.extraction,
        rules=world.rules().sealed,
        rules_version=world.rules().version,
        comparing=world.comparing,
        now=world.now,
    )


def check_watched(
    store: Store, world: World, watch: Watch, arrival: Capture, given: dict[str, Any], key: str
) -> QueuedCheck:
    """Compare by the wishes of a watch; its turn ends in the same transaction, if it is ours."""
    document = arrival.document
    known = watch_world(store, world)
    settings = watch.settings
    arrived = replace(
        arrival,
        rules_version=reading_version(known.rules_version, settings.scope, settings.ignore),
        page_key=watch.state.page_key or url_key(document.final_url or document.url),
    )
    return check_once(
        store,
        watch.owner,
        arrived,
        policy_of(settings, watch.track, known.comparing),
        key=key,
        reread=lambda body, info: reread_original(watch, known, body, info),
        also=_finisher(watch, known, arrived, given, key),
    )


def _finisher(
    watch: Watch, known: WatchContext, arrival: Capture, given: dict[str, Any], key: str
) -> Callable[[Tx, ChangeVerdict], None]:
    lease = given.get(LEASE)
    started = time.monotonic() - _age(given, known.now())
    acquired = _acquired(arrival, given)

    def finish(tx: Tx, finding: ChangeVerdict) -> None:
        record_success(tx, watch.owner, arrival.document.source_id)
        # The turn of a watch is ended only for whoever has taken it.
        if lease and watch.lease_owner == lease:
            finish_check_in(tx, watch, known, acquired, finding, started)
            store_result(tx, TURN, key)

    return finish


def fail_watched(store: Store, world: World, given: dict[str, Any], error: PageloomError) -> None:
    """A check that was given up is a failure of its watch, told when there are too many."""
    watch = find_watch(store, given.get("watchId"))
    if watch is not None and given.get(LEASE) and watch.lease_owner == given[LEASE]:
        record_failure(watch, watch_world(store, world), error, time.monotonic())


def _acquired(arrival: Capture, given: dict[str, Any]) -> Acquired:
    """The page as the fetcher had it, as far as messages tell."""
    document = arrival.document
    validators = given.get("validators")
    headers: dict[str, str] = cast("dict[str, str]", validators) if validators else {}
    page = RawPage(
        url=document.url,
        final_url=document.final_url,
        status=arrival.status or 200,
        headers={name: str(value) for name, value in headers.items()},
        body=b"",
        content_type=arrival.content_type,
        fetched_at=arrival.fetched_at,
    )
    return Acquired(page=page, document=document, used_browser=arrival.used_js)


def _age(given: dict[str, Any], now: float) -> float:
    """Seconds since the page was parsed."""
    stamp = given.get("ts")
    return max(0.0, now - stamp / 1000) if isinstance(stamp, int) else 0.0
