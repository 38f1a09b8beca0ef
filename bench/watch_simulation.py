"""A thousand watches over thirty days, under a clock of its own, on pages that live.

    python bench/watch_simulation.py                          1,000 watches, 30 days, a check a day
    python bench/watch_simulation.py --watches 100 --days 10 --checks 4

Says how often hashes alone decided, how many tellings were false alarms, and which changes were
missed. Whole checks are made: only the network is generated, with errors, challenges and logins.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent))

from watch_pages import LivingPage

from pageloom.edges.fetch.guard import Guard
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.notify.options import NotifyOptions
from pageloom.edges.store.base import Store, open_store
from pageloom.edges.store.watches import add_watch, lease_watch
from pageloom.flows.watch.check import check_watch
from pageloom.flows.watch.context import WatchContext
from pageloom.flows.watch.options import WatchOptions
from pageloom.model import RawPage
from pageloom.model.watch import NewWatch, Watch, WatchSettings

if TYPE_CHECKING:
    from pageloom.flows.watch.record_check import CheckResult

START = 1_772_323_200.0
DAY = 86_400.0
CHALLENGE = (
    b"<html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>"
    b"<script src='/cdn-cgi/challenge-platform/x.js'></script></body></html>"
)
LOGIN = b"<html><head><title>Sign in</title></head><body><form><input type=password></form></body>"


@dataclass
class Client:
    """The part of an HTTP client that is asked before anything is sent."""

    guard: Guard = field(default_factory=Guard)


@dataclass
class GeneratedWeb:
    """Stands where the fetcher stands: answers from pages that live."""

    pages: dict[str, LivingPage]
    chance: random.Random
    options: FetchOptions = field(default_factory=FetchOptions)
    client: Client = field(default_factory=Client)
    clock: float = START

    async def get(self, request: Any) -> RawPage:
        """One answer, now and then a wrong one."""
        roll = self.chance.random()
        if roll < 0.01:
            return self._answer(request, b"<h1>Service Unavailable</h1>", 503)
        if roll < 0.018:
            return self._answer(request, CHALLENGE, 403)
        if roll < 0.022:
            return self._answer(request, LOGIN, 200, final="https://sso.example/login?next=/")
        if roll < 0.024:
            return self._answer(request, b"<h1>Not Found</h1>", 404)
        page = self.pages[request.url]
        body = page.html().encode()
        etag = f'"{hashlib.sha1(body).hexdigest()}"' if page.number % 3 == 0 else ""  # noqa: S324
        if etag and request.etag == etag:
            return self._answer(request, b"", 304, etag=etag)
        return self._answer(request, body, 200, etag=etag)

    def _answer(
        self, request: Any, body: bytes, status: int, *, final: str = "", etag: str = ""
    ) -> RawPage:
        return RawPage(
            url=request.url,
            final_url=final or request.url,
            status=status,
            headers={"etag": etag} if etag else {},
            body=body,
            content_type="text/html; charset=utf-8",
        )


@dataclass
class Tally:
    """What came of it all."""

    outcomes: Counter[str] = field(default_factory=Counter[str])
    paths: Counter[str] = field(default_factory=Counter[str])
    classes: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    told: int = 0
    false_alarms: int = 0
    before_learnt: int = 0
    went_back: int = 0
    made: Counter[str] = field(default_factory=Counter[str])
    missed: Counter[str] = field(default_factory=Counter[str])

    def add(self, page: LivingPage, checked: CheckResult) -> None:
        """Count one check; what was told is compared with what was done to the page."""
        self.outcomes[checked.outcome] += 1
        if checked.path and checked.outcome != "new":
            self.paths[checked.path] += 1
            self.classes.setdefault(noise_class(page), Counter())[checked.path] += 1
        if checked.outcome == "new":  # what was done to it before is not known
            page.told_edits = page.edits
        if checked.outcome == "returned" and page.state() in page.states[:-1]:
            self.went_back += 1
            page.told_edits = page.edits
        if checked.outcome != "changed":
            return
        self.told += 1
        if page.edits == page.told_edits:
            if "quote" in page.noise:
                self.before_learnt += 1
            else:
                self.false_alarms += 1
                if self.false_alarms <= 5:
                    print(f"  false alarm: {page.noise} {checked.reason[:200]}", flush=True)
        page.told_edits = page.edits


def noise_class(page: LivingPage) -> str:
    """How much of a page differs on every check."""
    if not page.noise:
        return "quiet"
    hidden = {"nonce", "cache", "session"}
    return "hidden noise" if set(page.noise) <= hidden else "visible noise"


def main() -> int:
    """Simulate and tell."""
    chosen = read_arguments()
    with tempfile.TemporaryDirectory() as directory, open_store(f"{directory}/sim.db") as store:
        started = time.perf_counter()
        tally = asyncio.run(simulate(store, chosen))
        report(tally, chosen, time.perf_counter() - started)
    return 0


def read_arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description="Simulate watches over many days.")
    parser.add_argument("--watches", type=int, default=1_000)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--checks", type=int, default=1, help="a day")
    parser.add_argument("--every", type=float, default=12.0, help="days between two changes")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


async def simulate(store: Store, chosen: argparse.Namespace) -> Tally:
    """All days of all watches."""
    chance = random.Random(chosen.seed)  # noqa: S311  no secret
    pages = {
        f"https://site{number % 200}.example/page/{number}": LivingPage(
            number=number,
            chance=random.Random(chosen.seed * 1_000_003 + number),  # noqa: S311
        )
        for number in range(chosen.watches)
    }
    web = GeneratedWeb(pages, chance)
    world = WatchContext(
        store=store,
        fetcher=web,  # pyright: ignore[reportArgumentType]
        notify=NotifyOptions(),
        options=WatchOptions(),
        holder="simulation",
        now=lambda: web.clock,
    )
    watches = {url: watch_page(store, url) for url in pages}
    tally = Tally()
    for turn in range(chosen.days * chosen.checks):
        for place, (url, page) in enumerate(pages.items()):
            web.clock = START + (turn + place / len(pages)) * DAY / chosen.checks
            if turn and chance.random() < 1 / (chosen.every * chosen.checks):
                page.edit()
            taken = lease_watch(store, watches[url], "simulation", 60, world.at())
            if taken is None:
                raise SystemExit("a watch was not given back")
            tally.add(page, await check_watch(taken, world))
        if turn % max(1, chosen.checks * 5) == 0:
            print(f"  day {turn // chosen.checks + 1}: {tally.told} told", flush=True)
    await settle(pages, watches, world, web, tally)
    return tally


async def settle(
    pages: dict[str, LivingPage],
    watches: dict[str, Watch],
    world: WatchContext,
    web: GeneratedWeb,
    tally: Tally,
) -> None:
    """Two more checks without new changes: what is not told now was missed."""
    for turn in range(2):
        for url, page in pages.items():
            if page.edits == page.told_edits:
                continue
            web.clock += DAY * (turn + 1) / len(pages)
            taken = lease_watch(world.store, watches[url], "simulation", 60, world.at())
            if taken is not None:
                tally.add(page, await check_watch(taken, world))
    for page in pages.values():
        tally.made.update(page.kinds)
        tally.missed.update(page.kinds[page.told_edits :])


def watch_page(store: Store, url: str) -> Watch:
    """Watch one page."""
    host = url.split("/")[2]
    settings = WatchSettings(every=int(DAY), respect_robots=False, render="never")
    new = NewWatch(owner="local", url=url, url_full=url, host=host, settings=settings)
    return add_watch(store, new)[0]


def report(tally: Tally, chosen: argparse.Namespace, seconds: float) -> None:
    """The figures."""
    checks = tally.outcomes.total()
    had = checks - tally.outcomes["failed"] - tally.outcomes["new"]
    fast = tally.paths["304"] + tally.paths["hash"]
    made, missed = tally.made.total(), tally.missed.total()
    print(f"{chosen.watches:,} watches, {chosen.days} days, {checks:,} checks in {seconds:.0f} s")
    print(f"  {seconds / checks * 1000:.1f} ms a check, reading the page and keeping all included")
    print(f"  outcomes: {dict(tally.outcomes.most_common())}")
    print(f"  fast path: {fast / had:.1%} of {had:,} checks that had the page: {dict(tally.paths)}")
    for name, paths in sorted(tally.classes.items()):
        share = (paths["304"] + paths["hash"]) / paths.total()
        print(f"    pages with {name}: {share:.1%} of {paths.total():,}")
    print(f"  changes made: {made:,} {dict(tally.made.most_common())}")
    print(f"  told: {tally.told:,}; missed: {missed} ({missed / max(made, 1):.2%})")
    print(f"  missed by kind: {dict(tally.missed)}")
    print(f"  went back within three days to what was told before, not told: {tally.went_back}")
    print(f"  false alarms: {tally.false_alarms} in {checks:,} checks")
    print(f"  told of parts that never rest, before they were muted: {tally.before_learnt}")


if __name__ == "__main__":
    sys.exit(main())
