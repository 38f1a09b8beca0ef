"""OpenTelemetry traces, if a collector is configured: a span for each page and each stage."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from pageloom import __version__
from pageloom.errors import MissingExtra
from pageloom.flows.events import subscribe
from pageloom.redaction import redact_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.flows.events import Event

_VARIABLES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


def start_tracing(url: str = "", exporter: Any = None) -> Callable[[], None]:
    """Start sending spans, if a collector is configured.

    Args:
        url: of a collector that speaks OTLP over HTTP.
        exporter: another OpenTelemetry exporter, in its place.

    Returns:
        The function that sends what is left and ends it.

    Raises:
        MissingExtra: it was asked for, and is not installed.
    """
    if not (url or exporter or any(os.environ.get(name) for name in _VARIABLES)):
        return lambda: None
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise MissingExtra(
            "Traces need optional packages that are not installed.",
            suggestions=("pip install 'pageloom[traces]'",),
        ) from None
    resource = Resource.create({"service.name": "pageloom", "service.version": __version__})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(exporter or _otlp(url)))
    record = make_recorder(provider.get_tracer("pageloom"))
    subscribe(record)
    return provider.shutdown


def _otlp(url: str) -> Any:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter(endpoint=f"{url.rstrip('/')}/v1/traces" if url else None)


def make_recorder(tracer: Any) -> Callable[[Event], None]:
    """The subscriber that turns events into spans."""
    from opentelemetry import trace

    def record(event: Event) -> None:
        if not event.seconds:
            return
        end = time.time_ns()
        start = end - int(event.seconds * 1e9)
        span = tracer.start_span(
            event.name, start_time=start, attributes=_attributes(event), context=_parent(event)
        )
        within = trace.set_span_in_context(span)
        at = start
        for stage, seconds in event.stages.items():
            child = tracer.start_span(f"stage.{stage}", start_time=at, context=within)
            at += int(seconds * 1e9)
            child.end(end_time=at)
        if event.level == "error":
            span.set_status(trace.StatusCode.ERROR, str(event.facts.get("error_type", "")))
        span.end(end_time=end)

    return record


def _attributes(event: Event) -> dict[str, Any]:
    plain = {k: v for k, v in event.facts.items() if isinstance(v, str | int | float | bool)}
    size = plain.pop("content_length", None)
    found = {"url": event.url, "size": size, "request_id": event.request_id}
    shown = plain | {name: value for name, value in found.items() if value not in (None, "")}
    return redact_value(shown)


def _parent(event: Event) -> Any:
    """The trace of a request: the same in every process."""
    if not event.request_id:
        return None
    import hashlib

    from opentelemetry import trace

    digest = hashlib.sha256(event.request_id.encode(errors="replace")).digest()
    context = trace.SpanContext(
        trace_id=int.from_bytes(digest[:16]),
        span_id=int.from_bytes(digest[16:24]),
        is_remote=True,
        trace_flags=trace.TraceFlags(trace.TraceFlags.SAMPLED),
    )
    return trace.set_span_in_context(trace.NonRecordingSpan(context))
