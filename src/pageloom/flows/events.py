"""Events for logs, metrics and traces: flows emit them, front doors subscribe.

Flows never log by themselves. Without a subscriber, emitting an event costs next to nothing.
"""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from pageloom.errors import PageloomError
    from pageloom.model import Document

Level = Literal["debug", "info", "warning", "error"]

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the current request, job or command; every event emitted meanwhile carries it."""

_aside: ContextVar[bool] = ContextVar("aside", default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened."""

    name: str
    """Such as ``page.read``."""
    level: Level = "info"
    url: str = ""
    seconds: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict[str, Any])
    stages: dict[str, float] = field(default_factory=dict[str, float])
    """Seconds by stage."""
    request_id: str = field(default_factory=request_id.get)


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserveOptions:
    """Logs, metrics and traces: the ``[observe]`` section of the settings."""

    log_level: Level = "warning"
    """The lowest level that is logged; unless it is set, workers log from ``info`` on, servers
    from ``error`` on, and commands nothing."""
    log_format: Literal["auto", "console", "json"] = "auto"
    """``auto``: readable text on a terminal, otherwise JSON."""
    metrics_file: str = ""
    """Commands write their metrics to this file, for a collector that reads text files."""
    traces_url: str = ""
    """Where traces are sent (OTLP over HTTP), such as http://localhost:4318; the variable
    OTEL_EXPORTER_OTLP_ENDPOINT works too."""


_watchers: list[Callable[[Event], None]] = []
_complained: set[str] = set()


def subscribe(watcher: Callable[[Event], None]) -> None:
    """Call this function with every event from now on; subscribing twice has no further effect."""
    if watcher not in _watchers:
        _watchers.append(watcher)


def unsubscribe(watcher: Callable[[Event], None]) -> None:
    """Stop calling this function."""
    if watcher in _watchers:
        _watchers.remove(watcher)


def has_subscribers() -> bool:
    """Whether anyone subscribed."""
    return bool(_watchers)


def emit(
    name: str, *, level: Level = "info", url: str = "", seconds: float = 0.0, **facts: Any
) -> None:
    """Send an event to all subscribers."""
    if _watchers:
        forward(Event(name=name, level=level, url=url, seconds=seconds, facts=facts))


def forward(event: Event) -> None:
    """Pass an event to all subscribers; one that fails does not stop the work."""
    for watcher in tuple(_watchers):
        try:
            watcher(event)
        except Exception as error:  # noqa: BLE001  the door: it is told once, and work goes on
            _complain(getattr(watcher, "__name__", "a subscriber"), error)


def _complain(watcher: str, error: Exception) -> None:
    """Report a failing subscriber on standard error, once; the event is lost to it."""
    if watcher in _complained:
        return
    _complained.add(watcher)
    with suppress(OSError, ValueError):  # standard error may be what is closed
        sys.stderr.write(f"{watcher} failed to handle an event: {type(error).__name__}\n")


@contextmanager
def named(name: str) -> Generator[None]:
    """Give every event emitted inside the block this request id."""
    token = request_id.set(name)
    try:
        yield
    finally:
        request_id.reset(token)


@contextmanager
def intermediate() -> Generator[None]:
    """Mark pages extracted inside the block as intermediate: they are steps, not results."""
    token = _aside.set(True)
    try:
        yield
    finally:
        _aside.reset(token)


class ExtractionRun:
    """Measures one extraction and emits its event: the time of each stage, and the result."""

    def __init__(self, url: str, size: int) -> None:
        self.timings: dict[str, float] = {}
        self._url = url
        self._size = size
        self._started = time.perf_counter()

    def done(self, document: Document) -> None:
        """Emit ``page.read`` for the Document."""
        found = document.provenance
        facts = {
            "quality_score": document.quality_score,
            "word_count": document.word_count,
            "content_length": self._size,
            "strategy": found.strategy,
            "fallbacks": list(found.fallbacks),
            "warnings": list(found.warnings),
            "page_type": document.page_type,
        }
        name, level = ("page.tried", "debug") if _aside.get() else ("page.read", "info")
        forward(self._event(name, level, facts))

    def failed(self, error: PageloomError) -> None:
        """Emit ``page.failed`` for the error."""
        facts = {"error_type": error.code, "error": error.message, "content_length": self._size}
        forward(self._event("page.failed", "error", facts))

    def _event(self, name: str, level: Level, facts: dict[str, Any]) -> Event:
        return Event(
            name=name,
            level=level,
            url=self._url,
            seconds=time.perf_counter() - self._started,
            facts=facts,
            stages=self.timings,
        )
