"""What a user is told of a broker or a database that cannot be used: what, why, what to do."""

from __future__ import annotations

import json
import socket
import threading

import pytest
from tests.integration.agents.bench import Bench
from tests.integration.cli import pageloom

pytestmark = pytest.mark.integration


@pytest.fixture
def chatterbox():
    """Somebody who listens and does not speak AMQP."""
    server = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        line, _ = server.accept()
        with line:
            line.recv(64)  # who leaves with something unread cuts the line
            line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    yield server.getsockname()[1]
    server.close()
    thread.join()


def told(url: str) -> str:
    done = pageloom("dlq", "list", RABBIT_URL=url)
    assert done.code == 1
    assert done.out == ""
    assert "secret" not in done.err
    for word in ("Error(", "Exception", "AMQP", "Warning", "Traceback"):
        assert word not in done.err
    first, *suggestions = done.err.splitlines()
    assert suggestions[0].startswith("  Hint: ")
    return first


def test_why_a_broker_cannot_be_used_is_told_in_words(bench: Bench, chatterbox):
    good = bench.rabbit_url
    assert "nothing is listening on that port" in told("amqp://me:secret@127.0.0.1:9/")
    assert "user name or password" in told(good.replace("guest:guest", "guest:secret"))
    assert "virtual host" in told(f"{good}-missing")
    assert "another protocol" in told(f"amqp://me:secret@127.0.0.1:{chatterbox}/")


@pytest.mark.parametrize(
    "rest", ["hun/ter2@127.0.0.1:9/", "hunter2@[::1/", "hunter2@127.0.0.1:99999/"]
)
def test_an_address_that_cannot_be_read_ends_every_command_and_is_not_tried_again(rest):
    for command in (("dlq", "list"), ("top", "--once"), ("worker", "classifier")):
        done = pageloom(*command, RABBIT_URL=f"amqp://me:{rest}", PORT="0")
        assert done.code == 2
        assert "The RabbitMQ URL amqp://…@" in done.err
        assert "is not valid." in done.err
        assert "write %40 for @" in done.err
        assert "ter2" not in done.err + done.out


def test_an_address_that_is_none_of_a_broker_is_refused_also_by_workers():
    for command in (("dlq", "list"), ("worker", "classifier")):
        done = pageloom(*command, RABBIT_URL="me:secret@rabbit:5672")
        assert done.code == 2
        assert "broker.url is not a valid RabbitMQ URL." in done.err
        assert "for example to amqp://localhost:5672/" in done.err
        assert "secret" not in done.err


def test_a_database_that_cannot_be_used_is_told_before_a_job_is_written(bench: Bench):
    bench.database = "postgresql://me:secret@127.0.0.1:9/library"
    wait = ("enqueue", "https://mill.example/", "--wait")
    done = pageloom(*wait, **bench.environment())
    assert done.code == 1
    assert "PostgreSQL" in done.err
    assert "secret" not in done.err
    assert bench.waiting("fetch.jobs") == 0


def test_a_library_that_cannot_be_used_is_told_when_a_worker_starts(bench: Bench, tmp_path):
    (tmp_path / "file").write_text("no directory")
    bench.database = str(tmp_path / "file" / "library.db")
    worker = bench.start("storage", RABBIT_URL="amqp://127.0.0.1:9/")
    assert worker.stdout
    line = next(line for line in worker.stdout if b"store.unavailable" in line)
    told = json.loads(line)
    assert (told["level"], told["agent"]) == ("error", "storage")
    assert told["error"] == "The library's file cannot be opened for writing."


def test_mistakes_in_rules_are_in_the_log_of_a_worker_and_an_error_if_strict(
    bench: Bench, tmp_path
):
    (tmp_path / "bad.yaml").write_text("- id: bad\n  colour: red\n")
    bench.variables = {"PAGELOOM_RULES_DIRECTORY": str(tmp_path)}
    worker = bench.start("parser")
    bench.send("html.raw", b"no message")
    bench.receive(bench.settings().broker.dead_letter_queue)
    log = bench.stop(worker)
    assert log.count("Your rule files contain a mistake: bad.yaml:2: rule bad: colour") == 1
    assert "rules lint" in log
    strict = pageloom("worker", "parser", **bench.environment(), PAGELOOM_EXTRACTION_STRICT="true")
    assert strict.code == 1
    assert "Error: Your rule files contain a mistake: bad.yaml:2" in strict.err


def test_top_fails_where_there_is_no_broker():
    for form in ("--once", "--json"):
        assert pageloom("top", form, RABBIT_URL="amqp://127.0.0.1:9/").code == 1


@pytest.mark.parametrize("password", ["hunter2", "hun/hunter2", "hun#hunter2", "hun@hunter2"])
def test_no_command_shows_a_password_of_the_settings(password):
    variables = {
        "RABBIT_URL": f"amqp://me:{password}@127.0.0.1:9/",
        "PAGELOOM_DATABASE_URL": f"postgresql://me:{password}@127.0.0.1:9/library",
        "PAGELOOM_FETCH_PROXY": f"http://me:{password}@127.0.0.1:9",
        "PAGELOOM_LIBRARY_READER_URL": f"https://me:{password}@reader.example/?key=hunter2",
        "PAGELOOM_LIBRARY_READER_TOKEN": "hunter2",
        "PAGELOOM_NOTIFY_SMTP_PASSWORD": "hunter2",
        "PAGELOOM_NOTIFY_TARGETS": f"https://me:{password}@hook.example/hunter2",
        "PAGELOOM_NOTIFY_WEBHOOK_SECRET": "hunter2",
        "PAGELOOM_NOTIFY_WEBHOOK_SECRETS": "hook.example=hunter2",
        "PAGELOOM_OBSERVE_LOG_LEVEL": "debug",
    }
    commands = (("doctor",), ("doctor", "--json"), ("top", "--once"), ("check",), ("dlq", "list"))
    for command in commands:
        done = pageloom(*command, COLUMNS="400", **variables)
        assert done.code in (0, 1, 2)
        assert "Traceback" not in done.err
        assert "hunter2" not in done.out + done.err


def test_a_worker_that_waits_for_its_broker_shows_no_password(bench: Bench):
    bench.rabbit_url = "amqp://me:12/hunter2@127.0.0.1:9/"  # read as the host me, port 12
    bench.database = "postgresql://me:hun@hunter2@127.0.0.1:9/library"
    worker = bench.start("storage", PAGELOOM_OBSERVE_LOG_LEVEL="debug")
    assert worker.stdout
    lines: list[bytes] = []
    while not lines or b"broker.unreachable" not in lines[-1]:
        lines.append(next(worker.stdout))
    log = b"".join(lines).decode() + bench.stop(worker)
    assert "hunter2" not in log


def test_no_secret_of_a_job_is_in_the_log_of_a_worker(bench: Bench):
    jobs = [
        {"jobId": "user", "url": "https://me:hun@hunter2@127.0.0.1:9/"},
        {"jobId": "query", "url": "http://127.0.0.1:9/?access_token=hunter2&password=hunter2"},
        {"jobId": "none", "url": "amqp://me:hun/hunter2@mill.example/"},
    ]
    headers = {"Authorization": "Bearer hunter2", "Cookie": "a=hunter2"}
    worker = bench.start("fetcher", PAGELOOM_OBSERVE_LOG_LEVEL="debug")
    bench.send("fetch.jobs", *(job | {"headers": headers} for job in jobs))
    letters = bench.receive("dead_letter", len(jobs))
    log = bench.stop(worker)
    assert log.count("message.failed") >= len(jobs)
    assert "hunter2" not in log
    assert not any("hunter2" in str(letter.headers) for letter in letters)
