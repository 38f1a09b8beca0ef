"""The links of a page where they stand, before anything is removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pageloom.core.extract.survey import flat_text
from pageloom.core.parts import LinkSite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.dom import Element, Tree
    from pageloom.model import Region

MAX_LINKS = 20_000
_LONG = 300
_NOWHERE = ("#", "javascript:", "mailto:", "tel:", "data:")

_SELECTORS: tuple[tuple[Region, str], ...] = (
    ("navigation", "nav,[role=navigation],#menu,#nav,#sidebar"),
    ("footer", "footer,[role=contentinfo],#footer,#site-footer"),
    ("pagination", ""),
)
"""What makes a region, from the weakest: a pager in a footer makes its links pagination."""
_CLASSES: dict[Region, frozenset[str]] = {
    "navigation": frozenset("navbar nav menu breadcrumb breadcrumbs sidebar".split()),
    "footer": frozenset("footer site-footer".split()),
    "pagination": frozenset("pagination pager paging page-numbers nav-links paginator".split()),
}
_TURNS = frozenset(
    "«|»|‹|›|<|>|←|→|next|next page|prev|prev page|previous|previous page|"
    "older post|older posts|newer post|newer posts".split("|")
)
"""The texts of links that turn a page, besides numbers."""
_RELATIONS = frozenset(("next", "prev", "previous"))


def gather_links(tree: Tree) -> list[LinkSite]:
    """Every ``<a href>`` with its text and the region of the page it stands in.

    The region is ``content`` unless a menu, a footer or a pager holds the link; what the content
    engine removes becomes ``navigation`` later.
    """
    by_region = _regions(tree)
    sites: list[LinkSite] = []
    for element in tree.select("a[href]")[:MAX_LINKS]:
        href = (element.attr("href") or "").strip()
        if not href or href.startswith(_NOWHERE):
            continue
        text = _text_of(element)
        rel = element.attr("rel") or ""
        region = by_region.get(element, "content")
        if region != "footer" and _is_turning(rel, text):
            region = "pagination"
        sites.append(LinkSite(element=element, href=href, text=text, rel=rel, region=region))
    return sites


def _text_of(element: Element) -> str:
    """The visible text of a link, or the name of the picture in it."""
    text = " ".join(element.text.split())
    if len(text) > _LONG:
        text = flat_text(element, _LONG)
    return text or _picture_text(element)


def _regions(tree: Tree) -> dict[Element, Region]:
    """The region of every link that is not content, by the strongest ancestor."""
    found: dict[Element, Region] = {}
    for region, selector in _selectors(tree):
        for holder in _outermost(tree.select(selector)):
            if holder.tag == "a":
                found[holder] = region
            for link in holder.iter_elements("a"):
                found[link] = region
    return found


def _selectors(tree: Tree) -> Iterator[tuple[Region, str]]:
    """What to look for: of the classes only those on the page, for each costs a whole search."""
    spelt = cast("list[str]", tree.xpath("//*/@class"))
    used = frozenset(" ".join(set(spelt)).split())
    for region, selector in _SELECTORS:
        classes = [f".{name}" for name in sorted(_CLASSES[region] & used)]
        wanted = ",".join(filter(None, (selector, *classes)))
        if wanted:
            yield region, wanted


def _outermost(elements: list[Element]) -> list[Element]:
    """The elements that no other of them holds, so that nested ones are not walked twice."""
    inside = set(elements)
    return [element for element in elements if not _held(element, inside)]


def _held(element: Element, holders: set[Element]) -> bool:
    return any(
        ancestor in holders for ancestor, _ in zip(element.ancestors, range(300), strict=False)
    )


def _is_turning(rel: str, text: str) -> bool:
    if rel and not _RELATIONS.isdisjoint(rel.lower().split()):
        return True
    return len(text) < 16 and (text.lower() in _TURNS or (len(text) < 5 and text.isdecimal()))


def _picture_text(element: Element) -> str:
    image = element.find("img")
    label = (
        element.attr("aria-label")
        or element.attr("title")
        or (image.attr("alt") if image is not None else "")
    )
    return " ".join((label or "").split())[:300]
