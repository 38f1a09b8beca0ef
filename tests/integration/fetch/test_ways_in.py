"""Everything that is fetched because a page, a feed or a service says so passes the same gate.

The first server is allowed, and leads to the second, which is not, in every way there is.
"""

from __future__ import annotations

import asyncio
import io
import socket
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from tests.integration.cli import pageloom
from tests.site.apps import article, page

from pageloom import open_library
from pageloom.core.rules.book import RuleBook
from pageloom.core.rules.load import load_rules
from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.request import FetchRequest
from pageloom.edges.notify.notice import Notice
from pageloom.edges.notify.options import NotifyOptions
from pageloom.errors import PageloomError
from pageloom.flows.capture.acquire import acquire
from pageloom.flows.notify.deliver import NotifyContext, deliver

if TYPE_CHECKING:
    from collections.abc import Iterator

ALLOWED = ("127.0.0.1/32",)
# Elsewhere than on Linux, only one address of the old kind is this machine's.
CLOSED = "127.0.0.2" if sys.platform == "linux" else "::1"
FAMILY = socket.AF_INET6 if ":" in CLOSED else socket.AF_INET
RULES = """
- id: pages
  trigger: {host: {equals: 127.0.0.1}}
  request: {next_page: a.next, single_page: a.whole}
"""


@contextmanager
def closed() -> Iterator[tuple[str, list[bytes]]]:
    """A server at an address that nobody may connect to, and what was sent to it."""
    heard: list[bytes] = []
    listener = socket.create_server((CLOSED, 0), family=FAMILY)

    def listen() -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            heard.append(b"connected")
            line.close()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        host = f"[{CLOSED}]" if ":" in CLOSED else CLOSED
        yield f"http://{host}:{listener.getsockname()[1]}/", heard
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def fetch(url: str, *, robots: bool = False) -> None:
    async def run() -> None:
        options = FetchOptions(allowed_hosts=ALLOWED, retries=0)
        async with open_fetcher(options) as fetcher:
            rules = RuleBook(load_rules(RULES, "test.yaml").specs)
            request = FetchRequest(url=url, respect_robots=robots)
            await acquire(request, fetcher=fetcher, rules=rules, render="never")

    asyncio.run(run())


def test_links_of_a_page_that_are_followed_by_themselves(site):
    with closed() as (goal, heard):
        for number, link in enumerate(
            (
                f"<a class=next href={goal}>Next</a>",
                f"<a class=whole href={goal}>On one page</a>",
                "<a class=next href=/away>Next</a>",
                "<a class=whole href=/away>On one page</a>",
                f"<link rel=icon href={goal}><link rel=canonical href={goal}>",
                f"<link rel=amphtml href={goal}><link rel=next href={goal}>",
                f"<base href={goal}><a class=next href=next>Next</a>",
            )
        ):
            site.add_html(f"/{number}", page(article() + link))
            site.add("/away", status=302, Location=goal)
            fetch(site.url(f"/{number}"))
        head = f"<link rel=alternate type=text/markdown href={goal}>"
        site.add_html("/thin", page("<main><p>Little.</p></main>", head=head))
        fetch(site.url("/thin"))
        assert "/away" in site.paths
        assert heard == []


def test_redirects_of_a_page_and_of_its_robots_file(site):
    with closed() as (goal, heard):
        site.add("/away", status=302, Location=goal)
        site.add("/robots.txt", status=301, Location=goal)
        for url, robots in ((site.url("/away"), False), (site.url("/page"), True)):
            with pytest.raises(PageloomError) as caught:
                fetch(url, robots=robots)
            assert caught.value.code == "FetchError.blocked_address"
        assert heard == []


def test_feeds_and_what_they_announce(site, tmp_path, monkeypatch):
    monkeypatch.setenv("PAGELOOM_FETCH_ALLOWED_HOSTS", ALLOWED[0])
    with closed() as (goal, heard), open_library(tmp_path / "library.db") as library:
        items = "".join(
            f"<item><title>Story {number}</title><link>{link}</link><guid>{link}</guid></item>"
            for number, link in enumerate((goal, site.url("/away"), f"{goal}other"))
        )
        feed = f"<rss version='2.0'><channel><title>News</title>{items}</channel></rss>"
        site.add("/feed", feed.encode(), Content_Type="application/rss+xml")
        site.add("/away", status=302, Location=goal)
        library.add_source("near", site="127.0.0.1", feeds=[site.url("/feed")], full=True)
        library.add_source("away", site="127.0.0.1", feeds=[site.url("/away")])
        library.add_source("far", site="far.example", feeds=[goal])
        _, away, far = library.poll("near", "away", "far")
        assert away.errors
        assert far.errors
        assert {"/feed", "/away"} <= {*site.paths}
        assert heard == []


@pytest.mark.parametrize("service", ["json", "xml", "form"])
def test_services_that_redirect_a_notice(site, tmp_path, service: str):
    context = NotifyContext(
        options=NotifyOptions(),
        fetch=FetchOptions(allowed_hosts=ALLOWED, timeout=10),
        feed_directory=tmp_path,
        now=lambda: 1_772_700_000.0,
        stream=io.StringIO(),
    )
    notice = Notice(id="0123456789abcdef", kind="change", title="Kettle", text="Cheaper")
    with closed() as (goal, heard):
        for status in (302, 307):
            site.add("/hook", status=status, Location=goal)
            target = site.url("/hook").replace("http:", f"{service}:")
            with pytest.raises(PageloomError):
                asyncio.run(deliver(notice, target, context))
        assert site.paths == ["/hook", "/hook"]
        assert heard == []


def test_pictures_of_a_page_that_is_printed(site, tmp_path):
    """A PDF is printed by the browser, which loads what the page shows."""
    with closed() as (goal, heard):
        pictures = f"<img src={goal}><img src=/away><img src=/near.png>"
        site.add("/away", status=302, Location=goal)
        site.add_html("/story", page(article().replace("</h1>", f"</h1>{pictures}")))
        given = {
            "PAGELOOM_FETCH_ALLOWED_HOSTS": ALLOWED[0],
            "PAGELOOM_DATABASE_URL": str(tmp_path / "library.db"),
        }
        assert pageloom("save", site.url("/story"), **given).code == 0
        printed = tmp_path / "story.pdf"
        assert pageloom("export", "pdf", printed, **given).code == 0
        assert printed.read_bytes().startswith(b"%PDF")
        assert heard == []
