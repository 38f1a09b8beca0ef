"""The guarded GET against real servers."""

from __future__ import annotations

import asyncio
import gzip
import socket
import ssl

import aiohttp
import pytest

from pageloom.edges.fetch.error_map import ERROR_KINDS, translate
from pageloom.edges.fetch.http import HttpClient, require_ok
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import FetchError, InvalidUrl
from pageloom.model import RawPage

LOOPBACK = ("127.0.0.0/8",)


def fetch(url: str, *, resolve=None, headers=None, **options) -> RawPage:
    chosen = FetchOptions(**({"allowed_hosts": LOOPBACK} | options))

    async def get() -> RawPage:
        client = HttpClient(chosen, resolve) if resolve else HttpClient(chosen)
        async with client:
            return require_ok(await client.get(FetchRequest(url=url, headers=headers or {})))

    return asyncio.run(get())


def answering(*rounds: list[str]):
    """A resolver that gives these answers in turn, the last for ever, and counts."""
    calls: list[str] = []

    async def resolve(host: str, port: int, family: socket.AddressFamily) -> list[str]:
        calls.append(host)
        return rounds[min(len(calls), len(rounds)) - 1]

    resolve.calls = calls
    return resolve


def test_a_page_comes_with_all_that_is_known_about_it(site):
    site.add("/page", "<p>Grüße</p>".encode(), Content_Type="text/html; charset=utf-8", ETag='"7"')
    page = fetch(site.url("/page?a=1#part"))
    assert page.body.decode() == "<p>Grüße</p>"
    assert page.status == 200
    assert page.content_type == "text/html; charset=utf-8"
    assert page.headers["etag"] == '"7"'
    assert page.url == site.url("/page?a=1#part")
    assert page.final_url == site.url("/page?a=1")
    assert page.fetched_at.endswith("Z")


def test_the_server_sees_a_named_agent_and_the_path_as_written(site):
    site.add("/a%20b/%C3%A9")
    fetch(site.url("/a%20b/é?q=x%2Fy&r=a+b"))
    path, headers = site.asked[0]
    assert path == "/a%20b/%C3%A9?q=x%2Fy&r=a+b"
    assert headers["user-agent"].startswith("Pageloom/")
    assert "zstd" in headers["accept-encoding"]


def test_compressed_pages_arrive_unpacked(site):
    site.add("/", gzip.compress(b"<p>small</p>"), Content_Encoding="gzip")
    assert fetch(site.url()).body == b"<p>small</p>"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed(site, status: int):
    site.add("/old", status=status, Location="/new?x=1")
    site.add("/new", b"here")
    page = fetch(site.url("/old"))
    assert (page.body, page.final_url) == (b"here", site.url("/new?x=1"))


def test_a_cookie_set_on_the_way_is_sent_back_to_the_same_site(site):
    site.add("/", status=302, Location="/in", Set_Cookie="seen=1; Path=/")
    site.add("/in", b"welcome")
    assert fetch(site.url()).body == b"welcome"
    assert site.asked[1][1]["cookie"] == "seen=1"


def test_redirects_end_after_ten(site):
    for number in range(12):
        site.add(f"/{number}", status=302, Location=f"/{number + 1}")
    site.add("/12", b"far")
    assert fetch(site.url("/2")).body == b"far"
    with pytest.raises(FetchError) as caught:
        fetch(site.url("/1"))
    assert caught.value.kind == "too_many_redirects"


@pytest.mark.parametrize(
    "place",
    [
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/",
        "http://[::1]/",
        "//0x0a000001/",
        "http://example.com\\@10.0.0.1/",
        "http://name.inside.example/",
    ],
)
def test_a_redirect_to_a_closed_address_is_refused(site, place: str):
    site.add("/", status=302, Location=place)
    with pytest.raises(FetchError) as caught:
        fetch(site.url(), resolve=answering(["10.0.0.9"]))
    assert caught.value.kind == "blocked_address"


@pytest.mark.parametrize(
    "place", ["file:///etc/passwd", "ftp://example.com/", "data:,x", "http://"]
)
def test_a_redirect_to_something_else_than_the_web_is_refused(site, place: str):
    site.add("/", status=302, Location=place)
    with pytest.raises(InvalidUrl):
        fetch(site.url())


def test_headers_for_one_host_are_not_sent_to_another(site, other_site):
    secret = {"Authorization": "Bearer 1", "Cookie": "id=2", "X-Key": "3"}
    site.add("/", status=302, Location="/again")
    site.add("/again", status=302, Location=other_site.url("/there"))
    other_site.add("/there", b"ok")
    assert fetch(site.url(), headers=secret).body == b"ok"
    for _, headers in site.asked:
        assert (headers["authorization"], headers["x-key"]) == ("Bearer 1", "3")
    (_, headers) = other_site.asked[0]
    assert not {"authorization", "cookie", "x-key"} & set(headers)


def test_headers_come_back_with_a_redirect_to_the_first_host_only(site, other_site):
    site.add("/", status=302, Location=other_site.url("/hop"))
    other_site.add("/hop", status=302, Location=site.url("/end"))
    site.add("/end", b"ok")
    fetch(site.url(), headers={"X-Key": "3"})
    assert "x-key" not in other_site.asked[0][1]
    assert site.asked[1][1]["x-key"] == "3"


def test_nothing_is_sent_to_a_closed_address(site):
    site.add("/", b"secret")
    for host in ("127.0.0.1", "0x7f.1", "2130706433", "localhost", "127.0.0.1."):
        with pytest.raises(FetchError) as caught:
            fetch(site.url(host=host), allowed_hosts=())
        assert caught.value.kind == "blocked_address"
    assert site.asked == []


def test_the_address_that_was_vetted_is_the_one_dialled(site):
    """A name server that answers well once and badly ever after gains nothing."""
    site.add("/", b"first answer")
    resolve = answering(["127.0.0.1"], ["10.0.0.1"])
    assert fetch(site.url(host="rebind.example"), resolve=resolve).body == b"first answer"
    assert resolve.calls == ["rebind.example"]


def test_every_hop_is_vetted_anew(site):
    site.add("/", status=302, Location=site.url("/secret", host="two.example"))
    site.add("/secret", b"secret")
    resolve = answering(["127.0.0.1"], ["10.0.0.1"])
    with pytest.raises(FetchError) as caught:
        fetch(site.url(host="one.example"), resolve=resolve)
    assert caught.value.kind == "blocked_address"
    assert resolve.calls == ["one.example", "two.example"]
    assert [path for path, _ in site.asked] == ["/"]


@pytest.mark.parametrize("answers", [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::1"]])
def test_a_name_with_one_closed_record_is_not_dialled(site, answers: list[str]):
    site.add("/", b"secret")
    with pytest.raises(FetchError) as caught:
        fetch(site.url(host="evil.example"), resolve=answering(answers), allowed_hosts=())
    assert caught.value.kind == "blocked_address"
    assert site.asked == []


def test_an_allowed_name_may_lead_inside(site):
    site.add("/", b"intranet")
    page = fetch(
        site.url(host="wiki.example"),
        resolve=answering(["127.0.0.1"]),
        allowed_hosts=("wiki.example",),
    )
    assert page.body == b"intranet"
    assert site.asked[0][1]["host"] == f"wiki.example:{site.port}"


@pytest.mark.parametrize(
    ("status", "retryable"), [(404, False), (410, False), (403, False), (429, True), (503, True)]
)
def test_a_bad_status_is_an_error_with_its_number(site, status: int, retryable: bool):
    site.add("/", b"no", status=status)
    with pytest.raises(FetchError) as caught:
        fetch(site.url())
    error = caught.value
    assert (error.kind, error.figures["status"], error.retryable) == ("status", status, retryable)


def test_a_page_above_the_limit_is_not_read_to_its_end(site):
    site.add("/", gzip.compress(b"\0" * 20_000_000), Content_Encoding="gzip")
    with pytest.raises(FetchError) as caught:
        fetch(site.url(), max_bytes=1_000_000)
    assert caught.value.kind == "too_large"


def test_an_endless_page_ends(site):
    def endless(request) -> None:
        request.send_response(200)
        request.end_headers()
        while not site.leaving.is_set():
            request.wfile.write(b"more and more " * 1_000)

    site.pages["/"] = endless
    with pytest.raises(FetchError) as caught:
        fetch(site.url(), max_bytes=1_000_000)
    assert caught.value.kind == "too_large"


def test_a_slow_drip_ends_with_the_time(site):
    def drip(request) -> None:
        request.send_response(200)
        request.end_headers()
        while not site.leaving.wait(0.05):
            request.wfile.write(b".")

    site.pages["/"] = drip
    with pytest.raises(FetchError) as caught:
        fetch(site.url(), timeout=0.5)
    assert (caught.value.kind, caught.value.figures["timeout_s"]) == ("timeout", 0.5)
    assert caught.value.retryable


def test_a_server_that_never_answers_ends_with_the_time():
    with socket.create_server(("127.0.0.1", 0)) as deaf, pytest.raises(FetchError) as caught:
        fetch(f"http://127.0.0.1:{deaf.getsockname()[1]}/", timeout=0.3)
    assert caught.value.kind == "timeout"


def test_a_closed_port_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(FetchError) as caught:
        fetch(f"http://127.0.0.1:{port}/")
    assert caught.value.kind == "refused"


def test_a_name_without_address_is_a_dns_error():
    async def nothing(*_: object) -> list[str]:
        raise OSError("no such name")

    with pytest.raises(FetchError) as caught:
        fetch("http://nowhere.example/", resolve=nothing)
    assert caught.value.kind == "dns"


def test_no_tls_where_tls_is_asked_for(site):
    with pytest.raises(FetchError) as caught:
        fetch(site.url().replace("http:", "https:"))
    assert caught.value.kind == "tls"


def test_what_is_not_http_is_a_protocol_error():
    async def rude(reader, writer):
        await reader.read(10)
        writer.write(b"220 mail.example ESMTP\r\n\r\n")
        writer.close()

    async def run():
        server = await asyncio.start_server(rude, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, HttpClient(FetchOptions(allowed_hosts=LOOPBACK)) as client:
            await client.get(FetchRequest(url=f"http://127.0.0.1:{port}/"))

    with pytest.raises(FetchError) as caught:
        asyncio.run(run())
    assert caught.value.kind == "protocol"


def every_error_of(root: type[BaseException]) -> set[type[BaseException]]:
    below = {sub for child in root.__subclasses__() for sub in every_error_of(child)}
    return {root} | below


@pytest.mark.parametrize(
    "kind", sorted(every_error_of(aiohttp.ClientError) | {ssl.SSLError}, key=lambda k: k.__name__)
)
def test_every_error_of_the_client_library_has_a_row(kind: type[BaseException]):
    error = kind.__new__(kind)
    assert any(isinstance(error, row) for row, _ in ERROR_KINDS)
    assert translate(error, "http://a.example/", 1.0).message
