"""Options of RabbitMQ and of each worker's queues."""

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
    """The ``[broker]`` section of the settings: what all workers have in common."""

    url: str = "amqp://guest:guest@localhost:5672/"
    """The URL of RabbitMQ; the variable ``RABBIT_URL`` sets it too."""
    dead_letter_queue: QueueName = "dead_letter"
    retry_delays: tuple[Delay, ...] = (1.0, 5.0, 25.0)
    """Seconds before each further attempt; after the last a message is a dead letter."""
    max_queue_length: int = 10_000
    """The most messages in a queue before the sending worker waits; 0 for no limit."""
    delivery_limit: int = 50
    """Deliveries without an acknowledgement (a worker was killed) before a message is dropped."""
    shutdown_timeout: float = 25.0
    """Seconds for a worker to finish its messages when it is asked to stop."""
    result_timeout: float = 120.0
    """Seconds that commands wait for the workers to finish a job."""
    health_host: str = "127.0.0.1"
    """The interface on which workers serve /healthz, /readyz and /metrics."""
    health_port: Port = 9600
    """The port for these when several workers share a process; 0 for any free port."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerOptions:
    """Options that every worker has."""

    input_queue: QueueName
    prefetch: Prefetch = 16
    """Messages it receives before it acknowledges the first."""
    concurrency: int = 4
    """Messages it works on at once."""
    port: Port
    """The port of /healthz, /readyz and /metrics when it is the only worker of its process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetcherOptions(WorkerOptions):
    """The ``[fetcher]`` worker: fetches the URLs of jobs."""

    input_queue: QueueName = "fetch.jobs"
    output_queue: QueueName = "html.raw"
    prefetch: Prefetch = 32
    concurrency: int = 16
    port: Port = 9601


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserOptions(WorkerOptions):
    """The ``[parser]`` worker: extracts Documents from pages."""

    input_queue: QueueName = "html.raw"
    output_queue: QueueName = "html.parsed"
    prefetch: Prefetch = 8
    concurrency: int = 2
    port: Port = 9602
    max_html_size: int | None = None
    """The most bytes of a page, larger ones become dead letters. When not set, pages of watches
    may have ``extraction.max_content_length``, others 1,000,000. Also ``MAX_HTML_SIZE``."""
    text_min_length: int | None = None
    """As ``extraction.text_min_length`` says when not set. Also ``TEXT_MIN_LENGTH``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifierOptions(WorkerOptions):
    """The ``[classifier]`` worker: finds the type of a page."""

    input_queue: QueueName = "html.parsed"
    output_queue: QueueName = "change.check"
    port: Port = 9603


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDetectorOptions(WorkerOptions):
    """The ``[change_detector]`` worker: compares a page with its last version."""

    input_queue: QueueName = "change.check"
    price_update_queue: QueueName = "price.update"
    notify_queue: QueueName = "notify"
    storage_queue: QueueName = "storage-agent"
    port: Port = 9604
    text_diff_threshold: float | None = None
    """A text less similar than this has changed; as ``changes.text_threshold`` says when not set.
    Also ``TEXT_DIFF_THRESHOLD``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceTrackerOptions(WorkerOptions):
    """The ``[price_tracker]`` worker: stores price series."""

    input_queue: QueueName = "price.update"
    port: Port = 9605


@dataclass(frozen=True, slots=True, kw_only=True)
class NotifierOptions(WorkerOptions):
    """The ``[notifier]`` worker: sends notices to their targets."""

    input_queue: QueueName = "notify"
    port: Port = 9606


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageOptions(WorkerOptions):
    """The ``[storage]`` worker: stores versions, changes and runs."""

    input_queue: QueueName = "storage-agent"
    port: Port = 9607


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveryOptions(WorkerOptions):
    """The ``[discovery]`` worker: follows the links of pages, for jobs that ask for it."""

    input_queue: QueueName = "html.parsed.discovery"
    """Its own queue: messages to ``html.parsed`` are copied there while the worker runs."""
    output_queue: QueueName = "fetch.jobs"
    concurrency: int = 2
    port: Port = 9608
    scope: Literal["path", "host", "domain"] = "host"
    max_depth: int = 2
    max_pages: int = 100
