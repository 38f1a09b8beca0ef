"""Links that rot: whether saved pages are still there, and what an archive has of them."""

from __future__ import annotations

from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.flows.blocking import run_blocking
from pageloom.library.base import LibraryPart
from pageloom.model.pages import DEFAULT_FILTERS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable

    from pageloom.flows.library.save import SaveResult
    from pageloom.flows.links.archive import Archive
    from pageloom.library.base import PageName
    from pageloom.model.links import ArchiveCapture, LinkCheck, LinkState
    from pageloom.model.pages import Filters, Page


class Links(LibraryPart):
    """The methods of a Library that are about whether pages are still there."""

    def check_links(
        self,
        pages: Iterable[PageName],
        *,
        archive: bool = False,
        refresh: bool = False,
        on_result: Callable[[Page, LinkCheck], None] | None = None,
    ) -> list[LinkCheck]:
        """Look whether pages are still there as they were kept; what is found is kept too.

        Hosts are asked one page at a time, ``watch.host_delay`` seconds apart, within robots.txt.

        Args:
            pages: whose URLs.
            archive: ask the web archive for captures of those that are gone.
            refresh: save what has changed, has moved or is back, as a new version.
            on_result: called with each page and what was found.
        """
        from pageloom.flows.links.check import LinkContext, check_links

        wanted = self.get_all(pages)

        async def run() -> list[LinkCheck]:
            found: list[LinkCheck] = []
            async with self._open_archive() as opened:
                context = LinkContext(
                    saving=self.context.save_context(),
                    fetcher=opened.fetcher,
                    comparing=self.settings.changes,
                    archive=opened if archive else None,
                    refresh=refresh,
                )
                async with aclosing(check_links(context, wanted)) as results:
                    async for page, check in results:
                        found.append(check)
                        if on_result:
                            on_result(page, check)
            return found

        return run_blocking(run)

    def unchecked_pages(self, filters: Filters = DEFAULT_FILTERS, *, days: int = 7) -> list[Page]:
        """The pages that match and were not looked at for so many days."""
        from pageloom.edges.store.listing import walk_pages
        from pageloom.edges.store.times import later, now

        since = later(now(), -86_400 * days) if days else "9"
        fresh = {each.page_id for each in self.link_checks() if each.checked_at >= since}
        pages = walk_pages(self._store, self.owner, self._checked(filters))
        return [page for page in pages if page.id not in fresh]

    def link_checks(self, *states: LinkState) -> list[LinkCheck]:
        """What the last looks at pages found, newest first; those in these states."""
        from pageloom.edges.store.link_checks import list_link_checks

        return list_link_checks(self._store, self.owner, states)

    def find_capture(self, url: str, near: str = "") -> ArchiveCapture | None:
        """The capture that the web archive has of a page, nearest to a date; None where none.

        Raises:
            FetchError: the archive cannot be asked, or wants us to wait.
        """

        async def run() -> ArchiveCapture | None:
            async with self._open_archive() as archive:
                return await archive.find(url, near)

        return run_blocking(run)

    def save_from_archive(
        self, url: str, *, near: str = "", tags: Iterable[str] = ()
    ) -> SaveResult:
        """Save a page as the web archive has it, under its own URL.

        Args:
            url: the page.
            near: the capture nearest to this date; the newest when left out.
            tags: added to the page.

        Raises:
            NotInLibrary: the archive has no capture of it.
            PageloomError: it cannot be fetched or read; the library keeps what it has of it.
        """
        from pageloom.flows.links.archive import save_from_archive

        context = self.context.save_context(tags=tuple(tags))

        async def run() -> SaveResult:
            async with self._open_archive() as archive:
                return await save_from_archive(context, url, archive, near)

        return run_blocking(run)

    def submit(self, page: PageName) -> ArchiveCapture:
        """Have the web archive capture a page now.

        Raises:
            FetchError: the archive cannot be asked, wants us to wait, or refuses.
        """
        found = self.get(page)

        async def run() -> ArchiveCapture:
            async with self._open_archive() as archive:
                return await archive.submit(found.url_full or found.url)

        return run_blocking(run)

    @asynccontextmanager
    async def _open_archive(self) -> AsyncGenerator[Archive]:
        """The archive of the settings, with a fetcher that asks each host slowly."""
        from pageloom.edges.fetch.fetcher import open_fetcher
        from pageloom.flows.links.archive import Archive

        fetch, pause = self.settings.fetch, self.settings.watch.host_delay
        polite = replace(fetch, per_host=1, delay=max(fetch.delay, pause))
        async with open_fetcher(polite) as fetcher:
            yield Archive(self.settings.archive, fetcher)
