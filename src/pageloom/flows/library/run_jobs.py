"""Run queued jobs under leases: where a process was killed, another goes on."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.jobs import (
    cancel_job,
    claim_next,
    end_job,
    get_job,
    heartbeat,
    is_cancel_requested,
    open_job,
    release_job,
)
from pageloom.errors import StorageError
from pageloom.flows.library.save import engine_for, save_urls
from pageloom.flows.repeat import repeat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.store.base import Store
    from pageloom.flows.library.save import SaveContext
    from pageloom.model.capture import RenderMode
    from pageloom.model.library import Job

SAVE = "save"
_LEASE = 30.0
_HEARTBEAT = 1.0
_IDLE = 1.0
_AT_ONCE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveJob:
    """What a job that saves pages is asked for."""

    urls: tuple[str, ...]
    tags: tuple[str, ...] = ()
    render: RenderMode = "auto"
    note: str = ""
    archive: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As the job keeps it."""
        return {
            "urls": list(self.urls),
            "tags": list(self.tags),
            "render": self.render,
            "note": self.note,
            "archive": self.archive,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SaveJob:
        """The job that was asked for, by this Pageloom or by an older one."""
        return cls(
            urls=tuple(data["urls"]),
            tags=tuple(data.get("tags", ())),
            render=data.get("render", "auto"),
            note=data.get("note", ""),
            archive=data.get("archive", False),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JobContext:
    """What running jobs needs."""

    store: Store
    saving: Callable[[str, SaveJob], SaveContext]
    """What saving pages needs, for a user and a job."""
    fetcher: Fetcher
    holder: str
    by_workers: Callable[[SaveContext, Sequence[str], Job], int] | None = None
    """Has workers save pages, and says how many failed; None to save them here."""
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a job was queued, so that it is begun at once."""


def queue_save(store: Store, owner: str, wanted: SaveJob) -> Job:
    """Queue pages to be saved; the same request while it is under way is the same job."""
    total = len(set(wanted.urls))
    return open_job(store, owner, SAVE, wanted.to_dict(), queued=True, total=total)


async def run_jobs(context: JobContext, stop: asyncio.Event) -> None:
    """Run jobs, several at a time, until asked to stop; then others may go on with them."""
    under_way: set[asyncio.Task[None]] = set()

    async def begin_next() -> None:
        context.wake.clear()
        under_way.difference_update([task for task in under_way if task.done()])
        job = None
        if len(under_way) < _AT_ONCE:
            job = await asyncio.to_thread(_claim, context)
        if job is not None:
            under_way.add(asyncio.create_task(_run(context, job)))
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(_IDLE):
                await context.wake.wait()

    await repeat(begin_next, stop, name="jobs")
    for task in under_way:
        task.cancel()
    await asyncio.gather(*under_way, return_exceptions=True)


def _claim(context: JobContext) -> Job | None:
    return claim_next(context.store, context.holder, seconds=_LEASE, kinds=(SAVE,))


async def _run(context: JobContext, job: Job) -> None:
    work = asyncio.create_task(_save(context, job))
    try:
        while not (await asyncio.wait({work}, timeout=_HEARTBEAT))[0]:
            if not await asyncio.to_thread(_is_ours, context, job):
                work.cancel()
                await asyncio.wait({work})
                await asyncio.to_thread(_end_cancelled, context, job)
                return
        await work
    except asyncio.CancelledError:
        work.cancel()
        await asyncio.wait({work})
        await asyncio.to_thread(release_job, context.store, job, context.holder)
        raise


def _is_ours(context: JobContext, job: Job) -> bool:
    try:
        return heartbeat(context.store, job, context.holder, seconds=_LEASE)
    except StorageError:  # the lease still holds for a while, and the database may come back
        return True


def _end_cancelled(context: JobContext, job: Job) -> None:
    known = get_job(context.store, job.owner, job.id)
    is_mine = known is not None and known.lease_owner == context.holder
    if is_mine and is_cancel_requested(context.store, job):
        cancel_job(context.store, job)


async def _save(context: JobContext, job: Job) -> None:
    info = await asyncio.to_thread(get_job, context.store, job.owner, job.id)
    if info is None:
        return
    wanted = SaveJob.from_dict(info.settings)
    saving = context.saving(job.owner, wanted)
    here, theirs = wanted.urls, ()
    if context.by_workers is not None and saving.library.mode == "local":
        here = tuple(url for url in here if engine_for(url, saving.library) == "external")
        theirs = tuple(url for url in wanted.urls if url not in set(here))
    failed = 0
    if context.by_workers is not None and theirs:
        failed += await asyncio.to_thread(context.by_workers, saving, theirs, job)
    async for result in save_urls(saving, here, fetcher=context.fetcher, job=job):
        failed += result.error is not None
    await asyncio.to_thread(end_job, context.store, job, failed)
