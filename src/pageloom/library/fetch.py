"""One page from the web as a Document, without a library."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pageloom.context import site_rules
from pageloom.core.options import read_options
from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.fetch.http import require_ok
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.flows.blocking import run_blocking
from pageloom.flows.capture.acquire import acquire
from pageloom.flows.capture.crawl_site import sitemap_urls
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pageloom.core.options import Options
    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.flows.capture.extract import GivenOptions, Rules
    from pageloom.model import Document
    from pageloom.model.capture import Capture, RenderMode
    from pageloom.settings import Settings


def fetch(  # noqa: PLR0913  the names are the public API
    url: str,
    *,
    render: RenderMode = "auto",
    wait_for: str = "",
    headers: Mapping[str, str] | None = None,
    cookies: Mapping[str, str] | None = None,
    rules: Rules = ...,
    options: GivenOptions = None,
    timeout: float | None = None,
    settings: Settings | None = None,
) -> Document:
    """Fetch a page and extract its Document; for code without an event loop of its own.

    It may be called where an event loop is running, which then waits; see ``fetch_async``.

    Args:
        url: the page.
        render: ``auto`` opens a browser where HTTP is not enough, ``force`` always,
            ``never`` never.
        wait_for: a selector (CSS, or ``xpath:…``) that the browser waits for.
        headers: sent to the host of ``url`` and to no other.
        cookies: likewise.
        rules: a rule book; those that the settings choose when left out, none for None.
        options: of the extraction, as in ``extract``; the settings' when left out.
        timeout: seconds for everything, redirects and retries included.
        settings: those of the files and the environment when left out.

    Returns:
        The Document, as ``extract`` makes it.

    Raises:
        InvalidUrl: not a URL of the web.
        FetchError: the page cannot be fetched, is a challenge or an error page; ``kind`` says
            which, ``retryable`` whether the same call may succeed later.
        PageloomError: what came cannot be read.
    """
    return run_blocking(
        lambda: fetch_async(
            url,
            render=render,
            wait_for=wait_for,
            headers=headers,
            cookies=cookies,
            rules=rules,
            options=options,
            timeout=timeout,
            settings=settings,
        )
    )


async def fetch_async(  # noqa: PLR0913  the names are the public API
    url: str,
    *,
    render: RenderMode = "auto",
    wait_for: str = "",
    headers: Mapping[str, str] | None = None,
    cookies: Mapping[str, str] | None = None,
    rules: Rules = ...,
    options: GivenOptions = None,
    timeout: float | None = None,  # noqa: ASYNC109  the fetcher keeps to it, hop by hop
    settings: Settings | None = None,
) -> Document:
    """Fetch a page and extract its Document; as ``fetch``, to be awaited."""
    known = settings or load_settings()
    limits = known.fetch if timeout is None else replace(known.fetch, timeout=timeout)
    chosen = known.extraction if options is None else read_options(options)
    wish = CaptureWish(
        headers=dict(headers or {}),
        cookies=dict(cookies or {}),
        render=render,
        wait_for=wait_for,
        timeout=timeout,
    )
    async with open_fetcher(limits) as fetcher:
        book = site_rules(known).sealed if rules is ... else rules
        return (await capture_page(url, wish, fetcher, book, chosen)).document


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureWish:
    """How a page is fetched, and what is wanted of it."""

    headers: dict[str, str] = field(default_factory=dict[str, str])
    cookies: dict[str, str] = field(default_factory=dict[str, str])
    render: RenderMode = "auto"
    wait_for: str = ""
    timeout: float | None = None
    screenshot: bool = False
    respect_robots: bool = False


async def capture_page(
    url: str, wish: CaptureWish, fetcher: Fetcher, rules: Rules, options: Options
) -> Capture:
    """A page with its original, and a screenshot if wanted.

    Raises:
        PageloomError: it cannot be fetched or read.
    """
    request = FetchRequest(
        url=url,
        headers=wish.headers,
        cookies=wish.cookies,
        respect_robots=wish.respect_robots,
        timeout=wish.timeout,
    )
    return await acquire(
        request,
        fetcher=fetcher,
        rules=rules,
        options=options,
        render="force" if wish.screenshot else wish.render,
        rendering=Rendering(
            wait_for=wish.wait_for, timeout=wish.timeout, screenshot=wish.screenshot
        ),
    )


async def site_map(url: str, fetcher: Fetcher, most: int) -> list[str]:
    """The pages that the sitemap of a site names; none where there is no sitemap."""

    async def read(place: str) -> str:
        page = await fetcher.get(FetchRequest(url=place))
        require_ok(page)
        return page.body.decode("utf-8", "replace")

    return await sitemap_urls(url, read, most)
