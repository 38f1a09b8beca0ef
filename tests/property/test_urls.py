"""Addresses of any kind: stable when treated twice, and never a surprise."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from pageloom.core.normalize.urls import clean_link, resolve, site_of, url_key
from pageloom.errors import InvalidUrl

pieces = st.sampled_from(
    [
        "http://", "https://", "a.example", "/", "?", "&", "=", "#", "#!", "%", "%c3", "%41",
        "..", ".", ":80", ":", "@", "utm_source", "ref", "ä", " ", "\\", "xn--", "[", "]",
        "\ud800", "\x00",
    ]
)  # fmt: skip
addresses = st.one_of(
    st.text(max_size=60),
    st.lists(pieces, max_size=15).map("".join),
    st.lists(pieces, max_size=15).map(lambda parts: "https://a.example/" + "".join(parts)),
)


@given(addresses)
@example("https://a.example/?&utm_source&%75tm_source=1&&")
def test_clean_link_is_idempotent(url):
    once = clean_link(url)
    assert clean_link(once) == once


@given(addresses)
def test_url_key_is_idempotent_or_refuses(url):
    try:
        key = url_key(url)
    except InvalidUrl:
        return
    assert url_key(key) == key


@given(addresses, addresses)
def test_resolve_gives_a_web_address_or_nothing(href, base):
    found = resolve(href, base)
    assert found is None or found[:8].lower().startswith(("http://", "https://"))


@given(addresses)
def test_site_of_answers_or_refuses(url):
    try:
        assert site_of(url)
    except InvalidUrl:
        return
