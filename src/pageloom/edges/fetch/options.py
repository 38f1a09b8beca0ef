"""Settings for fetching and rendering pages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """How pages are fetched: the ``[fetch]`` section of the settings."""

    timeout: float = 30.0
    """Seconds for the whole fetch: redirects, body and retries included."""
    connect_timeout: float = 10.0
    """Seconds to connect to one host."""
    max_redirects: int = 10
    max_bytes: int = 10_000_000
    """Bytes of the body after decompression."""
    user_agent: str = "Pageloom/0.1 (page reader)"
    allowed_hosts: tuple[str, ...] = ()
    """Hosts and networks that may be connected to although they are not public."""
    proxy: str = ""
    """``http://host:port`` or ``socks5://host:port``, unless a rule or source names another."""
    allowed_proxies: tuple[str, ...] = ()
    """Proxies that may be used although their address is not public."""
    proxy_resolves: bool = False
    """Let the proxy resolve host names, and trust it to refuse private addresses."""
    ca_file: str = ""
    """A PEM file of certificate authorities to trust in addition to the system's."""
    retries: int = 2
    """Further attempts after a transient failure."""
    concurrency: int = 16
    """Pages fetched at once, in total."""
    per_host: int = 4
    """Pages fetched at once from one host."""
    delay: float = 0.0
    """Seconds between two requests to one host."""
    max_pages: int = 10
    """Pages of one article that a rule's next_page may follow."""
    browser: str = ""
    """The browser's executable; Chromium or Chrome of the system when empty."""
    browser_pages: int = 3
    """Pages rendered at once."""
    render_timeout: float = 30.0
    """Seconds to render one page."""
    block_resources: tuple[str, ...] = ("image", "media", "font")
    """Kinds of resources that the browser does not load, except for a screenshot or PDF."""
