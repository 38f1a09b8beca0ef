"""The composition root: settings become the store, rules, fetcher and notifiers of a process.

Every front door (command line, web, workers, bulk) opens a Context and hands it, or the parts it
makes, to the flows; nothing is put together anywhere else.
"""

from __future__ import annotations

import os
import secrets
import socket
import sys
import time
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from pageloom.flows.events import emit
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
    from contextlib import AbstractAsyncContextManager

    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.rulefiles import ChosenRules
    from pageloom.edges.store.base import Store
    from pageloom.errors import RuleError
    from pageloom.flows.capture.acquire import RenderMode
    from pageloom.flows.library.save import SaveContext
    from pageloom.flows.notify.deliver import NotifyContext
    from pageloom.flows.watch.check import WatchContext
    from pageloom.model.watch import Watch
    from pageloom.settings import Settings


def _log_rule_mistakes(trouble: RuleError) -> None:
    emit("rules.mistakes", level="warning", error=trouble.message, advice=list(trouble.suggestions))


@dataclass(slots=True, kw_only=True)
class Context:
    """What a front door works with, as one user: parts are made when they are first asked for."""

    settings: Settings
    store: Store
    owner: str
    warn_of_rules: Callable[[RuleError], None] = _log_rule_mistakes
    """Called with mistakes in the user's rule files; all other rules are used."""
    _rules: ChosenRules | None = field(default=None, init=False)

    @property
    def rules(self) -> ChosenRules:
        """The site rules that pages are read with.

        Raises:
            RuleError: the directory cannot be read; a mistake, if strict.
        """
        if self._rules is None:
            self._rules = site_rules(self.settings, self.warn_of_rules)
        return self._rules

    def save_context(
        self, *, tags: tuple[str, ...] = (), render: RenderMode = "auto", origin: str = "save"
    ) -> SaveContext:
        """What saving pages needs."""
        from pageloom.flows.library.save import SaveContext

        return SaveContext(
            store=self.store,
            owner=self.owner,
            options=self.settings.extraction,
            library=self.settings.library,
            rules=self.rules.sealed,
            rules_version=self.rules.version,
            tags=tags,
            render=render,
            origin=origin,
        )

    def notify_context(self, stream: TextIO | None = None) -> NotifyContext:
        """What sending notices needs; the console is standard output unless another is given."""
        return replace(notify_context(self.settings, stream), owner=self.owner)

    @asynccontextmanager
    async def watch_context(
        self, hand_over: Callable[[Watch], Awaitable[None]] | None = None
    ) -> AsyncGenerator[WatchContext]:
        """What checking watches needs, for as long as the block runs.

        Args:
            hand_over: gives a check to the workers instead of making it here.
        """
        from pageloom.flows.watch.check import WatchContext

        settings = self.settings
        async with self.open_fetcher() as fetcher:
            yield WatchContext(
                store=self.store,
                fetcher=fetcher,
                notify=settings.notify,
                options=settings.watch,
                extraction=settings.extraction,
                comparing=settings.changes,
                rules=self.rules.sealed,
                rules_version=self.rules.version,
                holder=worker_id(),
                hand_over=hand_over,
                patience=settings.broker.result_timeout,
            )

    def open_fetcher(self) -> AbstractAsyncContextManager[Fetcher]:
        """A fetcher with the settings' limits, proxies and politeness, for an ``async with``."""
        from pageloom.edges.fetch.fetcher import open_fetcher

        return open_fetcher(self.settings.fetch)

    def housekeep(self) -> None:
        """Delete what the retention settings no longer keep; once a day, whoever calls."""
        from pageloom.edges.store.retention import tidy

        options = self.settings.library
        tidy(self.store, originals_days=options.originals_days, trivial_days=options.trivial_days)


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
    from pageloom.edges.store.base import open_store

    known = settings or load_settings(flags={"library.user": user} | (flags or {}))
    owner = user or known.library.user
    if owner != "local":
        from pageloom.edges.store.users import require_name

        require_name(owner)
    with open_store(known.database) as store:
        yield Context(settings=known, store=store, owner=owner, warn_of_rules=warn_of_rules)


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


def worker_id() -> str:
    """A name for this process that no other has, here or elsewhere: leases are taken under it."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
