from __future__ import annotations

from ipaddress import ip_address

import pytest

from pageloom.edges.fetch.guard import Guard
from pageloom.errors import FetchError, InvalidUrl, PageloomError, SettingsError

NOT_DIALLED = [
    # loopback, in every spelling a browser understands
    "http://127.0.0.1/",
    "http://127.0.0.1:8080/",
    "https://127.0.0.1/",
    "HTTP://127.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://127.255.255.254/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0x7f000001/",
    "http://0x7F.0x0.0x0.0x1/",
    "http://0177.0.0.1/",
    "http://0177.0.0.01/",
    "http://0x7f.1/",
    "http://127.0x0.1/",
    "http://127.0.0.1./",
    "http://%31%32%37.0.0.1/",
    "http://127%2e0%2e0%2e1/",
    "http://127。0。0。1/",
    "http://127．0．0．1/",
    "http://127｡0｡0｡1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://１２７.0.0.1/",
    "http://1\u00ad27.0.0.1/",
    "http://127.0.0.1\t/",
    "ht\ntp://127.0.0.1/",
    "  http://127.0.0.1/  ",
    "http:/127.0.0.1/",
    "http:127.0.0.1",
    "http:///127.0.0.1/",
    "http:\\\\127.0.0.1\\",
    "http://user@127.0.0.1/",
    "http://example.com@127.0.0.1/",
    "http://example.com:80@127.0.0.1/",
    "http://example.com%2f@127.0.0.1/",
    "http://a@b@127.0.0.1/",
    "http://example.com\\@127.0.0.1/",
    "http://127.0.0.1\\@example.com/",
    "http://example.com#@127.0.0.1/".replace("#", "\\"),
    "http://localhost/",
    "http://LOCALHOST:9200/",
    "http://localhost./",
    "http://x.localhost/",
    "http://ｌocalhost/",
    "http://lo\u00adcalhost/",
    # this network and nothing
    "http://0/",
    "http://0.0.0.0/",
    "http://0x0/",
    "http://00000000/",
    "http://0.1.2.3/",
    # private, shared, link-local, metadata
    "http://10.0.0.1/",
    "http://10.1/",
    "http://167772161/",
    "http://0xa.1/",
    "http://012.0.0.1/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.1.1/",
    "http://192.168.257/",
    "http://0xc0a80101/",
    "http://3232235777/",
    "http://100.64.0.1/",
    "http://100.127.255.254/",
    "http://100.100.100.200/",
    "http://169.254.169.254/latest/meta-data/",
    "http://0xa9fea9fe/",
    "http://2852039166/",
    "http://0251.0376.0251.0376/",
    "http://169.254.43518/",
    "http://168.63.129.16/",
    # reserved, documentation, multicast, broadcast
    "http://192.0.0.170/",
    "http://192.0.2.7/",
    "http://198.18.0.1/",
    "http://198.51.100.9/",
    "http://203.0.113.9/",
    "http://224.0.0.1/",
    "http://239.255.255.250/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://0xffffffff/",
    # IPv6
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[0000::0001]:80/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[0:0:0:0:0:ffff:10.0.0.1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::127.0.0.1]/",
    "http://[::7f00:1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/",
    "http://[2001::1]/",
    "http://[2001:db8::1]/",
    "http://[3fff::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[fe80::1]/",
    "http://[FE80::1]:8080/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[100::1]/",
    "http://[4000::1]/",
    "http://[2a00:1450::5efe:127.0.0.1]/",
    "http://user:pw@[::1]/",
]

NOT_AN_ADDRESS = [
    "",
    "   ",
    "example.com",
    "//example.com/",
    "/etc/passwd",
    "file:///etc/passwd",
    "file://127.0.0.1/etc/passwd",
    "ftp://example.com/",
    "gopher://example.com:70/_x",
    "data:text/html,hello",
    "javascript:alert(1)",
    "blob:http://127.0.0.1/x",
    "view-source:http://127.0.0.1/",
    "dict://127.0.0.1:11211/",
    "ws://example.com/",
    "http://",
    "http://:80/",
    "http://exa mple.com/",
    "http://256.0.0.1/",
    "http://1.2.3.4.5/",
    "http://[::1/",
    "http://[fe80::1%25eth0]/",
    "http://example.com:99999/",
    "http://user:secret@example.com/",
    "http://\ud800.example/",
    "http://example.com/" + "a" * 10_000,
]


@pytest.mark.parametrize("url", NOT_DIALLED)
def test_addresses_that_are_not_public_are_refused_in_every_spelling(url: str):
    with pytest.raises(FetchError) as caught:
        Guard().check(url)
    assert caught.value.kind == "blocked_address"
    assert not caught.value.retryable


@pytest.mark.parametrize("url", NOT_AN_ADDRESS)
def test_what_is_no_http_address_is_refused(url: str):
    with pytest.raises(InvalidUrl):
        Guard().check(url)


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("http://example.com", "example.com", 80),
        ("https://EXAMPLE.com:8443/a?b#c", "example.com", 8443),
        ("https://bücher.example/", "xn--bcher-kva.example", 443),
        ("https://example。com/", "example.com", 443),
        ("http://8.8.8.8/", "8.8.8.8", 80),
        ("http://[2606:4700:4700::1111]/", "2606:4700:4700::1111", 80),
        ("http://[64:ff9b::8.8.8.8]/", "64:ff9b::808:808", 80),
        ("http://[::ffff:8.8.8.8]/", "::ffff:808:808", 80),
        ("http://172.32.0.1/", "172.32.0.1", 80),
        ("http://100.128.0.1/", "100.128.0.1", 80),
        ("http://example.com/a@b", "example.com", 80),
    ],
)
def test_public_addresses_pass_in_the_spelling_that_is_dialled(url: str, host: str, port: int):
    target = Guard().check(url)
    assert (target.host, target.port) == (host, port)
    assert "#" not in target.url


def test_a_relative_redirect_is_read_against_the_page_that_sent_it():
    base = "https://example.com/a/b?c"
    assert Guard().check("../d", base).url == "https://example.com/d"
    assert Guard().check("//other.example/x", base).url == "https://other.example/x"
    with pytest.raises(FetchError):
        Guard().check("//127.0.0.1/x", base)


@pytest.mark.parametrize(
    "answers",
    [
        ["127.0.0.1"],
        ["93.184.216.34", "127.0.0.1"],
        ["2606:4700::1", "fe80::1"],
        ["::ffff:10.0.0.1"],
        ["64:ff9b::10.0.0.1", "93.184.216.34"],
    ],
)
def test_one_bad_record_among_good_ones_refuses_the_name(answers: list[str]):
    with pytest.raises(FetchError) as caught:
        Guard().vet("evil.example", [ip_address(text) for text in answers])
    assert caught.value.kind == "blocked_address"


def test_allowed_networks_open_their_own_addresses_and_no_others():
    guard = Guard(["127.0.0.0/8", "fd00::/8"])
    assert guard.check("http://127.0.0.1:99/").port == 99
    assert guard.check("http://[::ffff:127.0.0.1]/").literal is not None
    assert guard.check("http://localhost/").host == "localhost"
    guard.vet("intern.example", [ip_address("fd00::7")])
    for url in ("http://10.0.0.1/", "http://[::1]/", "http://169.254.169.254/"):
        with pytest.raises(FetchError):
            guard.check(url)


def test_allowed_hosts_are_exact_names():
    guard = Guard(["Intranet.Example"])
    guard.vet("intranet.example", [ip_address("10.0.0.1")])
    for other in ("a.intranet.example", "intranet.example.evil.example", "xintranet.example"):
        with pytest.raises(FetchError):
            guard.vet(other, [ip_address("10.0.0.1")])


@pytest.mark.parametrize("entry", ["http://a/", "a/b", "10.0.0.0/99", "a:80", ""])
def test_an_allowed_host_that_is_neither_host_nor_network_is_refused(entry: str):
    with pytest.raises(SettingsError):
        Guard([entry])


def test_no_error_of_the_gate_tells_a_password():
    with pytest.raises(PageloomError) as caught:
        Guard().check("http://user:hunter2@127.0.0.1/")
    assert "hunter2" not in str(caught.value.to_dict())
    with pytest.raises(PageloomError) as caught:
        Guard().check("http://user:hunter2@example.com/")
    assert "hunter2" not in str(caught.value.to_dict())
