"""Structured logs: configure logging, and write events as log lines."""

from __future__ import annotations

import logging
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from pageloom.flows.events import subscribe
from pageloom.redaction import redact_value

if TYPE_CHECKING:
    from collections.abc import Generator, MutableMapping

    from pageloom.flows.events import Event, Level


@contextmanager
def _left_out(package: str) -> Generator[None]:
    """Hide a package from imports inside the block, unless it is already loaded."""
    if package in sys.modules:
        yield
        return
    sys.modules[package] = None  # pyright: ignore[reportArgumentType]  how Python says "not here"
    try:
        yield
    finally:
        del sys.modules[package]


# It would load all of rich to draw tracebacks. None is written here, and every worker would hold
# 3 MB more for it as long as it lives.
with _left_out("rich"):
    import structlog

_LOW_QUALITY = 30
_logger: list[Any] = []


def start_logging(level: Level = "info", form: str = "auto", stream: TextIO | None = None) -> None:
    """Log events from a level on, as JSON or as text.

    Args:
        level: ``debug``, ``info``, ``warning`` or ``error``.
        form: ``json``, ``console``, or ``auto``: text on a terminal, otherwise JSON.
        stream: standard error when left out.
    """
    target = stream or sys.stderr
    number = logging.getLevelNamesMapping()[level.upper()]
    as_json = form == "json" or (form == "auto" and not target.isatty())
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            hide_secrets,
            structlog.processors.JSONRenderer()
            if as_json
            else structlog.dev.ConsoleRenderer(colors=target.isatty()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=target),
        cache_logger_on_first_use=False,
    )
    _logger[:] = [structlog.get_logger().bind()]  # determined once, not for every event
    subscribe(write_event)


def hide_secrets(_: Any, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Hide passwords, tokens and request headers in a log entry."""
    for name, value in list(entry.items()):
        entry[name] = _on_one_line(redact_value(value, name))
    return entry


def _on_one_line(value: Any) -> Any:
    """Keep a log entry on one line, whatever a URL contains."""
    if isinstance(value, str):
        return re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", value)
    if isinstance(value, list):
        return [_on_one_line(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def write_event(event: Event) -> None:
    """Write an event as one log line."""
    logger = _logger[0]
    line: dict[str, Any] = {"request_id": event.request_id} if event.request_id else {}
    if event.url:
        line["url"] = event.url
    if event.seconds:
        line["duration_ms"] = round(event.seconds * 1000, 1)
    facts = dict(event.facts)
    warnings, fallbacks = facts.pop("warnings", []), facts.pop("fallbacks", [])
    getattr(logger, event.level)(event.name, **line, **facts)
    if event.stages:
        stages = {name: round(spent * 1000, 2) for name, spent in event.stages.items()}
        logger.debug("page.stages", **line, stages_ms=stages)
    if warnings or fallbacks:
        logger.warning("page.fallback", **line, warnings=warnings, fallbacks=fallbacks)
    if event.name == "page.read" and facts["quality_score"] < _LOW_QUALITY:
        logger.warning("page.low_quality", **line, quality_score=facts["quality_score"])
