"""What fetching and rendering cost over what the server and the page themselves take.

    PYTHONPATH=src:. python bench/fetch.py [ROUNDS]

A server of our own on loopback answers; nothing leaves the machine.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

from tests.site.apps import PARAGRAPHS, furnish, shell
from tests.site.server import Site, send, start_site

from pageloom.edges.fetch.fetcher import Fetcher, open_fetcher
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.flows.capture.acquire import acquire

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

LOOPBACK = ("127.0.0.0/8",)
READY = 0.5
"""Seconds after which the rendered page has its text."""
THINKING = 0.05
"""Seconds that the server takes for a static page."""


def main() -> None:
    """Measure and tell."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for site in start_site():
        add_pages(site)
        asyncio.run(measure(site, rounds))


def add_pages(site: Site) -> None:
    """A static page behind a slow server, and one that has its text only after a while."""
    furnish(site)
    static = site.pages["/static"]

    def slowly(request: Any) -> None:
        time.sleep(THINKING)
        static(request)

    draw = "document.getElementById('app').innerHTML = document.getElementById('t').textContent"
    text = "<article><h1>Ready</h1>" + "".join(f"<p>{p}</p>" for p in PARAGRAPHS) + "</article>"
    body = f'<div id="app"></div><script type="text/plain" id="t">{text}</script>'
    page = shell(f"setTimeout(() => {{ {draw} }}, {READY * 1000});", body=body).encode()
    site.pages["/slow-static"] = slowly
    site.pages["/ready"] = lambda request: send(request, page, Content_Type="text/html")


async def measure(site: Site, rounds: int) -> None:
    """One page at a time, over HTTP and in the browser."""
    async with open_fetcher(FetchOptions(allowed_hosts=LOOPBACK)) as fetcher:
        await _whole(fetcher, site.url("/slow-static"))
        spent = await time_each(rounds, lambda: _whole(fetcher, site.url("/slow-static")))
        tell("extract of a static page, over the server's time", spent, THINKING)
        began = time.perf_counter()
        await fetcher.render(FetchRequest(url=site.url("/static")), Rendering())
        tell("first page in the browser, start included", [time.perf_counter() - began])
        spent = await time_each(
            max(rounds // 4, 3), lambda: _whole(fetcher, site.url("/ready"), render="force")
        )
        tell("extract of a rendered page, over its readiness", spent, READY)


async def _whole(fetcher: Fetcher, url: str, **how: Any) -> None:
    got = await acquire(FetchRequest(url=url), fetcher=fetcher, **how)
    if got.document is None or PARAGRAPHS[4] not in got.document.text:
        raise SystemExit(f"{url} did not give its article")


async def time_each(rounds: int, work: Callable[[], Awaitable[None]]) -> list[float]:
    """The seconds of each round."""
    spent: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        await work()
        spent.append(time.perf_counter() - began)
    return spent


def tell(what: str, seconds: list[float], over: float = 0.0) -> None:
    """One line: the middle and the worst."""
    extra = [(each - over) * 1000 for each in seconds]
    middle, worst = statistics.median(extra), max(extra)
    print(f"{what:<52} median {middle:8.1f} ms  worst {worst:8.1f} ms  ({len(extra)} rounds)")


if __name__ == "__main__":
    main()
