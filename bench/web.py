"""The web app under load: beside writers, with a large library; weight, memory, the first answer.

    python bench/web.py [--pages 100000] [--library FILE] [--no-postgres] [--only PART]

Times are those that the server states for itself in ``Server-Timing``: on a busy machine they say
more than a client's. Ratios are of the same run. Chromium measures layout shift and the largest
paint over a slow line (1.6 Mbit/s, 150 ms).
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.library import copy_library, fill
from tests.api.conftest import kettle
from tests.postgres import new_database, postgres_server
from tests.site.server import start_site
from tests.web.server import Browser, Server, running

from pageloom import load_settings
from pageloom.library import open_library

PATHS = {
    "list": "/",
    "second part": "",
    "filtered": "/?tag=reading&unread=true",
    "search, rare": "/?q=lighthouse",
    "search, common": "/?q={common}",
    "search, two words": "/?q={common}+{other}",
    "search, none": "/?q=zzzzqqqq",
    "reader": "/p/77",
    "changes": "/changes",
    "api list": "/api/v1/pages?limit=50",
    "api search": "/api/v1/pages?q={common}",
}
READ = ["/", "/?q=kettle", "/p/1", "/p/2", "/changes", "/p/1/history", "/?unread=true"]
LIMIT_MS = 100.0
Timed = tuple[str, float]


def seconds_of(answer: Any) -> float:
    """What the server says that it took, in seconds."""
    found = re.search(r"dur=([\d.]+)", answer.headers.get("server-timing", ""))
    return float(found[1]) / 1000 if found else float("nan")


def p95(times: list[float]) -> float:
    """The time below which nineteen of twenty are."""
    return statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


def words_of(database: str) -> dict[str, str]:
    """Two words that many pages have."""
    with open_library(database) as library:
        page = library.list(limit=1).pages[0]
        words = sorted(set(library.document(page).text.split()), key=len)
    return {"common": words[0], "other": words[1]}


def measure_library(name: str, database: str, rounds: int = 20) -> bool:
    """Lists and searches of a large library, one after the other."""
    known = words_of(database)
    good = True
    with running(database, "--no-work") as server:
        browser = server.browser()
        whole = browser.get("/").text
        following = re.findall(r'rel="next" href="([^"]+)"', whole)
        for what, template in PATHS.items():
            path = template.format(**known) if template else following[0].replace("&amp;", "&")
            browser.get(path)
            worked = _cpu(server.process.pid)
            answers = [browser.get(path) for _ in range(rounds)]
            cpu = 1000 * (_cpu(server.process.pid) - worked) / rounds
            figure = 1000 * p95(list(map(seconds_of, answers)))
            good &= figure <= LIMIT_MS
            statuses = {answer.status for answer in answers}
            print(f"  {name:10} {what:18} p95 {figure:6.1f} ms, CPU {cpu:5.1f} ms  {statuses}")
    return good


def read_on(
    server: Server, cookie: str, paths: list[str], stop: threading.Event, times: list[Timed]
) -> None:
    """One reader: page after page, with a second's look at each."""
    browser = Browser(server, cookie)
    place = 0
    while not stop.is_set():
        path = paths[place % len(paths)]
        answer = browser.get(path)
        if answer.status == 200:
            times.append((path, seconds_of(answer)))
        place += 1
        stop.wait(1.0)


def with_readers(
    server: Server, cookie: str, readers: int, seconds: float, until: Any = None
) -> list[Timed]:
    """The times of all readers while something runs."""
    stop, times = threading.Event(), []
    threads = [
        threading.Thread(
            target=read_on, args=(server, cookie, READ[n % 7 :] + READ[: n % 7], stop, times)
        )
        for n in range(readers)
    ]
    for thread in threads:
        thread.start()
        time.sleep(1.0 / readers)
    began = time.monotonic()
    while time.monotonic() - began < seconds and (until is None or until()):
        time.sleep(0.2)
    stop.set()
    for thread in threads:
        thread.join()
    return times


def measure_beside_writers(database: str, readers: int, count: int) -> float:
    """Readers alone, then beside a save of many pages and a scheduler at work; the ratio."""
    with ExitStack() as stack:
        site = stack.enter_context(_site())
        urls = []
        for number in range(count):
            site.add_html(f"/many/{number}", kettle(words=f"Kettle number {number}. " * 40))
            urls.append(site.url(f"/many/{number}"))
        settings = load_settings(flags={"fetch.allowed_hosts": ["127.0.0.1"]})
        library = stack.enter_context(open_library(database, settings=settings))
        for number in range(30):
            library.save(f"https://shop.example/{number}", content=kettle(f"{number}.00"))
        server = stack.enter_context(running(database))
        browser = server.browser()
        with_readers(server, browser.cookie, readers, 3)
        for number in range(20):
            library.watch(urls[number], every="1m")
        job = library.save_later(urls)
        busy = with_readers(
            server,
            browser.cookie,
            readers,
            180,
            until=lambda: library.get_job(job.id).state in ("queued", "running"),
        )
        info = library.get_job(job.id)
        found = sum(
            1 for number in range(0, count, 25) if library.search(f'"number {number}"').hits
        )
        print(f"  {info.done} of {count} pages saved, {info.state}; {found} found again")
        # Afterwards: before, the lists were shorter, and nothing was left to be found.
        idle = with_readers(server, browser.cookie, readers, 15)
    for path in ["", *READ]:
        alone, beside = _p95_of(idle, path), _p95_of(busy, path)
        ratio = beside / alone
        print(f"  {path or 'all':15} p95 {beside:5.1f} ms, alone {alone:5.1f} ms: {ratio:.2f}")
    print(f"  {readers} readers, {len(busy)} answers beside writers, {len(idle)} alone")
    return _p95_of(busy) / _p95_of(idle)


def _p95_of(times: list[Timed], path: str = "") -> float:
    """In milliseconds; of one address or of all."""
    return 1000 * p95([seconds for each, seconds in times if path in ("", each)])


def _site() -> Any:
    from contextlib import contextmanager

    return contextmanager(start_site)()


def measure_weight(database: str) -> None:
    """Bytes of a page and all that it loads, packed; requests before text is shown."""
    with running(database, "--no-work") as server:
        browser = server.browser()
        for name, path in (
            ("list", "/"),
            ("reader", "/p/1"),
            ("diff", "/p/2/diff"),
            ("watch", "/watches/1"),
        ):
            page = browser.get(path)
            names = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
            files = [
                browser.get(each, Accept_Encoding="gzip").body for each in dict.fromkeys(names)
            ]
            size = len(gzip.compress(page.body, 5)) + sum(map(len, files))
            text = len(gzip.compress(browser.get("/p/1.txt").body, 5)) if name == "reader" else 0
            print(
                f"  {name:7} {size / 1000:5.1f} KB in {1 + len(files)} requests"
                + (f", {text / 1000:.1f} KB of it text" if text else "")
            )


def measure_start(database: str) -> None:
    """Seconds of CPU until the first answer, and memory of a server that does nothing."""
    began = time.monotonic()
    with running(database) as server:
        server.ask("GET", "/healthz")
        first = time.monotonic() - began
        cpu = _cpu(server.process.pid)
        browser = server.browser()
        for path in ("/", "/p/1", "/changes", "/watches", "/settings"):
            browser.get(path)
        time.sleep(2)
        before = _memory(server.process.pid)
        streams = [_follow(server, browser.cookie) for _ in range(25)]
        time.sleep(2)
        each = (_memory(server.process.pid) - before) / len(streams)
        for stream in streams:
            stream.close()
        for _ in range(1500):
            browser.get("/healthz")
        grown = _memory(server.process.pid) / before
    print(f"  first answer {first:.2f} s ({cpu:.2f} s CPU), idle {before / 1000:.0f} MB")
    print(f"  {each:.0f} KB a stream; after 1,500 requests {grown:.3f} of the memory")


def _follow(server: Server, cookie: str) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", "/events", headers={"Cookie": cookie})
    connection.getresponse().readline()
    return connection


def _memory(pid: int) -> int:
    """Kilobytes of a process and its children, what they share counted once."""
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    children = [one for each in threads for one in each.read_text().split()]
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.findall(r"\nPss:\s+(\d+)", text)[0]) + sum(_memory(int(one)) for one in children)


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def measure_paint(database: str) -> None:
    """Layout shift and the largest paint in Chromium over a slow line."""
    from playwright.sync_api import sync_playwright
    from tests.services import chromium

    watch = """new Promise(done => {
        let shift = 0, paint = 0;
        const see = (type, note) => new PerformanceObserver(
            list => list.getEntries().forEach(note)).observe({type, buffered: true});
        see("layout-shift", each => { shift += each.value; });
        see("largest-contentful-paint", each => { paint = each.startTime; });
        setTimeout(() => done([shift, paint]), 600);
    })"""
    with running(database, "--no-work") as server, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        name, _, value = server.browser().cookie.partition("=")
        for path in ("/", "/p/1", "/p/2/diff"):
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            context.add_cookies([{"name": name, "value": value, "url": server.origin}])
            page = context.new_page()
            line = context.new_cdp_session(page)
            line.send("Network.enable")
            speed = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
            line.send("Network.emulateNetworkConditions", {"offline": False, **speed})
            page.goto(server.origin + path)
            shift, paint = page.evaluate(watch)
            print(f"  {path:10} layout shift {shift:.3f}, largest paint {paint:.0f} ms")
            context.close()
        browser.close()


def measure_list_command(database: str) -> None:
    """``pageloom list`` in seconds of CPU: the web must not make it slower."""
    import os
    import resource

    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "pageloom", "list"],
            env=os.environ | {"PAGELOOM_DATABASE_URL": database},
            capture_output=True,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    print(f"  pageloom list: {min(times):.2f} s CPU")


def small_library(database: str) -> None:
    """The sample, a page with two versions, a watch."""
    with open_library(database) as library:
        library.save_sample()
        for price in ("39.90", "29.90"):
            library.save("https://shop.example/kettle", content=kettle(price))
        for number in range(60):
            library.save(
                f"https://shop.example/{number}", content=kettle(words=f"Number {number}. " * 30)
            )
        library.pause(library.watch("https://shop.example/kettle"))


def main() -> int:
    """Measure everything that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument(
        "--library", default="", help="a library that is there, in the place of a new one"
    )
    parser.add_argument("--no-postgres", action="store_true")
    parser.add_argument("--readers", type=int, default=50)
    parser.add_argument("--save", type=int, default=1_000)
    parser.add_argument("--only", default="", help="small, writers or large")
    given = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        small = f"{folder}/small.db"
        small_library(small)
        if given.only in ("", "small"):
            print("A small library")
            measure_start(small)
            measure_weight(small)
            measure_paint(small)
            measure_list_command(small)
        if given.only in ("", "writers"):
            print("Readers beside writers")
            good &= measure_beside_writers(f"{folder}/busy.db", given.readers, given.save) <= 2
        if given.only in ("", "large"):
            print(f"{given.pages:,} pages")
            large = given.library or f"{folder}/large.db"
            if not given.library:
                fill(large, given.pages)
            good &= measure_library("SQLite", large)
            if not given.no_postgres:
                with postgres_server() as server, new_database(server) as database:
                    copy_library(large, database)
                    good &= measure_library("PostgreSQL", database)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
