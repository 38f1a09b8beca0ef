"""How pages are fetched and rendered."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """How pages are fetched: the ``[fetch]`` section of the settings."""

    timeout: float = 30.0
    """Seconds for everything: all hops, the whole body, retries included."""
    connect_timeout: float = 10.0
    """Seconds to reach one host."""
    max_redirects: int = 10
    max_bytes: int = 10_000_000
    """Bytes of the body after decompression."""
    user_agent: str = "Pageloom/0.1 (page reader)"
    allowed_hosts: tuple[str, ...] = ()
    """Hosts and networks that may be dialled although they are not public."""
    proxy: str = ""
    """``http://host:port`` or ``socks5://host:port`` for every request that names no other."""
    allowed_proxies: tuple[str, ...] = ()
    """Proxies that requests may name although their address is not public."""
    proxy_resolves: bool = False
    """Hand names to the proxy unresolved, and trust it to keep closed addresses closed."""
    ca_file: str = ""
    """Certificates to trust beside the system's, in PEM form."""
    retries: int = 2
    """Further attempts after a transient failure."""
    concurrency: int = 16
    """Pages under way at once, in all."""
    per_host: int = 4
    """Pages under way at once, of one host."""
    delay: float = 0.0
    """Seconds between the beginnings of two requests to one host."""
    max_pages: int = 10
    """Pages of one article that are followed by a rule's next_page."""
    browser: str = ""
    """The browser's executable; looked for in the usual places when empty."""
    browser_pages: int = 3
    """Pages that the browser shows at once."""
    render_timeout: float = 30.0
    """Seconds for showing one page."""
    block_resources: tuple[str, ...] = ("image", "media", "font")
    """What the browser does not load, unless a picture of the page is asked for."""
