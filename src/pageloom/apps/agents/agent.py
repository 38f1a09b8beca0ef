"""What a worker's function is handed, and what it answers with."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from pageloom.errors import StorageError
from pageloom.flows.queue.messages import contract_of, owner_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from pageloom.context import Context
    from pageloom.edges.broker.envelope import Envelope
    from pageloom.flows.watch.context import CheckContext
    from pageloom.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A message to write."""

    queue: str
    body: bytes
    contract: str


Batches = list[list[Outgoing]]
"""What to write, in order: a batch begins when the one before it is safe with the broker."""


def one_message(queue: str, body: bytes, contract: str) -> Batches:
    """What leads to one message."""
    return [[Outgoing(queue=queue, body=body, contract=contract_of(contract))]]


@dataclass(slots=True)
class WorkerContext:
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
        return owner_of(given, self.context.owner)

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Do something with the library, without holding up other messages."""
        return await asyncio.to_thread(work)

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
    handle: Callable[[Envelope, WorkerContext], Awaitable[Batches]]
    uses_store: bool = True
    uses_rules: bool = False
    background: Callable[[WorkerContext, asyncio.Event], Coroutine[Any, Any, None]] | None = None
    """What goes on beside the messages, until the event is set."""
