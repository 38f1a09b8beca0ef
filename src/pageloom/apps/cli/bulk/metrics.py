"""The metrics of a bulk run, served while it works."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.registry import Collector

from pageloom.errors import InvalidArgument
from pageloom.flows.bulk.tally import TIME_STEPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prometheus_client.metrics_core import Metric

    from pageloom.flows.bulk.progress import Progress


class _BulkCollector(Collector):
    """The counts of a bulk run, read when they are asked for."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def collect(self) -> Iterator[Metric]:
        """The metrics of this moment."""
        tally = self._progress.tally
        name = "pageloom_bulk_"
        yield CounterMetricFamily(f"{name}pages", "Pages read.", value=tally.read)
        yield CounterMetricFamily(f"{name}bytes", "Bytes read.", value=tally.bytes_in)
        yield _labelled(f"{name}rejects", "Pages not kept.", "reason", tally.rejected)
        yield _labelled(f"{name}deaths", "Workers that died.", "signal", tally.deaths)
        steps = [*map(str, TIME_STEPS), "+Inf"]
        sums = accumulate(tally.times.get(step, 0) for step in steps)
        seconds = HistogramMetricFamily(f"{name}page_seconds", "CPU seconds of one page.")
        seconds.add_metric([], list(zip(steps, sums, strict=True)), tally.cpu_seconds)
        yield seconds
        shards = GaugeMetricFamily(f"{name}shards", "Shards, by state.", labels=["state"])
        shards.add_metric(["done"], self._progress.done)
        shards.add_metric(["open"], self._progress.shards - self._progress.done)
        yield shards


def _labelled(name: str, what: str, label: str, counts: dict[str, int]) -> CounterMetricFamily:
    family = CounterMetricFamily(name, what, labels=[label])
    for key, number in dict(counts).items():
        family.add_metric([key], number)
    return family


def serve_bulk(progress: Progress, port: int) -> Callable[[], None]:
    """Serve the metrics of a bulk run to this machine, and return what ends it.

    Raises:
        InvalidArgument: the port cannot be used.
    """
    registry = CollectorRegistry()
    registry.register(_BulkCollector(progress))
    try:
        server, thread = start_http_server(port, addr="127.0.0.1", registry=registry)
    except OSError:
        raise InvalidArgument(f"Port {port} cannot be used for metrics.") from None

    def end() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return end
