"""Two spellings of an address, and what can be read from it."""

from __future__ import annotations

import pytest

from pageloom.core.normalize.urls import (
    clean_link,
    document_id,
    domain_of,
    host_of,
    resolve,
    site_of,
    url_key,
)
from pageloom.errors import InvalidUrl


@pytest.mark.parametrize(
    ("url", "cleaned"),
    [
        ("https://a.example/p", "https://a.example/p"),
        ("https://a.example/p?utm_source=x", "https://a.example/p"),
        ("https://a.example/p?utm_source=x#top", "https://a.example/p#top"),
        ("https://a.example/p?b=2&fbclid=z&a=1", "https://a.example/p?b=2&a=1"),
        ("https://a.example/p?UTM_Medium=x&id=1", "https://a.example/p?id=1"),
        ("https://a.example/p?utm%5Fsource=x&id=1", "https://a.example/p?id=1"),
        ("https://a.example/p?id=1&&x", "https://a.example/p?id=1&&x"),
        ("https://a.example/p#/route?utm_source=x", "https://a.example/p#/route?utm_source=x"),
        ("https://a.example/p?ref=home", "https://a.example/p?ref=home"),
        ("https://x.org/p?s=20", "https://x.org/p?s=20"),
        ("https://x.com/p?s=20", "https://x.com/p"),
        ("https://www.amazon.co.uk/dp/1?ref=home&th=1", "https://www.amazon.co.uk/dp/1?th=1"),
        ("HTTPS://A.Example:443/%7Eme?gclid=1", "HTTPS://A.Example:443/%7Eme"),
        ("not an address?utm_source=x", "not an address"),
    ],
)
def test_clean_link_drops_tracking_and_nothing_else(url, cleaned):
    assert clean_link(url) == cleaned


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("HTTP://A.Example:80/x/../y/./z", "http://a.example/y/z"),
        ("https://a.example", "https://a.example/"),
        ("https://a.example:8443/", "https://a.example:8443/"),
        ("https://a.example/?b=2&a=1&utm_term=q", "https://a.example/?a=1&b=2"),
        ("https://a.example/?", "https://a.example/"),
        ("https://a.example/p#section", "https://a.example/p"),
        ("https://a.example/p#!/route", "https://a.example/p#!/route"),
        ("https://bücher.example/straße", "https://xn--bcher-kva.example/stra%C3%9Fe"),
        ("https://a.example./p", "https://a.example/p"),
        ("https://me:secret@a.example/p", "https://a.example/p"),
        ("https://a.example/%c3%a9", "https://a.example/%C3%A9"),
        ("http://a.example\\b", "http://a.example/b"),
    ],
)
def test_url_key_is_one_spelling(url, key):
    assert url_key(url) == key


@pytest.mark.parametrize(
    "url", ["", "x", "/p", "mailto:a@b.example", "http://", "https://a b/", "ftp://a.example/"]
)
def test_what_is_no_web_address_is_refused(url):
    for function in (url_key, document_id, site_of, domain_of, host_of):
        with pytest.raises(InvalidUrl):
            function(url)


def test_the_same_page_has_the_same_id():
    one = document_id("https://a.example/p?b=1&a=2&utm_source=x#top")
    assert one == document_id("HTTPS://A.EXAMPLE:443/./p?a=2&b=1")
    assert one != document_id("https://a.example/q?b=1&a=2")


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("www.example.com", "example.com"),
        ("news.example.co.uk", "example.co.uk"),
        ("co.uk", "co.uk"),
        ("a.b.example.ck", "b.example.ck"),
        ("a.www.ck", "www.ck"),
        ("x.y.kawasaki.jp", "x.y.kawasaki.jp"),
        ("city.kawasaki.jp", "city.kawasaki.jp"),
        ("me.github.io", "github.io"),
        ("почта.example.рф", "example.xn--p1ai"),
        ("localhost", "localhost"),
        ("192.168.0.1", "192.168.0.1"),
        ("[::1]", "[::1]"),
        ("something.unheard-of", "something.unheard-of"),
    ],
)
def test_site_of_follows_the_public_suffix_list(host, site):
    assert site_of(f"https://{host}/p") == site


def test_domain_of_is_the_host_without_www():
    assert domain_of("https://www.Example.co.uk:8080/p") == "example.co.uk"
    assert domain_of("https://blog.example.com") == "blog.example.com"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("b", "https://a.example/d/b"),
        ("/b", "https://a.example/b"),
        ("../b?x=1#y", "https://a.example/b?x=1#y"),
        ("//b.example/c", "https://b.example/c"),
        ("  /b\n", "https://a.example/b"),
        ("/b\n\tc", "https://a.example/bc"),
        ("\\b\\c", "https://a.example/b/c"),
        ("http:\\\\b.example\\c", "http://b.example/c"),
        ("#here", "https://a.example/d/e#here"),
        ("https://b.example/ä", "https://b.example/ä"),
        ("javascript:void(0)", None),
        ("JaVaScRiPt:alert(1)", None),
        (" java\nscript:alert(1)", None),
        ("data:text/html,x", None),
        ("mailto:me@a.example", None),
        ("tel:123", None),
        ("", None),
        ("http://", None),
    ],
)
def test_resolve_gives_web_addresses_only(href, expected):
    assert resolve(href, "https://a.example/d/e") == expected


def test_resolve_without_a_base_keeps_absolute_links_only():
    assert resolve("https://a.example/b") == "https://a.example/b"
    assert resolve("/b") is None
    assert resolve("/b", "not a base") is None
