"""Match hosts of rules: with and without ``www.``, subdomains, registrable domain."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import can_ada

from pageloom.core.memoize import memoize
from pageloom.core.suffixes import registrable


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a URL that a trigger may ask for."""

    host: str = ""
    """As asked for, in ASCII and lower case, without port."""
    path: str = ""

    @property
    def bare(self) -> str:
        """The host without one leading ``www.``."""
        return without_www(self.host)

    def keys(self, *, with_site: bool = True) -> frozenset[str]:
        """Under what names rules for this host may be indexed.

        Args:
            with_site: whether to look up the registrable domain too, for which a long list is read.
        """
        return _keys_with_site(self.host) if with_site else _keys(self.host)


@memoize(64)
def _keys(host: str) -> frozenset[str]:
    if not host:
        return frozenset()
    bare = without_www(host)
    below = _parents(bare)
    return frozenset(
        (
            f"www {host}",
            f"is {bare}",
            *(f"in {name}" for name in (bare, *below)),
            *(f"below {name}" for name in below),
        )
    )


@memoize(64)
def _keys_with_site(host: str) -> frozenset[str]:
    return _keys(host) | {f"site {registrable(without_www(host))}"} if host else frozenset()


def _parents(host: str) -> list[str]:
    labels = host.split(".")
    return [".".join(labels[start:]) for start in range(1, len(labels))]


def without_www(host: str) -> str:
    """The host without one leading ``www.``, unless nothing but a suffix would be left."""
    rest = host.removeprefix("www.")
    return rest if "." in rest else host


@lru_cache(maxsize=64)
def read_address(url: str) -> Address:
    """The host and path of a URL; empty where it is none."""
    try:
        parsed = can_ada.parse(url)
    except ValueError:
        return Address()
    return Address(parsed.hostname.rstrip("."), parsed.pathname)


def plain_host(text: str) -> str:
    """A host as a rule names it, in the spelling of a URL: ASCII, lower case, no port.

    Raises:
        ValueError: it cannot be a host.
    """
    text = text.strip().strip(".")
    if not text or any(sign in text for sign in "/?#@ \\"):
        raise ValueError(f"{text or 'nothing'} is not a host name")
    host = can_ada.parse(f"http://{text}/").hostname.rstrip(".")
    if not host:
        raise ValueError(f"{text} is not a host name")
    return host
