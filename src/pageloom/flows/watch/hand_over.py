"""Checks that the workers make: the request of a watch, as a job in their queue."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pageloom.flows.capture.fetch_jobs import enqueue_jobs, make_job
from pageloom.flows.watch.request import known_version, request_for

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pageloom.edges.broker.options import BrokerOptions
    from pageloom.edges.store.base import Store
    from pageloom.model.library import VersionInfo
    from pageloom.model.watch import Watch


def hand_over_to(
    store: Store, broker: BrokerOptions, queue: str
) -> Callable[[Watch], Awaitable[None]]:
    """What queues the check of a watch for the workers."""

    async def hand_over(watch: Watch) -> None:
        known = await asyncio.to_thread(known_version, store, watch)
        await enqueue_jobs([check_job(watch, known)], broker, queue)

    return hand_over


def check_job(watch: Watch, known: VersionInfo | None) -> dict[str, Any]:
    """The request of a watch as a job; the worker that ends it gives the lease back."""
    wanted = request_for(watch, known)
    asked = wanted.fetch
    validators = {"etag": asked.etag, "lastModified": asked.last_modified}
    given = {name: value for name, value in validators.items() if value}
    return make_job(
        asked.url,
        render=wanted.render,
        owner=watch.owner,
        watchId=watch.id,
        lease=watch.lease_owner,
        robots=asked.respect_robots,
        waitFor=wanted.rendering.wait_for or None,
        validators=given or None,
        # Whether a browser is needed is judged by the parts that are looked at.
        scope=list(watch.settings.scope) or None,
        ignore=list(watch.settings.ignore) or None,
    )
