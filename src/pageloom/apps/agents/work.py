"""What a worker's function is handed, and what it answers with."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from pageloom.errors import PageloomError, StorageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from pageloom.context import Context
    from pageloom.edges.broker.envelope import Envelope
    from pageloom.edges.store.base import Store
    from pageloom.flows.watch.context import CheckContext
    from pageloom.settings import Settings

T = TypeVar("T")
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A message to write."""

    queue: str
    body: bytes
    contract: str


Batches = list[list[Outgoing]]
"""What to write, in order: a batch begins when the one before it is safe with the broker."""


class NotYet(PageloomError):
    """Something else has to come first: tried again, like all that may pass."""

    retryable = True


@dataclass(slots=True)
class World:
    """What the workers of a process share: the context, and clients opened when first used."""

    context: Context
    now: Callable[[], float] = time.time
    """Seconds since 1970."""
    store_trouble: str = ""
    """Why the library did not answer when it was last asked in vain."""
    _closers: list[Callable[[], Awaitable[None]]] = field(
        default_factory=list["Callable[[], Awaitable[None]]"]
    )
    _parts: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def settings(self) -> Settings:
        """The settings of this process."""
        return self.context.settings

    def owner_of(self, given: dict[str, Any]) -> str:
        """Whose library a message is for: it may say so itself."""
        named = given.get("owner")
        if isinstance(named, str) and 0 < len(named) <= _LONGEST_NAME:
            return named
        return self.context.owner

    async def with_store(self, work: Callable[[Store], T]) -> T:
        """Do something with the library, without holding up other messages."""
        return await asyncio.to_thread(lambda: work(self.context.store))

    def check_context(self) -> CheckContext:
        """What judging and storing a check needs; ``TEXT_DIFF_THRESHOLD`` wins where it is set."""
        threshold = self.settings.change_detector.text_diff_threshold
        changes = self.settings.changes
        if threshold is not None:
            changes = replace(changes, text_threshold=threshold)
        return self.context.check_context(comparing=changes, now=self.now)

    def is_store_up(self) -> bool:
        """Whether the library answers."""
        try:
            self.context.store.ping()
        except StorageError as error:
            self.store_trouble = error.message
            return False
        return True

    async def part(self, name: str, make: Callable[[], Awaitable[Any]]) -> Any:
        """Something that is made once for all messages, such as a client."""
        if name not in self._parts:
            self._parts[name] = await make()
        return self._parts[name]

    def at_end(self, close: Callable[[], Awaitable[None]]) -> None:
        """Have this called when the workers have stopped."""
        self._closers.append(close)

    async def close(self) -> None:
        """Close everything that was opened."""
        for close in reversed(self._closers):
            await close()
        self.context.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A worker: its name, and the function that does its work."""

    name: str
    handle: Callable[[Envelope, World], Awaitable[Batches]]
    uses_store: bool = True
    uses_rules: bool = False
    background: Callable[[World, asyncio.Event], Coroutine[Any, Any, None]] | None = None
    """What goes on beside the messages, until the event is set."""
