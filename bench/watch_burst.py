"""Thousands of watches due in the same minute: is every page fetched, and no host pressed?

    python bench/watch_burst.py                                10,000 watches on 100 hosts
    python bench/watch_burst.py --watches 2000 --hosts 50 --delay 0.5

A real site on as many loopback addresses as there are hosts, a real scheduler in its own process.
Ends with 1 if a page was fetched twice or never, if a host was asked for two pages at once, or for
the next one too soon.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from pageloom.edges.store.base import Store, Tx, open_store
from pageloom.edges.store.times import now

_PAGE = (
    "<html><head><title>Page {0}</title></head><body><article><h1>Page {0}</h1>"
    + "<p>The ferry leaves the pier at nine and comes back when the tide allows it.</p>" * 12
    + "</article></body></html>"
)
_SLACK = 0.05
"""Seconds by which clocks and sleeping may be off."""


@dataclass
class Site:
    """One site on many addresses, that notes who asked for what and when."""

    begun: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    ended: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    pages: Counter[str] = field(default_factory=Counter[str])
    under_way: Counter[str] = field(default_factory=Counter[str])
    most: Counter[str] = field(default_factory=Counter[str])
    most_at_once: int = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request for each connection."""
        host = writer.get_extra_info("sockname")[0]
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ", 2)[1].decode()
        self.begun[host].append(time.monotonic())
        self.under_way[host] += 1
        self.most[host] = max(self.most[host], self.under_way[host])
        self.most_at_once = max(self.most_at_once, self.under_way.total())
        await asyncio.sleep(0.02)
        body = _PAGE.format(path).encode()
        answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}"
        self.under_way[host] -= 1
        self.pages[host + path] += 1
        self.ended[host].append(time.monotonic())
        writer.write(f"{answer}\r\nConnection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()

    def closest(self) -> float:
        """The shortest time between the end of one request at a host and the next at it."""
        gaps = [
            later - earlier
            for host, ends in self.ended.items()
            for earlier, later in zip(ends, self.begun[host][1:], strict=False)
        ]
        return min(gaps, default=float("inf"))


def main() -> int:
    """Run and tell; the exit code is the verdict."""
    parser = argparse.ArgumentParser(description="Serve thousands of watches due at once.")
    parser.add_argument("--watches", type=int, default=10_000)
    parser.add_argument("--hosts", type=int, default=100, help="at most 250")
    parser.add_argument("--delay", type=float, default=0.2, help="seconds between two at one host")
    parser.add_argument("--minutes", type=float, default=30.0, help="at most")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        return asyncio.run(burst(str(Path(directory) / "burst.db"), chosen))


async def burst(database: str, chosen: argparse.Namespace) -> int:
    """Serve, schedule, wait until all are done."""
    site = Site()
    hosts = [f"127.0.1.{number + 1}" for number in range(chosen.hosts)]
    port = 0
    servers: list[asyncio.Server] = []
    for host in hosts:  # all on the port that the first was given
        server = await asyncio.start_server(site.answer, host, port)
        port = server.sockets[0].getsockname()[1]
        servers.append(server)
    with open_store(database) as store:
        add_watches(store, [f"http://{host}:{port}" for host in hosts], chosen.watches)
        started = time.monotonic()
        process = start(database, chosen.delay)
        await asyncio.to_thread(wait_for_all, store, started + chosen.minutes * 60)
        seconds = time.monotonic() - started
        process.send_signal(signal.SIGINT)
        await asyncio.to_thread(process.wait, 60)
        left = unchecked(store)
    for server in servers:
        server.close()
    return report(site, chosen, left, seconds)


def add_watches(store: Store, sites: list[str], count: int) -> None:
    """All due now."""
    settings = json.dumps({"every": 86_400, "respect_robots": False, "render": "never"})
    at = now()

    def work(tx: Tx) -> None:
        for number in range(count):
            site = sites[number % len(sites)]
            url = f"{site}/page/{number}"
            tx.run(
                "INSERT INTO watches (owner, url, url_full, host, settings, state, next_due,"
                " created_at, updated_at) VALUES ('local', ?, ?, ?, ?, '{}', ?, ?, ?)",
                url,
                url,
                site.rpartition("/")[2],
                settings,
                at,
                at,
                at,
            )

    store.transact(work)


def wait_for_all(store: Store, end: float) -> None:
    """Until all were checked, or the time is over."""
    while unchecked(store) and time.monotonic() < end:
        time.sleep(0.5)


def unchecked(store: Store) -> int:
    """Watches that were not checked yet."""
    with store.read() as tx:
        return tx.value("SELECT count(*) AS n FROM watches WHERE next_due <= ?", now())


def start(database: str, delay: float) -> subprocess.Popen[bytes]:
    """One scheduler."""
    settings = {
        "PAGELOOM_DATABASE_URL": database,
        "PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.0/8",
        "PAGELOOM_WATCH_HOST_DELAY": str(delay),
        "PAGELOOM_FETCH_DELAY": "0",
        "PYTHONPATH": os.pathsep.join(place for place in sys.path if place),
    }
    return subprocess.Popen(
        [sys.executable, "-m", "pageloom", "check", "--loop"],
        env=os.environ | settings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def report(site: Site, chosen: argparse.Namespace, left: int, seconds: float) -> int:
    """The figures, and whether they are good."""
    twice = sum(count > 1 for count in site.pages.values())
    most = max(site.most.values(), default=0)
    closest = site.closest()
    print(f"{chosen.watches:,} watches on {chosen.hosts} hosts, due at once: {seconds:.0f} s")
    print(f"  pages fetched: {len(site.pages):,}; twice: {twice}; watches left: {left}")
    print(f"  at once: {site.most_at_once} in all, {most} at one host")
    print(f"  closest at one host: {closest:.3f} s, asked for {chosen.delay:.3f} s")
    good = len(site.pages) == chosen.watches and not twice and not left and most == 1
    return 0 if good and closest >= chosen.delay - _SLACK else 1


if __name__ == "__main__":
    sys.exit(main())
