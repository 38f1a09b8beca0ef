"""Protection against server-side request forgery (SSRF): every connection is checked here first.

The URL is parsed once, by the WHATWG rules, and exactly what was checked is connected to. A host
name is checked by the very DNS answers that are then used, so a second answer cannot differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

import can_ada

from pageloom.edges.fetch.addresses import Address, Network, unwrapped, why_not_public
from pageloom.errors import FetchError, InvalidUrl, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DEFAULT_PORTS = {"http": 80, "https": 443}
_MAX_URL = 8_192


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedUrl:
    """A checked http(s) URL, in the parts that are connected to and sent."""

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
    """Decides which hosts may be connected to.

    Args:
        allowed: hosts (exact names) and networks (``10.0.0.0/8``, or a single address) that may be
            connected to although they are not public.
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
        """Parse a URL (relative to ``base``, if given) and refuse what must not be connected to.

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
            raise _blocked(target.host, "it is a name of this machine", target.url)
        _refuse_login(parsed)
        return target

    def vet(self, host: str, addresses: Iterable[Address], *, url: str = "") -> None:
        """Refuse the host if even one of its addresses is not public."""
        if self.names(host):
            return
        for address in addresses:
            why = "" if self._is_allowed(address) else why_not_public(address)
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
        raise InvalidUrl(
            f"The URL has {len(url):,} characters; the limit is {_MAX_URL:,}.",
            stage="fetch",
            size=len(url),
            maximum=_MAX_URL,
        )
    try:
        parsed = can_ada.parse(base) + url if base else can_ada.parse(url)
    except (ValueError, TypeError):  # the latter for text that is not Unicode
        raise InvalidUrl.of(url, "This is not a valid URL.", stage="fetch") from None
    if parsed.protocol not in ("http:", "https:"):
        scheme = parsed.protocol.rstrip(":")
        message = f"Only http and https URLs can be fetched, not {scheme}."
        raise InvalidUrl.of(url, message, stage="fetch")
    return parsed


def _refuse_login(parsed: can_ada.URL) -> None:
    if parsed.username or parsed.password:
        raise InvalidUrl(
            "The URL contains a user name or password.",
            suggestions=("Remove them and send an Authorization header instead.",),
            stage="fetch",
        )


def refuse_login(url: str) -> None:
    """Refuse a URL that is to be kept and shown, if it has a user name or password in it.

    Raises:
        InvalidUrl: it has, or is not an http(s) URL.
    """
    _refuse_login(_parse(url, None))


def without_login(url: str) -> str:
    """The URL without user name and password, if it has any."""
    if "@" not in url:
        return url
    try:
        parsed = _parse(url.strip(), None)
    except InvalidUrl:
        return url  # refused elsewhere, with its reason
    if not (parsed.username or parsed.password):
        return url
    parsed.username = parsed.password = ""
    return parsed.href


def read_url(url: str, base: str | None = None) -> GuardedUrl:
    """Parse an http(s) URL as the guard does, without checking whether it may be connected to.

    Raises:
        InvalidUrl: it is not an http(s) URL.
    """
    return _to_target(_parse(url, base))


def _to_target(parsed: can_ada.URL) -> GuardedUrl:
    host = parsed.hostname
    if not host:
        raise InvalidUrl("The URL has no host.", stage="fetch")
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
    """An allowed host, normalised as the URL parser normalises hosts."""
    try:
        parsed = can_ada.parse(f"http://{entry}/")
    except ValueError:
        parsed = None
    if parsed is None or parsed.pathname != "/" or ":" in entry or not parsed.hostname:
        raise SettingsError(
            f"{entry!r} in fetch.allowed_hosts is neither a host name nor a network.",
            suggestions=("Use the form intranet.example, 10.1.2.3 or 10.0.0.0/8.",),
        )
    return parsed.hostname.rstrip(".")


def _refuse_disguise(url: str) -> None:
    r"""Some parsers of ``http://a\@b/`` connect to a, others to b: only attacks look like that."""
    after = url.partition(":")[2].lstrip("/\\ \t\r\n")
    authority = after
    for end in "/?#":
        authority = authority.partition(end)[0]
    if "\\" in authority and "@" in authority.partition("\\")[2]:
        raise FetchError(
            "The URL contains a backslash, which hides its real host.", kind="blocked_address"
        )


def _is_local_name(host: str) -> bool:
    name = host.rstrip(".")
    return name == "localhost" or name.endswith(".localhost")


def _blocked(host: str, why: str, url: str) -> FetchError:
    return FetchError(
        f"Refused to connect to {host}: {why}.",
        kind="blocked_address",
        url=url,
        suggestions=("If you trust it, add the host or its network to fetch.allowed_hosts.",),
    )
