"""Into a library and out of it: sources, imports, exports, reparses, backups."""

from __future__ import annotations

from dataclasses import replace
from typing import IO, TYPE_CHECKING

from pageloom.edges.store.listing import walk_pages
from pageloom.errors import NotInLibrary
from pageloom.flows.blocking import run_blocking
from pageloom.library.base import LibraryPart
from pageloom.model.pages import DEFAULT_FILTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import Unpack

    from pageloom.flows.library.reparse import ReparseResult
    from pageloom.flows.library.save import SaveResult
    from pageloom.flows.library.sources import PollResult, SourceFields
    from pageloom.flows.transfer.export_formats import ExportChoices, ExportFormat, ExportResult
    from pageloom.flows.transfer.import_files import ImportResult
    from pageloom.flows.transfer.import_pages import Imported
    from pageloom.flows.transfer.portable_page import PortableWatch
    from pageloom.flows.watch.edit import WatchChoices
    from pageloom.library.base import PageName
    from pageloom.library.watches import Watches
    from pageloom.model.library import JobInfo, JobItem, LibraryEvent, Source
    from pageloom.model.pages import Filters, Slice


class Transfer(LibraryPart):
    """The methods of a Library that are about sources, imports, exports, reparses and backups."""

    def sources(self, *, min_reliability: float = 0.0) -> list[Source]:
        """The sources of pages, at least so reliable."""
        from pageloom.edges.store.sources import list_sources

        return list_sources(self._store, self.owner, min_reliability=min_reliability)

    def get_source(self, source_id: str) -> Source:
        """The source with this id.

        Raises:
            NotInLibrary: this user has no such source.
        """
        from pageloom.edges.store.sources import get_source

        found = get_source(self._store, self.owner, source_id)
        if found is None:
            raise NotInLibrary(
                f"There is no source {source_id[:60]}.",
                suggestions=("List the sources with pageloom sources list.",),
            )
        return found

    def add_source(self, source_id: str, **fields: Unpack[SourceFields]) -> tuple[Source, bool]:
        """Add a source, or change the one with this id; whether it is new.

        Raises:
            InvalidUrl: a feed whose URL cannot be read.
            InvalidArgument: another field that cannot be used.
        """
        from pageloom.edges.store.sources import get_source, put_source
        from pageloom.flows.library.sources import changed_source

        known = get_source(self._store, self.owner, source_id)
        source = changed_source(source_id, fields, known)
        is_new = put_source(self._store, self.owner, source)
        return self.get_source(source_id), is_new

    def remove_source(self, source_id: str) -> Source:
        """Remove a source; its pages stay.

        Raises:
            NotInLibrary: this user has no such source.
        """
        from pageloom.edges.store.sources import remove_source

        source = self.get_source(source_id)
        remove_source(self._store, self.owner, source.id)
        return source

    def due_sources(self) -> list[Source]:
        """The sources whose feeds are due for a look now."""
        from pageloom.edges.store.sources import due_sources
        from pageloom.edges.store.times import now

        return due_sources(self._store, self.owner, now())

    def poll(
        self, *source_ids: str, on_result: Callable[[PollResult], None] | None = None
    ) -> list[PollResult]:
        """Look at the feeds of sources, the due ones where none are named; new items are saved.

        Raises:
            NotInLibrary: one of the sources is not there.
        """
        from pageloom.flows.library.sources import poll_source

        wanted = [self.get_source(one) for one in source_ids] if source_ids else self.due_sources()
        context = self.context.save_context(origin="feed")

        async def run() -> list[PollResult]:
            results: list[PollResult] = []
            async with self.context.open_fetcher() as fetcher:
                for source in wanted:
                    results.append(await poll_source(context, source, fetcher=fetcher))
                    if on_result:
                        on_result(results[-1])
            return results

        self.context.housekeep()
        return run_blocking(run)

    def reparse(
        self,
        filters: Filters = DEFAULT_FILTERS,
        *,
        dry_run: bool = False,
        limit: int | None = None,
        outdated: bool = False,
        refetch: bool = False,
        restart: bool = False,
    ) -> Iterator[ReparseResult]:
        """Read stored originals again with the current parser and rules, one page after another.

        Version numbers and everything that users did stay; nobody is notified. The same call
        after an interruption goes on where it stopped.

        Args:
            filters: which pages.
            dry_run: only report what would be done.
            limit: at most so many pages.
            outdated: only pages that another version of the parser read.
            refetch: fetch pages whose original was not kept.
            restart: forget what an earlier call with the same arguments has done.
        """
        from pageloom.flows.library.reparse import ReparseRequest, run_reparse

        request = ReparseRequest(
            filters=self._checked(filters),
            dry_run=dry_run,
            limit=limit,
            outdated=outdated,
            refetch=refetch,
            restart=restart,
        )
        return run_reparse(self.context.save_context(), self.settings.fetch, request)

    def jobs(self, *, limit: int = 100, cursor: str = "") -> Slice[JobInfo]:
        """The jobs of this user, newest first, with their state, progress and result.

        Args:
            limit: at most so many.
            cursor: ``next_cursor`` of the part before.
        """
        from pageloom.edges.store.jobs import list_jobs

        return list_jobs(self._store, self.owner, limit=limit, cursor=cursor)

    def get_job(self, job_id: str) -> JobInfo:
        """One job by its id.

        Raises:
            NotInLibrary: this user has no such job.
        """
        from pageloom.edges.store.jobs import get_job

        found = get_job(self._store, self.owner, job_id)
        if found is None:
            raise NotInLibrary(f"There is no job {job_id[:80]} in the library.", suggestions=())
        return found

    def job_items(
        self, job_id: str, *, state: str | None = None, limit: int = 100, cursor: str = ""
    ) -> Slice[JobItem]:
        """What came of each item of a job, by name.

        Args:
            job_id: which job.
            state: only those that are ``done``, or that ``failed``.
            limit: at most so many.
            cursor: ``next_cursor`` of the part before.

        Raises:
            NotInLibrary: this user has no such job.
        """
        from pageloom.edges.store.jobs import list_items

        job = self.get_job(job_id)
        return list_items(self._store, self.owner, job.id, state=state, limit=limit, cursor=cursor)

    def cancel_job(self, job_id: str) -> bool:
        """Ask for the end of a job; whether it is still active.

        Raises:
            NotInLibrary: this user has no such job.
        """
        from pageloom.edges.store.jobs import request_cancel

        return request_cancel(self._store, self.owner, self.get_job(job_id).id)

    def events(self, after: int = 0, *, limit: int = 100) -> list[LibraryEvent]:
        """What happened in this library, oldest first: saves, changes, deletions and more.

        Args:
            after: the number of the last event that you have seen; follow the log with it.
            limit: at most so many.
        """
        from pageloom.edges.store.events import events_after

        return events_after(self._store, self.owner, after, limit=limit)

    def export(
        self,
        target: str | Path | IO[bytes],
        form: ExportFormat = "markdown",
        *,
        pages: Iterable[PageName] | None = None,
        filters: Filters = DEFAULT_FILTERS,
        **choices: Unpack[ExportChoices],
    ) -> ExportResult:
        """Write pages for other programs.

        Args:
            target: a file, a folder (``markdown``), or an open binary file.
            form: ``jsonl`` (everything, with all versions), ``markdown`` (a folder for Obsidian
                and its kin), ``bookmarks``, ``epub``, ``warc``, ``html`` or ``pdf`` (one page).
            pages: these pages; those that match ``filters`` when left out.
            filters: which pages.
            choices: ``originals=True`` (jsonl), ``title=`` (epub), ``force=True`` to write over a
                file that exists, ``on_page=`` to be called after each page.

        Raises:
            NotInLibrary: no page matches.
            InvalidArgument: the target exists already, or cannot be written.
        """
        from pageloom.flows.transfer.export_formats import (
            ExportContext,
            ExportRequest,
            export_pages,
        )

        if pages is None:
            chosen = list(walk_pages(self._store, self.owner, self._checked(filters)))
        else:
            chosen = self.get_all(pages)
        settings = self.settings
        context = ExportContext(store=self._store, database=settings.database, fetch=settings.fetch)
        return export_pages(context, chosen, ExportRequest(target=target, form=form, **choices))

    def export_jsonl(
        self, filters: Filters = DEFAULT_FILTERS, *, originals: bool = False
    ) -> Iterator[bytes]:
        """Everything the library knows of each page, as JSON Lines, one line at a time.

        Args:
            filters: which pages.
            originals: with what the servers sent.
        """
        from pageloom.flows.transfer.export_texts import jsonl_lines

        pages = walk_pages(self._store, self.owner, self._checked(filters))
        return jsonl_lines(self._store, pages, originals=originals)

    def import_(  # noqa: PLR0913  the names are the public API
        self,
        source: str | Path,
        form: str | None = None,
        *,
        tags: Iterable[str] = (),
        fetch: bool = True,
        restart: bool = False,
        from_user: str = "",
        on_result: Callable[[Imported | SaveResult], None] | None = None,
    ) -> ImportResult:
        """Bring the pages of another program's library in.

        Pages that are there already keep their content and state; tags and notes are added.
        The same call after an interruption goes on where it stopped.

        Args:
            source: a file, a folder, an archive, or ``postgresql://…`` with a table ``websites``.
            form: ``jsonl``, ``markdown``, ``bookmarks``, ``pocket``, ``instapaper``, ``omnivore``,
                ``readwise``, ``wallabag``, ``karakeep``, ``linkding``, ``changedetection`` (a
                backup, with its watches and their history), ``opml`` (feeds, which become
                sources), ``urls`` or ``websites``; recognised when left out.
            tags: added to every page.
            fetch: fetch pages that come as a URL only.
            restart: forget what an earlier call with the same file has done.
            from_user: for a ``websites`` table: whose pages.
            on_result: called with each page as it comes in or is fetched.

        Raises:
            InvalidArgument: there is no such file, or its format cannot be detected.
        """
        from pageloom.flows.transfer.import_files import ImportRequest, run_import

        request = ImportRequest(
            source=source,
            form=form,
            tags=tuple(tags),
            restart=restart,
            from_user=from_user,
            on_result=on_result,
        )
        context = self.context.save_context(tags=request.tags, origin="import")
        result = run_import(context, request, self._save_pages if fetch else None)
        for number, page in enumerate(result.pages):
            if page.watch is not None:
                added, reason = self._bring_watch(page.watch)
                result.watches += added
                reasons = "; ".join(filter(None, (page.reason, reason)))
                result.pages[number] = replace(page, reason=reasons)
        return result

    def _bring_watch(self, found: PortableWatch) -> tuple[int, str]:
        """Add a watch of another program; 1 if it is new, and what of it could not be brought."""
        from pageloom.errors import PageloomError
        from pageloom.flows.watch.edit import choices_of_other
        from pageloom.library.watches import Watches

        watches, left = Watches(self.context), list(found.left_out)
        choices = choices_of_other(found)
        try:
            self._try_targets(watches, choices, left)
            watch, is_new = watches.add_watch(found.url, name=found.name, **choices)
        except PageloomError as error:
            return 0, f"it is not watched: {error.message}"
        if found.paused:
            watches.pause(watch)
        return int(is_new), f"its watch is without {', '.join(left)}" if left else ""

    @staticmethod
    def _try_targets(watches: Watches, choices: WatchChoices, left: list[str]) -> None:
        """Leave out targets that cannot be used here: the watch is worth having without them."""
        from pageloom.errors import PageloomError
        from pageloom.redaction import redact_target

        usable: list[str] = []
        for target in choices.get("targets") or ():
            try:
                watches.choose_settings(None, {"targets": [target]})
                usable.append(target)
            except PageloomError:
                left.append(redact_target(target)[:60])
        choices["targets"] = usable

    def sources_opml(self) -> str:
        """The feeds of all sources as OPML, for other feed readers; ``import_`` reads it too."""
        from pageloom.flows.transfer.import_services import write_opml

        return write_opml(self.sources())

    def replace_websites_table(self) -> None:
        """Put a view in the place of an older table ``websites``, which gets another name.

        Raises:
            StorageError: there is no such table.
        """
        from pageloom.flows.transfer.import_files import replace_websites_table

        replace_websites_table(self._store)

    def backup(self, path: str | Path, *, force: bool = False) -> dict[str, int]:
        """Write the whole library, of all users, into one file; the rows of each table.

        Args:
            path: the file.
            force: overwrite an older backup.

        Raises:
            InvalidArgument: the file exists, or is the library itself.
        """
        from pageloom.flows.transfer.backups import write_backup

        return write_backup(self._store, self.settings.database, path, force=force)

    def restore_backup(self, path: str | Path, *, replace: bool = False) -> dict[str, int]:
        """Put a backup in the place of the library; the rows of each table.

        Args:
            path: the backup.
            replace: also where the library has pages, which are lost then.

        Raises:
            StorageError: the file is no backup, or the library has pages.
        """
        from pageloom.flows.transfer.backups import read_backup

        return read_backup(self._store, path, replace=replace)
