"""What the commands around watches need from the world, made of the settings."""

from __future__ import annotations

import os
import secrets
import socket
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from pageloom.apps.cli.site_rules import site_rules
from pageloom.edges.store.base import default_path
from pageloom.edges.store.times import now
from pageloom.flows.notify.deliver import NotifyContext
from pageloom.flows.watch.check import WatchContext

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from pageloom.apps.cli.library import OpenLibrary
    from pageloom.edges.store.watches import Watch
    from pageloom.settings import Settings


def world_now() -> str:
    """This instant, as the store writes it."""
    return now()


def make_means(settings: Settings, stream: TextIO | None = None) -> NotifyContext:
    """What sending needs."""
    chosen = settings.notify.feed_directory
    directory = Path(chosen).expanduser() if chosen else default_path().parent / "feeds"
    return NotifyContext(
        options=settings.notify,
        fetch=settings.fetch,
        feed_directory=directory,
        now=time.time,
        stream=stream or sys.stdout,
    )


@asynccontextmanager
async def open_world(library: OpenLibrary) -> AsyncGenerator[WatchContext]:
    """What checking needs, for as long as the block runs."""
    from pageloom.edges.fetch.fetcher import open_fetcher

    settings = library.settings
    rules = site_rules(settings)
    async with open_fetcher(settings.fetch) as fetcher:
        yield WatchContext(
            store=library.store,
            fetcher=fetcher,
            notify=settings.notify,
            options=settings.watch,
            extraction=settings.extraction,
            comparing=settings.changes,
            rules=rules.sealed,
            rules_version=rules.version,
            holder=make_holder(),
            hand_over=_hander_over(settings) if settings.watch.through_workers else None,
            patience=settings.broker.answer_seconds,
        )


def _hander_over(settings: Settings) -> Callable[[Watch], Awaitable[None]]:
    from pageloom.apps.agents.jobs import enqueue_jobs, make_job
    from pageloom.apps.agents.messages import LEASE

    async def hand_over(watch: Watch) -> None:
        job = make_job(watch.url_full, render=watch.settings.render, watch_id=watch.id)
        await enqueue_jobs([job | {LEASE: watch.lease_owner}], settings)

    return hand_over


def make_holder() -> str:
    """A name for this process that no other has, here or elsewhere."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
