"""A page that tries every way round: the browser reaches what is allowed, and nothing else.

The same page is shown twice. Once it aims at a host that the settings allow, to prove that its
shots arrive at all; then at the same server by every name under which it is closed.
"""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import socket
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.site.apps import PARAGRAPHS, article, page
from tests.site.hostile import hostile
from tests.site.server import send

from pageloom.edges.fetch.proxies import read_proxy
from pageloom.edges.fetch.relay import Relay
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.errors import FetchError, RenderError

pytestmark = pytest.mark.slow_file(seconds=25)

WORKER = """
onmessage = (e) => {
  fetch(e.data + 'worker-fetch', {mode: 'no-cors'}).catch(() => {});
  try { new WebSocket(e.data.replace('http', 'ws') + 'worker-socket'); } catch (e) {}
  try { importScripts(e.data + 'worker-import'); } catch (e) {}
};
"""

SHOTS = """
const quietly = (f) => { try { const p = f(); if (p && p.catch) p.catch(() => {}); } catch (e) {} };
const put = (tag, set, where) => { const e = document.createElement(tag); Object.assign(e, set);
  (where || document.body).append(e); return e; };
for (const at of AIMS) {
quietly(() => fetch(at + 'fetch', {mode: 'no-cors'}));
quietly(() => fetch(at + 'post', {mode: 'no-cors', method: 'POST', body: 'x'}));
quietly(() => { const x = new XMLHttpRequest(); x.open('GET', at + 'xhr'); x.send(); });
quietly(() => navigator.sendBeacon(at + 'beacon', 'x'));
quietly(() => new EventSource(at + 'events'));
quietly(() => new WebSocket(at.replace('http', 'ws') + 'socket'));
quietly(() => put('img', {src: at + 'image'}));
quietly(() => put('iframe', {src: at + 'frame'}));
quietly(() => put('script', {src: at + 'script'}));
quietly(() => put('video', {src: at + 'video', preload: 'auto'}));
quietly(() => put('object', {data: at + 'object', type: 'text/html'}));
quietly(() => put('embed', {src: at + 'embed', type: 'text/html'}));
for (const rel of ['stylesheet', 'prefetch', 'preconnect', 'dns-prefetch', 'prerender', 'icon',
                   'manifest', 'modulepreload'])
  quietly(() => put('link', {rel, href: at + rel}, document.head));
quietly(() => put('link', {rel: 'preload', as: 'fetch', href: at + 'preload'}, document.head));
quietly(() => put('script', {type: 'speculationrules', textContent: JSON.stringify(
  {prefetch: [{source: 'list', urls: [at + 'speculation']}],
   prerender: [{source: 'list', urls: [at + 'prerendered']}]})}, document.head));
quietly(() => { const a = put('a', {href: '#x', ping: at + 'ping'}); a.click(); });
quietly(() => put('style', {textContent: '@import url(' + at + 'css-import);'}, document.head));
quietly(() => { const f = put('form', {action: at + 'form', method: 'POST', target: 'there'});
  put('iframe', {name: 'there'}); f.submit(); });
quietly(() => window.open(at + 'popup'));
quietly(() => new Worker('/worker.js').postMessage(at));
quietly(() => navigator.serviceWorker.register('/service.js?' + encodeURIComponent(at)));
quietly(() => fetch('/redirect?to=' + encodeURIComponent(at + 'redirect'), {mode: 'no-cors'}));
quietly(() => { const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:' + STUN},
  {urls: 'turn:' + STUN + '?transport=tcp', username: 'u', credential: 'c'}]});
  peer.createDataChannel('x'); peer.createOffer().then((o) => peer.setLocalDescription(o)); });
quietly(() => new WebTransport(at.replace('http:', 'https:') + 'transport'));
}
"""
SERVICE = """
const at = decodeURIComponent(location.search.slice(1));
self.addEventListener('install', () => fetch(at + 'service-fetch', {mode: 'no-cors'}));
"""
SURELY = set(
    "fetch post xhr beacon events socket image frame script video stylesheet prefetch preload "
    "css-import worker-fetch worker-socket redirect icon form".split()
)


def arm(site, aims: list[str], stun: str) -> None:
    shots = SHOTS.replace("AIMS", json.dumps(aims)).replace("STUN", json.dumps(stun))
    site.add_html("/armed", page(article() + f"<script>{shots}</script>"))
    site.add("/worker.js", WORKER.encode(), Content_Type="text/javascript")
    site.add("/service.js", SERVICE.encode(), Content_Type="text/javascript")

    def redirect(request) -> None:
        place = parse_qs(urlsplit(request.path).query)["to"][0]
        send(request, status=302, Location=place)

    site.pages["/redirect"] = redirect


def shoot(world, site, *, proxy: str = ""):
    """Everything loaded, nothing blocked: what is stopped is stopped by the gate."""
    url = site.url("/armed", "site.test")
    rendering = Rendering(block_resources=(), scroll=False)
    return world.run(world.fetcher.render(FetchRequest(url=url, proxy=proxy), rendering))


def hits(victim) -> set[str]:
    return {path.lstrip("/").partition("?")[0] for path in victim.paths}


def test_the_shots_arrive_where_they_are_allowed(world, site, other_site):
    arm(site, [other_site.url("/", "friend.test")], "127.0.0.1:9")
    for _ in range(4):  # a busy machine shows the page before its slowest shot is off
        shoot(world, site)
        if hits(other_site) >= SURELY:
            break
    assert hits(other_site) >= SURELY


CLOSED = {
    "127.0.0.1": None,
    "localhost": None,
    "127.1": None,
    "2130706433": None,
    "0x7f000001": None,
    "0.0.0.0": None,
    "[::ffff:127.0.0.1]": None,
    "[::1]": None,
    "evil.test": [["127.0.0.1"]],
    "mixed.test": [["93.184.216.34", "127.0.0.1"]],
    "rebinds.test": [["93.184.216.34", "10.0.0.1"], ["127.0.0.1"]],
}


def test_no_shot_arrives_where_the_gate_is_closed(world, site, other_site):
    world.names.answers |= {host: answers for host, answers in CLOSED.items() if answers}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stun:
        stun.bind(("127.0.0.1", 0))
        stun.setblocking(False)
        aims = [other_site.url("/", host) for host in CLOSED]
        arm(site, aims, f"127.0.0.1:{stun.getsockname()[1]}")
        shown = shoot(world, site)
        assert PARAGRAPHS[0].encode() in shown.page.body
        assert other_site.connections == 0
        assert other_site.asked == []
        assert {"127.0.0.1", "::1", "evil.test", "mixed.test", "rebinds.test"} <= {*shown.refused}
        with pytest.raises(BlockingIOError):
            stun.recv(100)


def test_the_document_itself_is_refused_by_name(world, site):
    world.names.answers["inside.test"] = [["10.0.0.7"]]
    url = site.url("/", "inside.test")
    with pytest.raises(FetchError) as caught:
        world.run(world.fetcher.render(FetchRequest(url=url), Rendering()))
    assert caught.value.kind == "blocked_address"
    assert "10.0.0.7" not in str(caught.value.to_dict())


@pytest.mark.parametrize("way", ["redirect", "script", "refresh"])
def test_a_page_that_moves_to_a_closed_address_is_refused(world, site, other_site, way: str):
    goal = other_site.url("/", "127.0.0.1")
    if way == "redirect":
        site.add("/go", status=302, Location=goal)
    elif way == "script":
        site.add_html("/go", page(f"<script>location.href = {json.dumps(goal)}</script>"))
    else:
        head = f'<meta http-equiv="refresh" content="0;url={goal}">'
        site.add_html("/go", page("<p>Soon.</p>", head=head))
    url = site.url("/go", "site.test")
    with pytest.raises(FetchError) as caught:
        world.run(world.fetcher.render(FetchRequest(url=url), Rendering()))
    assert caught.value.kind == "blocked_address"
    assert other_site.connections == 0


def test_files_of_this_machine_are_not_shown(world, site, tmp_path):
    secret = tmp_path / "secret.html"
    secret.write_text("<p>the word is swordfish</p>")
    body = f'<iframe src="file://{secret}"></iframe><script>location = "file://{secret}"</script>'
    site.add_html("/files", page(article() + body))
    url = site.url("/files", "site.test")
    shown = world.run(world.fetcher.render(FetchRequest(url=url), Rendering()))
    assert b"swordfish" not in shown.page.body


def test_headers_and_cookies_stay_with_their_own_site(world, site, other_site):
    friend = other_site.url("/seen", "friend.test")
    other_site.add("/seen", b"", Access_Control_Allow_Origin="*")
    other_site.add("/moved", b"")
    site.add("/leave", status=302, Location=other_site.url("/moved", "friend.test"))
    calls = f"fetch({json.dumps(friend)});fetch('/mine');fetch('/leave', {{mode: 'no-cors'}})"
    site.add_html("/private", page(f"{article()}<script>{calls}</script>"))
    request = FetchRequest(
        url=site.url("/private", "site.test"),
        headers={"X-Token": "hush"},
        cookies={"session": "s3cret"},
    )
    world.run(world.fetcher.render(request, Rendering()))
    ours = dict(site.asked)
    assert ours["/private"]["x-token"] == ours["/mine"]["x-token"] == "hush"
    assert "s3cret" in ours["/private"]["cookie"]
    assert {path for path, _ in other_site.asked} >= {"/seen", "/moved"}
    for _, headers in other_site.asked:
        assert "x-token" not in headers
        assert "s3cret" not in headers.get("cookie", "")


def test_cookies_stay_with_their_own_port(world, site, other_site):
    """To a browser all ports of a host are one site."""
    other_site.add("/seen", b"", Access_Control_Allow_Origin="*")
    friend = other_site.url("/seen", "site.test")
    calls = "".join(
        f"fetch('{place}', {{mode: 'no-cors', credentials: 'include'}});"
        for place in (friend, friend.replace("http:", "https:"), "/mine")
    )
    own = "document.cookie = 'own=1';document.body.append('has ' + document.cookie);"
    site.add_html("/private", page(f"{article()}<script>{own}{calls}</script>"))
    request = FetchRequest(url=site.url("/private", "site.test"), cookies={"session": "s3cret"})
    shown = world.run(world.fetcher.render(request, Rendering()))
    ours, theirs = dict(site.asked), dict(other_site.asked)
    assert "s3cret" in ours["/private"]["cookie"]
    assert "s3cret" in ours["/mine"]["cookie"]
    assert b"has session=s3cret" in shown.page.body
    assert theirs["/seen"]["cookie"] == "own=1"
    assert other_site.connections == 1


def test_the_browser_tells_nobody_about_forms(world, site):
    fields = "".join(
        f"<label>{name} <input name={name} autocomplete={name}></label>"
        for name in ("name", "email", "street-address", "postal-code", "cc-number", "tel")
    )
    site.add_html("/form", page(f"{article()}<form>{fields}<input type=password></form>"))
    url = site.url("/form", "site.test")
    shown = world.run(world.fetcher.render(FetchRequest(url=url), Rendering()))
    assert shown.refused == ()
    assert {*world.names.asked} == {"site.test"}


def test_pages_share_nothing(world, site):
    script = "document.cookie = 'left=behind; path=/'; localStorage.setItem('left', 'behind');"
    site.add_html("/first", page(article() + f"<script>{script}</script>"))
    look = "document.body.append('found:' + document.cookie + localStorage.getItem('left'))"
    site.add_html("/second", page(article() + f"<script>{look}</script>"))
    for path in ("/first", "/second"):
        url = site.url(path, "site.test")
        shown = world.run(world.fetcher.render(FetchRequest(url=url), Rendering()))
    assert b"found:null" in shown.page.body


def ask_relay(place: str, headers: dict[str, str], target: str) -> int:
    line = http.client.HTTPConnection(place.removeprefix("http://"), timeout=10)
    line.request("GET", target, headers=headers)
    status = line.getresponse().status
    line.close()
    return status


def test_the_relay_serves_nobody_but_its_pages(world, site):
    site.add("/", b"hello")

    def basic(name: str, word: str) -> dict[str, str]:
        secret = base64.b64encode(f"{name}:{word}".encode()).decode()
        return {"Proxy-Authorization": f"Basic {secret}"}

    async def attack() -> list[int]:
        async with Relay(world.fetcher.client.dialler) as relay:
            guest = relay.register(None, 1_000_000)
            gone = relay.register(None, 1_000_000)
            await relay.unregister(gone)
            tries = [
                {},
                basic(guest.name, "guess"),
                basic("nobody", ""),
                basic(gone.name, gone.password),
                {"Proxy-Authorization": "Basic !!"},
                {"Proxy-Authorization": "Bearer x"},
                basic(guest.name, guest.password),
            ]
            url = site.url("/", "site.test")
            return [await asyncio.to_thread(ask_relay, relay.url, t, url) for t in tries]

    assert world.run(attack()) == [407] * 6 + [200]
    assert len(site.asked) == 1
    assert "proxy-authorization" not in site.asked[0][1]


def test_a_site_that_asks_for_a_password_does_not_learn_the_relays(world, site):
    def ask(request) -> None:
        request.send_response(401)
        request.send_header("WWW-Authenticate", 'Basic realm="pageloom"')
        request.send_header("Content-Length", "0")
        request.end_headers()

    site.pages["/login"] = ask
    shown = world.run(
        world.fetcher.render(FetchRequest(url=site.url("/login", "site.test")), Rendering())
    )
    assert shown.page.status == 401
    assert all("authorization" not in headers for _, headers in site.asked)


def open_things() -> int:
    """Tasks of this loop and descriptors of this process."""
    return len(asyncio.all_tasks()) + sum(1 for _ in Path("/dev/fd").iterdir())


async def settled(before: int) -> int:
    """What is open once the last sockets have been closed."""
    for _ in range(100):
        if open_things() <= before:
            break
        await asyncio.sleep(0.02)
    return open_things()


@pytest.mark.parametrize("method", ["GET", "CONNECT"])
@pytest.mark.parametrize("attack", ["silent", "chunks", "interim"])
def test_the_connections_of_a_visit_end_with_it(world, attack: str, method: str, caplog):
    """The server neither closes nor reads, and the browser does not either."""

    async def visit(port: int) -> None:
        async with Relay(world.fetcher.client.dialler) as relay:
            before = open_things()
            guest = relay.register(None, 10_000_000)
            word = base64.b64encode(f"{guest.name}:{guest.password}".encode()).decode()
            place = f"site.test:{port}" if method == "CONNECT" else f"http://site.test:{port}/"
            head = f"{method} {place} HTTP/1.1\r\nProxy-Authorization: Basic {word}\r\n\r\n"
            lines: list[asyncio.StreamWriter] = []
            for _ in range(6):
                reader, writer = await asyncio.open_connection(*relay.url[7:].split(":"))
                writer.write(head.encode())
                if method == "CONNECT":
                    await reader.readuntil(b"\r\n\r\n")
                    writer.write(b"GET / HTTP/1.1\r\n\r\n")
                lines.append(writer)
            await asyncio.sleep(0.3)
            await relay.unregister(guest)
            assert guest.connections == set()
            for writer in lines:
                writer.transport.abort()
            assert await settled(before) <= before

    with hostile(attack) as port:
        world.run(visit(port))
    assert caplog.text == ""


def test_a_rendered_page_leaves_nothing_behind(world):
    async def visit(port: int) -> None:
        before = open_things()
        request = FetchRequest(url=f"http://site.test:{port}/")
        shown = await world.fetcher.render(request, Rendering(timeout=3))
        assert b"Soon" in shown.page.body
        assert await settled(before) <= before

    with hostile("silent parts") as port, hostile("silent") as silent:
        # Once, so that the browser runs.
        request = FetchRequest(url=f"http://site.test:{silent}/")
        with pytest.raises(RenderError):
            world.run(world.fetcher.render(request, Rendering(timeout=1)))
        world.run(visit(port))


def test_interim_answers_without_end_are_an_error_of_the_server(world, caplog):
    with hostile("interim") as port:
        request = FetchRequest(url=f"http://site.test:{port}/")
        with pytest.raises(FetchError) as caught:
            world.run(world.fetcher.render(request, Rendering()))
    assert caught.value.kind == "protocol"
    assert caplog.text == ""


def test_a_response_that_comes_before_the_upload_is_over_arrives(world):
    """The server answers the head of a request, and hangs up on its body."""

    async def refuse(_, writer) -> None:
        writer.write(b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
        await writer.drain()
        writer.close()

    async def upload() -> bytes:
        server = await asyncio.start_server(refuse, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, Relay(world.fetcher.client.dialler) as relay:
            guest = relay.register(None, 10_000_000)
            word = base64.b64encode(f"{guest.name}:{guest.password}".encode()).decode()
            reader, writer = await asyncio.open_connection(*relay.url[7:].split(":"))
            head = f"POST http://site.test:{port}/ HTTP/1.1\r\nProxy-Authorization: Basic {word}"
            writer.write(f"{head}\r\nContent-Length: 4000000\r\n\r\n".encode())
            answer = await reader.readuntil(b"no")
            writer.close()
            return answer

    assert world.run(upload()).startswith(b"HTTP/1.1 413")


def test_a_page_that_downloads_without_end_is_cut_off(world, site):
    def endless(request) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/javascript")
        request.end_headers()
        while not site.leaving.is_set():
            request.wfile.write(b"// more and more\n" * 4_000)

    site.pages["/endless.js"] = endless
    site.add_html("/heavy", page(article() + '<script async src="/endless.js"></script>'))
    url = site.url("/heavy", "site.test")
    shown = world.run(world.fetcher.render(FetchRequest(url=url), Rendering()))
    assert PARAGRAPHS[0].encode() in shown.page.body


def test_the_spelling_of_a_proxy():
    proxy = read_proxy("socks5h://user:p%40ss@Tunnel.Example")
    assert (proxy.scheme, proxy.host, proxy.port) == ("socks5", "tunnel.example", 1080)
    assert (proxy.username, proxy.password) == ("user", "p@ss")
    assert "p@ss" not in proxy.origin
