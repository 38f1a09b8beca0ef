"""Servers that lie, drag, swell and break off."""

from __future__ import annotations

import asyncio
import gzip
import socket
import subprocess
import sys
import threading
import zlib

import brotli
import pytest
from backports import zstd
from tests.integration.cli import environment
from tests.site.certificates import make_certificate
from tests.site.hostile import hostile
from tests.site.server import start_site

from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import FetchError

MEGABYTES = b"\0" * 50_000_000


def fetch(url: str, **options):
    async def run():
        chosen = FetchOptions(**({"allowed_hosts": ("127.0.0.0/8",), "retries": 0} | options))
        async with open_fetcher(chosen) as fetcher:
            return await fetcher.get(FetchRequest(url=url))

    return asyncio.run(run())


BOMBS = {
    "gzip": gzip.compress(MEGABYTES),
    "br": brotli.compress(MEGABYTES, quality=5),
    "zstd": zstd.compress(MEGABYTES),
    "deflate": zlib.compress(MEGABYTES),
    "gzip, gzip": gzip.compress(gzip.compress(MEGABYTES)),
    "br, gzip": gzip.compress(brotli.compress(MEGABYTES, quality=5)),
}


@pytest.mark.parametrize("encoding", BOMBS)
def test_bombs_stop_at_the_limit(site, encoding: str):
    site.add("/", BOMBS[encoding], Content_Encoding=encoding)
    with pytest.raises(FetchError) as caught:
        fetch(site.url(), max_bytes=1_000_000)
    assert caught.value.kind == "too_large"


def raw_server(*pieces: bytes):
    """Answers anything with these bytes and hangs up."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            with line:
                line.recv(65_536)
                for piece in pieces:
                    line.sendall(piece)

    threading.Thread(target=serve, daemon=True).start()
    return listener


def url_of(listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}/"


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 999999 What\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
        b"",
    ],
)
def test_lies_about_length_and_broken_heads_are_protocol_errors(answer: bytes):
    with raw_server(answer) as listener, pytest.raises(FetchError) as caught:
        fetch(url_of(listener))
    assert caught.value.kind == "protocol"
    assert caught.value.retryable


def test_a_cut_compressed_body_gives_what_came(site):
    body = gzip.compress(b"one two three " * 5_000)
    site.add("/", body[: len(body) // 2], Content_Encoding="gzip")
    assert fetch(site.url()).body.startswith(b"one two three ")


@pytest.mark.parametrize("fault", ["other name", "expired", "nobody vouches", "no TLS at all"])
def test_broken_tls_is_refused(tmp_path, fault: str):
    names = ("elsewhere.example",) if fault == "other name" else ("127.0.0.1",)
    certificate = make_certificate(tmp_path, *names, expired=fault == "expired")
    trusted = "" if fault == "nobody vouches" else str(certificate.certificate)
    for site in start_site(None if fault == "no TLS at all" else certificate.server()):
        site.add("/", b"never seen")
        with pytest.raises(FetchError) as caught:
            fetch(f"https://127.0.0.1:{site.port}/", ca_file=trusted)
        assert caught.value.kind == "tls"
        assert site.asked == []


def test_a_server_that_prefers_http2_is_spoken_to_in_http1(tmp_path, monkeypatch):
    certificate = make_certificate(tmp_path, "127.0.0.1")
    for site in start_site(certificate.server("h2", "http/1.1")):
        monkeypatch.setattr(site.RequestHandlerClass, "protocol_version", "HTTP/1.1")
        site.add("/", b"here")
        page = fetch(f"https://127.0.0.1:{site.port}/", ca_file=str(certificate.certificate))
        assert (page.body, page.protocol) == (b"here", "HTTP/1.1")


FLOODS = {
    "swallow": "too_large",
    "after gzip": "too_large",
    "wide": "protocol",
    "interim": "protocol",
    "headers": "protocol",
    "cookies": "protocol",
    "trailers": "protocol",
    "empty gzips": "protocol",
    "chunks": "timeout",
    "silent": "timeout",
}


@pytest.mark.parametrize("attack", FLOODS)
def test_floods_end_and_others_are_served_meanwhile(site, attack: str):
    """One page after the other comes from a good server while the hostile one does its worst."""
    site.add("/", b"<p>here</p>")

    async def run(port: int) -> tuple[str, int]:
        options = FetchOptions(allowed_hosts=("127.0.0.0/8",), retries=0, timeout=2)
        async with open_fetcher(options) as fetcher:

            async def suffer() -> str:
                with pytest.raises(FetchError) as caught:
                    await fetcher.get(FetchRequest(url=f"http://127.0.0.1:{port}/"))
                return caught.value.kind

            attacked, served = asyncio.create_task(suffer()), 0
            while not attacked.done():
                served += (await fetcher.get(FetchRequest(url=site.url()))).status == 200
            return await attacked, served

    with hostile(attack) as port:
        kind, served = asyncio.run(run(port))
    assert kind == FLOODS[attack]
    assert served > 0


def test_headers_of_any_bytes_are_text():
    body = b'HTTP/1.1 200 OK \xff\r\nETag: "\xe9\xff"\r\nX-Place: caf\xc3\xa9\r\n\r\nhere'
    moved = b"HTTP/1.1 302 Found\r\nLocation: %s\xe9\r\n\r\n"
    with raw_server(body) as listener:
        with raw_server(moved % url_of(listener).encode()) as first:
            page = fetch(url_of(first))
        assert page.final_url == url_of(listener) + "%C3%A9"
        assert page.headers["etag"] == '"\xe9\xff"'
        assert page.headers["x-place"] == "caf\xe9"


MANY = """
import asyncio, resource, sys
from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import FetchError

async def main(url):
    bounds = {"max_bytes": 4_000_000, "retries": 0, "per_host": 50}
    options = FetchOptions(allowed_hosts=("127.0.0.0/8",), **bounds)
    kinds = {}
    async with open_fetcher(options) as fetcher:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        async def one(number):
            try:
                which = "small" if number % 2 else "bomb"
                return (await fetcher.get(FetchRequest(url=url + which))).status
            except FetchError as error:
                return error.kind
        for kind in await asyncio.gather(*map(one, range(200))):
            kinds[kind] = kinds.get(kind, 0) + 1
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(kinds, after - before)

asyncio.run(main(sys.argv[1]))
"""


def test_two_hundred_at_once_stay_within_bounds(site):
    """Half of them are bombs of 50 MB: unbounded they would take ten gigabytes."""
    site.add("/bomb", gzip.compress(MEGABYTES), Content_Encoding="gzip")
    site.add("/small", b"<p>small</p>")
    done = subprocess.run(
        [sys.executable, "-c", MANY, site.url()],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    kinds, _, grown = done.stdout.strip().rpartition(" ")
    assert kinds == "{'too_large': 100, 200: 100}"
    kilobytes = int(grown) // (1024 if sys.platform == "darwin" else 1)
    assert kilobytes < 200_000
