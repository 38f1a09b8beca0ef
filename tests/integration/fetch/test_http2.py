"""HTTP/2 where the server can, with the same limits and manners as HTTP/1.1."""

from __future__ import annotations

import asyncio
import gc
import gzip

import pytest
from tests.site.certificates import make_certificate
from tests.site.http2_server import http2_site

from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import FetchError


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return make_certificate(tmp_path_factory.mktemp("tls"), "127.0.0.1", "localhost")


@pytest.fixture
def modern(certificate):
    with http2_site(certificate.server("h2")) as site:
        yield site


def fetch(certificate, *requests: FetchRequest, at_once: bool = False, **options):
    chosen = FetchOptions(
        allowed_hosts=("127.0.0.0/8",), ca_file=str(certificate.certificate), **options
    )

    async def run():
        async with open_fetcher(chosen) as fetcher:
            if at_once:
                return await asyncio.gather(*(fetcher.get(request) for request in requests))
            return [await fetcher.get(request) for request in requests]

    return asyncio.run(run())


def test_pages_come_over_one_line(certificate, modern):
    modern.pages["/a?b=1"] = (200, {"content-type": "text/html"}, b"<p>one</p>")
    modern.pages["/z"] = (200, {"content-encoding": "gzip"}, gzip.compress(b"two" * 1_000))
    one, two = fetch(
        certificate, FetchRequest(url=modern.url("/a?b=1#c")), FetchRequest(url=modern.url("/z"))
    )
    assert (one.protocol, one.body, one.content_type) == ("HTTP/2", b"<p>one</p>", "text/html")
    assert two.body == b"two" * 1_000
    assert modern.connections == 1
    assert modern.asked[0]["user-agent"].startswith("Pageloom/")


def test_a_large_body_comes_whole_and_a_larger_one_not(certificate, modern):
    body = bytes(range(256)) * 20_000
    modern.pages["/"] = (200, {}, body)
    (page,) = fetch(certificate, FetchRequest(url=modern.url()))
    assert page.body == body
    with pytest.raises(FetchError) as caught:
        fetch(certificate, FetchRequest(url=modern.url()), max_bytes=1_000_000)
    assert caught.value.kind == "too_large"


def test_many_at_once_share_a_line_and_do_not_mix(certificate, modern):
    for number in range(30):
        modern.pages[f"/{number}"] = (200, {}, str(number).encode() * 30_000)
    pages = fetch(
        certificate,
        FetchRequest(url=modern.url("/0")),
        *(FetchRequest(url=modern.url(f"/{number}")) for number in range(30)),
        at_once=True,
        per_host=10,
    )
    assert [page.body for page in pages[1:]] == [str(n).encode() * 30_000 for n in range(30)]
    assert modern.connections <= 10


def test_cookies_redirects_and_own_headers(certificate, modern, site):
    modern.pages["/"] = (302, {"location": "/in", "set-cookie": "seen=1; Path=/"}, b"")
    modern.pages["/in"] = (302, {"location": site.url("/out", "localhost")}, b"")
    site.add("/out", b"out")
    request = FetchRequest(url=modern.url(), headers={"X-Token": "t"}, cookies={"mine": "m"})
    (page,) = fetch(certificate, request)
    assert page.body == b"out"
    assert [hop.status for hop in page.hops] == [302, 302]
    assert modern.asked[1]["cookie"] == "seen=1; mine=m"
    assert modern.asked[1]["x-token"] == "t"
    assert "cookie" not in site.asked[0][1]
    assert "x-token" not in site.asked[0][1]


def test_a_line_that_breaks_is_opened_again(certificate, modern):
    modern.pages["/"] = (200, {}, b"here")
    modern.hang_up_after = 1
    pages = fetch(certificate, *[FetchRequest(url=modern.url())] * 3)
    assert [page.body for page in pages] == [b"here"] * 3
    assert modern.connections == 2


# The two ends misunderstand each other, and the loop ends before TLS has said good-bye: what is
# left of the line is collected here, not in some other test.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_switched_off_it_is_not_offered(certificate, tmp_path):
    with http2_site(certificate.server("h2", "http/1.1")) as site:
        with pytest.raises(FetchError) as caught:
            fetch(certificate, FetchRequest(url=site.url()), http2=False, retries=0)
        assert caught.value.kind == "protocol"
    gc.collect()


def test_a_certificate_nobody_vouches_for_is_refused(modern):
    async def run():
        async with open_fetcher(FetchOptions(allowed_hosts=("127.0.0.0/8",))) as fetcher:
            return await fetcher.get(FetchRequest(url=modern.url()))

    with pytest.raises(FetchError) as caught:
        asyncio.run(run())
    assert caught.value.kind == "tls"
    assert modern.asked == []
