"""A watch on a page of a real local site that changes between checks, under a clock of ours."""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from tests.site.server import Site

from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.notify.options import NotifyOptions
from pageloom.edges.store import outbox
from pageloom.edges.store.base import Store
from pageloom.edges.store.runs import runs_of
from pageloom.edges.store.watches import add_watch, get_watch, lease_watch
from pageloom.flows.notify.deliver import NotifyContext
from pageloom.flows.notify.outbox_sender import SendCounts, send_due
from pageloom.flows.watch.check import check_watch
from pageloom.flows.watch.context import WatchContext
from pageloom.flows.watch.options import WatchOptions
from pageloom.flows.watch.record_check import CheckResult
from pageloom.model.library import OutboxMessage, Run
from pageloom.model.watch import NewWatch, Watch, WatchSettings

START = 1_772_700_000.0
FETCH = FetchOptions(allowed_hosts=("127.0.0.1",), timeout=10, retries=0)


class Rig:
    """One library, one site, one clock."""

    def __init__(self, store: Store, site: Site, directory: Path) -> None:
        self.store, self.site, self.directory = store, site, directory
        self.clock = START
        self.notify = NotifyOptions(targets=("console",), webhook_secret="secret")
        self.options = WatchOptions(host_delay=0.0)
        self.stream = io.StringIO()
        self.rules_version = ""

    def serve(self, html: str, path: str = "/page", status: int = 200, **headers: str) -> None:
        headers = {"Content_Type": "text/html; charset=utf-8"} | headers
        self.site.add(path, html.encode(), status, **headers)

    def watch(self, path: str = "/page", track: str = "", **settings) -> Watch:
        url = self.site.url(path)
        # Rendering is not the subject, and starting a browser would take most of the time.
        plain = {"every": 3600, "respect_robots": False, "render": "never"}
        chosen = WatchSettings(**(plain | settings))
        new = NewWatch(
            owner="local", url=url, url_full=url, host="127.0.0.1", track=track, settings=chosen
        )
        return add_watch(self.store, new)[0]

    def again(self, watch: Watch) -> Watch:
        found = get_watch(self.store, "local", watch.id)
        assert found is not None
        return found

    def check(self, watch: Watch, *, after: float = 3600) -> CheckResult:
        """Check a watch once, a while later."""
        self.clock += after
        return asyncio.run(self._check(watch))

    async def _check(self, watch: Watch) -> CheckResult:
        async with open_fetcher(FETCH) as fetcher:
            world = self.world(fetcher)
            taken = lease_watch(self.store, watch, "test", 60, world.at())
            assert taken is not None
            return await check_watch(taken, world)

    def world(self, fetcher) -> WatchContext:
        return WatchContext(
            store=self.store,
            fetcher=fetcher,
            notify=self.notify,
            options=self.options,
            rules=None,
            rules_version=self.rules_version,
            holder="test",
            now=lambda: self.clock,
        )

    def means(self, **options) -> NotifyContext:
        return NotifyContext(
            options=replace(self.notify, **options),
            fetch=FETCH,
            feed_directory=self.directory / "feeds",
            now=lambda: self.clock,
            stream=self.stream,
        )

    def tell(self, *, after: float = 0.0, **options) -> SendCounts:
        self.clock += after
        return asyncio.run(send_due(self.store, self.means(**options), "test"))

    def messages(self) -> list[OutboxMessage]:
        return outbox.list_messages(self.store, "local")[::-1]

    def titles(self) -> list[str]:
        return [message.payload["title"] for message in self.messages()]

    def kinds(self) -> list[str]:
        return [message.payload["kind"] for message in self.messages()]

    def runs(self, watch: Watch) -> list[Run]:
        return runs_of(self.store, "local", watch.url, track=watch.track)[::-1]


def answer_with_etag(site: Site, path: str, html: str, etag: str) -> list[int]:
    """Serve a page with a validator; the statuses it was answered with."""
    statuses: list[int] = []

    def answer(request: BaseHTTPRequestHandler) -> None:
        same = request.headers.get("If-None-Match") == etag
        statuses.append(304 if same else 200)
        request.send_response(statuses[-1])
        request.send_header("ETag", etag)
        if not same:
            request.send_header("Content-Type", "text/html")
            request.send_header("Content-Length", str(len(html.encode())))
        request.end_headers()
        if not same:
            request.wfile.write(html.encode())

    site.pages[path] = answer
    return statuses
