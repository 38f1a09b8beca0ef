"""Work of a server: it runs queued jobs, polls feeds, checks watches and sends notices."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pageloom.library.searches import Searches

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
    from typing import TextIO

    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.flows.capture.fetch_picture import FetchedPicture
    from pageloom.flows.library.run_jobs import SaveJob
    from pageloom.flows.library.save import SaveContext, SaveResult
    from pageloom.flows.watch.scheduler import Observer
    from pageloom.model.capture import RenderMode
    from pageloom.model.library import Job, JobInfo

_PICTURE_PAUSE = 60.0
_POLL_PAUSE = 5.0
_SEARCH_PAUSE = 10.0
_FETCHED_AT_ONCE, _STORED_AT_ONCE = 4, 1
"""Pages of a job at the same time beside those who read: each takes the interpreter."""


class ServerWork(Searches):
    """The methods of a Library that a server runs for all users."""

    def save_later(
        self,
        urls: Iterable[str],
        *,
        tags: Iterable[str] = (),
        render: RenderMode = "auto",
        note: str = "",
        archive: bool = False,
    ) -> JobInfo:
        """Queue pages to be fetched and saved by ``run_work``, here or in another process.

        Args:
            urls: the pages.
            tags: added to each page.
            render: as in ``save``.
            note: added to each page.
            archive: put the pages into the archive.
        """
        from pageloom.edges.store.jobs import get_job
        from pageloom.flows.library.run_jobs import SaveJob, queue_save

        wanted = SaveJob(
            urls=tuple(dict.fromkeys(urls)),
            tags=tuple(tags),
            render=render,
            note=note,
            archive=archive,
        )
        job = queue_save(self._store, self.owner, wanted)
        found = get_job(self._store, self.owner, job.id)
        assert found is not None  # noqa: S101  it was opened a line before
        return found

    def last_events(self, owners: Sequence[str]) -> dict[str, int]:
        """The id of the last event of each of some users; for servers that follow many."""
        from pageloom.edges.store.events import last_events

        return last_events(self._store, owners)

    def find_answer(self, key: str) -> dict[str, Any] | None:
        """What was answered to the request with this key; None when there was none."""
        from pageloom.edges.store.idempotency import find_result

        with self._store.read() as tx:
            return find_result(tx, f"requests of {self.owner}", key)

    def keep_answer(self, key: str, answer: dict[str, Any]) -> None:
        """Remember what was answered to the request with this key, for whoever repeats it."""
        from pageloom.edges.store.idempotency import store_result

        consumer = f"requests of {self.owner}"
        self._store.transact(lambda tx: store_result(tx, consumer, key, answer))

    async def run_work(
        self,
        stop: asyncio.Event,
        *,
        wake: asyncio.Event | None = None,
        observer: Observer | None = None,
        stream: TextIO | None = None,
    ) -> None:
        """Run queued jobs, poll feeds, check watches and send notices, for all users.

        Any number of processes may do so at once: each piece of work is leased by one of them.

        Args:
            stop: ends it; what is under way is finished, or left to others.
            wake: set when a job was queued, so that it is begun at once.
            observer: told of every check and every failure.
            stream: where the target ``console`` is; standard output when left out.
        """
        import asyncio  # not before: most commands need no event loop

        from pageloom.context import worker_id
        from pageloom.edges.fetch.fetcher import open_fetcher
        from pageloom.flows.library.run_jobs import JobContext, run_jobs
        from pageloom.flows.watch.scheduler import run_scheduler

        notify = self.context.notify_context(stream)
        in_turn = asyncio.Semaphore(_STORED_AT_ONCE)

        def saving(owner: str, job: SaveJob) -> SaveContext:
            return replace(self._saving(owner, job), in_turn=in_turn)

        fetching = replace(
            self.settings.fetch, concurrency=min(_FETCHED_AT_ONCE, self.settings.fetch.concurrency)
        )
        async with open_fetcher(fetching) as fetcher, self.context.watch_context() as watching:
            jobs = JobContext(
                store=self._store,
                saving=saving,
                fetcher=fetcher,
                holder=worker_id(),
                by_workers=self._by_workers if self.settings.library.through_workers else None,
                wake=wake or asyncio.Event(),
            )
            async with asyncio.TaskGroup() as loops:
                loops.create_task(run_jobs(jobs, stop))
                loops.create_task(self._poll_on(fetcher, stop))
                loops.create_task(self._fetch_pictures_on(fetcher, stop))
                loops.create_task(self._ask_searches_on(stop))
                loops.create_task(run_scheduler(watching, notify, stop, observer))

    @asynccontextmanager
    async def open_pictures(self) -> AsyncGenerator[Callable[[str], Awaitable[FetchedPicture]]]:
        """A function that fetches pictures, for as long as the block runs."""
        from pageloom.flows.capture.fetch_picture import fetch_picture

        async with self.context.open_fetcher() as fetcher:
            yield lambda url: fetch_picture(url, fetcher)

    def _by_workers(self, context: SaveContext, urls: Sequence[str], job: Job) -> int:
        failed: list[str] = []

        def take(result: SaveResult) -> None:
            if result.error is not None:
                failed.append(result.url)

        self.context.save_through_workers(context, urls, job, take)
        return len(failed)

    async def _fetch_pictures_on(self, fetcher: Fetcher, stop: asyncio.Event) -> None:
        from pageloom.flows.library.pictures import fetch_all_due
        from pageloom.flows.repeat import repeat, wait_for_stop

        async def fetch() -> None:
            await fetch_all_due(self._store, self.settings.library, fetcher)
            await wait_for_stop(stop, _PICTURE_PAUSE)

        await repeat(fetch, stop, name="pictures")

    async def _ask_searches_on(self, stop: asyncio.Event) -> None:
        """Notify of what saved searches newly find; the scheduler sends the notices."""
        import asyncio

        from pageloom.flows.repeat import repeat, wait_for_stop

        async def ask() -> None:
            await asyncio.to_thread(self.check_due_searches)
            await wait_for_stop(stop, _SEARCH_PAUSE)

        await repeat(ask, stop, name="searches")

    def _saving(self, owner: str, job: SaveJob) -> SaveContext:
        context = self.context.for_user(owner).save_context(tags=job.tags, render=job.render)
        return replace(context, note=job.note, archive=job.archive)

    async def _poll_on(self, fetcher: Fetcher, stop: asyncio.Event) -> None:
        from pageloom.flows.library.sources import poll_next
        from pageloom.flows.repeat import repeat, wait_for_stop

        def saving(owner: str) -> SaveContext:
            return self.context.for_user(owner).save_context(origin="feed")

        async def poll() -> None:
            if await poll_next(saving, self._store, fetcher) is None:
                await wait_for_stop(stop, _POLL_PAUSE)

        await repeat(poll, stop, name="feeds")
