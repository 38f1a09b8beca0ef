"""How fast the parser worker is, whether a second one helps, and what each worker holds in memory.

    make bench-agents                            both
    python bench/agents.py speed --pages 2000
    python bench/agents.py memory --messages 10000

Against a RabbitMQ of its own; the library is SQLite.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from agents_chaos import article, product  # noqa: E402  the path comes first
from tests.rabbitmq import Broker, make_broker  # noqa: E402
from tests.site.server import Site, send, start_site  # noqa: E402

from pageloom.apps.agents.topology import AGENTS, queues_of  # noqa: E402
from pageloom.edges.broker.connection import connect  # noqa: E402
from pageloom.edges.broker.envelope import Envelope  # noqa: E402
from pageloom.edges.store.base import open_store  # noqa: E402
from pageloom.settings import Settings, load_settings  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.server import BaseHTTPRequestHandler

PAGE_BYTES = 50_000
SEEDS = {"parser": "30-40 MB", "change-detector": "20-35 MB"}
SITE_PAGES = 200


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description="Measure the workers.")
    parser.add_argument("what", nargs="?", choices=("speed", "memory", "both"), default="both")
    parser.add_argument("--pages", type=int, default=1_500)
    parser.add_argument("--messages", type=int, default=10_000)
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started is ended too
    with tempfile.TemporaryDirectory(prefix="pageloom-bench-") as place:
        broker = make_broker(Path(place) / "rabbitmq", 4)
        broker.start()
        try:
            if chosen.what in ("speed", "both"):
                measure_speed(broker, Path(place), chosen.pages)
            if chosen.what in ("memory", "both"):
                measure_memory(broker, Path(place), chosen.messages)
        finally:
            broker.stop()
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """What came of one run."""

    rate: float
    """Pages a second, from the first to the last."""
    workers: float
    """Seconds of processor time of the workers, start and end included."""
    broker: float
    bench: float


def measure_speed(broker: Broker, place: Path, pages: int) -> None:
    """Pages a second through one worker on one core, and through two on two."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    load = os.getloadavg()[0]
    few = max(20, pages // 10)
    start_up = run(broker, place / "few.db", few, [{cores[-1]}])
    one = run(broker, place / "one.db", pages, [{cores[-1]}])
    cost = (one.workers - start_up.workers) / (pages - few)
    print(f"parser, one worker on one core: {one.rate:.1f} pages of 50 KB a second (target 40)")
    print(f"its processor time: {cost * 1000:.1f} ms a page, {1 / cost:.1f} pages a second of it")
    two = run(broker, place / "two.db", pages, [{cores[-1]}, {cores[0]}])
    beside = (two.broker + two.bench) / pages
    print(
        f"parser, two workers on two cores: {two.rate:.1f} a second,"
        f" {two.rate / one.rate:.2f} times as many"
    )
    print(
        f"beside them, for each page: the broker {two.broker / pages * 1000:.1f} ms,"
        f" the bench {two.bench / pages * 1000:.1f} ms; so that two cores can do at most"
        f" {2 * cost / (cost + beside):.2f} times as many"
    )
    print(f"{len(cores)} cores, shared with the broker; load before the run {load:.1f}", flush=True)


def run(broker: Broker, database: Path, pages: int, cores: list[set[int]]) -> Speed:
    """Publish first, then start the workers, one for each set of cores."""
    variables = make_variables(broker, broker.take_vhost(), database)
    settings = load_settings(environment=variables, directories=())
    asyncio.run(publish(settings, settings.parser.input_queue, big_pages(pages)))
    open_store(str(database)).close()
    before = _spent(resource.RUSAGE_CHILDREN), broker_seconds(broker), time.process_time()
    workers = [start("parser", variables, affinity=each) for each in cores]
    try:
        begun = await_count(settings, settings.parser.output_queue, 1)
        since = time.monotonic()
        await_count(settings, settings.parser.output_queue, pages)
        rate = (pages - begun) / (time.monotonic() - since)
    finally:
        end(workers)
    return Speed(
        rate=rate,
        workers=_spent(resource.RUSAGE_CHILDREN) - before[0],
        broker=broker_seconds(broker) - before[1],
        bench=time.process_time() - before[2],
    )


def _spent(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def broker_seconds(broker: Broker) -> float:
    """The processor time of the broker so far."""
    command = ["ps", "-o", "cputimes=", "-s", str(broker.running.pid if broker.running else 0)]
    out = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return float(sum(int(line) for line in out.split()))


def measure_memory(broker: Broker, place: Path, messages: int) -> None:
    """The whole way, each worker by itself: memory after a fifth, a half and all messages."""
    database = place / "memory.db"
    variables = make_variables(broker, broker.take_vhost(), database)
    variables |= {"PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.1", "PAGELOOM_FETCH_PER_HOST": "16"}
    settings = load_settings(environment=variables, directories=())
    open_store(str(database)).close()
    workers = {name: start(name, variables) for name in AGENTS}
    started = time.monotonic()
    seen: list[dict[str, list[int]]] = []
    try:
        with contextmanager(start_site)() as site:
            add_pages(site)
            jobs, given = crawls(messages // 2, site), 0
            for part in (messages // 5, messages // 2, messages):
                asyncio.run(publish(settings, "fetch.jobs", jobs[given : part // 2]))
                given = part // 2
                await_runs(database, part)
                seen.append({name: resident(worker.pid) for name, worker in workers.items()})
    finally:
        end(list(workers.values()))
    spent = time.monotonic() - started
    print(f"{messages:,} messages the whole way in {spent:.0f} s ({messages / spent:.0f} a second)")
    with open_store(str(database)) as store, store.read() as tx:
        outcomes = tx.all("SELECT outcome, count(*) AS n FROM runs GROUP BY outcome ORDER BY n")
    print("  " + ", ".join(f"{row['n']:,} {row['outcome']}" for row in reversed(outcomes)))
    for name in AGENTS:
        first, half, last = (sum(each[name]) for each in seen)
        parts = " + ".join(f"{part / 1e6:.1f}" for part in seen[-1][name])
        asked = f" (asked for: {SEEDS[name]})" if name in SEEDS else ""
        print(
            f"  {name:16} {parts:>20} MB{asked}; {last / first - 1:+.1%} since the first fifth,"
            f" {last / half - 1:+.1%} since the half"
        )


def add_pages(site: Site) -> None:
    """Articles and products that have changed at every third look, each leading to one more."""
    site.add("/robots.txt", b"User-agent: *", Content_Type="text/plain")
    for page in range(SITE_PAGES):
        for path in (f"/{page}", f"/{page}/more"):
            looks = itertools.count()
            site.pages[path] = partial(answer, product if page % 2 else article, page, looks)


def answer(
    make: Callable[[int, int], str],
    page: int,
    looks: Iterator[int],
    request: BaseHTTPRequestHandler,
) -> None:
    """A page, with a link to its second one before all others."""
    link = f"<body><nav><a href='/{page}/more'>More of it</a></nav>"
    html = make(page, next(looks) // 3).replace("<body>", link)
    send(request, html.encode(), Content_Type="text/html; charset=utf-8")


def crawls(count: int, site: Site) -> list[bytes]:
    """Jobs that each lead to a second one."""
    return [
        json.dumps(
            {
                "jobId": f"job-{number}",
                "url": site.url(f"/{number % SITE_PAGES}"),
                "render": False,
                "crawl": {"id": f"crawl-{number}", "maxDepth": 1, "maxPages": 2},
            }
        ).encode()
        for number in range(count)
    ]


def make_variables(broker: Broker, vhost: str, database: Path) -> dict[str, str]:
    """Settings of the workers."""
    ports = {f"PAGELOOM_{agent.replace('-', '_').upper()}_PORT": "0" for agent in AGENTS}
    return ports | {
        "RABBIT_URL": broker.url(vhost),
        "PAGELOOM_DATABASE_URL": str(database),
        "PAGELOOM_BROKER_MAX_QUEUE_LENGTH": "20000",
        "PAGELOOM_OBSERVE_LOG_LEVEL": "warning",
    }


def start(
    name: str, variables: dict[str, str], affinity: set[int] | None = None
) -> subprocess.Popen[bytes]:
    """A worker in a process of its own, kept to some cores; its children with it."""

    def keep_to_cores() -> None:
        if affinity and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, affinity)

    return subprocess.Popen(
        [sys.executable, "-m", "pageloom", "worker", name],
        env=os.environ | variables | {"PYTHONPATH": str(ROOT / "src")},
        preexec_fn=keep_to_cores,  # noqa: PLW1509  no threads here
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def end(workers: list[subprocess.Popen[bytes]]) -> None:
    """End them in order."""
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.wait()


async def publish(settings: Settings, queue: str, bodies: list[bytes]) -> None:
    """Write messages."""
    line = await connect(settings.broker.url)
    for agent in AGENTS:
        await line.declare(queues_of(agent, settings))
    for at in range(0, len(bodies), 200):
        batch = bodies[at : at + 200]
        await asyncio.gather(*(line.publish(queue, Envelope(body=body)) for body in batch))
    await line.close()


def await_count(settings: Settings, queue: str, number: int) -> int:
    """How many there are in a queue, once there are so many."""

    async def wait() -> int:
        line = await connect(settings.broker.url)
        try:
            while True:
                found = await line.count(queue)
                if found and found[0] >= number:
                    return found[0]
                await asyncio.sleep(0.25)  # looking costs the broker something too
        finally:
            await line.close()

    return asyncio.run(wait())


def await_runs(database: Path, number: int) -> None:
    """Wait until so many have come to their end."""
    with open_store(str(database)) as store:
        while True:
            with store.read() as tx:
                if tx.value("SELECT count(*) AS n FROM runs") >= number:
                    return
            time.sleep(0.5)


def resident(pid: int) -> list[int]:
    """Bytes of memory of a process, and of its children."""
    family = [pid, *children(pid)]
    command = ["ps", "-o", "rss=", "-p", ",".join(map(str, family))]
    out = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return [int(line) * 1024 for line in out.split()]


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    out = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, check=True, text=True
    ).stdout
    pairs = [line.split() for line in out.splitlines()]
    return [int(child) for child, parent in pairs if int(parent) == pid]


def big_pages(count: int) -> list[bytes]:
    """Pages of 50 KB, each another, made like those of real sites of that size.

    44 such pages were measured: 10 KB of text in the mean and 8 KB in the middle, 75 links and
    1,040 tags; the rest is markup, styles and scripts.
    """
    sample = (files("pageloom.samples") / "harbour-swifts.html").read_text(encoding="utf-8")
    head, _, tail = sample.rpartition("</article>")
    words = [word for word in sample.split() if "<" not in word and ">" not in word]
    chance = random.Random(7)  # noqa: S311  no secret
    made: list[bytes] = []
    for number in range(count):
        body = _paragraphs(chance, words) + "</article>" + _around(chance, number)
        html = f"{head}{body}{tail}"
        html += f"<script>var state = '{'x' * max(0, PAGE_BYTES - len(html.encode()))}'</script>"
        made.append(_message(number, f"https://tidewatch.example/nature/{number}", html))
    return made


def _paragraphs(chance: random.Random, words: list[str]) -> str:
    """Some text, with a heading or a list now and then; a few pages have much more than others."""
    parts: list[str] = []
    for part in range(int(chance.triangular(6, 46, 12))):
        text = " ".join(chance.choices(words, k=chance.randint(20, 60)))
        if part % 6 == 5:
            parts.append(f"<h2 class='title is-2' id=part-{part}>{text[:40]}</h2>")
        if part % 9 == 4:
            items = "".join(f"<li class=item><span>{word}</span></li>" for word in text.split()[:8])
            parts.append(f"<ul class='list list--plain'>{items}</ul>")
        parts.append(f"<p class='body-text' data-part={part}>{text}, <em>said so</em>.</p>")
    return "\n".join(parts)


def _around(chance: random.Random, number: int) -> str:
    """What else is on a page: further stories, a menu of places, remarks of readers, a footer."""
    cards = "".join(
        f"<div class='card card--small' data-id='{n}'><a class=card__link href=/nature/{n}>"
        f"<figure class=card__figure><img class=lazy data-src=/thumb/{n}.jpg src=/blank.gif alt=''>"
        f"</figure><h3 class=card__title>Story {n}</h3></a><div class=card__meta>"
        f"<span class=date>{n % 28 + 1} May</span><span class=by>by <b>A. Writer</b></span></div>"
        "</div>"
        for n in chance.sample(range(number, number + 1000), chance.randint(12, 28))
    )
    menu = "".join(
        f"<li class='menu__item menu__item--{n}'><a href=/place/{n}><span>Place {n}</span></a></li>"
        for n in range(chance.randint(20, 50))
    )
    remarks = "".join(
        f"<div class=comment id=c{n}><div class=comment__by><span>reader{n}</span> <time>{n} h"
        f"</time></div><p>Seen {n} of them here too, over the water.</p><button>Answer</button>"
        "</div>"
        for n in range(chance.randint(0, 10))
    )
    style = "".join(f".card--{n}{{margin:{n}px;color:#3{n % 10}4}}" for n in range(60))
    return (
        f"<aside class=related><h2>More</h2>{cards}</aside><nav class=menu><ul>{menu}</ul></nav>"
        f"<section class=comments>{remarks}</section><style>{style}</style>"
    )


def _message(number: int, url: str, html: str) -> bytes:
    return json.dumps({"jobId": f"job-{number}", "url": url, "html": html}).encode()


if __name__ == "__main__":
    sys.exit(main())
