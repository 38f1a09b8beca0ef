"""Logs, figures and spans of plain commands."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.integration.cli import pageloom_process

PAGE = (
    b"<title>Mill</title><main><p>The mill by the river has turned for a long time now.</p></main>"
)


def test_a_command_writes_logs_where_asked_and_none_otherwise():
    quiet = pageloom_process("extract", "-", "-f", "text", stdin=PAGE)
    assert quiet.err == ""
    told = pageloom_process(
        *("extract", "-", "-f", "text"),
        stdin=PAGE,
        PAGELOOM_OBSERVE_LOG_LEVEL="info",
        PAGELOOM_OBSERVE_LOG_FORMAT="json",
    )
    assert told.out == quiet.out
    events = [json.loads(line)["event"] for line in told.err.splitlines()]
    assert "page.read" in events


def test_commands_add_their_figures_to_a_file(tmp_path):
    file = tmp_path / "pageloom.prom"
    for _ in range(2):
        pageloom_process("extract", "-", stdin=PAGE, PAGELOOM_OBSERVE_METRICS_FILE=str(file))
    pageloom_process("extract", "-", stdin=b" ", PAGELOOM_OBSERVE_METRICS_FILE=str(file))
    lines = file.read_text().splitlines()
    assert "pageloom_extract_success_total 2.0" in lines
    assert 'pageloom_extract_errors_total{error_type="EmptyContent"} 1.0' in lines


def test_what_flows_do_is_counted_too(tmp_path, site):
    file = tmp_path / "pageloom.prom"
    variables = {
        "PAGELOOM_OBSERVE_METRICS_FILE": str(file),
        "PAGELOOM_DATABASE_URL": str(tmp_path / "library.db"),
        "PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.1",
        "PAGELOOM_NOTIFY_TARGETS": "console",
    }
    site.add("/mill", PAGE * 40, Content_Type="text/html")
    assert pageloom_process("save", site.url("/mill"), "--render", "never", **variables).code == 0
    assert pageloom_process("save", site.url("/gone"), **variables).code == 1
    added = ("watch", "add", site.url("/mill"), "--render", "never")
    assert pageloom_process(*added, **variables).code == 0
    for text in (b"long", b"short"):
        site.add("/mill", PAGE.replace(b"long", text) * 40, Content_Type="text/html")
        assert pageloom_process("check", "--all", **variables).code == 0
    lines = file.read_text().splitlines()
    assert 'pageloom_fetch_duration_seconds_count{outcome="ok"} 3.0' in lines
    assert 'pageloom_fetch_duration_seconds_count{outcome="status"} 1.0' in lines
    assert "pageloom_versions_total 2.0" in lines
    assert "pageloom_changes_total 1.0" in lines
    assert 'pageloom_checks_total{path="diff"} 1.0' in lines
    assert 'pageloom_checks_total{path="hash"} 1.0' in lines
    assert 'pageloom_notifications_total{outcome="sent"} 1.0' in lines


def test_spans_go_where_asked():
    got: list[tuple[str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        place = f"http://127.0.0.1:{server.server_port}"
        done = pageloom_process("extract", "-", stdin=PAGE, PAGELOOM_OBSERVE_TRACES_URL=place)
        assert done.code == 0
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    ((path, body),) = got
    assert path == "/v1/traces"
    assert b"page.read" in body or body[:2] == b"\x1f\x8b"
