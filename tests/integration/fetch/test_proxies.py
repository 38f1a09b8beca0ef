"""Through a proxy too, what is asked for is what was vetted."""

from __future__ import annotations

import asyncio

import pytest
from tests.site.apps import PARAGRAPHS, static_page
from tests.site.certificates import make_certificate
from tests.site.proxy_servers import proxy_server
from tests.site.server import start_site

from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.errors import FetchError, SettingsError


def fetch(
    url: str,
    *,
    answers: dict[str, list[str]] | None = None,
    proxy: str = "",
    standing: str = "",
    **options,
):
    """With a proxy that the request names, or with one that stands in the settings."""

    async def resolve(host: str, port: int, family: object) -> list[str]:
        if host not in (answers or {}):
            raise OSError("no such name")
        return answers[host]

    async def run():
        chosen = FetchOptions(**({"retries": 0, "proxy": standing} | options))
        async with open_fetcher(chosen, resolve=resolve) as fetcher:
            return await fetcher.get(FetchRequest(url=url, proxy=proxy))

    return asyncio.run(run())


@pytest.mark.parametrize("kind", ["http", "socks5"])
@pytest.mark.parametrize("login", ["", "user:p@ss:word"])
def test_the_proxy_is_asked_for_the_vetted_address(site, kind: str, login: str):
    site.add("/", b"through the tunnel")
    with proxy_server(kind, site.port, login) as tunnel:
        account = "user:p%40ss%3Aword@" if login else ""
        proxy = f"{kind}://{account}127.0.0.1:{tunnel.port}"
        page = fetch(
            "http://far.example/",
            answers={"far.example": ["93.184.216.34"]},
            proxy=proxy,
            allowed_proxies=(proxy,),
        )
        assert page.body == b"through the tunnel"
        assert tunnel.asked == [("93.184.216.34", 80)]
    assert site.asked[0][1]["host"] == "far.example"
    assert "proxy-authorization" not in site.asked[0][1]


def test_certificates_are_those_of_the_site_not_of_the_proxy(tmp_path):
    certificate = make_certificate(tmp_path, "far.example")
    for site in start_site(certificate.server()):
        site.add("/", b"safe")
        with proxy_server("socks5", site.port) as tunnel:
            page = fetch(
                "https://far.example/",
                answers={"far.example": ["93.184.216.34"]},
                proxy=f"socks5://127.0.0.1:{tunnel.port}",
                allowed_proxies=(f"socks5://127.0.0.1:{tunnel.port}",),
                ca_file=str(certificate.certificate),
            )
            assert page.body == b"safe"


@pytest.mark.parametrize(
    ("url", "answers"),
    [
        ("http://10.0.0.1/", {}),
        ("http://inside.example/", {"inside.example": ["192.168.1.1"]}),
        ("http://mixed.example/", {"mixed.example": ["93.184.216.34", "127.0.0.1"]}),
    ],
)
def test_a_proxy_opens_no_closed_address(site, url: str, answers: dict[str, list[str]]):
    with proxy_server("http", site.port) as tunnel:
        proxy = f"http://127.0.0.1:{tunnel.port}"
        with pytest.raises(FetchError) as caught:
            fetch(url, answers=answers, proxy=proxy, allowed_proxies=(proxy,))
        assert caught.value.kind == "blocked_address"
        assert tunnel.asked == []


def test_a_name_that_only_the_tunnel_knows_is_handed_on_if_the_settings_say_so(site):
    site.add("/", b"inside")
    with proxy_server("socks5", site.port) as tunnel:
        proxy = f"socks5://127.0.0.1:{tunnel.port}"
        by_name = fetch("http://wiki.corp/", proxy=proxy, allowed_proxies=(proxy,),
                        allowed_hosts=("wiki.corp",))  # fmt: skip
        trusting = fetch("http://hr.corp/", proxy=proxy, allowed_proxies=(proxy,),
                         proxy_resolves=True)  # fmt: skip
        assert (by_name.body, trusting.body) == (b"inside", b"inside")
        assert [host for host, _ in tunnel.asked] == ["wiki.corp", "hr.corp"]
        with pytest.raises(FetchError) as caught:
            fetch("http://other.corp/", proxy=proxy, allowed_proxies=(proxy,))
        assert caught.value.kind == "dns"


def test_a_proxy_itself_passes_the_gate_unless_the_settings_name_it(site):
    site.add("/", b"x")
    with proxy_server("http", site.port) as tunnel:
        answers = {"far.example": ["93.184.216.34"]}
        with pytest.raises(FetchError) as caught:
            fetch("http://far.example/", answers=answers, proxy=f"http://127.0.0.1:{tunnel.port}")
        assert caught.value.kind == "blocked_address"
        assert tunnel.asked == []
        standing = f"http://127.0.0.1:{tunnel.port}"
        page = fetch("http://far.example/", answers=answers, standing=standing)
        assert page.body == b"x"


@pytest.mark.parametrize("text", ["ftp://x:1", "nonsense", "http://", "http://h/path", "//x"])
def test_what_is_no_proxy_is_a_setting_to_correct(text: str):
    with pytest.raises(SettingsError):
        fetch("http://far.example/", proxy=text)


def test_a_proxy_that_refuses_says_so_without_its_password(site):
    with proxy_server("http", site.port, "user:secret") as tunnel:
        proxy = f"http://user:wrong@127.0.0.1:{tunnel.port}"
        with pytest.raises(FetchError) as caught:
            fetch(
                "http://far.example/",
                answers={"far.example": ["93.184.216.34"]},
                proxy=proxy,
                allowed_proxies=(proxy,),
            )
    assert caught.value.kind == "refused"
    assert "407" in caught.value.message
    assert "wrong" not in str(caught.value.to_dict())


def test_the_browser_goes_through_the_proxy_of_its_request(world, site):
    site.add_html("/", static_page())
    with proxy_server("socks5", site.port) as tunnel:
        world.names.answers["far.example"] = [["93.184.216.34"]]
        proxy = f"socks5://127.0.0.1:{tunnel.port}"
        dialler = world.fetcher.client.dialler
        object.__setattr__(dialler, "trusted", frozenset({proxy}))
        request = FetchRequest(url="http://far.example/", proxy=proxy)
        shown = world.run(world.fetcher.render(request, Rendering()))
        assert PARAGRAPHS[0].encode() in shown.page.body
        assert {host for host, _ in tunnel.asked} == {"93.184.216.34"}
