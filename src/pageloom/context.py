"""The composition root: settings become the store, rules, fetcher and notifiers of a process.

Every front door (command line, web, workers, bulk) opens a Context and hands it, or the parts it
makes, to the flows; nothing is put together anywhere else.
"""

from __future__ import annotations

import copy
import os
import sys
import time
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TextIO

from pageloom.flows.events import emit
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable
    from contextlib import AbstractAsyncContextManager

    from pageloom.core.compare.options import DiffOptions
    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.rulefiles import ChosenRules
    from pageloom.edges.store.base import Store
    from pageloom.errors import RuleError
    from pageloom.flows.library.pictures import PictureContext
    from pageloom.flows.library.save import SaveContext, SaveResult
    from pageloom.flows.notify.deliver import NotifyContext
    from pageloom.flows.watch.context import CheckContext, WatchContext
    from pageloom.model.capture import RenderMode
    from pageloom.model.library import Job
    from pageloom.model.watch import Watch
    from pageloom.settings import Settings


_WORKER_CACHE_MB = 0.25


def _log_rule_mistakes(trouble: RuleError) -> None:
    emit("rules.mistakes", level="warning", error=trouble.message, advice=list(trouble.suggestions))


@dataclass(slots=True, kw_only=True)
class Context:
    """What a front door works with, as one user: parts are made when they are first asked for."""

    settings: Settings
    owner: str
    warn_of_rules: Callable[[RuleError], None] = _log_rule_mistakes
    """Called with mistakes in the user's rule files; all other rules are used."""
    _store: Store | None = field(default=None, init=False)
    _rules: ChosenRules | None = field(default=None, init=False)
    _guard: Lock = field(default_factory=Lock, init=False)

    @property
    def store(self) -> Store:
        """The library that the settings name.

        Raises:
            StorageError: it cannot be opened.
        """
        from pageloom.edges.store.base import open_store

        with self._guard:
            if self._store is None:
                self._store = open_store(self.settings.database)
            return self._store

    @property
    def rules(self) -> ChosenRules:
        """The site rules of everybody: the shipped ones, and those of the settings.

        Raises:
            RuleError: the directory cannot be read; a mistake, if strict.
        """
        with self._guard:
            if self._rules is None:
                self._rules = site_rules(self.settings, self.warn_of_rules)
            return self._rules

    def rules_of(self, owner: str) -> ChosenRules:
        """The site rules that a user's pages are read with: everybody's and the user's own."""
        from pageloom.flows.rules.own import join_own

        return join_own(self.rules, self.store, owner)

    @property
    def own_rules(self) -> ChosenRules:
        """Those of the user of this context."""
        return self.rules_of(self.owner)

    def close(self) -> None:
        """Close the library, if it was opened."""
        if self._store is not None:
            self._store.close()

    def for_user(self, user: str) -> Context:
        """The same store, settings and rules for another user.

        Raises:
            SettingsError: not a name that a user can have.
        """
        require_user_name(user)
        other = copy.copy(self)
        other.owner = user
        return other

    def for_requests(self, user: str) -> Context:
        """The same for another user who waits for an answer: no wait for others takes long.

        Raises:
            SettingsError: not a name that a user can have.
        """
        other = self.for_user(user)
        other._store = self.store.for_requests()  # noqa: SLF001  a Context like this one
        return other

    def save_context(
        self, *, tags: tuple[str, ...] = (), render: RenderMode = "auto", origin: str = "save"
    ) -> SaveContext:
        """What saving pages needs."""
        from pageloom.flows.library.save import SaveContext

        rules = self.own_rules
        return SaveContext(
            store=self.store,
            owner=self.owner,
            options=self.settings.extraction,
            library=self.settings.library,
            rules=rules.sealed,
            rules_version=rules.version,
            tags=tags,
            render=render,
            origin=origin,
        )

    def picture_context(self) -> PictureContext:
        """What keeping the pictures of pages needs."""
        from pageloom.flows.library.pictures import PictureContext

        return PictureContext(store=self.store, owner=self.owner, library=self.settings.library)

    def notify_context(self, stream: TextIO | None = None) -> NotifyContext:
        """What sending notices needs; the console is standard output unless another is given."""
        return replace(notify_context(self.settings, stream), owner=self.owner)

    def check_context(
        self, *, comparing: DiffOptions | None = None, now: Callable[[], float] = time.time
    ) -> CheckContext:
        """What judging a fetched page and storing what follows needs; nothing is fetched with it.

        Args:
            comparing: how pages are compared; as ``[changes]`` says when left out.
            now: the clock, in seconds since 1970.
        """
        from pageloom.flows.watch.context import CheckContext

        return CheckContext(
            **self._for_checks(), comparing=comparing or self.settings.changes, now=now
        )

    @asynccontextmanager
    async def watch_context(self) -> AsyncGenerator[WatchContext]:
        """What checking watches needs, for as long as the block runs.

        With ``watch.through_workers`` the checks are queued for the workers.
        """
        from pageloom.flows.watch.context import WatchContext

        async with self.open_fetcher() as fetcher:
            yield WatchContext(
                **self._for_checks(),
                comparing=self.settings.changes,
                fetcher=fetcher,
                holder=worker_id(),
                hand_over=self._hand_over(),
                patience=self.settings.broker.result_timeout,
            )

    def _for_checks(self) -> dict[str, Any]:
        settings = self.settings
        return {
            "store": self.store,
            "notify": settings.notify,
            "options": settings.watch,
            "extraction": settings.extraction,
            "library": settings.library,
            "rules": self.rules.sealed,
            "rules_version": self.rules.version,
            "rules_of": self.rules_of,
        }

    def _hand_over(self) -> Callable[[Watch], Awaitable[None]] | None:
        if not self.settings.watch.through_workers:
            return None
        from pageloom.flows.watch.request import hand_over_to

        queue = self.settings.fetcher.input_queue
        return hand_over_to(self.store, self.settings.broker, queue)

    def save_through_workers(
        self,
        context: SaveContext,
        urls: Iterable[str],
        job: Job | None,
        take: Callable[[SaveResult], None],
    ) -> None:
        """Have workers fetch and save pages; each result is taken as it comes.

        Raises:
            BrokerError: the broker cannot be reached; the same call again goes on.
        """
        from pageloom.flows.queue.saves import QueueSettings, save_through_workers

        settings = self.settings
        queue = QueueSettings(broker=settings.broker, queue=settings.fetcher.input_queue)
        save_through_workers(context, urls, job, take, queue)

    def open_fetcher(self) -> AbstractAsyncContextManager[Fetcher]:
        """A fetcher with the settings' limits, proxies and politeness, for an ``async with``."""
        from pageloom.edges.fetch.fetcher import open_fetcher

        return open_fetcher(self.settings.fetch)

    def housekeep(self) -> None:
        """Delete what the settings no longer keep: old originals, runs and sent messages."""
        from pageloom.flows.library.housekeep import housekeep

        housekeep(self.store, self.settings.library, self.settings.watch.retention_days)


@contextmanager
def open_context(
    *,
    settings: Settings | None = None,
    user: str | None = None,
    flags: dict[str, Any] | None = None,
    warn_of_rules: Callable[[RuleError], None] = _log_rule_mistakes,
) -> Generator[Context]:
    """Open the library that the settings name, and close it when the block ends.

    Args:
        settings: those of the files and the environment when left out.
        user: whose library; the one that the settings name when left out.
        flags: settings given on the spot, such as ``{"extraction.strict": True}``.
        warn_of_rules: called with mistakes in the user's rule files.
    """
    known = settings or load_settings(flags={"library.user": user} | (flags or {}))
    owner = user or known.library.user
    require_user_name(owner)
    context = Context(settings=known, owner=owner, warn_of_rules=warn_of_rules)
    try:
        _ = context.store  # whoever opens a library hears at once that it cannot be opened
        yield context
    finally:
        context.close()


def worker_context(settings: Settings) -> Context:
    """What a process of workers works with; the library is opened when it is first used.

    Each thread of theirs has a connection, and each would fill its cache slowly.
    """
    small = copy.copy(settings)
    small.database = replace(settings.database, cache_mb=_WORKER_CACHE_MB)
    return Context(settings=small, owner=settings.library.user)


def require_user_name(name: str) -> None:
    """Refuse a name that no user can have.

    Raises:
        SettingsError: it is empty, too long, or has signs that a name does not have.
    """
    if name != "local":
        from pageloom.edges.store.users import require_name

        require_name(name)


def site_rules(
    settings: Settings, warn: Callable[[RuleError], None] = _log_rule_mistakes
) -> ChosenRules:
    """The rules that the settings choose; ``warn`` is called with mistakes in the user's files.

    Raises:
        RuleError: the directory cannot be read; a mistake, if strict.
    """
    from pageloom.edges.rulefiles import chosen_rules

    return chosen_rules(settings.rules, strict=settings.extraction.strict, warn=warn)


def notify_context(settings: Settings, stream: TextIO | None = None) -> NotifyContext:
    """What sending notices needs, for those who need no library."""
    from pageloom.edges.store.base import default_path
    from pageloom.flows.notify.deliver import NotifyContext

    chosen = settings.notify.feed_directory
    directory = Path(chosen).expanduser() if chosen else default_path().parent / "feeds"
    return NotifyContext(
        options=settings.notify,
        fetch=settings.fetch,
        feed_directory=directory,
        now=time.time,
        stream=stream or sys.stdout,
        owner=settings.library.user,
    )


def limit_worker_memory() -> None:
    """Keep the memory of a process of workers small; before its first thread starts."""
    from pageloom.edges.memory import limit_malloc_arenas

    limit_malloc_arenas()


def tune_worker_memory() -> None:
    """Collect garbage as rarely as workers need it; after everything is loaded."""
    from pageloom.edges.memory import tune_gc_for_workers

    tune_gc_for_workers()


def worker_id() -> str:
    """A name for this process that no other has, here or elsewhere: leases are taken under it."""
    import secrets
    import socket

    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
