"""The scheduler, killed again and again while pages change: is anything lost, or told twice?

    python bench/watch_soak.py                       5 minutes on SQLite
    python bench/watch_soak.py --minutes 30 --postgres

A real site, real processes, a real receiver of webhooks that counts ids. Ends with 1 if a change
was told under two ids, told without having been, or never.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from typing import TYPE_CHECKING

from tests.postgres import new_database, postgres_server

from pageloom.edges.store.base import Store, open_store
from pageloom.edges.store.changes import list_changes
from pageloom.edges.store.times import now
from pageloom.edges.store.watches import add_watch
from pageloom.model.watch import NewWatch, WatchSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS = "bridge ferry library harbour market orchard museum workshop garden council".split()


class World(ThreadingHTTPServer):
    """The site and the receiver in one."""

    daemon_threads = True
    request_queue_size = 200

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.texts: dict[str, str] = {}
        self.taken: list[tuple[str, str]] = []
        self.asked: list[str] = []
        self.chance = random.Random(11)  # noqa: S311  no secret

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: World

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        filler = "".join(f"<p>The {word} is open to everybody all year.</p>" for word in _WORDS)
        text = self.server.texts.get(self.path, "")
        # In the title: a paragraph that differs on every check would soon be passed over.
        head = f"<title>{text}</title>"
        body = f"<html><head>{head}</head><body><article><h1>{text}</h1>{filler}</article></body>"
        self._send(200, body.encode())

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.chance.random() < 0.1:
            self._send(503, b"")
            return
        if message["type"] in ("change", "price"):
            self.server.taken.append((message["data"]["id"], message["id"]))
        self._send(204, b"")

    def _send(self, status: int, body: bytes) -> None:
        with contextlib.suppress(OSError):
            self.send_response(status)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def main() -> int:
    """Run and tell; the exit code is the verdict."""
    parser = argparse.ArgumentParser(description="Kill the scheduler again and again.")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--watches", type=int, default=40)
    parser.add_argument("--schedulers", type=int, default=2)
    parser.add_argument("--postgres", action="store_true", help="instead of SQLite")
    chosen = parser.parse_args()
    world = World()
    threading.Thread(target=world.serve_forever, daemon=True).start()
    with database_of(postgres=chosen.postgres) as database, open_store(database) as store:
        print(f"on {store.dialect}", flush=True)
        kills = soak(world, store, database, chosen)
        return report(world, store, kills)


@contextlib.contextmanager
def database_of(*, postgres: bool) -> Iterator[str]:
    """An empty database that is there until the end of the block."""
    if postgres:
        with postgres_server() as server, new_database(server) as address:
            yield address
        return
    with tempfile.TemporaryDirectory() as directory:
        yield str(Path(directory) / "soak.db")


def soak(world: World, store: Store, database: str, chosen: argparse.Namespace) -> int:
    """Pages change, schedulers come and are killed; the last ones may finish."""
    paths = [f"/page{number}" for number in range(chosen.watches)]
    for path in paths:
        settings = WatchSettings(
            every=3600, respect_robots=False, render="never", targets=(f"{world.address}/hook",)
        )
        url = world.address + path
        add_watch(
            store,
            NewWatch(owner="local", url=url, url_full=url, host=path[1:], settings=settings),
        )
    chance = random.Random(5)  # noqa: S311  no secret
    end = time.monotonic() + chosen.minutes * 60
    kills = turn = 0
    while time.monotonic() < end:
        turn += 1
        change_all(world, store, paths, turn)
        running = [start(database) for _ in range(chosen.schedulers)]
        wait_for_work(world)
        time.sleep(chance.uniform(0.0, 4.0))
        for process in running:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        print(
            f"  {kills} kills, {len(world.taken)} messages, {len(world.asked)} fetches", flush=True
        )
    finish(world, store, database)
    change_all(world, store, paths, turn + 1)
    finish(world, store, database)
    return kills


def change_all(world: World, store: Store, paths: list[str], turn: int) -> None:
    """All pages say something else, and all watches are due."""
    for number, path in enumerate(paths):
        world.texts[path] = f"Closed since {turn} May {2030 + number}; {turn * 7} people came."
    make_due(store)


def wait_for_work(world: World, longest: float = 60.0) -> None:
    """Until a scheduler has fetched something: how long starting takes is not the question."""
    before = len(world.asked)
    end = time.monotonic() + longest
    while len(world.asked) == before and time.monotonic() < end:
        time.sleep(0.02)


def make_due(store: Store) -> None:
    """All watches are due now."""
    store.transact(lambda tx: tx.run("UPDATE watches SET next_due = ?", now()))


def finish(world: World, store: Store, database: str) -> None:
    """One scheduler that is left alone until nothing is waiting any more."""
    time.sleep(3)
    process = start(database)
    end = time.monotonic() + 180
    while time.monotonic() < end and waiting(store):
        time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=60)


def waiting(store: Store) -> int:
    """Watches that are due, and messages that are not sent."""
    with store.read() as tx:
        due = tx.value("SELECT count(*) AS n FROM watches WHERE next_due <= ?", now())
        return due + tx.value("SELECT count(*) AS n FROM outbox WHERE state = 'waiting'")


def start(database: str) -> subprocess.Popen[bytes]:
    """One scheduler."""
    settings = {
        "PAGELOOM_DATABASE_URL": database,
        "PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.1",
        "PAGELOOM_NOTIFY_WEBHOOK_SECRET": "soak",
        "PAGELOOM_NOTIFY_RETRY_DELAY": "0.2",
        "PAGELOOM_NOTIFY_RATE_LIMIT": "0",
        "PAGELOOM_WATCH_LEASE_SECONDS": "3",
        "PAGELOOM_WATCH_HOST_DELAY": "0",
        "PYTHONPATH": os.pathsep.join(place for place in sys.path if place),
    }
    return subprocess.Popen(
        [sys.executable, "-m", "pageloom", "check", "--loop"],
        env=os.environ | settings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def report(world: World, store: Store, kills: int) -> int:
    """The figures, and whether they are good."""
    changes = {change.id for change in list_changes(store, "local", limit=1_000_000)}
    ids: dict[str, set[str]] = {}
    for change, message in world.taken:
        ids.setdefault(change, set()).add(message)
    lost = changes - set(ids)
    unknown = set(ids) - changes
    doubled = [change for change, found in ids.items() if len(found) > 1]
    repeats = sum(count - 1 for count in Counter(m for _, m in world.taken).values())
    print(f"{kills} kills, {len(world.asked):,} fetches, {len(changes):,} changes")
    with store.read() as tx:
        states = tx.all("SELECT state, error, count(*) AS n FROM outbox GROUP BY state, error")
    for row in states:
        print(f"  messages {row['state']}: {row['n']} {row['error']}")
    print(f"  never told: {len(lost)}; told without a change: {len(unknown)}")
    print(f"  told under two ids: {len(doubled)}; sent again under the same id: {repeats}")
    return 1 if lost or unknown or doubled or not changes else 0


if __name__ == "__main__":
    sys.exit(main())
