"""How the broker is reached, and which queues each worker reads and writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

Port = Annotated[int, Meta(ge=0, le=65_535)]
Prefetch = Annotated[int, Meta(ge=0, le=65_535)]
"""The protocol has two bytes for it."""
Delay = Annotated[float, Meta(ge=0, le=4_000_000)]
"""Seconds; the broker keeps nothing waiting for more than 49 days."""
QueueName = Annotated[str, Meta(min_length=1, max_length=200)]
"""The protocol has 255 bytes for it, and names of pauses are longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerOptions:
    """The ``[broker]`` section of the settings: what all workers share."""

    url: str = "amqp://guest:guest@localhost:5672/"
    """Also ``RABBIT_URL``."""
    dead_letter_queue: QueueName = "dead_letter"
    retry_delays: tuple[Delay, ...] = (1.0, 5.0, 25.0)
    """Seconds before each further attempt; after the last a message is a dead letter."""
    max_queue_length: int = 10_000
    """Messages between two workers before the first is made to wait; 0 for no end."""
    delivery_limit: int = 50
    """Deliveries without an answer, as when a worker is killed, before a message is given up."""
    stop_seconds: float = 25.0
    """What is being worked on when a worker is told to stop has so long to end."""
    answer_seconds: float = 120.0
    """How long commands wait for what the workers make of a job."""
    listen: str = "127.0.0.1"
    """Where workers answer /healthz, /readyz and /metrics."""
    port: Port = 9600
    """The port for that where several workers share a process; 0 for any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerOptions:
    """What every worker can be told."""

    input_queue: QueueName
    prefetch: Prefetch = 16
    """Messages that it is brought before it has answered for the first."""
    concurrency: int = 4
    """Messages that it works on at once."""
    port: Port
    """Where it answers /healthz, /readyz and /metrics when it is alone in its process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetcherOptions(WorkerOptions):
    """The ``[fetcher]`` worker: jobs become pages."""

    input_queue: QueueName = "fetch.jobs"
    output_queue: QueueName = "html.raw"
    prefetch: Prefetch = 32
    concurrency: int = 16
    port: Port = 9601


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserOptions(WorkerOptions):
    """The ``[parser]`` worker: pages become Documents."""

    input_queue: QueueName = "html.raw"
    output_queue: QueueName = "html.parsed"
    prefetch: Prefetch = 8
    concurrency: int = 2
    port: Port = 9602
    max_html_size: int = 1_000_000
    """Bytes of a page; larger ones are dead letters."""
    text_min_length: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifierOptions(WorkerOptions):
    """The ``[classifier]`` worker: says what kind of page it is."""

    input_queue: QueueName = "html.parsed"
    output_queue: QueueName = "change.check"
    port: Port = 9603


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDetectorOptions(WorkerOptions):
    """The ``[change_detector]`` worker: compares with the version before."""

    input_queue: QueueName = "change.check"
    price_update_queue: QueueName = "price.update"
    notify_queue: QueueName = "notify"
    storage_queue: QueueName = "storage-agent"
    port: Port = 9604
    text_diff_threshold: float = 0.90


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceTrackerOptions(WorkerOptions):
    """The ``[price_tracker]`` worker: keeps the series of prices."""

    input_queue: QueueName = "price.update"
    port: Port = 9605


@dataclass(frozen=True, slots=True, kw_only=True)
class NotifierOptions(WorkerOptions):
    """The ``[notifier]`` worker: tells people and programs."""

    input_queue: QueueName = "notify"
    port: Port = 9606


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageOptions(WorkerOptions):
    """The ``[storage]`` worker: keeps versions, changes and the history of runs."""

    input_queue: QueueName = "storage-agent"
    port: Port = 9607


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveryOptions(WorkerOptions):
    """The ``[discovery]`` worker: follows links of jobs that ask for it."""

    input_queue: QueueName = "html.parsed.discovery"
    """A queue of its own: what goes to ``html.parsed`` is copied there while the worker is used."""
    output_queue: QueueName = "fetch.jobs"
    concurrency: int = 2
    port: Port = 9608
    scope: Literal["path", "host", "domain"] = "host"
    max_depth: int = 2
    max_pages: int = 100
