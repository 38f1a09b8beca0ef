"""Follow the links of a site, breadth first: within scope, depth and number, each page once."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin, urlsplit, urlunsplit

from pageloom.core.normalize.urls import domain_of, url_key
from pageloom.core.rules.patterns import PatternError, compile_pattern, contains
from pageloom.errors import InvalidArgument, InvalidUrl, PageloomError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.model.capture import Capture

Scope = Literal["path", "host", "domain", "subdomains", "any"]
GetPage = Callable[[str], Awaitable["Capture"]]
_LOC = re.compile(r"<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]{1,2000})", re.IGNORECASE)
_MOST_SITEMAPS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlPlan:
    """Where a crawl begins, and where it ends."""

    root: str
    most: int = 100
    """Pages, those that fail included."""
    depth: int = 10
    """Links away from the first page."""
    scope: Scope = "path"
    include: tuple[str, ...] = ()
    """Patterns of which a path has to match one."""
    exclude: tuple[str, ...] = ()
    drop_queries: bool = False
    """Whether URLs that differ in their query are one page."""
    at_once: int = 4
    pause: float = 0.0
    """Seconds between two groups of pages."""


def check_plan(plan: CrawlPlan) -> CrawlPlan:
    """The plan itself, if it can be followed.

    Raises:
        InvalidArgument: a pattern that cannot be used.
    """
    for pattern in (*plan.include, *plan.exclude):
        try:
            compile_pattern(pattern)
        except PatternError as error:
            raise InvalidArgument(f"{pattern[:80]!r} is not a valid pattern: {error}.") from None
    return plan


async def crawl_site(
    plan: CrawlPlan, get_page: GetPage, seeds: Iterable[str] = ()
) -> AsyncGenerator[tuple[str, Capture | PageloomError]]:
    """The pages of a site, or why they could not be had, as they come.

    Args:
        plan: where to begin and to end.
        get_page: fetches one page.
        seeds: further pages to begin with, such as those of a sitemap.
    """
    seen: set[str] = set()
    level = _new([plan.root, *_inside(plan, seeds)], seen, plan)
    for _ in range(plan.depth + 1):
        links: list[str] = []
        for start in range(0, len(level), plan.at_once):
            group = level[start : start + plan.at_once]
            for url, found in zip(group, await _get_all(get_page, group), strict=True):
                yield url, found
                if not isinstance(found, PageloomError):
                    links += links_within(plan, found)
            await asyncio.sleep(plan.pause)
        level = _new(links, seen, plan)
        if not level:
            return


async def _get_all(get_page: GetPage, urls: Sequence[str]) -> list[Capture | PageloomError]:
    async def one(url: str) -> Capture | PageloomError:
        try:
            return await get_page(url)
        except PageloomError as error:
            return error

    return list(await asyncio.gather(*map(one, urls)))


def _new(urls: Iterable[str], seen: set[str], plan: CrawlPlan) -> list[str]:
    """Those that nobody has asked for, as long as there is room."""
    found: list[str] = []
    for url in urls:
        bare = without_query(url) if plan.drop_queries else url
        try:
            key = url_key(bare)
        except InvalidUrl:
            continue
        if key not in seen and len(seen) < plan.most:
            seen.add(key)
            found.append(bare)
    return found


def links_within(plan: CrawlPlan, page: Capture) -> list[str]:
    """The links of a page that a crawl follows."""
    document = page.document
    return _inside(plan, (link.url for link in document.links if "nofollow" not in link.rel))


def _inside(plan: CrawlPlan, urls: Iterable[str]) -> list[str]:
    is_inside = SCOPES[plan.scope]
    found: list[str] = []
    for url in dict.fromkeys(urls):
        try:
            if is_inside(url, plan.root) and _is_wanted(plan, urlsplit(url).path):
                found.append(url)
        except (InvalidUrl, ValueError):
            continue
    return found


def _is_wanted(plan: CrawlPlan, path: str) -> bool:
    if any(contains(pattern, path) for pattern in plan.exclude):
        return False
    return not plan.include or any(contains(pattern, path) for pattern in plan.include)


def without_query(url: str) -> str:
    """A URL up to its query."""
    return urlunsplit(urlsplit(url)._replace(query="", fragment=""))


def _same_path(url: str, root: str) -> bool:
    base = urlsplit(root).path.rpartition("/")[0] + "/"
    return _same_host(url, root) and urlsplit(url).path.startswith(base)


def _same_host(url: str, root: str) -> bool:
    return urlsplit(url_key(url)).netloc == urlsplit(url_key(root)).netloc


def _same_domain(url: str, root: str) -> bool:
    return domain_of(url) == domain_of(root)


def _subdomains(url: str, root: str) -> bool:
    host, other = domain_of(url), domain_of(root)
    return host == other or host.endswith(f".{other}")


def _any(url: str, root: str) -> bool:
    return bool(domain_of(url))


SCOPES: dict[str, Callable[[str, str], bool]] = {
    "path": _same_path,
    "host": _same_host,
    "domain": _same_domain,
    "subdomains": _subdomains,
    "any": _any,
}
"""Whether a URL belongs to the crawl that began at another."""


async def sitemap_urls(
    root: str, get_text: Callable[[str], Awaitable[str]], most: int
) -> list[str]:
    """The pages that the sitemap of a site names; none where it cannot be read."""
    waiting, found = [urljoin(root, "/sitemap.xml")], list[str]()
    for _ in range(_MOST_SITEMAPS):
        if not waiting or len(found) >= most:
            break
        try:
            text = await get_text(waiting.pop(0))
        except PageloomError:
            continue
        urls = [unescape(url.strip()) for url in _LOC.findall(text)]
        if "<sitemapindex" in text[:2000].lower():
            waiting += [url for url in urls if _same_host(url, root)]
        else:
            found += urls
    return found[:most]
