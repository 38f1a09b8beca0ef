"""What logs, metrics and traces make of what happens to pages."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest
import structlog

from pageloom import EmptyContent, extract
from pageloom.apps import metrics
from pageloom.apps.logs import start_logging, write_event
from pageloom.apps.traces import make_recorder, start_tracing
from pageloom.flows import events as observing
from pageloom.flows.events import Event, emit, has_subscribers, named, subscribe

URL = "https://mill.example/clocks"
PAGE = (
    "<title>Two clocks</title><main><h1>Two clocks</h1><p>The miller keeps two clocks, one for the"
    " wind and one for the train to town, and they never agree.</p></main>"
)


@pytest.fixture(autouse=True)
def nobody_watches():
    before = list(observing._watchers)
    observing._watchers.clear()
    yield
    observing._watchers[:] = before
    structlog.reset_defaults()


def logged(work, level="debug", form="json") -> list[dict]:
    stream = io.StringIO()
    start_logging(level, form, stream)
    work()
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def read_page() -> None:
    with named("job-1"):
        extract(PAGE, URL)


def fail() -> None:
    with pytest.raises(EmptyContent):
        extract(" ", URL)


def test_nobody_looks_unless_asked():
    assert not has_subscribers()
    extract(PAGE, URL)


def test_who_looks_and_fails_disturbs_neither_the_work_nor_others(capsys):
    def fail(_: Event) -> None:
        raise BrokenPipeError

    seen: list[Event] = []
    subscribe(fail)
    subscribe(seen.append)
    read_page()
    assert [event.name for event in seen] == ["page.read"]
    assert capsys.readouterr().err.count("failed to handle an event") == 1


def test_a_page_that_was_read_is_one_line_with_all_that_was_promised():
    lines = {line["event"]: line for line in logged(read_page)}
    line = lines["page.read"]
    assert line["level"] == "info"
    assert line["request_id"] == "job-1"
    assert line["url"] == URL
    assert line["content_length"] == len(PAGE)
    assert line["duration_ms"] > 0
    assert {"quality_score", "word_count"} <= set(line)
    assert lines["page.stages"]["level"] == "debug"
    assert "decode" in lines["page.stages"]["stages_ms"]


def test_low_quality_and_fallbacks_are_warnings():
    lines = logged(lambda: extract("<title>Soon</title><body></body>", URL), level="warning")
    assert {line["event"] for line in lines} == {"page.fallback", "page.low_quality"}
    assert {line["level"] for line in lines} == {"warning"}


def test_failures_are_errors():
    (line,) = logged(fail, level="error")
    assert (line["event"], line["level"]) == ("page.failed", "error")
    assert line["error_type"] == "EmptyContent"


def test_for_people_there_is_a_console_form():
    stream = io.StringIO()
    start_logging("info", "console", stream)
    read_page()
    assert "page.read" in stream.getvalue()
    assert not stream.getvalue().startswith("{")


def test_no_secret_is_written_down_and_a_line_stays_one_line():
    stream = io.StringIO()
    start_logging("debug", "json", stream)
    emit(
        "test",
        url="https://me:hunter2@mill.example/?api_key=hunter2&q=1\nforged",
        password="hunter2",
        broker="amqp://guest:hunter2@localhost/",
        authorization="Bearer hunter2",
        list=["https://a:hunter2@b.example/"],
    )
    text = stream.getvalue()
    assert "hunter2" not in text
    assert text.count("\n") == 1
    assert "mill.example" in text


def test_a_password_with_an_at_sign_is_not_written_down_by_halves():
    (line,) = logged(lambda: emit("test", url="http://us:p@hunter2@mill.example/"))
    assert line["url"] == "http://…@mill.example/"


def value(name: str, **labels: str) -> float:
    return metrics.REGISTRY.get_sample_value(name, labels) or 0.0


def test_metrics_count_pages_errors_stages_quality_and_words():
    metrics.start_counting()
    before = value("pageloom_extract_success_total")
    errors = value("pageloom_extract_errors_total", error_type="EmptyContent")
    stages = value("pageloom_stage_duration_seconds_count", stage="render")
    parsed = value("pageloom_parse_duration_seconds_count")
    words = value("pageloom_word_count_sum")
    read_page()
    fail()
    assert value("pageloom_extract_success_total") == before + 1
    assert value("pageloom_extract_errors_total", error_type="EmptyContent") == errors + 1
    assert value("pageloom_stage_duration_seconds_count", stage="render") == stages + 1
    assert value("pageloom_parse_duration_seconds_count") == parsed + 1
    assert value("pageloom_word_count_sum") > words
    assert b"pageloom_quality_score_bucket" in metrics.show_metrics()


def test_a_page_is_one_span_with_a_child_for_each_stage():
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    subscribe(make_recorder(provider.get_tracer("test")))
    read_page()
    fail()
    spans = {span.name: span for span in exporter.get_finished_spans()}
    page = spans["page.read"]
    assert page.attributes is not None
    assert page.attributes["url"] == URL
    assert page.attributes["size"] == len(PAGE)
    within = {
        span.name
        for span in exporter.get_finished_spans()
        if span.parent is not None and span.parent.span_id == page.context.span_id
    }
    stages = ("decode", "extract", "normalize", "render", "enrich", "snapshot")
    assert within >= {f"stage.{stage}" for stage in stages}
    assert not spans["page.failed"].status.is_ok


def test_all_spans_of_one_job_are_one_trace_in_whatever_process():
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    for _ in range(2):  # two providers, as of two processes
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(exporter))
        make_recorder(provider.get_tracer("test"))(Event(name="x", seconds=1, request_id="job-1"))
    one, two = exporter.get_finished_spans()
    assert one.context.trace_id == two.context.trace_id


def test_without_a_place_to_send_them_there_are_no_spans():
    start_tracing()()
    assert not has_subscribers()


def test_write_event_is_attached_once():
    start_logging("info", "json", io.StringIO())
    start_logging("info", "json", io.StringIO())
    assert observing._watchers.count(write_event) == 1


def test_no_secret_is_in_a_span():
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    subscribe(make_recorder(provider.get_tracer("test")))
    urls = (
        "https://mill.example/?access_token=hunter2",
        "https://mill.example/?api_key=hunter2&password=hunter2",
        "https://me:hun@ter2hunter2@mill.example/",
    )
    for url in urls:
        emit("message.done", url=url, seconds=1.0, error=f"no {url}", token="hunter2")
    spans = exporter.get_finished_spans()
    assert len(spans) == 3
    assert all("mill.example" in str(span.attributes) for span in spans)
    assert not any("hunter2" in span.to_json() for span in spans)


def test_logs_do_not_load_what_draws_tracebacks_and_leave_it_to_others():
    code = (
        "import sys, pageloom.apps.logs\n"
        "assert not [name for name in sys.modules if name.partition('.')[0] == 'rich']\n"
        "import rich.console\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_file_of_metrics_is_continued_where_a_release_words_the_help_differently(tmp_path):
    file = tmp_path / "pageloom.prom"
    metrics.count(Event(name="page.checked", facts={"path": "hash"}))
    metrics.add_to_file(str(file))
    line = next(x for x in file.read_text().splitlines() if x.startswith("pageloom_versions_total"))
    name, value = line.split()
    older = file.read_text().replace(
        "# HELP pageloom_versions_total ", "# HELP pageloom_versions_total Once, "
    )
    file.write_text(older.replace(line, f"{name} 7000.0"))
    metrics.add_to_file(str(file))
    assert f"{name} {7000.0 + float(value)}" in file.read_text().splitlines()
