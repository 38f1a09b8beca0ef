"""Which IP addresses belong to the public internet, and which do not."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Written out, because what ipaddress calls global differs between Python releases.
_CLOSED_V4 = tuple(
    (IPv4Network(network), why)
    for network, why in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by a carrier (CGNAT)"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "a cloud's metadata service"),
        ("169.254.0.0/16", "link-local, where clouds keep their metadata"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved for protocols"),
        ("192.0.2.0/24", "reserved for documentation"),
        ("192.88.99.0/24", "a 6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "reserved for benchmarks"),
        ("198.51.100.0/24", "reserved for documentation"),
        ("203.0.113.0/24", "reserved for documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved or broadcast"),
    )
)
_OPEN_V6 = IPv6Network("2000::/3")
_CLOSED_V6 = tuple(
    (IPv6Network(network), why)
    for network, why in (
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::/96", "an IPv4-compatible spelling"),
        ("::ffff:0:0:0/96", "a translated IPv4 spelling"),
        ("64:ff9b:1::/48", "local NAT64"),
        ("2001::/32", "a Teredo tunnel"),
        ("2001::/23", "reserved for protocols"),
        ("2001:db8::/32", "reserved for documentation"),
        ("2002::/16", "a 6to4 tunnel"),
        ("3fff::/20", "reserved for documentation"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
# IPv4 in other clothes: the packets end at the IPv4 address in the last four bytes. Networks
# without IPv4 reach every IPv4 host by NAT64, so the inner address decides.
_WRAPPED_V4 = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
_ISATAP = (0x00005EFE, 0x02005EFE)


def why_closed(address: Address) -> str:
    """What is wrong with an address, in words; empty for one of the public internet."""
    if isinstance(address, IPv4Address):
        return _first_reason(address)
    if any(address in network for network in _WRAPPED_V4):
        return why_closed(_inner(address))
    for network, why in _CLOSED_V6:
        if address in network:
            return why
    if address not in _OPEN_V6:
        return "outside the public internet"
    if (int(address) >> 32) & 0xFFFFFFFF in _ISATAP:
        return why_closed(_inner(address))
    return ""


def _first_reason(address: IPv4Address) -> str:
    return next((why for network, why in _CLOSED_V4 if address in network), "")


def _inner(address: IPv6Address) -> IPv4Address:
    return IPv4Address(int(address) & 0xFFFFFFFF)


def unwrapped(address: Address) -> Address:
    """The IPv4 address that an IPv6 spelling stands for, or the address itself."""
    if isinstance(address, IPv6Address) and any(address in network for network in _WRAPPED_V4):
        return _inner(address)
    return address
