"""Prometheus metrics of a process; their names are stable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from pageloom.flows.events import subscribe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pageloom.flows.events import Event

REGISTRY = CollectorRegistry(auto_describe=True)
ProcessCollector(registry=REGISTRY)

_QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_SLOW = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


def _counter(name: str, what: str, *labels: str) -> Counter:
    return Counter(f"pageloom_{name}", what, labels, registry=REGISTRY)


def _gauge(name: str, what: str, *labels: str) -> Gauge:
    return Gauge(f"pageloom_{name}", what, labels, registry=REGISTRY)


def _histogram(name: str, what: str, *labels: str, buckets: tuple[float, ...]) -> Histogram:
    return Histogram(f"pageloom_{name}", what, labels, buckets=buckets, registry=REGISTRY)


SUCCESS = _counter("extract_success", "Pages extracted.")
ERRORS = _counter("extract_errors", "Pages that could not be extracted, by error.", "error_type")
EXTRACT = _histogram(
    "extract_duration_seconds", "Total extraction time of one page.", buckets=_QUICK
)
PARSE = _histogram("parse_duration_seconds", "Time to decode and parse one page.", buckets=_QUICK)
STAGE = _histogram(
    "stage_duration_seconds", "Time of one stage of the pipeline.", "stage", buckets=_QUICK
)
QUALITY = _histogram(
    "quality_score", "Quality scores, 0 to 100.", buckets=tuple(range(10, 101, 10))
)
WORDS = _histogram(
    "word_count", "Words per page.", buckets=(10, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
)
FETCH = _histogram("fetch_duration_seconds", "Time to fetch a page.", "outcome", buckets=_SLOW)
RENDER = _histogram(
    "render_duration_seconds", "Time to render a page in the browser.", buckets=_SLOW
)
VERSIONS = _counter("versions", "Versions stored.")
CHANGES = _counter("changes", "Changes found that matter.")
CHECKS = _counter("checks", "Checks, by what decided them (hash or diff).", "path")
PRICES = _counter("price_points", "Price points stored.")
NOTIFICATIONS = _counter(
    "notifications", "Messages sent to notification targets, by outcome.", "outcome"
)
MESSAGES = _counter("messages", "Queue messages processed, by outcome.", "agent", "outcome")
MESSAGE = _histogram(
    "message_duration_seconds",
    "Time to process one queue message.",
    "agent",
    buckets=_QUICK + _SLOW[6:],
)
IN_FLIGHT = _gauge("messages_in_flight", "Queue messages in progress.", "agent")
QUEUE = _gauge("queue_messages", "Messages waiting in a queue.", "queue")
DEAD = _gauge("dead_letters", "Messages in the dead letter queue.")
CONNECTED = _gauge("broker_connected", "Whether the worker is connected to RabbitMQ.", "agent")
RECONNECTS = _counter("broker_reconnects", "Lost connections to RabbitMQ.", "agent")


def count(event: Event) -> None:
    """Count an event in the metrics."""
    adder = _ADDERS.get(event.name)
    if adder:
        adder(event)


def _page_read(event: Event) -> None:
    SUCCESS.inc()
    EXTRACT.observe(event.seconds)
    QUALITY.observe(event.facts["quality_score"])
    WORDS.observe(event.facts["word_count"])
    for stage, seconds in event.stages.items():
        STAGE.labels(stage).observe(seconds)
    if "decode" in event.stages:
        PARSE.observe(event.stages["decode"])


def _page_failed(event: Event) -> None:
    ERRORS.labels(event.facts["error_type"]).inc()
    EXTRACT.observe(event.seconds)


def _fetched(event: Event) -> None:
    FETCH.labels(event.facts.get("outcome", "ok")).observe(event.seconds)
    if event.facts.get("used_browser"):
        RENDER.observe(event.facts["render_seconds"])


def _checked(event: Event) -> None:
    CHECKS.labels(event.facts.get("path", "")).inc()
    VERSIONS.inc(int(bool(event.facts.get("new_version"))))
    CHANGES.inc(int(bool(event.facts.get("has_changes"))))


def _saved(event: Event) -> None:
    VERSIONS.inc(int(bool(event.facts.get("new_version"))))


def _message_done(event: Event) -> None:
    agent = event.facts["agent"]
    MESSAGES.labels(agent, event.facts["outcome"]).inc()
    MESSAGE.labels(agent).observe(event.seconds)


def _price_stored(event: Event) -> None:
    PRICES.inc()


def _notified(event: Event) -> None:
    NOTIFICATIONS.labels(event.facts.get("outcome", "")).inc()


_ADDERS: dict[str, Callable[[Event], None]] = {
    "page.read": _page_read,
    "page.failed": _page_failed,
    "page.fetched": _fetched,
    "page.checked": _checked,
    "page.saved": _saved,
    "price.stored": _price_stored,
    "notice.sent": _notified,
    "message.done": _message_done,
}


def start_counting() -> None:
    """Start counting events of flows and workers."""
    subscribe(count)


def add_to_file(path: str) -> None:
    """Add the metrics of this process to those in a file, atomically."""
    import fcntl
    import os
    from pathlib import Path

    target = Path(path).expanduser()
    with target.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        text = target.read_text() if target.exists() else ""
        # By name alone: a release may word the help of a metric in another way.
        before = {_family(head): figures for head, figures in _families(text).items()}
        now = _families(show_metrics().decode())
        lines = [line for head, figures in now.items() for line in _added(head, figures, before)]
        fresh = target.with_suffix(".new")
        fresh.write_text("\n".join(lines) + "\n")
        os.replace(fresh, target)  # noqa: PTH105  the lock is held by the same name


def _families(text: str) -> dict[str, dict[str, float]]:
    """The values below each pair of # HELP and # TYPE lines, by name and labels."""
    families: dict[str, dict[str, float]] = {}
    head = ""
    for line in text.splitlines():
        if line.startswith("# HELP"):
            head = line
        elif line.startswith("#"):
            head = f"{head}\n{line}"
            families[head] = {}
        elif head in families:
            name, _, value = line.rpartition(" ")
            families[head][name] = float(value)
    return families


def _added(
    head: str, figures: dict[str, float], before: dict[str, dict[str, float]]
) -> Iterator[str]:
    """A metric family with the counts of other processes added."""
    yield head
    known = before.get(_family(head), {})
    for name in {**known, **figures}:
        if name not in figures:
            yield f"{name} {known[name]}"
        elif _is_sum(name):
            yield f"{name} {figures[name] + known.get(name, 0.0)}"
        else:
            yield f"{name} {figures[name]}"


def _family(head: str) -> str:
    return head.split(maxsplit=3)[2]


def _is_sum(name: str) -> bool:
    return name.partition("{")[0].endswith(("_total", "_bucket", "_sum", "_count"))


def show_metrics() -> bytes:
    """All metrics as text."""
    return generate_latest(REGISTRY)
