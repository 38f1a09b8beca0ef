"""The one gate: no address is dialled that has not passed here, literally or by name.

The URL is read once, by the WHATWG rules; what was checked is what is dialled. A name is vetted
on the answers of the very look-up whose addresses are then used: no second answer can differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

import can_ada

from pageloom.edges.fetch.addresses import Address, Network, unwrapped, why_closed
from pageloom.errors import FetchError, InvalidUrl, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DEFAULT_PORTS = {"http": 80, "https": 443}
_MAX_URL = 8_192


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedUrl:
    """An address of the web that has passed the gate, in the parts that are dialled and sent."""

    url: str
    scheme: str
    host: str
    """Lower case, ASCII, IPv6 without brackets."""
    port: int
    path: str
    query: str
    literal: Address | None = None
    """The IP address, if the host is one."""

    @property
    def origin(self) -> tuple[str, str, int]:
        """What has to be equal for headers meant for one target to be sent to another."""
        return self.scheme, self.host, self.port


class Guard:
    """Decides which targets may be dialled.

    Args:
        allowed: hosts (exact names) and networks (``10.0.0.0/8``, or a single address) that may be
            dialled although they are not public.
    """

    def __init__(self, allowed: Sequence[str] = ()) -> None:
        self._networks: list[Network] = []
        self._hosts: set[str] = set()
        for entry in allowed:
            self._allow(entry.strip())

    def _allow(self, entry: str) -> None:
        try:
            self._networks.append(ip_network(entry.strip("[]"), strict=False))
        except ValueError:
            self._hosts.add(_read_host(entry))

    def check(self, url: str, base: str | None = None) -> GuardedUrl:
        """Read a URL (relative to ``base``, if given) and refuse what must not be dialled.

        Raises:
            InvalidUrl: it is not an http(s) URL, or carries a user name.
            FetchError: of kind ``blocked_address``.
        """
        _refuse_disguise(url)
        parsed = _parse(url, base)
        target = _to_target(parsed)
        if target.literal is not None:
            self.vet(target.host, [target.literal], url=target.url)
        elif _is_local_name(target.host) and not self._trusts_this_machine(target.host):
            raise _blocked(target.host, "the name of this machine", target.url)
        if parsed.username or parsed.password:
            raise InvalidUrl(
                "The address carries a user name or password.",
                suggestions=("Leave them out and send an Authorization header instead.",),
                stage="fetch",
            )
        return target

    def vet(self, host: str, addresses: Iterable[Address], *, url: str = "") -> None:
        """Refuse the host if even one of its addresses must not be dialled."""
        if self.names(host):
            return
        for address in addresses:
            why = "" if self._is_allowed(address) else why_closed(address)
            if why:
                raise _blocked(host, why, url)

    def names(self, host: str) -> bool:
        """Whether the settings allow this very host by name."""
        return host.rstrip(".") in self._hosts

    def _trusts_this_machine(self, host: str) -> bool:
        return self.names(host) or self._is_allowed(IPv4Address("127.0.0.1"))

    def _is_allowed(self, address: Address) -> bool:
        plain = unwrapped(address)
        return any(_contains(network, plain) for network in self._networks)


def _contains(network: Network, address: Address) -> bool:
    if isinstance(network, IPv4Network):
        return isinstance(address, IPv4Address) and address in network
    return isinstance(address, IPv6Address) and address in network


def _parse(url: str, base: str | None) -> can_ada.URL:
    if len(url) > _MAX_URL:
        raise InvalidUrl("The address is too long.", stage="fetch", size=len(url), maximum=_MAX_URL)
    try:
        parsed = can_ada.parse(base) + url if base else can_ada.parse(url)
    except (ValueError, TypeError):  # the latter for text that is not Unicode
        raise InvalidUrl("This cannot be read as a web address.", stage="fetch") from None
    if parsed.protocol not in ("http:", "https:"):
        raise InvalidUrl(
            f"Only http and https addresses are fetched, not {parsed.protocol.rstrip(':')}.",
            stage="fetch",
        )
    return parsed


def read_target(url: str, base: str | None = None) -> GuardedUrl:
    """An http(s) address in its parts, as the gate reads them; nothing is said about dialling it.

    Raises:
        InvalidUrl: it is none.
    """
    return _to_target(_parse(url, base))


def _to_target(parsed: can_ada.URL) -> GuardedUrl:
    host = parsed.hostname
    if not host:
        raise InvalidUrl("The address names no host.", stage="fetch")
    scheme = parsed.protocol.rstrip(":")
    path = parsed.pathname or "/"
    place = f"{scheme}://{parsed.host}{path}{parsed.search}"
    return GuardedUrl(
        url=place,
        scheme=scheme,
        host=host.strip("[]"),
        port=int(parsed.port) if parsed.port else DEFAULT_PORTS[scheme],
        path=path,
        query=parsed.search.removeprefix("?"),
        literal=_read_literal(host),
    )


def _read_literal(host: str) -> Address | None:
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None


def _read_host(entry: str) -> str:
    """An allowed host, spelt as the parser spells hosts."""
    try:
        parsed = can_ada.parse(f"http://{entry}/")
    except ValueError:
        parsed = None
    if parsed is None or parsed.pathname != "/" or ":" in entry or not parsed.hostname:
        raise SettingsError(
            f"{entry!r} is neither a host nor a network.",
            suggestions=("Write intranet.example, 10.1.2.3 or 10.0.0.0/8.",),
        )
    return parsed.hostname.rstrip(".")


def _refuse_disguise(url: str) -> None:
    r"""Some readers of ``http://a\@b/`` dial a, others b: nobody writes it honestly."""
    after = url.partition(":")[2].lstrip("/\\ \t\r\n")
    authority = after
    for end in "/?#":
        authority = authority.partition(end)[0]
    if "\\" in authority and "@" in authority.partition("\\")[2]:
        raise FetchError("The address hides its host behind a backslash.", kind="blocked_address")


def _is_local_name(host: str) -> bool:
    name = host.rstrip(".")
    return name == "localhost" or name.endswith(".localhost")


def _blocked(host: str, why: str, url: str) -> FetchError:
    return FetchError(
        f"{host} is not dialled: its address is {why}.",
        kind="blocked_address",
        url=url,
        suggestions=("If you trust it, name the host or its network in fetch.allowed_hosts.",),
    )
