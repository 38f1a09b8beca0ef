"""Which IP addresses are on the public internet, and why the others are not."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Written out, because what ipaddress calls global differs between Python releases.
_NOT_PUBLIC_V4 = tuple(
    (IPv4Network(network), why)
    for network, why in (
        ("0.0.0.0/8", "unspecified address"),
        ("10.0.0.0/8", "private address"),
        ("100.64.0.0/10", "carrier-grade NAT address"),
        ("127.0.0.0/8", "loopback address"),
        ("168.63.129.16/32", "cloud metadata address"),
        ("169.254.0.0/16", "link-local address (cloud metadata)"),
        ("172.16.0.0/12", "private address"),
        ("192.0.0.0/24", "reserved address"),
        ("192.0.2.0/24", "documentation address"),
        ("192.88.99.0/24", "6to4 relay address"),
        ("192.168.0.0/16", "private address"),
        ("198.18.0.0/15", "benchmarking address"),
        ("198.51.100.0/24", "documentation address"),
        ("203.0.113.0/24", "documentation address"),
        ("224.0.0.0/4", "multicast address"),
        ("240.0.0.0/4", "reserved or broadcast address"),
    )
)
_PUBLIC_V6 = IPv6Network("2000::/3")
_NOT_PUBLIC_V6 = tuple(
    (IPv6Network(network), why)
    for network, why in (
        ("::/128", "unspecified address"),
        ("::1/128", "loopback address"),
        ("::/96", "IPv4-compatible address"),
        ("::ffff:0:0:0/96", "IPv4-translated address"),
        ("64:ff9b:1::/48", "local NAT64 address"),
        ("2001::/32", "Teredo address"),
        ("2001::/23", "reserved address"),
        ("2001:db8::/32", "documentation address"),
        ("2002::/16", "6to4 address"),
        ("3fff::/20", "documentation address"),
        ("fc00::/7", "private address"),
        ("fe80::/10", "link-local address"),
        ("fec0::/10", "site-local address"),
        ("ff00::/8", "multicast address"),
    )
)
# IPv4 inside IPv6: the packets end at the IPv4 address in the last four bytes. Networks
# without IPv4 reach every IPv4 host by NAT64, so the inner address decides.
_WRAPPED_V4 = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
_ISATAP = (0x00005EFE, 0x02005EFE)


def why_not_public(address: Address) -> str:
    """Why an address must not be connected to, in words; empty for a public address."""
    if isinstance(address, IPv4Address):
        return _first_reason(address)
    if any(address in network for network in _WRAPPED_V4):
        return why_not_public(_inner(address))
    for network, why in _NOT_PUBLIC_V6:
        if address in network:
            return why
    if address not in _PUBLIC_V6:
        return "not a public address"
    if (int(address) >> 32) & 0xFFFFFFFF in _ISATAP:
        return why_not_public(_inner(address))
    return ""


def _first_reason(address: IPv4Address) -> str:
    return next((why for network, why in _NOT_PUBLIC_V4 if address in network), "")


def _inner(address: IPv6Address) -> IPv4Address:
    return IPv4Address(int(address) & 0xFFFFFFFF)


def unwrapped(address: Address) -> Address:
    """The IPv4 address that an IPv6 spelling stands for, or the address itself."""
    if isinstance(address, IPv6Address) and any(address in network for network in _WRAPPED_V4):
        return _inner(address)
    return address
