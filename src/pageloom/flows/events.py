"""What happens to pages, told to whoever looks: logs, metrics, traces.

Flows tell, they do not log. Nobody looks unless a front door has said so, and then this costs next
to nothing.
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
"""What one request, job or command is called in everything that is told of it."""

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
    """What is written of what happens: the ``[observe]`` section of the settings."""

    log_level: Level = "warning"
    """Workers and servers write from ``info`` on unless told otherwise."""
    log_format: Literal["auto", "console", "json"] = "auto"
    """``auto``: for people on a terminal, otherwise JSON."""
    metrics_file: str = ""
    """Commands add their figures there, for a collector that reads text files."""
    traces_url: str = ""
    """Where spans go (OTLP over HTTP), such as http://localhost:4318; also the variable
    OTEL_EXPORTER_OTLP_ENDPOINT."""


_watchers: list[Callable[[Event], None]] = []
_complained: set[str] = set()


def subscribe(watcher: Callable[[Event], None]) -> None:
    """Have everything told to this function from now on; once, however often it is asked."""
    if watcher not in _watchers:
        _watchers.append(watcher)


def unsubscribe(watcher: Callable[[Event], None]) -> None:
    """Tell this function no more."""
    if watcher in _watchers:
        _watchers.remove(watcher)


def has_subscribers() -> bool:
    """Whether anybody looks."""
    return bool(_watchers)


def emit(
    name: str, *, level: Level = "info", url: str = "", seconds: float = 0.0, **facts: Any
) -> None:
    """Something happened."""
    if _watchers:
        forward(Event(name=name, level=level, url=url, seconds=seconds, facts=facts))


def forward(event: Event) -> None:
    """Tell all who look; one who fails, as when nobody reads the log any more, disturbs no work."""
    for watcher in tuple(_watchers):
        try:
            watcher(event)
        except Exception as error:  # noqa: BLE001  the door: it is told once, and work goes on
            _complain(getattr(watcher, "__name__", "a watcher"), error)


def _complain(watcher: str, error: Exception) -> None:
    """Say once of whoever fails to hear that it does; what it should have said is lost."""
    if watcher in _complained:
        return
    _complained.add(watcher)
    with suppress(OSError, ValueError):  # standard error may be what is closed
        sys.stderr.write(f"{watcher} fails to take events in: {type(error).__name__}\n")


@contextmanager
def named(name: str) -> Generator[None]:
    """Everything told inside belongs to this request."""
    token = request_id.set(name)
    try:
        yield
    finally:
        request_id.reset(token)


@contextmanager
def intermediate() -> Generator[None]:
    """Pages that are read inside are read only to decide something: they are steps, no results."""
    token = _aside.set(True)
    try:
        yield
    finally:
        _aside.reset(token)


class ExtractionRun:
    """The telling of one page being read: its stages, and what came of it."""

    def __init__(self, url: str, size: int) -> None:
        self.timings: dict[str, float] = {}
        self._url = url
        self._size = size
        self._started = time.perf_counter()

    def done(self, document: Document) -> None:
        """It became a Document."""
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
        """It did not."""
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
