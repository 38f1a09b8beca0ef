"""Handing checks over to the workers, where the settings say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pageloom.model.watch import Watch
    from pageloom.settings import Settings


def hand_over(settings: Settings) -> Callable[[Watch], Awaitable[None]] | None:
    """What gives a check to the workers; None where checks are made in this process."""
    if not settings.watch.through_workers:
        return None
    from pageloom.apps.agents.jobs import enqueue_jobs, make_job
    from pageloom.apps.agents.messages import LEASE

    async def enqueue(watch: Watch) -> None:
        job = make_job(watch.url_full, render=watch.settings.render, watch_id=watch.id)
        await enqueue_jobs([job | {LEASE: watch.lease_owner}], settings)

    return enqueue
