"""Lines that break, processes that end: nothing is lost, nothing is done twice, nobody helps."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import signal
import sqlite3
import sys
import threading
import time
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.gate import gate_to
from tests.integration.agents.bench import Bench, kill, until
from tests.integration.agents.pages import article

from pageloom.apps.agents.agent import Agent, Outgoing
from pageloom.edges.broker.connection import connect
from pageloom.errors import BrokerError

pytestmark = [pytest.mark.slow_file(seconds=25), pytest.mark.integration]


def test_a_line_that_never_was_can_be_forgotten_in_any_thread(monkeypatch):
    """The library begins to say good-bye when it is collected, wherever that is."""
    complaints = []
    monkeypatch.setattr(sys, "unraisablehook", lambda each: complaints.append(each.exc_value))

    async def fail_to_connect() -> list[BrokerError]:
        try:
            await connect("amqp://127.0.0.1:1/")
        except BrokerError as error:
            return [error]
        return []

    async def forget_elsewhere() -> None:
        failed = await fail_to_connect()
        failed.clear()
        await asyncio.to_thread(gc.collect)

    asyncio.run(forget_elsewhere())
    assert complaints == []


CHAIN = ("parser", "classifier", "change-detector", "storage")


def behind(gate, url: str) -> str:
    parts = urlsplit(url)
    return url.replace(f":{parts.port}", f":{gate.port}")


def outcomes(bench: Bench) -> list[str]:
    return [row["outcome"] for row in bench.query("SELECT outcome FROM runs ORDER BY id")]


def test_workers_wait_for_a_broker_that_is_not_there_yet_and_outlive_lost_lines(bench: Bench):
    real = bench.rabbit_url
    bench.send("html.raw", *(article(f"a{n}", path=f"/a{n}") for n in range(5)))
    with gate_to(urlsplit(real).port, is_open=False) as gate:
        bench.rabbit_url = behind(gate, real)
        with bench.working(*CHAIN):
            time.sleep(0.5)
            gate.open()
            bench.rabbit_url = real
            until(lambda: len(outcomes(bench)) == 5)
            for number in range(3):
                gate.shut()
                bench.send("html.raw", article(f"b{number}", path=f"/b{number}"))
                gate.open()
                until(lambda: len(outcomes(bench)) == 6 + number)  # noqa: B023  called at once
    assert outcomes(bench) == ["new"] * 8
    assert bench.waiting("dead_letter") == 0


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_database_that_is_down_is_waited_for_and_makes_nothing_new(bench: Bench):
    bench.send("html.raw", article("first"))
    with bench.working(*CHAIN):
        until(lambda: outcomes(bench) == ["new"])
    real = bench.database
    directory = parse_qs(urlsplit(real).query)["host"][0]
    with gate_to(5432, directory) as gate:
        name = urlsplit(real).path
        bench.database = f"postgresql://postgres@127.0.0.1:{gate.port}{name}"
        with bench.working(*CHAIN):
            bench.send("html.raw", article("warm", path="/warm"))
            until(lambda: len(outcomes(bench)) == 2)
            gate.shut()
            bench.send("html.raw", article("second"))
            time.sleep(1.5)  # longer than all three attempts together
            assert len(outcomes(bench)) == 2
            assert bench.waiting("dead_letter") == 0
            gate.open()
            until(lambda: len(outcomes(bench)) == 3)
    assert outcomes(bench) == ["new", "new", "unchanged"]


def test_told_to_stop_a_worker_ends_what_it_has_in_hand_and_leaves_the_rest(bench: Bench):
    begun, done = threading.Event(), []

    async def slow(letter, world):
        begun.set()
        await asyncio.sleep(0.5)
        done.append(letter.body)
        return [[Outgoing(queue="change.check", body=letter.body, contract="change.check/1")]]

    agent = Agent(name="classifier", handle=slow, uses_store=False)
    bench.send("html.parsed", *({"jobId": f"j{n}", "url": "u"} for n in range(6)))
    with bench.working(agent, classifier__concurrency=2, classifier__prefetch=4):
        begun.wait(20)
    assert len(done) == 2
    assert bench.waiting("change.check") == 2
    until(lambda: bench.waiting("html.parsed") == 4)


def test_workers_can_be_told_to_stop_at_any_moment(bench: Bench):
    """Also while they ask the broker how much waits: the answer to that was once waited for."""
    for number in range(12):
        bench.send("html.raw", article(f"s{number}", path=f"/s{number}"))
        with bench.working(*CHAIN, "price-tracker", "notifier", "discovery"):
            time.sleep(0.05 * number)
    with bench.working(*CHAIN):
        until(lambda: len(outcomes(bench)) == 12)
    assert outcomes(bench) == ["new"] * 12


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_process_ends_in_order_when_it_is_told_to(bench: Bench, number, code):
    process = bench.start("classifier")
    bench.send("html.parsed", parsed("one"))
    assert bench.receive_json("change.check")[0]["classification"]["type"]
    log = bench.stop(process, number)
    assert process.returncode == code
    assert '"event": "worker.stopped"' in log
    assert "Traceback" not in log


@pytest.mark.parametrize("signals", [1, 2])
def test_a_database_that_hangs_keeps_no_worker_alive(bench: Bench, signals: int):
    """Threads that wait for it cannot be told to end; what they had in hand stays in the queue."""
    assert bench.query("SELECT 1")
    seconds = 1 if signals == 1 else 60
    process = bench.start("parser", PAGELOOM_BROKER_SHUTDOWN_TIMEOUT=str(seconds))
    with sqlite3.connect(bench.database, isolation_level=None) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        assert process.stdout
        next(line for line in process.stdout if b"worker.ready" in line)
        bench.send("html.raw", article("stuck"))
        until(lambda: bench.waiting("html.raw") == 0)
        time.sleep(1)
        for _ in range(signals):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
        began = time.monotonic()
        assert process.wait(30) == 0
        assert time.monotonic() - began < 15
        holder.execute("ROLLBACK")
    until(lambda: bench.waiting("html.raw") == 1)


def parsed(job: str, **more) -> dict:
    return {
        "jobId": job,
        "url": "https://mill.example/clocks",
        "parsed": {"title": "Two clocks", "text": "One for the wind."},
        "snapshotHash": "1be6fa09",
        "version": 1,
    } | more


def test_a_killed_worker_loses_nothing(bench: Bench):
    bench.send("html.raw", *(article(f"k{n}", path=f"/k{n}") for n in range(12)))
    first = bench.start("parser", "classifier")
    until(lambda: bench.waiting("change.check") > 0)
    kill(first)
    with bench.working(*CHAIN):
        until(lambda: len(outcomes(bench)) == 12)
    assert outcomes(bench) == ["new"] * 12
    assert len(bench.query("SELECT * FROM versions")) == 12


def test_health_and_metrics_are_told_on_a_port(bench: Bench):
    process = bench.start("classifier")
    assert process.stdout
    line = next(line for line in process.stdout if b"health.listening" in line)
    found = re.search(rb'"port": (\d+)', line)
    assert found
    port = int(found[1])
    place = f"http://127.0.0.1:{port}"
    assert fetch(f"{place}/healthz") == (200, "ok\n")
    until(lambda: fetch(f"{place}/readyz") == (200, "classifier ready\n"))
    bench.send("html.parsed", parsed("one"))
    bench.receive("change.check")
    until(lambda: 'agent="classifier",outcome="done"} 1.0' in fetch(f"{place}/metrics")[1])
    assert 'pageloom_queue_messages{queue="html.parsed"}' in fetch(f"{place}/metrics")[1]
    assert fetch(f"{place}/etc/passwd")[0] == 404
    request = urllib.request.Request(f"{place}/healthz", data=b"x", method="POST")  # noqa: S310
    assert fetch(request)[0] == 405
    assert 'pageloom_broker_connected{agent="classifier"} 1.0' in fetch(f"{place}/metrics")[1]
    second = bench.start("classifier", PAGELOOM_CLASSIFIER_PORT=str(port))
    assert second.stdout
    told = json.loads(next(line for line in second.stdout if b"health." in line))
    assert (told["event"], told["level"], told["wanted"]) == ("health.port_taken", "warning", port)
    assert fetch(f"http://127.0.0.1:{told['port']}/healthz") == (200, "ok\n")


def test_a_line_that_was_never_up_is_told_as_down(bench: Bench):
    process = bench.start("classifier", RABBIT_URL="amqp://127.0.0.1:9/")
    assert process.stdout
    line = next(line for line in process.stdout if b"health.listening" in line)
    place = f"http://127.0.0.1:{json.loads(line)['port']}"
    assert 'pageloom_broker_connected{agent="classifier"} 0.0' in fetch(f"{place}/metrics")[1]
    assert fetch(f"{place}/readyz") == (503, "classifier waiting\n")


def fetch(url) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310  our own server
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_full_queue_makes_the_worker_before_it_wait(bench: Bench):
    bench.variables["PAGELOOM_BROKER_MAX_QUEUE_LENGTH"] = "3"
    with bench.working("classifier"):
        for number in range(8):
            bench.send("html.parsed", parsed(f"j{number}"))
        until(lambda: bench.waiting("change.check") >= 3)
        time.sleep(1)
        waiting = bench.waiting("change.check")
        assert waiting <= 5  # the broker lets a few through before it says no
        got = bench.receive_json("change.check", 8)
    assert sorted(message["jobId"] for message in got) == [f"j{number}" for number in range(8)]
