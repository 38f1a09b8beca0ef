"""What one server is: its library, its options, its origin, and what it remembers of requests."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pageloom.apps.web.live import Hub
from pageloom.apps.web.previews import Previews
from pageloom.apps.web.scrapes import Scrapes
from pageloom.errors import SettingsError
from pageloom.flows.access.passwords import Waits

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pageloom.apps.web.agents import AgentDoor
    from pageloom.apps.web.work import Worker
    from pageloom.flows.access.options import WebOptions
    from pageloom.flows.capture.fetch_picture import FetchedPicture
    from pageloom.library import Library

_LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where browsers find the app: ``https://host:port`` and the path before every other."""

    scheme: str
    host: str
    prefix: str

    @classmethod
    def read(cls, url: str) -> Origin:
        """The origin of a public URL.

        Raises:
            SettingsError: it is not an http(s) URL.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc or "@" in parts.netloc:
            raise SettingsError(
                f"web.url is not the URL of a server: {url[:80]}.",
                suggestions=("Write for example https://pages.example.com/.",),
            )
        return cls(parts.scheme, parts.netloc.lower(), parts.path.rstrip("/"))

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}"

    @property
    def is_secure(self) -> bool:
        """Whether browsers reach it over TLS."""
        return self.scheme == "https"


@dataclass(slots=True)
class Site:
    """One server."""

    library: Library
    origin: Origin
    hosts: frozenset[str]
    media_key: bytes
    networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = ()
    waits: Waits = field(default_factory=lambda: Waits(time.monotonic))
    worker: Worker | None = None
    """There while the server works for all users."""
    agents: AgentDoor | None = None
    """There while the server runs."""
    loop: asyncio.AbstractEventLoop | None = None
    fetch_picture: Callable[[str], Awaitable[FetchedPicture]] | None = None
    """There while the server runs."""
    hub: Hub = field(init=False)
    """Wakes those who follow events."""
    scrapes: Scrapes = field(default_factory=Scrapes)
    previews: Previews = field(default_factory=lambda: Previews(time.monotonic))
    used: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """Requests of each token in the present minute."""

    def __post_init__(self) -> None:
        self.hub = Hub(self.library)

    @property
    def options(self) -> WebOptions:
        """The ``[web]`` settings."""
        return self.library.settings.web

    def link(self, path: str) -> str:
        """A path of ours as browsers ask for it."""
        return self.origin.prefix + path

    def is_trusted_proxy(self, address: str) -> bool:
        """Whether the headers of this peer are believed."""
        try:
            peer = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(peer in network for network in self.networks)

    def begin_jobs(self) -> None:
        """Have queued jobs begun at once; from any thread."""
        if self.worker is not None:
            self.worker.wake()

    def end_streams(self) -> None:
        """Let the streams of events end, because the server is about to; from any thread."""
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.hub.end)
            if self.agents is not None:
                self.loop.call_soon_threadsafe(self.agents.end_streams)

    def picture(self, owner: str, url: str) -> str:
        """The path under which a picture of an owned Document is shown; empty for none."""
        if self.options.media == "none" or not url.startswith(("http://", "https://")):
            return ""
        if self.options.media == "direct":
            return url
        name = urlsafe_b64encode(url.encode("utf-8", "replace")).decode().rstrip("=")
        return self.link(f"/media/{self._mac(owner, url)}/{name}")

    def picture_url(self, owner: str, mac: str, name: str) -> str | None:
        """The URL of a picture by its path; None for a path that this owner was never given."""
        try:
            url = urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()
        except ValueError:
            return None
        return url if hmac.compare_digest(mac, self._mac(owner, url)) else None

    def _mac(self, owner: str, url: str) -> str:
        text = f"{len(owner)}:{owner}:{url}".encode("utf-8", "replace")
        return hmac.new(self.media_key, text, sha256).hexdigest()[:32]


def make_site(library: Library, port: int) -> Site:
    """The server that the settings describe, listening at a port.

    Raises:
        SettingsError: it could be reached by others and nobody could sign in, or a setting that
            cannot be used.
    """
    options = library.settings.web
    host = read_listen(options.listen)[0]
    origin = Origin.read(options.url or f"http://{_shown(host)}:{port}")
    if not is_loopback(host):
        _require_safe(library, options)
    if "none" in options.auth and (options.url or not is_loopback(host)):
        raise SettingsError(
            "web.auth none is only for a server on this machine.",
            suggestions=("Set web.auth to password or proxy.",),
        )
    hosts = {origin.host, *(each.lower() for each in options.hosts)}
    if is_loopback(host):
        hosts |= {f"{name}:{port}" for name in _LOOPBACK_HOSTS}
    return Site(
        library=library,
        origin=origin,
        hosts=frozenset(hosts),
        media_key=library.server_key("media"),
        networks=_networks(options.trusted_proxies),
    )


def _require_safe(library: Library, options: WebOptions) -> None:
    """Refuse to start beyond this machine without a public URL and a way to sign in."""
    if not options.url:
        raise SettingsError(
            "A server that others can reach needs web.url.",
            suggestions=("Set it to the public URL, such as https://pages.example.com/.",),
        )
    has_proxy = "proxy" in options.auth and options.trusted_proxies
    if not has_proxy and not ("password" in options.auth and library.has_passwords()):
        raise SettingsError(
            "A server that others can reach needs a way to sign in.",
            suggestions=(
                "Give a user a password: pageloom users password NAME",
                "Or set web.auth to proxy, and web.trusted_proxies.",
            ),
        )


def _networks(
    texts: tuple[str, ...],
) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    try:
        return tuple(ipaddress.ip_network(text, strict=False) for text in texts)
    except ValueError as error:
        raise SettingsError(f"web.trusted_proxies: {error}.") from None


def read_listen(text: str) -> tuple[str, int]:
    """Host and port of ``web.listen``.

    Raises:
        SettingsError: it is not of that form.
    """
    host, _, port = text.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise SettingsError(
            f"web.listen needs a host and a port, not {text[:80]}.",
            suggestions=("Write for example 127.0.0.1:8460.",),
        )
    return host.strip("[]") or "127.0.0.1", int(port)


def is_loopback(host: str) -> bool:
    """Whether only this machine can connect."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
