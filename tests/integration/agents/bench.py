"""What tests of workers do again and again: start them, write to queues, read what comes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Self

from tests.integration.cli import environment

from pageloom.apps.agents.agent import Agent
from pageloom.apps.agents.run import run_workers
from pageloom.apps.agents.topology import AGENTS, make_agent, queues_of
from pageloom.edges.broker.connection import BrokerConnection, connect
from pageloom.edges.broker.envelope import Envelope
from pageloom.edges.store.base import Store, open_store
from pageloom.settings import Settings, load_settings

PATIENCE = 40.0


@dataclass
class Bench:
    """One virtual host, one library, and the workers between them."""

    rabbit_url: str
    database: str
    variables: dict[str, str] = field(default_factory=dict)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _store: Store | None = None

    def settings(self, **flags: Any) -> Settings:
        return load_settings(
            environment=self.environment(),
            directories=(),
            flags={name.replace("__", "."): value for name, value in flags.items()},
        )

    def environment(self) -> dict[str, str]:
        ports = "FETCHER PARSER CLASSIFIER CHANGE_DETECTOR PRICE_TRACKER NOTIFIER STORAGE DISCOVERY"
        return {
            "RABBIT_URL": self.rabbit_url,
            "PAGELOOM_DATABASE_URL": self.database,
            "PAGELOOM_BROKER_RETRY_DELAYS": "0.1,0.2,0.3",
            "PAGELOOM_BROKER_HEALTH_PORT": "0",
            **{f"PAGELOOM_{name}_PORT": "0" for name in ports.split()},
        } | self.variables

    @property
    def store(self) -> Store:
        if self._store is None:
            self._store = open_store(self.database)
        return self._store

    def query(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        with self.store.read() as tx:
            return tx.all(sql, *values)

    def start(self, *names: str, **variables: str) -> subprocess.Popen[bytes]:
        """Workers in a process of their own."""
        process = subprocess.Popen(
            [sys.executable, "-m", "pageloom", "worker", *names],
            env=environment(**self.environment() | variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.processes.append(process)
        return process

    def stop(self, process: subprocess.Popen[bytes], number: int = signal.SIGTERM) -> str:
        process.send_signal(number)
        out, _ = process.communicate(timeout=PATIENCE)
        return (out or b"").decode()

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.communicate()
        if self._store is not None:
            self._store.close()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run(work)

    def working(self, *agents: str | Agent, **flags: Any) -> Working:
        """Workers in a thread of this process."""
        made = [make_agent(each) if isinstance(each, str) else each for each in agents]
        return Working(made, self.settings(**flags))

    def send(self, queue: str, /, *messages: Any, **headers: Any) -> None:
        """Write messages: values as JSON, bytes as they are."""

        async def send(line: BrokerConnection) -> None:
            letters = [Envelope(body=_body(each), headers=headers) for each in messages]
            await asyncio.gather(*(line.publish(queue, letter) for letter in letters))

        self.run(self._on_line(send, queue))

    def receive(self, queue: str, count: int = 1, seconds: float = PATIENCE) -> list[Envelope]:
        """So many messages, taken out of a queue."""

        async def receive(line: BrokerConnection) -> list[Envelope]:
            found: list[Envelope] = []
            deadline = time.monotonic() + seconds
            while len(found) < count and time.monotonic() < deadline:
                delivery = await line.take(queue)
                if delivery is None:
                    await asyncio.sleep(0.02)
                else:
                    await delivery.ack()
                    found.append(delivery.envelope)
            return found

        return self.run(self._on_line(receive, queue))

    def receive_json(self, queue: str, count: int = 1) -> list[Any]:
        return [json.loads(letter.body) for letter in self.receive(queue, count)]

    def waiting(self, queue: str) -> int:
        async def count(line: BrokerConnection) -> int:
            return (await line.count(queue) or (0, 0))[0]

        return self.run(self._on_line(count, queue))

    async def _on_line(self, work: Any, queue: str) -> Any:
        line = await connect(self.rabbit_url)
        try:
            settings = self.settings()
            every = {each.name: each for name in AGENTS for each in queues_of(name, settings)}
            if queue in every:
                await line.declare([every[queue]])
            return await work(line)
        finally:
            await line.close()


def _body(value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


class Working:
    """``with`` it, the workers work."""

    def __init__(self, agents: list[Agent], settings: Settings) -> None:
        self._agents = agents
        self._settings = settings
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        await run_workers(self._agents, self._settings, self._stop)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        while self._stop is None:
            time.sleep(0.01)
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()


def until(check: Any, seconds: float = PATIENCE) -> Any:
    """What the check answers, as soon as that is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        answer = check()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError("it did not come to pass")


def kill(process: subprocess.Popen[bytes]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
