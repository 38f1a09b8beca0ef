"""Options of the web app: the ``[web]`` section of the settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class WebOptions:
    """Where the web app listens, and who may use it."""

    listen: str = "127.0.0.1:8460"
    """Host and port."""
    url: str = ""
    """The public URL, such as https://pages.example.com/; needed beyond this machine. It may have
    a path."""
    hosts: tuple[str, ...] = ()
    """Further hosts under which the app may be asked for; others are refused."""
    auth: tuple[Literal["password", "proxy", "none"], ...] = ("password",)
    """How people sign in: ``password``; ``proxy``, by a header of a trusted proxy; ``none``,
    everyone is the user of ``library.user`` (on this machine only)."""
    trusted_proxies: tuple[str, ...] = ()
    """IP addresses and networks of proxies whose headers are believed."""
    proxy_header: str = "Remote-User"
    """The header in which a trusted proxy names the user."""
    session_days: int = field(default=30, metadata={"most": 3650})
    """Days after which a browser that was not used has to sign in again."""
    media: Literal["proxy", "direct", "none"] = "proxy"
    """Pictures in the reader: fetched by the server, by the browser, or left out."""
    work: bool = True
    """Check watches, send notices, poll feeds and run jobs in the process of the server."""
    rate_limit: int = 600
    """API requests a minute for each token; 0 for no limit."""
    compat: bool = True
    """Answer as scraping services (``/v1``, ``/v2``) and linkding do."""
