"""Watches of a library: what is checked, what changed, what was notified."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from pageloom.errors import InvalidUrl, NotInLibrary
from pageloom.flows.blocking import run_blocking
from pageloom.library.base import LibraryPart
from pageloom.model.pages import Slice

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterable, Sequence
    from typing import Unpack

    from pageloom.edges.store.tracks import TrackState
    from pageloom.flows.notify.outbox_sender import SendCounts
    from pageloom.flows.watch.edit import Preview, WatchChoices
    from pageloom.flows.watch.matters import Matters, PastChange
    from pageloom.flows.watch.record_check import CheckResult
    from pageloom.flows.watch.scheduler import Observer
    from pageloom.library.base import PageName, WatchName
    from pageloom.model.capture import Capture
    from pageloom.model.library import (
        Change,
        ChangeSort,
        MessageState,
        OutboxMessage,
        Run,
        StoredPrice,
        StoredPriceEvent,
    )
    from pageloom.model.pages import Page
    from pageloom.model.watch import LivingPlace, Watch, WatchSettings


class Watches(LibraryPart):
    """The methods of a Library that are about watches, changes, prices and notices."""

    def watch(self, url: str, *, name: str = "", **choices: Unpack[WatchChoices]) -> Watch:
        """Watch a page: the new watch, or the one that is there for the same page and scope.

        A watch that is there is never changed: ``edit_watch`` does that.

        Args:
            url: the page.
            name: what the watch is called.
            choices: see ``WatchChoices``: ``every="6h"``, ``scope=[".price"]``,
                ``targets=["feed:prices"]`` …

        Raises:
            InvalidUrl: not a URL of the web.
            SettingsError: choices that cannot be followed, or that the watch that is there has not
                made.
        """
        return self.add_watch(url, name=name, **choices)[0]

    def add_watch(
        self, url: str, *, name: str = "", **choices: Unpack[WatchChoices]
    ) -> tuple[Watch, bool]:
        """The same as ``watch``, and whether the watch is new."""
        from pageloom.flows.watch.edit import new_watch, require_same

        settings, means = self._chosen(None, choices), self.context.notify_context()
        watch, added = new_watch(self._store, self.owner, url, settings, means, name=name)
        if not added:
            wanted = replace(watch, settings=self._chosen(watch, choices), name=name or watch.name)
            require_same(watch, wanted)
        return watch, added

    def _chosen(self, watch: Watch | None, choices: WatchChoices) -> WatchSettings:
        from pageloom.flows.watch.edit import choose, default_settings

        known = watch.settings if watch else default_settings(self.settings.watch)
        return choose(known, choices)

    def watches(self) -> list[Watch]:
        """All watches, oldest first."""
        from pageloom.edges.store.watches import list_watches

        return list_watches(self._store, self.owner)

    def watches_of(self, page: PageName) -> list[Watch]:
        """The watches of a page."""
        from pageloom.edges.store.identity import aliases_of
        from pageloom.edges.store.watches import watches_of

        found = self.get(page)
        keys = (found.url, *aliases_of(self._store, found))
        return [each for key in keys for each in watches_of(self._store, self.owner, key)]

    def edit_watch(
        self, watch: WatchName, *, name: str | None = None, **choices: Unpack[WatchChoices]
    ) -> Watch:
        """Change a watch; what is not named stays. It is due at once.

        Raises:
            NotInLibrary: there is no such watch.
            SettingsError: choices that cannot be followed.
        """
        from pageloom.edges.store.times import now
        from pageloom.flows.watch.edit import edit_watch

        known = self.get_watch(watch)
        return edit_watch(
            self._store,
            known,
            self._chosen(known, choices),
            self.context.notify_context(),
            name=known.name if name is None else name,
            at=now(),
        )

    def pause(self, *watches: WatchName) -> list[Watch]:
        """Stop checking watches until they are resumed."""
        return self._pause(watches, paused=True)

    def resume(self, *watches: WatchName) -> list[Watch]:
        """Check paused watches again."""
        return self._pause(watches, paused=False)

    def _pause(self, watches: Sequence[WatchName], *, paused: bool) -> list[Watch]:
        from pageloom.edges.store.watches import pause_watch

        found = self.get_watches(watches)
        for watch in found:
            pause_watch(self._store, watch, paused=paused)
        return [self.get_watch(watch) for watch in found]

    def remove_watch(self, *watches: WatchName) -> list[Watch]:
        """Remove watches; the versions and changes that they found stay."""
        from pageloom.edges.store.watches import remove_watch

        found = self.get_watches(watches)
        for watch in found:
            remove_watch(self._store, watch)
        return found

    def preview(self, page: str | Watch, **choices: Unpack[WatchChoices]) -> Preview:
        """Fetch a page as a watch would see it, and keep nothing.

        Args:
            page: a URL, or a watch to look through.
            choices: as in ``watch``.

        Raises:
            PageloomError: the page cannot be fetched, or nothing on it is in the scope.
        """
        from pageloom.flows.watch.edit import preview_watch

        known = None if isinstance(page, str) else self.get_watch(page)
        settings = self._chosen(known, choices)
        url = known.url_full if known else str(page)

        async def run() -> Preview:
            async with self.context.watch_context() as context:
                return await preview_watch(url, settings, context, self.owner)

        return run_blocking(run)

    async def capture_for_preview(self, url: str, settings: WatchSettings) -> Capture:
        """Fetch the whole page as a watch with these settings would, and keep nothing.

        Raises:
            PageloomError: it cannot be fetched or read.
        """
        from pageloom.flows.watch.edit import capture_for_preview

        whole = replace(settings, scope=(), ignore=())
        async with self.context.watch_context() as context:
            return await capture_for_preview(url, whole, context, self.owner)

    def read_for_preview(self, captured: Capture, url: str, settings: WatchSettings) -> Preview:
        """What a watch would compare of a page that was fetched a moment ago.

        Raises:
            PageloomError: nothing on it is in the scope.
        """
        from pageloom.flows.watch.edit import read_for_preview

        return read_for_preview(
            captured, url, settings, self.context.check_context().for_owner(self.owner)
        )

    def choose_settings(self, watch: Watch | None, choices: WatchChoices) -> WatchSettings:
        """The settings of a watch, or of a new one, with these choices made; nothing is kept.

        Raises:
            SettingsError: choices that cannot be followed.
        """
        from pageloom.flows.watch.edit import check_settings

        return check_settings(self._chosen(watch, choices), self.context.notify_context())

    def next_checks(self, settings: WatchSettings, number: int = 5) -> list[str]:
        """When a watch with these settings would be checked next, as UTC instants."""
        from pageloom.edges.store.times import now, read_time
        from pageloom.flows.watch.schedule import next_checks

        at = read_time(now())
        return next_checks(settings, at, number) if at else []

    def set_matters(self, watch: WatchName, key: str, matters: Matters) -> None:
        """Say of a place of a page (``key`` of a block) that it never or always matters.

        Args:
            watch: which one.
            key: as in reports of changes, and in ``places``.
            matters: ``never``, ``always``, or ``usual`` to take it back.

        Raises:
            InvalidArgument: not a key, or a watch of chosen parts, which has no places to mute.
            NotInLibrary: there is no such watch, or it has not checked its page yet.
        """
        from pageloom.flows.watch.matters import set_matters

        set_matters(self._store, self.get_watch(watch), key, matters)

    def track_state(self, watch: WatchName) -> TrackState:
        """What is known of the places of a watched page: which never and which always matter."""
        from pageloom.flows.watch.matters import state_of

        return state_of(self._store, self.get_watch(watch))

    def try_on_past(
        self,
        watch: WatchName,
        settings: WatchSettings | None = None,
        *,
        key: str = "",
        matters: Matters = "usual",
    ) -> list[PastChange]:
        """The last changes of a watch, each with whether it would be one with other settings.

        Args:
            watch: which one.
            settings: the others; those that it has when left out. Other parts are not tried.
            key: a place that would matter in another way.
            matters: in which.
        """
        from pageloom.flows.watch.matters import state_of, try_on_past, with_matters

        found = self.get_watch(watch)
        state = state_of(self._store, found)
        if key:
            state = with_matters(state, key, matters)
        chosen = settings or found.settings
        return try_on_past(self._store, found, chosen, state, self.settings.changes)

    def due_watches(self) -> list[Watch]:
        """The watches that are due for a check now."""
        from pageloom.edges.store.host_leases import claimable

        return [watch for watch in self.watches() if not watch.paused and claimable(watch)]

    def check(
        self,
        *watches: WatchName,
        everything: bool = False,
        notify: bool = True,
        on_result: Callable[[CheckResult], None] | None = None,
    ) -> list[CheckResult]:
        """Check watches now: those that are named, or all that are due.

        A page that cannot be fetched is a result with an error, never a change.

        Args:
            watches: which ones, due or not.
            everything: all that are not paused, due or not.
            notify: send the notices that are due afterwards.
            on_result: called with each result as it comes.
        """
        from pageloom.flows.watch.scheduler import Observer, check_now

        wanted = self._wanted(watches, everything=everything)
        observer = Observer(checked=on_result) if on_result else Observer()

        async def run() -> list[CheckResult]:
            async with self.context.watch_context() as context:
                # Nobody waits for manners where there is only one page to fetch.
                delay = context.options.host_delay if len(wanted) > 1 else 0.0
                options = replace(context.options, host_delay=delay)
                return await check_now(wanted, replace(context, options=options), observer)

        self.context.housekeep()
        results = run_blocking(run)
        if notify:
            self.send_messages()
        return results

    def _wanted(self, watches: Sequence[WatchName], *, everything: bool) -> list[Watch]:
        if watches:
            return self.get_watches(watches)
        if everything:
            return [watch for watch in self.watches() if not watch.paused]
        return self.due_watches()

    async def run_scheduler(
        self, stop: asyncio.Event, observer: Observer | None = None, stream: TextIO | None = None
    ) -> None:
        """Check what is due, and send notices, until ``stop`` is set.

        Args:
            stop: ends it; checks under way are finished first.
            observer: told of every check and every failure.
            stream: where the target ``console`` is; standard output when left out.
        """
        from pageloom.flows.watch.scheduler import run_scheduler

        notify = self.context.notify_context(stream)
        async with self.context.watch_context() as context:
            await run_scheduler(context, notify, stop, observer)

    def changes(  # noqa: PLR0913  the names are the public API
        self,
        page: PageName | None = None,
        *,
        watch: WatchName | None = None,
        since: str = "",
        notified: bool | None = None,
        min_importance: float = 0.0,
        unread: bool = False,
        sort: ChangeSort = "newest",
        limit: int = 50,
        cursor: str = "",
    ) -> Slice[Change]:
        """The changes that checks found, newest first.

        Args:
            page: of this page only.
            watch: found by this watch only.
            since: from then on: a date, a UTC instant, or an age such as ``7d``.
            notified: only those that notices were made for, or with False only those without;
                all when left out.
            min_importance: at least so important, from 0 to 1.
            unread: only of pages that were not read since.
            sort: ``important`` puts the most important first.
            limit: at most so many.
            cursor: ``next_cursor`` of the part before.
        """
        from pageloom.edges.store.changes import list_changes
        from pageloom.flows.library.read_dates import read_date

        found = self.get_watch(watch) if watch is not None else None
        if found and found.state.page_id is None:
            return Slice()
        number = self.get(page).id if page is not None else found and found.state.page_id
        return list_changes(
            self._store,
            self.owner,
            page_id=number,
            track=found.track if found else None,
            since=read_date(since, "since"),
            notified=notified,
            least=min_importance,
            unread=unread,
            sort=sort,
            limit=limit,
            cursor=cursor,
        )

    def count_changes(self, pages: Iterable[Page]) -> dict[int, int]:
        """How many changes were found of each of these pages; those without any are left out."""
        from pageloom.edges.store.changes import count_changes

        return count_changes(self._store, self.owner, [page.id for page in pages])

    def get_change(self, change_id: str) -> Change:
        """One change by its id.

        Raises:
            NotInLibrary: this user has no such change.
        """
        from pageloom.edges.store.changes import get_change

        found = get_change(self._store, self.owner, change_id)
        if found is None:
            raise NotInLibrary(f"There is no change {change_id[:80]} in the library.")
        return found

    def prices(
        self,
        page: PageName,
        *,
        watch: WatchName | None = None,
        held: bool = False,
        since: str = "",
    ) -> list[StoredPrice]:
        """The prices of a page over time, oldest first.

        Args:
            page: the page.
            watch: the prices that this watch sees, where it has a scope.
            held: with those that were too strange to be believed.
            since: from then on: a date, a UTC instant, or an age such as ``90d``.
        """
        from pageloom.edges.store.prices import price_series
        from pageloom.flows.library.read_dates import read_date

        found, first = self.get(page), read_date(since, "since")
        series = price_series(self._store, found, track=self._track(watch), held=held)
        return [point for point in series if point.at >= first]

    def priced(self) -> list[Page]:
        """The pages that prices are kept of, the last that got one first."""
        from pageloom.edges.store.prices import priced_pages

        return priced_pages(self._store, self.owner)

    def price_events(
        self, page: PageName, *, watch: WatchName | None = None
    ) -> list[StoredPriceEvent]:
        """What happened to the price of a page: drops, rises, back in stock, all-time lows."""
        from pageloom.edges.store.prices import price_events

        return price_events(self._store, self.get(page), track=self._track(watch))

    def runs(self, name: PageName | Watch, *, limit: int = 50) -> list[Run]:
        """The checks of a watch, of a page, or of a URL that no page has come of yet.

        Raises:
            NotInLibrary: nothing is known of it.
        """
        from pageloom.edges.store.runs import runs_of
        from pageloom.model.watch import Watch

        if isinstance(name, Watch):
            watch = self.get_watch(name)
            return runs_of(self._store, self.owner, watch.url, track=watch.track, limit=limit)
        page = self.find(name)
        keys = dict.fromkeys(([page.url] if page else []) + _key_of(name))
        found = [
            run
            for key in keys
            for run in runs_of(self._store, self.owner, key, track=None, limit=limit)
        ]
        if not (page or found):
            raise NotInLibrary(f"There is no check of {str(name)[:80]} in the library.")
        return sorted(found, key=lambda run: run.at, reverse=True)[:limit]

    def places(self, watch: WatchName) -> list[LivingPlace]:
        """The parts of a page that change by themselves, those that do most often first."""
        from pageloom.flows.watch.mutes import living_places

        return living_places(self._store, self.get_watch(watch))

    def pending(self, watch: WatchName) -> list[str]:
        """The differences that a watch will notify if its next check still finds them."""
        from pageloom.flows.watch.mutes import pending_evidence

        return pending_evidence(self._store, self.get_watch(watch))

    def mute(self, watch: WatchName, *keys: str) -> list[str]:
        """Ignore parts of a page, by their keys (see ``places``); prices and titles never are.

        Raises:
            NotInLibrary: a key that is not known of the page.
        """
        from pageloom.flows.watch.mutes import mute_places

        return mute_places(self._store, self.get_watch(watch), keys, muted=True)

    def unmute(self, watch: WatchName, *keys: str) -> list[str]:
        """Compare muted parts again, all of them where none is named; their keys.

        Raises:
            NotInLibrary: a key that is not muted.
        """
        from pageloom.flows.watch.mutes import mute_places

        return mute_places(self._store, self.get_watch(watch), keys, muted=False)

    def messages(
        self, state: MessageState | None = None, *, limit: int = 50, cursor: str = ""
    ) -> Slice[OutboxMessage]:
        """Notices in the outbox, newest first: waiting, sent, failed or bundled."""
        from pageloom.edges.store.outbox import list_messages

        return list_messages(self._store, self.owner, state=state, limit=limit, cursor=cursor)

    def send_messages(self, stream: TextIO | None = None) -> SendCounts:
        """Send the notices that are due; how many were sent, failed or were postponed.

        Args:
            stream: where the target ``console`` is; standard output when left out.
        """
        from pageloom.context import worker_id
        from pageloom.flows.notify.outbox_sender import send_due

        means = self.context.notify_context(stream or sys.stdout)
        return run_blocking(lambda: send_due(self._store, means, worker_id()))

    def retry_messages(self) -> int:
        """Queue failed notices again; how many."""
        from pageloom.edges.store.outbox import retry_failed
        from pageloom.edges.store.times import now

        return retry_failed(self._store, self.owner, now())

    def notify_test(self, target: str, stream: TextIO | None = None) -> str:
        """Send a test notice to a target, without the outbox; its id.

        Raises:
            SettingsError: a target that cannot be used.
            NotifyError: the target did not accept it.
        """
        from pageloom.flows.notify.deliver import send_test

        means = self.context.notify_context(stream)
        return run_blocking(lambda: send_test(target, means))


def _key_of(name: PageName) -> list[str]:
    """The key that runs of a URL are kept under."""
    from pageloom.core.normalize.urls import url_key

    try:
        return [url_key(name)] if isinstance(name, str) else []
    except InvalidUrl:
        return []
