"""What to fetch and how: URL, headers, cookies, proxy, limits, rendering; what was rendered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pageloom.model import RawPage


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRequest:
    """One page to fetch.

    ``headers`` and ``cookies`` are sent to the origin of ``url`` only, not to where it redirects.
    """

    url: str
    headers: dict[str, str] = field(default_factory=dict[str, str])
    cookies: dict[str, str] = field(default_factory=dict[str, str])
    proxy: str = ""
    """``http://`` or ``socks5://``; that of the settings when empty."""
    etag: str = ""
    last_modified: str = ""
    """Validators of the stored version; the response may then be ``not_modified``."""
    respect_robots: bool = False
    user_agent: str = ""
    timeout: float | None = None
    max_bytes: int | None = None
    retries: int | None = None
    """Further attempts after a transient failure; those of the settings when None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """How the browser renders a page, and what it returns besides the HTML."""

    wait_for: str = ""
    """CSS (XPath behind ``xpath:``) that has to appear before the page counts as ready."""
    timeout: float | None = None
    """Seconds; that of the settings when None."""
    scroll: bool = True
    """Scroll to the end, so that lazy content is loaded."""
    screenshot: bool = False
    pdf: bool = False
    snapshot: bool = False
    """The page with all that it loaded, as MHTML."""
    block_resources: tuple[str, ...] | None = None
    """Kinds such as image, media, font, stylesheet; those of the settings when None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPage:
    """The HTML after scripts, and what else was asked for."""

    page: RawPage
    """Its body is the HTML after all scripts have run, shadow trees flattened."""
    screenshot: bytes = b""
    pdf: bytes = b""
    mhtml: str = ""
    refused: tuple[str, ...] = ()
    """Hosts that the page wanted to connect to and that could not be or were refused."""
