"""What a worker's function is handed, and what it answers with."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from pageloom.core.compare.options import DiffOptions
from pageloom.errors import PageloomError, StorageError
from pageloom.flows.events import emit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from pageloom.edges.broker.envelope import Envelope
    from pageloom.edges.rulefiles import ChosenRules
    from pageloom.edges.store.base import Store
    from pageloom.errors import RuleError
    from pageloom.settings import Settings

T = TypeVar("T")
_LONGEST_NAME = 200
_CACHE_MB = 0.25
"""Of the library, for each connection: what it may hold fills slowly, as the library grows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A message to write."""

    queue: str
    body: bytes
    contract: str


Batches = list[list[Outgoing]]
"""What to write, in order: a wave begins when the one before it is safe with the broker."""


class NotYet(PageloomError):
    """Something else has to come first: tried again, like all that may pass."""

    retryable = True


@dataclass(slots=True)
class World:
    """What workers share within a process; each part is opened when it is first used."""

    settings: Settings
    now: Callable[[], float]
    """Seconds since 1970."""
    owner: str = "local"
    store_trouble: str = ""
    """Why the library did not answer when it was last asked in vain."""
    _store: Store | None = None
    _rules: ChosenRules | None = None
    _opening: threading.Lock = field(default_factory=threading.Lock)
    _closers: list[Callable[[], Awaitable[None]]] = field(
        default_factory=list["Callable[[], Awaitable[None]]"]
    )
    _parts: dict[str, Any] = field(default_factory=dict[str, Any])

    def owner_of(self, given: dict[str, Any]) -> str:
        """Whose library a message is for: it may say so itself."""
        named = given.get("owner")
        return named if isinstance(named, str) and 0 < len(named) <= _LONGEST_NAME else self.owner

    def store(self) -> Store:
        """The library."""
        from pageloom.edges.store.base import open_store

        with self._opening:
            if self._store is None:
                # Each of their threads has a connection, and each would fill its memory slowly.
                self._store = open_store(replace(self.settings.database, cache_mb=_CACHE_MB))
            return self._store

    async def with_store(self, work: Callable[[Store], T]) -> T:
        """Do something with the library, without holding up other messages."""
        return await asyncio.to_thread(lambda: work(self.store()))

    @property
    def comparing(self) -> DiffOptions:
        """How pages are compared."""
        return DiffOptions(text_threshold=self.settings.change_detector.text_diff_threshold)

    def rules(self) -> ChosenRules:
        """The site rules that pages are read with; mistakes in the user's files are told once."""
        from pageloom.edges.rulefiles import chosen_rules

        if self._rules is None:
            strict = self.settings.extraction.strict
            self._rules = chosen_rules(self.settings.rules, strict=strict, warn=_tell_mistakes)
        return self._rules

    def is_store_up(self) -> bool:
        """Whether the library answers."""
        try:
            with self.store().read() as tx:
                return tx.value("SELECT 1") == 1
        except StorageError as error:
            self.store_trouble = error.message
            return False

    async def part(self, name: str, make: Callable[[], Awaitable[Any]]) -> Any:
        """Something that is made once for all messages, such as a client."""
        if name not in self._parts:
            self._parts[name] = await make()
        return self._parts[name]

    def at_end(self, close: Callable[[], Awaitable[None]]) -> None:
        """Have this called when the workers have stopped."""
        self._closers.append(close)

    async def close(self) -> None:
        """Let go of everything."""
        for close in reversed(self._closers):
            await close()
        if self._store is not None:
            self._store.close()


def _tell_mistakes(trouble: RuleError) -> None:
    emit("rules.mistakes", level="warning", error=trouble.message, advice=list(trouble.suggestions))


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A worker: its name, and the function that does its work."""

    name: str
    handle: Callable[[Envelope, World], Awaitable[Batches]]
    uses_store: bool = True
    uses_rules: bool = False
    beside: Callable[[World, asyncio.Event], Coroutine[Any, Any, None]] | None = None
    """What goes on beside the messages, until the event is set."""
