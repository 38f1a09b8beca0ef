"""What is asked for: one page, with all that a rule, a source or a user says about the asking."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRequest:
    """One page to be had.

    ``headers`` and ``cookies`` go to the origin of ``url`` and to no other, whatever redirects.
    """

    url: str
    headers: dict[str, str] = field(default_factory=dict[str, str])
    cookies: dict[str, str] = field(default_factory=dict[str, str])
    proxy: str = ""
    """``http://`` or ``socks5://``; the one of the settings when empty."""
    etag: str = ""
    last_modified: str = ""
    """Validators of what is already known; the answer may then be ``not_modified``."""
    respect_robots: bool = False
    user_agent: str = ""
    timeout: float | None = None
    max_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """How the browser shows a page, and what it brings back beside the markup."""

    wait_for: str = ""
    """CSS (XPath behind ``xpath:``) that has to appear before the page counts as shown."""
    timeout: float | None = None
    """Seconds; the one of the settings when None."""
    scroll: bool = True
    """Scroll to the end, so that what loads late is there."""
    screenshot: bool = False
    pdf: bool = False
    block_resources: tuple[str, ...] | None = None
    """Kinds such as image, media, font, stylesheet; those of the settings when None."""
