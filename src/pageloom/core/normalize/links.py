"""The links of a Document: absolute, without tracking, each once, with their region."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache, lru_cache
from itertools import compress
from typing import TYPE_CHECKING, cast

from pageloom.core.memoize import memoize
from pageloom.core.normalize.text import clean_text
from pageloom.core.normalize.urls import clean_link, site_of
from pageloom.core.page_urls import absolute, absolute_once
from pageloom.core.suffixes import registrable
from pageloom.errors import InvalidUrl
from pageloom.model import Link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pageloom.core.dom import Element
    from pageloom.core.parts import LinkSite
    from pageloom.model import Region

_ORIGIN = re.compile(r"https?://[a-z0-9.-]{1,253}(?=[/?#]|$)", re.IGNORECASE)
_PLAIN_PATH = re.compile(r"/[\w~./-]*\Z", re.ASCII)
"""A path that no parser would change if it has no empty or dotted parts: most inside a site."""
_PLAIN_WEB = re.compile(r"https?://([a-z0-9.-]{1,253}\.[a-z]{2,63})(?:[/?#][!-~]*)?\Z")
"""A URL that every parser accepts as it stands, but for names in Punycode: most others."""
_STRENGTH: dict[Region, int] = {"content": 0, "pagination": 1, "navigation": 2, "footer": 3}
_IF_HELD: dict[Region, Region] = {
    "content": "content",
    "pagination": "pagination",
    "navigation": "content",
    "footer": "content",
}
_IF_GONE: dict[Region, Region] = {
    "content": "navigation",
    "pagination": "pagination",
    "navigation": "navigation",
    "footer": "footer",
}
"""The region of a link by where it stood, when the content holds it and when it does not."""


def finish_links(
    sites: Iterable[LinkSite], kept: Element, base: str, url: str = ""
) -> tuple[Link, ...]:
    """The links of a page, once the content is known.

    A link that is still inside the content is ``content``; one that is gone from it and stood in no
    menu, pager or footer becomes ``navigation``. The same URL with the same text counts once,
    in its best region.

    Args:
        sites: the links as gathered before pruning.
        kept: the root of the content.
        base: what relative URLs are relative to.
        url: the page's own URL, for internal and external.
    """
    gathered = tuple(sites)
    elements = [site[0] for site in gathered]
    inside = set(kept.iter_elements("a"))
    is_inside = list(map(inside.__contains__, elements))
    spelt = _spellings(inside.difference(compress(elements, is_inside)))
    resolve = _resolver(base, url)
    found: dict[tuple[str, str], tuple[bool, str, Region]] = {}
    for (_, href, text, rel, stood), held in zip(gathered, is_inside, strict=True):
        resolved = resolve(href)
        if resolved is None:
            continue
        address, internal = resolved
        is_kept = held or (spelt and (href, text) in spelt)
        region = _IF_HELD[stood] if is_kept else _IF_GONE[stood]
        key = (address, text if text.isascii() and "&" not in text else clean_text(text))
        link = (internal, rel, region)
        before = found.setdefault(key, link)
        if before is not link and _STRENGTH[region] < _STRENGTH[before[2]]:
            found[key] = link
    return tuple(_make_links(found.items()))


def clean_hrefs(root: Element, base: str) -> None:
    """Take tracking parameters out of the links of a tree; all others keep their spelling."""
    for link in root.iter_elements("a"):
        href = link.attr("href")
        if href and "?" in href:
            address = absolute(href, base) or href
            cleaned = clean_link(address)
            if cleaned != address:
                link.attrs["href"] = cleaned


@lru_cache(maxsize=64)
def _origin(base: str) -> str:
    """Scheme and host of a base URL, to put before plain paths."""
    found = _ORIGIN.match(base)
    return found[0].lower() if found else ""


def _spellings(links: set[Element]) -> set[tuple[str, str]]:
    """URL and text of links that the engine made anew, so that they are known again."""
    return {((link.attr("href") or "").strip(), " ".join(link.text.split())) for link in links}


def _resolver(base: str, url: str) -> Callable[[str], tuple[str, bool] | None]:
    """What tells the clean absolute URL of a link, and whether it is on the page's site."""
    own = _site(url)
    origin = _origin(base)
    at_home = bool(own) and bool(origin) and _site(origin) == own

    @cache
    def resolve(href: str) -> tuple[str, bool] | None:
        if href[:1] == "/":
            if origin and "//" not in href and "/." not in href and _PLAIN_PATH.match(href):
                return origin + href, at_home
        elif plain := _plain_web(href):
            clean, host = plain
            # most lead elsewhere, which the end of the name tells without the list of suffixes
            return clean, bool(own) and host.endswith(own) and registrable(host) == own
        address = absolute_once(href, base)
        if address is None:
            return None
        try:
            clean = clean_link(address)
        except InvalidUrl:
            return None
        return clean, bool(own) and _site(clean) == own

    return resolve


@memoize(2_048)
def _plain_web(href: str) -> tuple[str, str] | None:
    """A whole URL that stands as it is, clean, and its host; the pages of a site share many."""
    web = _PLAIN_WEB.match(href)
    return (clean_link(href), web[1]) if web and "xn--" not in web[1] else None


def _site(url: str) -> str:
    try:
        return _site_of_host(url[: url.find("/", 8)] if "/" in url[8:] else url) if url else ""
    except InvalidUrl:
        return ""


@memoize(512)
def _site_of_host(origin: str) -> str:
    return site_of(origin)


class _OpenLink:
    """A link that is not finished: with the same slots, so that it can become one."""

    __slots__ = tuple(field.name for field in fields(Link))
    url: str
    text: str
    rel: tuple[str, ...]
    internal: bool
    region: Region


_FINISHED = cast("type[_OpenLink]", Link)


def _make_links(found: Iterable[tuple[tuple[str, str], tuple[bool, str, Region]]]) -> list[Link]:
    """The links, in a quarter of the time that their own constructor takes: a page has hundreds."""
    links: list[_OpenLink] = []
    for (url, text), (internal, rel, region) in found:
        link = _OpenLink()
        link.url = url
        link.text = text
        link.rel = tuple(dict.fromkeys(rel.lower().split())) if rel else ()
        link.internal = internal
        link.region = region
        link.__class__ = _FINISHED
        links.append(link)
    return cast("list[Link]", links)
