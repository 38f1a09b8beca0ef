"""What checks of watches need: the store, the settings, the clock, and a fetcher."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from pageloom.core.compare.options import DEFAULTS as DIFF_DEFAULTS
from pageloom.core.compare.options import DiffOptions
from pageloom.core.options import DEFAULTS, Options
from pageloom.edges.notify.options import NotifyOptions
from pageloom.edges.store.options import LibraryOptions
from pageloom.edges.store.times import write_time
from pageloom.flows.watch.options import WatchOptions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.edges.rulefiles import ChosenRules
    from pageloom.edges.store.base import Store
    from pageloom.model.watch import Watch


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckContext:
    """What it takes to judge a capture and to store what follows; nothing is fetched with it."""

    store: Store
    notify: NotifyOptions = field(default_factory=NotifyOptions)
    options: WatchOptions = field(default_factory=WatchOptions)
    extraction: Options = DEFAULTS
    comparing: DiffOptions = DIFF_DEFAULTS
    library: LibraryOptions = field(default_factory=LibraryOptions)
    rules: Any = ...
    rules_version: str = ""
    rules_of: Callable[[str], ChosenRules] | None = None
    """The rules of a user, where users have rules of their own."""
    now: Callable[[], float] = time.time

    def at(self) -> str:
        """This instant, as the store writes it."""
        return write_time(datetime.fromtimestamp(self.now(), UTC))

    def for_owner(self, owner: str) -> Self:
        """The same with the rules of a user."""
        if self.rules_of is None:
            return self
        rules = self.rules_of(owner)
        if rules.version == self.rules_version:
            return self
        return replace(self, rules=rules.sealed, rules_version=rules.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchContext(CheckContext):
    """What the scheduler needs besides: it fetches pages, or has workers fetch them."""

    fetcher: Fetcher
    holder: str = "local"
    """The name under which this process leases watches."""
    hand_over: Callable[[Watch], Awaitable[None]] | None = None
    """Queues a check for the workers, who end the watch's turn when it is made."""
    patience: float = 120.0
    """Seconds to wait for the workers, where somebody waits."""
