"""First step of a check: what to ask for. It is asked here, or travels to the workers in a job."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.edges.store.tracks import read_track, version_at
from pageloom.flows.capture.fetch_jobs import enqueue_jobs, make_job

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pageloom.core.options import Options
    from pageloom.edges.broker.options import BrokerOptions
    from pageloom.edges.store.base import Store
    from pageloom.model.capture import RenderMode
    from pageloom.model.library import VersionInfo
    from pageloom.model.watch import Watch


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchRequest:
    """A page to fetch, and how the browser is to show it."""

    fetch: FetchRequest
    rendering: Rendering
    render: RenderMode = "auto"


def request_for(watch: Watch, known: VersionInfo | None) -> WatchRequest:
    """Ask for the page of a watch in the way that works, and only if it is newer than we know.

    Args:
        watch: the watch.
        known: the last version of its page; None if there is none.
    """
    settings, state = watch.settings, watch.state
    render = "force" if state.browser and settings.render == "auto" else settings.render
    # Validators speak for the last body; they are of use only while its version is the last.
    is_plain = render != "force" and not settings.visual
    fresh = known is not None and known.number == state.body_version and is_plain
    return WatchRequest(
        fetch=FetchRequest(
            url=watch.url_full,
            etag=state.etag if fresh else "",
            last_modified=state.last_modified if fresh else "",
            respect_robots=settings.respect_robots,
        ),
        rendering=Rendering(wait_for=settings.wait_for, screenshot=settings.visual),
        render=render,
    )


def options_for(watch: Watch, extraction: Options) -> Options:
    """How the page of a watch is read: only the parts that its owner chose."""
    return replace(extraction, scope=watch.settings.scope, ignore=watch.settings.ignore)


def known_version(store: Store, watch: Watch) -> VersionInfo | None:
    """The last version on the track of a watch."""
    page_id = watch.state.page_id
    if page_id is None:
        return None
    with store.read() as tx:
        track = read_track(tx, page_id, watch.track)
        return version_at(tx, page_id, watch.track, track.last_number) if track else None


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
