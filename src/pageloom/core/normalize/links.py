"""Links as the Document shows them: absolute, clean, each once, with their region."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pageloom.core.addresses import absolute
from pageloom.core.normalize.text import clean_text
from pageloom.core.normalize.urls import clean_link, site_of
from pageloom.errors import InvalidUrl
from pageloom.model import Link

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Element
    from pageloom.core.parts import LinkSite
    from pageloom.model import Region

_ORIGIN = re.compile(r"https?://[a-z0-9.-]{1,253}(?=[/?#]|$)", re.IGNORECASE)
_PLAIN_PATH = re.compile(r"/[A-Za-z0-9_~/.-]*")
"""A path that no parser would change: most links inside a site."""
_STRENGTH: dict[str, int] = {"content": 0, "pagination": 1, "navigation": 2, "footer": 3}


def finish_links(
    sites: Iterable[LinkSite], kept: Element, base: str, url: str = ""
) -> tuple[Link, ...]:
    """The links of a page, once the content is known.

    A link that is still inside the content is ``content``; one that is gone from it and stood in no
    menu, pager or footer becomes ``navigation``. The same address with the same text counts once,
    in its best region.

    Args:
        sites: the links as gathered before pruning.
        kept: the root of the content.
        base: what relative addresses are relative to.
        url: the page's own address, for internal and external.
    """
    gathered = tuple(sites)
    inside = set(kept.iter_elements("a"))
    spelt = _spellings(inside - {site.element for site in gathered})
    own = _site(url)
    known: dict[str, tuple[str, bool] | None] = {}
    found: dict[tuple[str, str], Link] = {}
    for site in gathered:
        if site.href not in known:
            known[site.href] = _resolve(site.href, base, own)
        resolved = known[site.href]
        if resolved is None:
            continue
        held = site.element in inside or (bool(spelt) and (site.href, site.text) in spelt)
        link = _link(site, resolved, _region(site.region, held=held))
        key = (link.url, link.text)
        if key not in found or _STRENGTH[link.region] < _STRENGTH[found[key].region]:
            found[key] = link
    return tuple(found.values())


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
    """Scheme and host of a base address, to put before plain paths."""
    found = _ORIGIN.match(base)
    return found[0].lower() if found else ""


def _is_plain(href: str) -> bool:
    return _PLAIN_PATH.fullmatch(href) is not None and "/." not in href and "//" not in href


def _spellings(links: set[Element]) -> set[tuple[str, str]]:
    """Address and text of links that the engine made anew, so that they are known again."""
    return {((link.attr("href") or "").strip(), " ".join(link.text.split())) for link in links}


def _resolve(href: str, base: str, own: str) -> tuple[str, bool] | None:
    """The clean absolute address, and whether it is on the same site."""
    origin = _origin(base)
    if origin and _is_plain(href):
        return origin + href, bool(own) and _site(origin) == own
    address = absolute(href, base)
    if address is None:
        return None
    try:
        clean = clean_link(address)
    except InvalidUrl:
        return None
    return clean, bool(own) and _site(clean) == own


def _site(url: str) -> str:
    try:
        return _site_of_host(url[: url.find("/", 8)] if "/" in url[8:] else url) if url else ""
    except InvalidUrl:
        return ""


@lru_cache(maxsize=512)
def _site_of_host(origin: str) -> str:
    return site_of(origin)


def _region(stood: Region, *, held: bool) -> Region:
    if held and stood != "pagination":
        return "content"
    return "navigation" if stood == "content" else stood


def _link(site: LinkSite, resolved: tuple[str, bool], region: Region) -> Link:
    rel = tuple(dict.fromkeys(site.rel.lower().split())) if site.rel else ()
    text = site.text if site.text.isascii() and "&" not in site.text else clean_text(site.text)
    return Link(url=resolved[0], text=text, rel=rel, internal=resolved[1], region=region)
