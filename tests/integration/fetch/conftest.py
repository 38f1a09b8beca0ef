"""One fetcher with one real browser for all tests of this folder, in a loop of its own."""

from __future__ import annotations

import asyncio
import socket
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from tests.services import chromium
from tests.site.apps import furnish
from tests.site.server import start_site

from pageloom.edges.fetch.fetcher import Fetcher, open_fetcher
from pageloom.edges.fetch.options import FetchOptions

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from tests.site.server import Site

HOSTS = ("site.test", "friend.test", "b.friend.test")
"""Names that the settings allow; everything else on this machine stays closed."""


@dataclass
class Names:
    """A resolver whose answers tests choose: one list for ever, or several in turn."""

    answers: dict[str, list[list[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def __call__(self, host: str, port: int, family: socket.AddressFamily) -> list[str]:
        self.asked.append(host)
        rounds = self.answers.get(host)
        if rounds is None:
            raise OSError("no such name")
        return rounds.pop(0) if len(rounds) > 1 else rounds[0]


@dataclass
class World:
    """A loop in a thread, a fetcher in it, and the names it believes in."""

    loop: asyncio.AbstractEventLoop
    fetcher: Fetcher
    names: Names

    def run(self, work: Coroutine[Any, Any, Any], seconds: float = 50) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(seconds)


def _options() -> FetchOptions:
    return FetchOptions(allowed_hosts=HOSTS, browser=chromium(), render_timeout=20, retries=0)


@pytest.fixture(scope="session")
def the_world() -> Iterator[World]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    names = Names()
    opened = open_fetcher(_options(), resolve=names)
    fetcher = asyncio.run_coroutine_threadsafe(opened.__aenter__(), loop).result(20)
    yield World(loop, fetcher, names)
    asyncio.run_coroutine_threadsafe(opened.__aexit__(None, None, None), loop).result(20)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture
def world(the_world: World) -> World:
    the_world.names.answers = {host: [["127.0.0.1"]] for host in HOSTS}
    the_world.names.asked.clear()
    return the_world


@pytest.fixture(scope="session")
def spa() -> Iterator[Site]:
    for site in start_site():
        furnish(site)
        yield site
