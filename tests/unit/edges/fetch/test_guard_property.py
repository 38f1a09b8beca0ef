"""No spelling that hypothesis can think of gets past the gate."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageloom.edges.fetch.addresses import why_not_public
from pageloom.edges.fetch.guard import Guard
from pageloom.errors import FetchError, PageloomError

CLOSED = ["10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"]
INSIDE = st.one_of([st.ip_addresses(v=4, network=IPv4Network(network)) for network in CLOSED]).map(
    int
)
DOTS = st.sampled_from([".", "。", "．", "｡", "%2e", "%2E"])


def number(value: int, base: str) -> str:
    return {"d": str(value), "o": f"0{value:o}", "x": f"{value:#x}", "X": f"0X{value:X}"}[base]


@st.composite
def spellings(draw: st.DrawFn) -> str:
    """An inner IPv4 address written with one to four parts, each in any base."""
    address = draw(INSIDE)
    parts = draw(st.integers(1, 4))
    heads = [(address >> 8 * (3 - place)) & 255 for place in range(parts - 1)]
    tail = address & ((1 << 8 * (5 - parts)) - 1)
    bases = draw(st.lists(st.sampled_from("doxX"), min_size=parts, max_size=parts))
    dot = draw(DOTS)
    host = dot.join(number(value, base) for value, base in zip([*heads, tail], bases, strict=True))
    return host + draw(st.sampled_from(["", dot]))


@given(spellings(), st.sampled_from(["", "user@", "a:b@", "example.com@"]))
def test_an_inner_address_is_refused_however_it_is_written(host: str, user: str):
    with pytest.raises(FetchError) as caught:
        Guard().check(f"http://{user}{host}/")
    assert caught.value.kind == "blocked_address"


@given(INSIDE, st.sampled_from([0xFFFF << 32, 0x64FF9B << 96, 0, 0xFFFF << 48]))
def test_an_inner_address_is_refused_inside_ipv6(address: int, prefix: int):
    with pytest.raises(FetchError):
        Guard().check(f"http://[{IPv6Address(prefix | address)}]/")


@given(INSIDE, st.integers(0, 2**80 - 1))
def test_tunnels_are_refused_whatever_they_carry(address: int, rest: int):
    six_to_four = IPv6Address(0x2002 << 112 | address << 80 | rest)
    assert why_not_public(six_to_four)


@given(st.text(max_size=60))
def test_any_text_is_a_target_or_an_error_of_ours(text: str):
    for url in (text, f"http://{text}", f"http://{text}/", f"//{text}"):
        try:
            target = Guard().check(url, "https://example.com/")
        except PageloomError:
            continue
        assert target.scheme in ("http", "https")
        assert target.host.isascii()
        assert target.literal is None or not why_not_public(target.literal)


@given(st.ip_addresses(v=4).map(str))
def test_public_and_closed_agree_with_the_standard_library_where_it_is_strict(text: str):
    address = IPv4Address(text)
    if address.is_private or address.is_multicast or address.is_reserved or address.is_loopback:
        assert why_not_public(address)
