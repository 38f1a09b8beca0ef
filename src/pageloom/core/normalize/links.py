"""Links as the Document shows them: absolute, clean, each once, with their region."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.addresses import absolute
from pageloom.core.normalize.text import clean_text
from pageloom.core.normalize.urls import clean_link, site_of
from pageloom.model import Link

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Element
    from pageloom.core.parts import LinkSite
    from pageloom.model import Region

_STRENGTH: dict[str, int] = {"content": 0, "pagination": 1, "navigation": 2, "footer": 3}


def finish_links(sites: Iterable[LinkSite], kept: Element, base: str, url: str = "") -> tuple[Link, ...]:
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
    inside = set(kept.iter_elements("a"))
    spelt = {(link.attr("href") or "", "".join(link.text.split())) for link in inside} if inside else set[tuple[str, str]]()
    own = site_of(url) if url else ""
    found: dict[tuple[str, str], Link] = {}
    internal: dict[str, bool] = {}
    for site in sites:
        address = absolute(site.href, base)
        if address is None:
            continue
        address = clean_link(address)
        host = address[: address.find("/", 8)] if "/" in address[8:] else address
        if host not in internal:
            internal[host] = bool(own) and site_of(address) == own
        held = site.element in inside or (site.href, "".join(site.text.split())) in spelt
        link = _link(site, address, internal[host], _region(site.region, held=held))
        key = (address, link.text)
        if key not in found or _STRENGTH[link.region] < _STRENGTH[found[key].region]:
            found[key] = link
    return tuple(found.values())


def _region(stood: Region, *, held: bool) -> Region:
    if held and stood != "pagination":
        return "content"
    return "navigation" if stood == "content" else stood


def _link(site: LinkSite, address: str, internal: bool, region: Region) -> Link:
    rel = tuple(dict.fromkeys(site.rel.lower().split()))
    return Link(url=address, text=clean_text(site.text), rel=rel, internal=internal, region=region)
