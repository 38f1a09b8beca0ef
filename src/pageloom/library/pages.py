"""Pages of a library: save, find, read, compare, organise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.errors import NotInLibrary
from pageloom.flows.blocking import run_blocking
from pageloom.library.base import LibraryPart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pageloom.core.compare.options import DiffOptions
    from pageloom.core.compare.report import ChangeReport
    from pageloom.flows.library.compare import VersionPair
    from pageloom.flows.library.follow_changes import TouchedPages
    from pageloom.flows.library.organize import Action, BulkAction, BulkResult
    from pageloom.flows.library.pictures import PictureCount
    from pageloom.flows.library.save import SaveResult
    from pageloom.flows.library.similar import SimilarPage
    from pageloom.library.base import PageName, WatchName
    from pageloom.model import Document
    from pageloom.model.capture import RenderMode
    from pageloom.model.files import KeptFile, PagePicture, Snapshot, SnapshotKind, VisualChange
    from pageloom.model.library import Version, VersionInfo
    from pageloom.model.pages import Note, Page, ReadingProgress, Slice

_FLAGS = {"html": "single-file"}
"""Flags of ``save`` that are not called as the snapshot is."""


class Pages(LibraryPart):
    """The methods of a Library that are about pages."""

    def save(
        self,
        url: str,
        *,
        content: bytes | str | None = None,
        content_type: str = "",
        tags: Iterable[str] = (),
        render: RenderMode = "auto",
    ) -> SaveResult:
        """Fetch a page and save it; saving it again adds a version when it changed.

        Args:
            url: the page.
            content: the page as it was captured elsewhere; nothing is fetched then.
            content_type: the Content-Type that the captured page came with.
            tags: added to the page.
            render: ``auto`` opens a browser where HTTP is not enough, ``force`` always,
                ``never`` never.

        Raises:
            PageloomError: it cannot be fetched or read; the library keeps what it has of it.
        """
        if content is None:
            return self._saved_one(url, tuple(tags), render)
        from pageloom.flows.library.save import save_content

        context = self.context.save_context(tags=tuple(tags), render=render)
        body = content.encode() if isinstance(content, str) else content
        return save_content(context, body, url, content_type=content_type)

    async def save_async(
        self, url: str, *, tags: Iterable[str] = (), render: RenderMode = "auto"
    ) -> SaveResult:
        """Fetch a page and save it; as ``save``, to be awaited: whoever stops waiting ends it.

        Raises:
            PageloomError: it cannot be fetched or read; the library keeps what it has of it.
        """
        import asyncio

        from pageloom.flows.library.save import save_pages

        if self.settings.library.through_workers:
            return await asyncio.to_thread(self._saved_one, url, tuple(tags), render)
        results: list[SaveResult] = []
        context = self.context.save_context(tags=tuple(tags), render=render)
        await save_pages(context, [url], self.context.open_fetcher, results.append)
        if results[0].error:
            raise results[0].error
        return results[0]

    def _saved_one(self, url: str, tags: tuple[str, ...], render: RenderMode) -> SaveResult:
        results: list[SaveResult] = []
        context = self.context.save_context(tags=tags, render=render)
        self.context.housekeep()
        self._save_pages(context, [url], results.append)
        if results[0].error:
            raise results[0].error
        return results[0]

    def save_sample(self) -> SaveResult:
        """Save the page that ships with Pageloom, to try everything on."""
        from importlib.resources import files

        page = (files("pageloom.samples") / "harbour-swifts.html").read_bytes()
        url = "https://tidewatch.example/nature/harbour-swifts"
        return self.save(url, content=page, content_type="text/html; charset=utf-8")

    def save_all(
        self,
        urls: Iterable[str],
        *,
        tags: Iterable[str] = (),
        render: RenderMode = "auto",
        restart: bool = False,
        on_result: Callable[[SaveResult], None] | None = None,
    ) -> list[SaveResult]:
        """Fetch and save many pages side by side; a page that fails is a result with an error.

        The same call after an interruption, or after failures, skips what it has saved before.

        Args:
            urls: the pages.
            tags: added to each page.
            render: as in ``save``.
            restart: forget what an earlier call with the same pages has done.
            on_result: called with each result as it comes.
        """
        from pageloom.edges.store.jobs import end_job, open_job

        wanted, labels = list(urls), tuple(tags)
        asked = {"urls": wanted, "tags": labels}
        job = open_job(
            self._store, self.owner, "save", asked, restart=restart, total=len(set(wanted))
        )
        results: list[SaveResult] = []

        def take(result: SaveResult) -> None:
            results.append(result)
            if on_result:
                on_result(result)

        context = self.context.save_context(tags=labels, render=render)
        self.context.housekeep()
        self._save_pages(context, wanted, take, job)
        end_job(self._store, job, sum(result.error is not None for result in results))
        return results

    def note_url(self, url: str, title: str = "") -> Page:
        """Add a page of which only the URL is known; ``save`` and ``save_later`` fetch it.

        A page that is there stays as it is.

        Raises:
            InvalidUrl: not a URL of the web.
        """
        from pageloom.flows.library.organize import note_url

        return self.get(note_url(self._store, self.owner, url, title))

    def read(self, page: PageName, version: int | None = None) -> Document:
        """The Document of a page, which is then marked as read; see also ``document``.

        Raises:
            NotInLibrary: there is no such page or version.
        """
        from pageloom.edges.store.pages import mark_opened

        found = self.get(page)
        document = self.document(found, version)
        mark_opened(self._store, self.owner, found.id)
        return document

    def document(self, page: PageName, version: int | None = None) -> Document:
        """The Document of a page: of its last version, or of the one with this number.

        Raises:
            NotInLibrary: there is no such page or version.
        """
        return self.version(page, version).document

    def mark_opened(self, page: PageName) -> Page:
        """Note that the user opened a page; it counts as read from then on."""
        from pageloom.edges.store.pages import mark_opened

        found = self.get(page)
        mark_opened(self._store, self.owner, found.id)
        return found

    def history(
        self,
        page: PageName,
        *,
        watch: WatchName | None = None,
        limit: int = 1000,
        cursor: str = "",
    ) -> Slice[VersionInfo]:
        """The versions of a page, newest first, without their content.

        Args:
            page: the page.
            watch: the versions of what this watch compares, where it has a scope.
            limit: at most so many.
            cursor: ``next_cursor`` of the part before.
        """
        from pageloom.edges.store.versions import history

        found = self.get(page)
        return history(self._store, found, track=self._track(watch), limit=limit, cursor=cursor)

    def version(
        self, page: PageName, number: int | None = None, *, watch: WatchName | None = None
    ) -> Version:
        """A version of a page with its Document: the last one, or the one with this number.

        Raises:
            NotInLibrary: there is no such version, or its content is no longer kept.
        """
        from pageloom.edges.store.versions import latest_version, version

        found, track = self.get(page), self._track(watch)
        if number is None:
            wanted = latest_version(self._store, found, track=track)
        else:
            wanted = version(self._store, found, number, track=track)
        if wanted is None:
            what = "no content yet" if number is None else f"no version {number}"
            raise NotInLibrary(
                f"Page {found.id} has {what}.",
                suggestions=(f"List its versions with pageloom history {found.id}.",),
            )
        return wanted

    def explain(self, page: PageName, number: int | None = None) -> Document | None:
        """A version read again with all reasons: every block, kept or dropped, and its score.

        None where what the server sent was not kept.
        """
        from dataclasses import replace

        from pageloom.flows.capture.extract import extract

        found = self.get(page)
        body = self.original(found, number)
        if body is None:
            return None
        info = self.version(found, number).info
        options = replace(self.settings.extraction, explain=True)
        return extract(
            body,
            found.final_url or found.url_full,
            content_type=info.content_type or None,
            rules=self.context.own_rules.sealed,
            options=options,
            timeout_ms=options.parse_timeout_ms,
        )

    def original(self, page: PageName, number: int | None = None) -> bytes | None:
        """What the server sent for a version of a page; None where that was not kept."""
        from pageloom.edges.store.bodies import read_body

        found = self.get(page)
        hash_ = self.version(found, number).info.body_hash
        return read_body(self._store, found, hash_) if hash_ else None

    def pictures(self, page: PageName) -> list[PagePicture]:
        """The pictures that a page shows, in its order: kept, waiting, or given up and why."""
        from pageloom.edges.store.pictures import pictures_of

        return pictures_of(self._store, self.get(page))

    def picture(self, url: str) -> KeptFile | None:
        """A kept picture of one of your pages by its URL; the smaller copy if there is one."""
        from pageloom.edges.store.pictures import find_picture

        return find_picture(self._store, self.owner, url)

    def snapshots(self, page: PageName) -> list[Snapshot]:
        """The snapshots that are kept of a page, newest first."""
        from pageloom.edges.store.snapshots import snapshots_of

        return snapshots_of(self._store, self.get(page))

    def snapshot(self, page: PageName, kind: SnapshotKind, version: int | None = None) -> KeptFile:
        """A snapshot of a page: of this version, or the newest.

        Raises:
            NotInLibrary: there is none of this kind.
        """
        from pageloom.edges.store.snapshots import read_snapshot

        found = self.get(page)
        file = read_snapshot(self._store, found, kind, version)
        if file is None:
            raise NotInLibrary(
                f"Page {found.id} has no {kind} snapshot.",
                suggestions=(f"Save it again with --{_FLAGS.get(kind, kind)}.",),
            )
        return file

    def visual_changes(self, page: PageName, *, limit: int = 50) -> list[VisualChange]:
        """What looked different on a page whose watch compares screenshots, newest first."""
        from pageloom.edges.store.visual_changes import list_visual_changes

        return list_visual_changes(self._store, self.get(page), limit)

    def file(self, hash_: str) -> bytes:
        """A file of one of your pages by its hash: a picture, a snapshot, a screenshot.

        Raises:
            NotInLibrary: none of your pages has it.
        """
        from pageloom.edges.store.files import read_file

        found = read_file(self._store, self.owner, hash_)
        if found is None:
            raise NotInLibrary("None of your pages has this file.", suggestions=())
        return found

    def fetch_pictures(self, *pages: PageName) -> PictureCount:
        """Fetch the pictures of pages that are not kept yet, also those given up.

        Without pages: those of all pages that are waiting for another try.
        """
        from pageloom.flows.library.pictures import fetch_missing

        found = self.get_all(pages)
        context, fetcher = self.context.picture_context(), self.context.open_fetcher
        return run_blocking(lambda: fetch_missing(context, found, fetcher))

    def diff(
        self,
        page: PageName,
        from_version: int | None = None,
        to_version: int | None = None,
        *,
        watch: WatchName | None = None,
        options: DiffOptions | None = None,
    ) -> ChangeReport:
        """What changed between two versions of a page: the last two unless others are named.

        Args:
            page: the page.
            from_version: the older version; the one before ``to_version`` when left out.
            to_version: the newer version; the last when left out.
            watch: compare what this watch compares, where it has a scope.
            options: how to compare; the settings' ``[changes]`` when left out.

        Raises:
            NotInLibrary: there is no such version, or its content is no longer kept.
        """
        pair = self.compare(page, from_version, to_version, watch=watch, options=options)
        return pair.report

    def compare(
        self,
        page: PageName,
        from_version: int | None = None,
        to_version: int | None = None,
        *,
        watch: WatchName | None = None,
        options: DiffOptions | None = None,
    ) -> VersionPair:
        """The same as ``diff``, with the two Documents that were compared."""
        from pageloom.flows.library.compare import compare_versions

        return compare_versions(
            self.context.save_context(),
            self.get(page),
            options or self.settings.changes,
            from_version=from_version,
            to_version=to_version,
            watch=None if watch is None else self.get_watch(watch),
        )

    def tag(self, page: PageName, *tags: str) -> tuple[str, ...]:
        """Add tags to a page; all the tags that you gave it so far."""
        from pageloom.flows.library.organize import change_tags

        return change_tags(self._store, self.get(page), add=tags)

    def untag(self, page: PageName, *tags: str) -> tuple[str, ...]:
        """Remove tags from a page; those that are left."""
        from pageloom.flows.library.organize import change_tags

        return change_tags(self._store, self.get(page), remove=tags)

    def tags(self, page: PageName) -> tuple[str, ...]:
        """The tags that you gave a page."""
        from pageloom.edges.store.tags import tags_of

        return tags_of(self._store, self.get(page))

    def tags_of_all(self, pages: Iterable[Page]) -> dict[int, tuple[str, ...]]:
        """The tags of several pages, by their numbers; pages without tags are left out."""
        from pageloom.edges.store.tags import tags_of_pages

        return tags_of_pages(self._store, self.owner, [page.id for page in pages])

    def rename_tag(self, tag: str, new: str) -> int:
        """Rename a tag, or merge it into another that exists; how many pages it was on."""
        from pageloom.flows.library.organize import rename_tag

        return rename_tag(self._store, self.owner, tag, new)

    def remove_tag(self, tag: str) -> int:
        """Remove a tag from all pages; how many it was on."""
        return self.rename_tag(tag, "")

    def all_tags(self) -> list[tuple[str, int]]:
        """Every tag in use, with the number of its pages."""
        from pageloom.edges.store.tags import all_tags

        return all_tags(self._store, self.owner)

    def note(self, page: PageName, text: str) -> Note:
        """Add a note to a page."""
        from pageloom.edges.store.tags import add_note, notes_of

        found = self.get(page)
        number = self._store.transact(lambda tx: add_note(tx, found, text))
        return next(note for note in notes_of(self._store, found) if note.id == number)

    def notes(self, page: PageName) -> list[Note]:
        """The notes on a page, oldest first."""
        from pageloom.edges.store.tags import notes_of

        return notes_of(self._store, self.get(page))

    def remove_note(self, page: PageName, note: int) -> None:
        """Remove the note with this number from a page.

        Raises:
            NotInLibrary: the page has no such note.
        """
        from pageloom.edges.store.tags import remove_note

        found = self.get(page)
        if not self._store.transact(lambda tx: remove_note(tx, found, note)):
            raise NotInLibrary(f"Page {found.id} has no note {note}.", suggestions=())

    def pin(self, *pages: PageName) -> list[Page]:
        """Pin pages; those that were not pinned before, as they are now."""
        return self.act("pin", pages)

    def unpin(self, *pages: PageName) -> list[Page]:
        """Unpin pages; those that were pinned before."""
        return self.act("unpin", pages)

    def archive(self, *pages: PageName) -> list[Page]:
        """Archive pages: lists leave them out; those that were not archived before."""
        return self.act("archive", pages)

    def unarchive(self, *pages: PageName) -> list[Page]:
        """Take pages out of the archive; those that were in it."""
        return self.act("unarchive", pages)

    def mark_read(self, *pages: PageName) -> list[Page]:
        """Mark pages as read; those that were unread."""
        return self.act("read", pages)

    def mark_unread(self, *pages: PageName) -> list[Page]:
        """Mark pages as unread; those that were read."""
        return self.act("unread", pages)

    def delete(self, *pages: PageName) -> list[Page]:
        """Delete pages: ``restore`` brings them back, until ``purge``; those deleted by this."""
        return self.act("delete", pages)

    def restore(self, *pages: PageName) -> list[Page]:
        """Bring deleted pages back; those that were deleted."""
        return self.act("restore", pages)

    def act(self, action: Action, pages: Iterable[PageName]) -> list[Page]:
        """Do the same to several pages: all of them, or none when one is not there.

        Returns:
            The pages that this changed, as they are now.

        Raises:
            NotInLibrary: one of the pages is not there; nothing was changed.
        """
        from pageloom.flows.library.organize import act_on_pages

        found = self.get_all(pages)
        return [self.get(number) for number in act_on_pages(self._store, self.owner, action, found)]

    def act_on_many(
        self, action: BulkAction, page_ids: Iterable[int], *, tag: str = ""
    ) -> BulkResult:
        """Do the same to many pages, so that it can be undone; what is not there is left out.

        Args:
            action: one of those of ``act``, or ``tag`` and ``untag``.
            page_ids: the numbers of the pages.
            tag: for ``tag`` and ``untag``.
        """
        from pageloom.flows.library.organize import act_on_many

        return act_on_many(self._store, self.owner, action, list(page_ids), tag=tag)

    def undo(self, undo_id: str) -> BulkResult:
        """Undo what ``act_on_many`` did, by the id of its result.

        Raises:
            NotInLibrary: nothing was done under this id, or too long ago.
        """
        from pageloom.flows.library.organize import undo

        return undo(self._store, self.owner, undo_id)

    def find_done(self, undo_id: str) -> BulkResult | None:
        """What ``act_on_many`` did under this id; None when that is not known."""
        from pageloom.flows.library.organize import find_done

        return find_done(self._store, self.owner, undo_id)

    def purge(self, *pages: PageName) -> list[int]:
        """Remove deleted pages for good, with their versions; the numbers of those removed.

        Pages that are not deleted stay.
        """
        from pageloom.flows.library.organize import purge_pages

        return purge_pages(self._store, self.owner, self.get_all(pages))

    def purge_deleted(self) -> list[int]:
        """Remove every deleted page for good; the numbers of those removed."""
        from pageloom.flows.library.organize import purge_pages

        return purge_pages(self._store, self.owner)

    def stats(self) -> dict[str, Any]:
        """The library in figures: pages, versions, words, sites, languages, sizes."""
        from pageloom.edges.store.stats import read_stats

        return read_stats(self._store, self.owner)

    def note_progress(self, page: PageName, version: int, block: int, blocks: int) -> None:
        """Remember how far a page was read: the block at the top of so many, of a version."""
        from pageloom.edges.store.progress import note_progress
        from pageloom.model.pages import ReadingProgress

        place = ReadingProgress(version=version, block=min(block, blocks), blocks=blocks)
        found = self.get(page)
        self._store.transact(lambda tx: note_progress(tx, found, place))

    def progress(self, page: PageName) -> ReadingProgress | None:
        """How far a page was read; None before that."""
        from pageloom.edges.store.progress import progress_of

        return progress_of(self._store, self.get(page))

    def progress_of_all(self, pages: Iterable[Page]) -> dict[int, ReadingProgress]:
        """How far each of some pages was read, by its number; those never begun are left out."""
        from pageloom.edges.store.progress import progress_of_pages

        return progress_of_pages(self._store, self.owner, [page.id for page in pages])

    def similar(self, page: PageName, *, limit: int = 10) -> list[SimilarPage]:
        """Pages like this one: with nearly the same text, then those that share its words."""
        from pageloom.flows.library.similar import similar_pages

        return similar_pages(self._store, self.get(page), limit=limit)

    def near_duplicates(self, page: PageName) -> list[Page]:
        """The other pages with nearly the same text as this one."""
        from pageloom.edges.store.signatures import near_duplicates

        return near_duplicates(self._store, self.get(page))

    def merge(self, page: PageName, *others: PageName) -> Page:
        """Merge pages into one, which gets their tags, notes, highlights and URLs.

        They go to the trash.
        """
        from pageloom.flows.library.duplicates import merge_pages

        kept = self.get(page)
        merge_pages(self._store, kept, [each for each in self.get_all(others) if each != kept])
        return self.get(kept.id)

    def in_need(self) -> dict[str, list[Page]]:
        """Pages that need somebody: without content (``empty``), ``poor``, or a ``teaser``."""
        from pageloom.edges.store.attention import pages_in_need, teasers

        found = pages_in_need(self._store, self.owner)
        return {
            "empty": [page for page in found if not page.version],
            "poor": [page for page in found if page.version],
            "teaser": teasers(self._store, self.owner),
        }

    def touched(self, since: str, *, limit: int = 50, cursor: str = "") -> TouchedPages:
        """The pages that anything happened to since an instant, deleted ones too.

        For copies of the library that are kept up to date: as far back as events are kept.
        """
        from pageloom.flows.library.follow_changes import touched_pages
        from pageloom.flows.library.read_dates import read_date

        at = read_date(since, "updated_since")
        return touched_pages(self._store, self.owner, at, limit=limit, cursor=cursor)

    def storage(self) -> dict[str, Any]:
        """What takes room: originals, Documents, pictures, snapshots, the database."""
        from pageloom.edges.store.stats import read_storage

        return read_storage(self._store, self.owner)

    def duplicates(self) -> list[list[Page]]:
        """Groups of near-duplicate pages, the largest first."""
        from pageloom.edges.store.listing import walk_pages
        from pageloom.flows.library.duplicates import find_clusters
        from pageloom.model.pages import WITH_ARCHIVED

        pages = walk_pages(self._store, self.owner, WITH_ARCHIVED, batch=2000)
        return find_clusters(pages)
