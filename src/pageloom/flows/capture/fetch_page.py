"""Fetch one page for somebody who waits, with headers, cookies, a browser or a screenshot."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pageloom.edges.fetch.guard import read_url
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.flows.capture.acquire import capture

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.core.options import Options
    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.flows.capture.extract import Rules
    from pageloom.model.capture import Capture, RenderMode


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """A page to fetch, and how."""

    url: str
    headers: dict[str, str] = field(default_factory=dict[str, str])
    """Sent to the host of the URL and to no other, like the cookies."""
    cookies: dict[str, str] = field(default_factory=dict[str, str])
    user_agent: str = ""
    respect_robots: bool = False
    etag: str = ""
    render: RenderMode = "auto"
    wait_for: str = ""
    screenshot: bool = False
    pdf: bool = False


def fetch_page(
    request: PageRequest,
    *,
    fetch: FetchOptions,
    extraction: Options,
    rules: Rules = ...,
    on_decision: Callable[[str], None] | None = None,
) -> Capture:
    """Fetch a page and extract its Document.

    Raises:
        NotModified: the server has nothing newer than ``etag``.
        PageloomError: it could not be fetched or extracted.
    """
    return capture(
        FetchRequest(
            url=request.url,
            headers=request.headers,
            cookies=request.cookies,
            user_agent=request.user_agent,
            respect_robots=request.respect_robots,
            etag=request.etag,
        ),
        settings=fetch,
        options=extraction,
        rules=rules,
        render=request.render,
        rendering=Rendering(
            wait_for=request.wait_for, screenshot=request.screenshot, pdf=request.pdf
        ),
        on_decision=on_decision,
    )


def require_url(text: str) -> None:
    """Refuse what is not a URL of the web.

    Raises:
        InvalidUrl: it is not.
    """
    read_url(text)
