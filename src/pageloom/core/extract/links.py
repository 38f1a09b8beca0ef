"""Collect the links of a page with their regions, before anything is removed."""

from __future__ import annotations

from itertools import compress, islice
from typing import TYPE_CHECKING, Final

from pageloom.core.extract.naming import REGION_CLASSES, find_named
from pageloom.core.extract.survey import flat_text

if TYPE_CHECKING:
    from pageloom.core.dom import Element, Tree
    from pageloom.core.extract.naming import Named
    from pageloom.core.parts import LinkSite
    from pageloom.model import Region

MAX_LINKS: Final = 20_000
_LONG: Final = 300
_MOST_ANCESTORS: Final = 300
_NOWHERE = ("#", "javascript:", "mailto:", "tel:", "data:")
_NOWHERE_STARTS: Final = frozenset(start[0] for start in _NOWHERE)

_TAGS: Final[dict[Region, str]] = {"navigation": "nav", "footer": "footer"}
_ROLES: Final[dict[str, Region]] = {"navigation": "navigation", "contentinfo": "footer"}
_IDS: Final[dict[str, Region]] = {
    "menu": "navigation",
    "nav": "navigation",
    "sidebar": "navigation",
    "footer": "footer",
    "site-footer": "footer",
}
_CLASS_NAMES: Final = frozenset(REGION_CLASSES)
_REGIONS: Final[tuple[Region, ...]] = ("navigation", "footer", "pagination")
"""From the weakest: a pager in a footer makes its links pagination."""
_TURNS: Final = frozenset(
    "«|»|‹|›|<|>|←|→|next|next page|prev|prev page|previous|previous page|"
    "older post|older posts|newer post|newer posts".split("|")
)
"""The texts of links that turn a page, besides numbers."""
_LONGEST_TURN: Final = max(map(len, _TURNS))
_RELATIONS: Final = frozenset(("next", "prev", "previous"))


def gather_links(tree: Tree, named: Named | None = None) -> list[LinkSite]:
    """Every ``<a href>`` with its text and the region of the page it stands in.

    The region is ``content`` unless a menu, a footer or a pager holds the link; what the content
    engine removes becomes ``navigation`` later.

    Args:
        tree: the page, which is only read.
        named: its elements with telling names, where somebody has found them already.
    """
    by_region = _regions(tree, named or find_named(tree))
    related = iter(tree.select("a[href][rel]"))  # few: asking each link would take longer
    next_related = next(related, None)
    sites: list[LinkSite] = []
    for element in tree.select("a[href]")[:MAX_LINKS]:
        rel = ""
        if element == next_related:
            rel = element.attr("rel") or ""
            next_related = next(related, None)
        href = (element.attr("href") or "").strip()
        if not href or (href[0] in _NOWHERE_STARTS and href.startswith(_NOWHERE)):
            continue
        text = " ".join(element.text.split())
        if not text or len(text) > _LONG:
            text = _other_text(element, text)
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


def _regions(tree: Tree, named: Named) -> dict[Element, Region]:
    """The region of every link that is not content, by the strongest ancestor."""
    found: dict[Element, Region] = {}
    holders = _holders(tree, named)
    for region in _REGIONS:
        for holder in _outermost(holders[region]):
            if holder.tag == "a":
                found[holder] = region
            found.update(dict.fromkeys(holder.iter_elements("a"), region))
    return found


def _holders(tree: Tree, named: Named) -> dict[Region, set[Element]]:
    """The elements that make a region, by tag, role, id or class."""
    found: dict[Region, set[Element]] = {region: set() for region in _REGIONS}
    for region, tag in _TAGS.items():
        found[region].update(tree.find_all(tag))
    for element in named.marked:
        if role := _ROLES.get(element.attr("role") or ""):
            found[role].add(element)
    bearers, ids = named.names.bearers, named.names.ids
    for element, name in compress(zip(bearers, ids, strict=True), map(_IDS.__contains__, ids)):
        found[_IDS[name]].add(element)
    telling = {classes for classes, kinds in named.telling.items() if "region" in kinds}
    pairs = zip(named.elements, named.classes, strict=True)
    for element, classes in compress(pairs, map(telling.__contains__, named.classes)):
        for name in _CLASS_NAMES.intersection(classes.split()):
            found[REGION_CLASSES[name]].add(element)
    return found


def _outermost(elements: set[Element]) -> list[Element]:
    """The elements that no other of them holds, so that nested ones are not walked twice."""
    return [
        element
        for element in elements
        if elements.isdisjoint(islice(element.ancestors, _MOST_ANCESTORS))
    ]


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
