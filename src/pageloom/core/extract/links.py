"""The links of a page where they stand, before anything is removed."""

from __future__ import annotations

from itertools import compress, count
from typing import TYPE_CHECKING

from pageloom.core.dom import find_classed
from pageloom.core.extract.survey import flat_text

if TYPE_CHECKING:
    from pageloom.core.dom import Classed, Element, Tree
    from pageloom.core.parts import LinkSite
    from pageloom.model import Region

MAX_LINKS = 20_000
_LONG = 300
_NOWHERE = ("#", "javascript:", "mailto:", "tel:", "data:")
_NOWHERE_STARTS = frozenset(start[0] for start in _NOWHERE)

_TAGS: dict[Region, str] = {"navigation": "nav", "footer": "footer"}
_ROLES: dict[str, Region] = {"navigation": "navigation", "contentinfo": "footer"}
_IDS: dict[str, Region] = {
    "menu": "navigation",
    "nav": "navigation",
    "sidebar": "navigation",
    "footer": "footer",
    "site-footer": "footer",
}
_CLASSES: dict[str, Region] = {
    **dict.fromkeys("breadcrumb breadcrumbs menu nav navbar sidebar".split(), "navigation"),
    **dict.fromkeys("footer site-footer".split(), "footer"),
    **dict.fromkeys(
        "nav-links page-numbers pager pagination paginator paging".split(), "pagination"
    ),
}
_CLASS_NAMES = frozenset(_CLASSES)
_REGIONS: tuple[Region, ...] = ("navigation", "footer", "pagination")
"""From the weakest: a pager in a footer makes its links pagination."""
_TURNS = frozenset(
    "«|»|‹|›|<|>|←|→|next|next page|prev|prev page|previous|previous page|"
    "older post|older posts|newer post|newer posts".split("|")
)
"""The texts of links that turn a page, besides numbers."""
_LONGEST_TURN = max(map(len, _TURNS))
_RELATIONS = frozenset(("next", "prev", "previous"))


def gather_links(tree: Tree, classed: Classed | None = None) -> list[LinkSite]:
    """Every ``<a href>`` with its text and the region of the page it stands in.

    The region is ``content`` unless a menu, a footer or a pager holds the link; what the content
    engine removes becomes ``navigation`` later.

    Args:
        tree: the page, which is only read.
        classed: its elements that have classes, where somebody has found them already.
    """
    by_region = _regions(tree, classed or find_classed(tree))
    sites: list[LinkSite] = []
    for element in tree.select("a[href]")[:MAX_LINKS]:
        href = (element.attr("href") or "").strip()
        if not href or (href[0] in _NOWHERE_STARTS and href.startswith(_NOWHERE)):
            continue
        text = " ".join(element.text.split())
        if not text or len(text) > _LONG:
            text = _other_text(element, text)
        rel = element.attr("rel") or ""
        region = by_region.get(element, "content")
        if (rel or len(text) <= _LONGEST_TURN) and region != "footer" and _is_turning(rel, text):
            region = "pagination"
        sites.append((element, href, text, rel, region))
    return sites


def _other_text(element: Element, text: str) -> str:
    """The text of a link that holds a story, or of one that holds a picture only."""
    if text:
        text = flat_text(element, _LONG)
    return text or _picture_text(element)


def _regions(tree: Tree, classed: Classed) -> dict[Element, Region]:
    """The region of every link that is not content, by the strongest ancestor."""
    found: dict[Element, Region] = {}
    holders = _holders(tree, classed)
    for region in _REGIONS:
        for holder in _outermost(holders[region]):
            if holder.tag == "a":
                found[holder] = region
            for link in holder.iter_elements("a"):
                found[link] = region
    return found


def _holders(tree: Tree, classed: Classed) -> dict[Region, set[Element]]:
    """The elements that make a region, by tag, role, id or class."""
    found: dict[Region, set[Element]] = {region: set() for region in _REGIONS}
    for region, tag in _TAGS.items():
        found[region].update(tree.find_all(tag))
    for element in tree.select("[role]"):
        if region := _ROLES.get(element.attr("role") or ""):
            found[region].add(element)
    elements, names = classed
    for element, name in compress(
        zip(names.bearers, names.ids, strict=True), map(_IDS.__contains__, names.ids)
    ):
        found[_IDS[name]].add(element)
    telling = {
        spelt: named
        for spelt in names.spellings
        if (named := _CLASS_NAMES.intersection(spelt.split()))
    }
    for place in compress(count(), map(telling.__contains__, names.classes)):
        for name in telling[names.classes[place]]:
            found[_CLASSES[name]].add(elements[place])
    return found


def _outermost(elements: set[Element]) -> list[Element]:
    """The elements that no other of them holds, so that nested ones are not walked twice."""
    return [element for element in elements if not _held(element, elements)]


def _held(element: Element, holders: set[Element]) -> bool:
    return any(
        ancestor in holders for ancestor, _ in zip(element.ancestors, range(300), strict=False)
    )


def _is_turning(rel: str, text: str) -> bool:
    if rel and not _RELATIONS.isdisjoint(rel.lower().split()):
        return True
    return text.lower() in _TURNS or (len(text) < 5 and text.isdecimal())


def _picture_text(element: Element) -> str:
    image = element.find("img")
    label = (
        element.attr("aria-label")
        or element.attr("title")
        or (image.attr("alt") if image is not None else "")
    )
    return " ".join((label or "").split())[:300]
