"""Robots, pauses, second chances and validators, against a real server."""

from __future__ import annotations

import asyncio
import time
from email.utils import formatdate
from itertools import pairwise

import pytest
from tests.rabbitmq import free_ports
from tests.site.server import send

from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import FetchError

LOOPBACK = ("127.0.0.0/8",)


def fetch(*requests: FetchRequest, **options):
    """All of these, one after the other, with one fetcher."""

    async def run():
        chosen = FetchOptions(**({"allowed_hosts": LOOPBACK} | options))
        async with open_fetcher(chosen) as fetcher:
            return [await fetcher.get(request) for request in requests]

    return asyncio.run(run())


def asking(site, path: str = "/", **how) -> FetchRequest:
    return FetchRequest(url=site.url(path), **how)


def failing(site, path: str, times: int, status: int, **headers: str) -> None:
    """A page that fails so often before it answers."""
    left = [times]

    def answer(request) -> None:
        left[0] -= 1
        if left[0] >= 0:
            send(request, b"later", status, **headers)
        else:
            send(request, b"at last")

    site.pages[path] = answer


def test_robots_are_asked_once_and_obeyed(site):
    site.add("/robots.txt", b"User-agent: *\nDisallow: /private\nAllow: /private/open\n")
    site.add("/a", b"a")
    site.add("/private/open/x", b"x")
    pages = fetch(
        asking(site, "/a", respect_robots=True),
        asking(site, "/private/open/x", respect_robots=True),
    )
    assert [page.body for page in pages] == [b"a", b"x"]
    assert site.paths.count("/robots.txt") == 1
    with pytest.raises(FetchError) as caught:
        fetch(asking(site, "/private/secret", respect_robots=True))
    assert caught.value.kind == "blocked_by_robots"
    assert "/private/secret" not in site.paths


def test_robots_are_asked_wherever_a_redirect_leads(site, other_site):
    site.add("/", status=302, Location=other_site.url("/private"))
    other_site.add("/robots.txt", b"User-agent: *\nDisallow: /private")
    other_site.add("/private", b"x")
    with pytest.raises(FetchError) as caught:
        fetch(asking(site, respect_robots=True))
    assert caught.value.kind == "blocked_by_robots"
    assert other_site.paths == ["/robots.txt"]


def test_without_being_told_to_robots_are_not_asked(site):
    site.add("/a", b"a")
    fetch(asking(site, "/a"))
    assert site.paths == ["/a"]


@pytest.mark.parametrize(("status", "allowed"), [(404, True), (403, True), (500, False)])
def test_a_missing_file_allows_all_and_a_broken_one_nothing_yet(site, status: int, allowed: bool):
    site.add("/robots.txt", status=status)
    site.add("/a", b"a")
    if allowed:
        assert fetch(asking(site, "/a", respect_robots=True))[0].body == b"a"
    else:
        with pytest.raises(FetchError) as caught:
            fetch(asking(site, "/a", respect_robots=True))
        assert caught.value.kind == "blocked_by_robots"
        assert "Could not fetch robots.txt" in caught.value.message


def test_a_server_that_cannot_be_reached_is_not_said_to_forbid_anything():
    (port,) = free_ports(1)
    with pytest.raises(FetchError) as caught:
        fetch(FetchRequest(url=f"http://127.0.0.1:{port}/a", respect_robots=True))
    assert caught.value.kind == "refused"
    assert caught.value.url.endswith("/a")


def test_a_crawl_delay_keeps_requests_apart(site):
    site.add("/robots.txt", b"User-agent: pageloom\nCrawl-delay: 0.8\n")
    times: list[float] = []
    site.pages["/a"] = lambda request: (times.append(time.monotonic()), send(request, b"a"))
    fetch(*[asking(site, "/a", respect_robots=True)] * 3)
    assert all(two - one >= 0.4 for one, two in pairwise(times))


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_transient_status_is_tried_again(site, status: int):
    failing(site, "/", 2, status)
    assert fetch(asking(site))[0].body == b"at last"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 500])
def test_a_lasting_status_is_an_answer_at_once(site, status: int):
    failing(site, "/", 1, status)
    assert fetch(asking(site))[0].status == status
    assert len(site.asked) == 1


def test_retry_after_is_waited_for_in_seconds_and_as_a_date(site):
    failing(site, "/seconds", 1, 429, Retry_After="1")
    began = time.monotonic()
    assert fetch(asking(site, "/seconds"))[0].body == b"at last"
    assert time.monotonic() - began >= 1
    failing(site, "/date", 1, 503, Retry_After=formatdate(time.time() + 1, usegmt=True))
    assert fetch(asking(site, "/date"))[0].body == b"at last"


def test_a_long_retry_after_is_not_sat_out_and_the_host_is_left_alone(site):
    failing(site, "/", 1, 429, Retry_After="3600")
    site.add("/other", b"other")

    async def run():
        async with open_fetcher(FetchOptions(allowed_hosts=LOOPBACK)) as fetcher:
            first = await fetcher.get(asking(site))
            with pytest.raises(FetchError) as caught:
                await fetcher.get(asking(site, "/other"))
            return first, caught.value

    first, error = asyncio.run(run())
    assert first.status == 429
    assert error.retryable
    assert error.figures["retry_after"] > 3_500
    assert site.paths == ["/"]


def test_a_broken_connection_is_tried_again(site):
    left = [1]

    def rude(request) -> None:
        left[0] -= 1
        if left[0] >= 0:
            request.connection.close()
        else:
            send(request, b"sorry")

    site.pages["/"] = rude
    assert fetch(asking(site))[0].body == b"sorry"


def test_a_refused_address_is_not_tried_again():
    with pytest.raises(FetchError) as caught:
        fetch(FetchRequest(url="http://10.0.0.1/"))
    assert caught.value.kind == "blocked_address"


def test_an_unchanged_page_is_a_value_not_an_error(site):
    def answer(request) -> None:
        same = request.headers.get("If-None-Match") == '"v7"'
        since = request.headers.get("If-Modified-Since") == "Mon, 02 Mar 2026 08:00:00 GMT"
        send(request, b"" if same or since else b"page", 304 if same or since else 200, ETag='"v7"')

    site.pages["/"] = answer
    (first,) = fetch(asking(site))
    assert (first.status, first.headers["etag"]) == (200, '"v7"')
    (same,) = fetch(asking(site, etag=first.headers["etag"]))
    assert same.not_modified
    assert same.body == b""
    (since,) = fetch(asking(site, last_modified="Mon, 02 Mar 2026 08:00:00 GMT"))
    assert since.not_modified


def test_hosts_are_not_asked_too_much_at_once(site):
    now: list[int] = [0]
    most: list[int] = [0]

    def answer(request) -> None:
        now[0] += 1
        most[0] = max(most[0], now[0])
        time.sleep(0.05)
        now[0] -= 1
        send(request, b"x")

    site.pages["/"] = answer

    async def run() -> None:
        chosen = FetchOptions(allowed_hosts=LOOPBACK, per_host=3)
        async with open_fetcher(chosen) as fetcher:
            await asyncio.gather(*(fetcher.get(asking(site)) for _ in range(12)))

    asyncio.run(run())
    assert most[0] == 3


def test_cookies_and_headers_do_not_leave_their_host(site, other_site):
    site.add("/", status=302, Location=other_site.url("/there"))
    other_site.add("/there", status=302, Location=site.url("/back"))
    site.add("/back", b"home")
    request = asking(site, headers={"Authorization": "Bearer t"}, cookies={"session": "s"})
    (page,) = fetch(request)
    assert page.body == b"home"
    assert [hop.status for hop in page.hops] == [302, 302]
    (there,) = [headers for _, headers in other_site.asked]
    assert "cookie" not in there
    assert "authorization" not in there
    assert site.asked[1][1]["cookie"] == "session=s"


def test_a_cookie_from_one_host_is_not_shown_to_another(site, other_site):
    site.add("/", status=302, Location=other_site.url("/x", "localhost"), Set_Cookie="a=1; Path=/")
    other_site.add("/x", b"x")
    fetch(asking(site))
    assert "cookie" not in other_site.asked[0][1]


def test_a_redirect_that_goes_round_ends(site):
    site.add("/", status=302, Location="/b")
    site.add("/b", status=302, Location="/")
    with pytest.raises(FetchError) as caught:
        fetch(asking(site))
    assert caught.value.kind == "too_many_redirects"


def test_the_time_holds_for_all_attempts_together(site):
    def slow(request) -> None:
        site.leaving.wait(5)

    site.pages["/"] = slow
    with pytest.raises(FetchError) as caught:
        fetch(asking(site, timeout=0.4))
    assert caught.value.kind == "timeout"
    assert len(site.asked) == 1
