"""A foreign client writes whatever it likes to every queue: no worker ends, nothing is stuck."""

from __future__ import annotations

import asyncio
import copy
import datetime as dt
import json
import random
import struct
import subprocess
import sys
from decimal import Decimal
from typing import Any

import aio_pika
import pytest
from pamqp import encode
from tests.integration.agents.bench import Bench, until
from tests.integration.agents.pages import article, product
from tests.integration.cli import environment

pytestmark = pytest.mark.integration

AGENTS = "fetcher parser classifier change-detector price-tracker notifier storage".split()
QUEUES = "fetch.jobs html.raw html.parsed change.check price.update notify storage-agent".split()
VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 2**63, 2**200, 1e308, "", " ", "\0", "\ud800", "x" * 70_000, [], {}),
    *([[[[]]]], {"a": {"b": [None]}}, "javascript:alert(1)", "http://[::1", "file:///etc/passwd"),
    *("http://169.254.169.254/", "'; DROP TABLE pages; --", "9999-99-99T99:99:99Z", "{{7*7}}"),
    *("../../etc/passwd", "NaN", "2999-01-01T00:00:00Z", ["https://a.example"] * 3_000),
)
HEADERS: tuple[dict[str, Any], ...] = (
    {},
    {"attempts": -5, "offset": -5, "x-score": {"low": [-1, -128]}},
    {"attempts": "many"},
    {"attempts": 2**62},
    {"attempts": [1], "history": "none"},
    {"queue": "dead_letter", "agent": "storage", "reason": "x" * 3_000},
    {"queue": 7, "failedAt": dt.datetime(1970, 1, 1, tzinfo=dt.UTC)},
    {"x-death": [{"count": 99, "queue": "fetch.jobs", "reason": "expired"}]},
    {"x-delay": "soon", "traceparent": "00-zz-zz-zz", "price": Decimal("1.5")},
    {"deep": {"a": {"b": {"c": [{"d": None}]}}}, "bytes": bytearray(b"\xff\xfe")},
    {"": "empty", "content-type": "text/plain", "owner": "somebody", "userId": {"a": 1}},
)


def whole(chance: random.Random) -> dict[str, Any]:
    """A message as one of our own makes would send it."""
    made = chance.choice((article("job"), product("job", "12.50")))
    more = {
        "text": "The miller keeps two clocks.",
        "title": "Two clocks",
        "fetchedAt": "2026-03-05T08:30:00Z",
        "statusCode": 200,
        "headers": {"etag": "a"},
        "price": {"amount": 12.5, "currency": "EUR"},
        "changes": [{"kind": "text", "before": "a", "after": "b"}],
        "metadata": {"title": "Two clocks", "tags": ["mills"]},
        "watchId": 7,
        "target": "console",
    }
    return made | {name: more[name] for name in more if chance.random() < 0.6}


def spoil(value: Any, chance: random.Random) -> Any:
    """The message with some of its parts replaced, dropped, or of another kind."""
    if not isinstance(value, dict):
        return value
    spoilt = copy.deepcopy(value)
    for name in list(spoilt):
        if chance.random() < 0.25:
            spoilt[name] = chance.choice(VALUES)
        elif chance.random() < 0.1:
            del spoilt[name]
        else:
            spoilt[name] = spoil(spoilt[name], chance)
    if chance.random() < 0.2:
        spoilt[chance.choice(("owner", "version", "schemaVersion", "userId", "\0", "x" * 999))] = (
            chance.choice(VALUES)
        )
    return spoilt


def body(chance: random.Random) -> bytes:
    text = json.dumps(spoil(whole(chance), chance)).encode()
    cut = chance.random()
    if cut < 0.1:
        return text[: chance.randrange(len(text))]
    if cut < 0.2:
        place = chance.randrange(len(text))
        return text[:place] + bytes([chance.randrange(256)]) + text[place + 1 :]
    return text


async def poison(url: str, count: int, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  no secret
    line = await aio_pika.connect(url)
    async with line:
        channel = await line.channel()
        for number in range(count):
            message = aio_pika.Message(
                body(chance),
                headers=chance.choice(HEADERS),
                content_type=chance.choice(("application/json", "text/html", "", "x" * 200)),
                content_encoding=chance.choice((None, "gzip", "utf-16")),
                message_id=chance.choice((None, "same", "'; --", "x" * 255)),
                type=chance.choice((None, "job", "x" * 255)),
                reply_to=chance.choice((None, "fetch.jobs")),
                priority=chance.choice((None, 0, 255)),
                expiration=chance.choice((None, 60_000)),
            )
            await channel.default_exchange.publish(message, QUEUES[number % len(QUEUES)])


def test_no_message_of_a_foreign_client_ends_or_blocks_a_worker(
    bench: Bench, tmp_path, monkeypatch
):
    # Other clients write small negative numbers as long ones; ours would not write them at all.
    monkeypatch.setattr(encode, "table_integer", lambda value: b"l" + struct.pack(">q", value))
    log = tmp_path / "worker.log"
    with log.open("wb") as file:  # a pipe that nobody reads would fill up
        worker = subprocess.Popen(
            [sys.executable, "-m", "pageloom", "worker", *AGENTS],
            env=environment(**bench.environment()),
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    bench.processes.append(worker)
    for queue in QUEUES:  # which are declared by this
        bench.waiting(queue)
    asyncio.run(poison(bench.rabbit_url, 280, seed=11))
    until(lambda: all(bench.waiting(queue) == 0 for queue in QUEUES), 120)
    assert worker.poll() is None
    bench.send("html.raw", article("good", path="/good"))
    good = "SELECT 1 AS found FROM pages WHERE url = 'https://mill.example/good'"
    until(lambda: bench.query(good))
    bench.stop(worker)
    assert worker.returncode == 0, log.read_text()[-2_000:]
    assert "Traceback" not in log.read_text()
    assert "broker.unreachable" not in log.read_text()  # no message cut the connection
    assert bench.waiting("dead_letter") > 100
    assert bench.query("SELECT 1 AS found FROM users WHERE name = 'somebody'") == []
