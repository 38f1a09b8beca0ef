"""What the parts of a Library share: the context, and how pages and watches are named."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.errors import NotInLibrary
from pageloom.flows.blocking import run_blocking
from pageloom.model.pages import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pageloom.context import Context
    from pageloom.edges.store.base import Store
    from pageloom.flows.library.save import SaveContext, SaveResult
    from pageloom.model.library import Job
    from pageloom.model.pages import Filters
    from pageloom.model.watch import Watch
    from pageloom.settings import Settings

    TakeResult = Callable[[SaveResult], None]
    PageName = int | str | Page | SaveResult
    """A page: its number, its URL, its document id, or what ``get`` or ``save`` returned."""
    WatchName = int | str | Watch
    """A watch: its number (7 or ``w7``), the URL of its page, or the Watch."""

_LONGEST_SHOWN = 80
_WATCH = re.compile(r"[wW](\d{1,15})")


class LibraryPart:
    """The context of a library, and looking up what a caller names."""

    def __init__(
        self,
        context: Context,
        *,
        close: Callable[[], None] | None = None,
    ) -> None:
        self.context = context
        self._close = close

    @property
    def owner(self) -> str:
        """Whose library this is: every method reads and writes what belongs to this user."""
        return self.context.owner

    @property
    def settings(self) -> Settings:
        """The settings that this library was opened with."""
        return self.context.settings

    @property
    def _store(self) -> Store:
        return self.context.store

    @staticmethod
    def _checked(filters: Filters) -> Filters:
        """The filters, with dates as the store writes them.

        Raises:
            InvalidArgument: ``since`` or ``until`` is not a date.
        """
        if not (filters.since or filters.until or isinstance(filters.tags, str)):
            return filters
        from pageloom.flows.library.read_dates import read_date

        return replace(
            filters,
            since=read_date(filters.since, "since"),
            until=read_date(filters.until, "until"),
            tags=(filters.tags,) if isinstance(filters.tags, str) else filters.tags,
        )

    def get(self, page: PageName) -> Page:
        """The page with this number, URL or document id.

        Raises:
            NotInLibrary: this user has no such page.
        """
        found = self.find(page)
        if found is None:
            raise NotInLibrary(f"There is no page {_shown(page)} in the library.")
        return found

    def find(self, page: PageName) -> Page | None:
        """The page with this number, URL or document id; None when there is none."""
        from pageloom.edges.store.pages import find_page, get_page

        if isinstance(page, str):
            return find_page(self._store, self.owner, page)
        number = _number(page)
        return get_page(self._store, self.owner, number) if number else None

    def get_all(self, pages: Iterable[PageName]) -> list[Page]:
        """The pages that are named, each once.

        Raises:
            NotInLibrary: one of them is not there.
        """
        return list({page.id: page for page in map(self.get, pages)}.values())

    def get_watch(self, watch: WatchName) -> Watch:
        """The one watch that is named.

        Raises:
            NotInLibrary: this user has no such watch.
            SettingsError: the URL has several watches.
        """
        from pageloom.flows.watch.edit import find_watch

        return find_watch(self._store, self.owner, _watch_name(watch))

    def get_watches(self, watches: Iterable[WatchName]) -> list[Watch]:
        """The watches that are named, each once; a URL names all watches of its page.

        Raises:
            NotInLibrary: one of them is not there.
        """
        from pageloom.flows.watch.edit import find_watches

        names = map(_watch_name, watches)
        found = [one for name in names for one in find_watches(self._store, self.owner, name)]
        return list({watch.id: watch for watch in found}.values())

    def _save_pages(
        self,
        context: SaveContext,
        urls: Sequence[str],
        take: TakeResult,
        job: Job | None = None,
    ) -> None:
        """Fetch and save pages, here or through workers; each result is taken as it comes."""
        from pageloom.flows.library.save import engine_for, save_pages

        here = urls
        is_plain = context.library.mode == "local" and not context.library.snapshots
        if self.settings.library.through_workers and is_plain:
            here = [url for url in urls if engine_for(url, context.library) == "external"]
            theirs = [url for url in urls if url not in set(here)]
            self.context.save_through_workers(context, theirs, job, take)
            if theirs and context.library.keep_pictures:
                run_blocking(self._fetch_due_pictures)
        if here:
            fetcher = self.context.open_fetcher
            run_blocking(lambda: save_pages(context, here, fetcher, take, job))

    async def _fetch_due_pictures(self) -> None:
        """The pictures of pages that workers saved: these fetch pages alone."""
        from pageloom.flows.library.pictures import fetch_pictures

        async with self.context.open_fetcher() as fetcher:
            await fetch_pictures(self.context.picture_context(), fetcher)

    def _track(self, watch: WatchName | None) -> str:
        """The track of versions of a watch; the page's own without one."""
        return "" if watch is None else self.get_watch(watch).track


def _number(page: int | Page | SaveResult) -> int:
    if isinstance(page, int):
        return page
    if isinstance(page, Page):
        return page.id
    return page.saved.page_id if page.saved else 0


def _shown(page: PageName) -> str:
    name = page if isinstance(page, str) else str(_number(page))
    return name[:_LONGEST_SHOWN]


def _watch_name(watch: WatchName) -> str:
    if not isinstance(watch, int | str):
        return str(watch.id)
    numbered = _WATCH.fullmatch(watch) if isinstance(watch, str) else None
    return numbered[1] if numbered else str(watch)
