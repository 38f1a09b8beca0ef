"""Hostile servers, each in a process of its own: what they cost whoever fetches from them.

    python bench/hostile.py                 over HTTP, and in the browser where there is one
    python bench/hostile.py --only swallow --times 4

For each attack: how the fetch ended, its time, the longest silence of the event loop (as time, and
as CPU time, which other programs do not disturb), memory, and tasks and descriptors left behind.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.site.hostile import ATTACKS, hostile

from pageloom.edges.fetch.chromium import NAMES
from pageloom.edges.fetch.fetcher import Fetcher, open_fetcher
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.errors import PageloomError

SECONDS = 4
PATIENCE = 60
IN_BROWSER = ("silent", "silent parts", "interim", "chunks", "headers", "swallow")


@dataclass
class Pulse:
    """The longest time in which nobody else had a turn."""

    silence: float = 0.0
    cpu: float = 0.0

    async def beat(self) -> None:
        """Look at the clock a hundred times a second."""
        last, spent = time.perf_counter(), time.thread_time()
        while True:
            await asyncio.sleep(0.01)
            now, used = time.perf_counter(), time.thread_time()
            self.silence = max(self.silence, now - last - 0.01)
            self.cpu = max(self.cpu, used - spent)
            last, spent = now, used


def open_things() -> tuple[int, int]:
    """Tasks and descriptors."""
    return len(asyncio.all_tasks()), sum(1 for _ in Path("/dev/fd").iterdir())


def megabytes() -> float:
    """Memory of this process."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    return int(status.read_text().partition("VmRSS:")[2].split()[0]) / 1e3


async def suffer(fetcher: Fetcher, port: int, *, render: bool) -> str:
    """How one fetch ends."""
    request = FetchRequest(url=f"http://127.0.0.1:{port}/")
    work = fetcher.render(request, Rendering()) if render else fetcher.get(request)
    try:
        async with asyncio.timeout(PATIENCE):
            await work
    except PageloomError as error:
        return error.code
    except TimeoutError:
        return "NOT BACK"
    return "fetched"


async def attack(name: str, times: int, *, render: bool) -> None:
    """Fetch from one hostile server, several times at once."""
    options = FetchOptions(
        timeout=SECONDS, render_timeout=SECONDS, retries=0, allowed_hosts=("127.0.0.0/8",)
    )
    pulse = Pulse()
    with hostile(name) as port, hostile("headers") as other:
        async with open_fetcher(options) as fetcher:
            await suffer(fetcher, other, render=render)  # so that what is needed is loaded
            await asyncio.sleep(0.5)
            before, memory = open_things(), megabytes()
            beating = asyncio.create_task(pulse.beat())
            began = time.perf_counter()
            ends = await asyncio.gather(
                *(suffer(fetcher, port, render=render) for _ in range(times))
            )
            took = time.perf_counter() - began
            beating.cancel()
            await asyncio.sleep(0.5)
            left = [now - then for now, then in zip(open_things(), before, strict=True)]
            grown = megabytes() - memory
    way = "browser" if render else "HTTP"
    print(
        f"{name:<13} {way:<8} {'/'.join(sorted(set(ends))):<24} {took:5.1f} s   silence"
        f" {pulse.silence:6.3f} s (CPU {pulse.cpu:5.3f})   {grown:+5.0f} MB"
        f"   left: {left[0]:+d} tasks, {left[1]:+d} descriptors",
        flush=True,
    )


def main() -> int:
    """Run all attacks, or those asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--only", default="", help="attacks with this text in their name")
    parser.add_argument("--times", type=int, default=4, help="fetches at once")
    chosen = parser.parse_args()
    for name in ATTACKS:
        if chosen.only in name:
            asyncio.run(attack(name, chosen.times, render=False))
    if any(map(shutil.which, NAMES)):
        for name in IN_BROWSER:
            if chosen.only in name:
                asyncio.run(attack(name, min(chosen.times, 3), render=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
