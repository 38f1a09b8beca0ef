"""The links of a page where they stand, before anything is removed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from pageloom.core.dom import class_attributes
from pageloom.core.extract.survey import flat_text
from pageloom.core.parts import LinkSite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from pageloom.core.dom import Element, Tree
    from pageloom.model import Region

MAX_LINKS = 20_000
_LONG = 300
_NOWHERE = ("#", "javascript:", "mailto:", "tel:", "data:")
_NOWHERE_STARTS = frozenset(start[0] for start in _NOWHERE)

_SELECTORS: tuple[tuple[Region, str], ...] = (
    ("navigation", "nav,[role=navigation],[id]:is(#menu,#nav,#sidebar)"),
    ("footer", "footer,[role=contentinfo],[id]:is(#footer,#site-footer)"),
    ("pagination", ""),
)
"""What makes a region, from the weakest: a pager in a footer makes its links pagination.

Most elements have no id at all: to ask for one first is faster than to compare with each.
"""
_CLASSES: dict[Region, tuple[str, ...]] = {
    "navigation": ("breadcrumb", "breadcrumbs", "menu", "nav", "navbar", "sidebar"),
    "footer": ("footer", "site-footer"),
    "pagination": ("nav-links", "page-numbers", "pager", "pagination", "paginator", "paging"),
}
_TURNS = frozenset(
    "«|»|‹|›|<|>|←|→|next|next page|prev|prev page|previous|previous page|"
    "older post|older posts|newer post|newer posts".split("|")
)
"""The texts of links that turn a page, besides numbers."""
_LONGEST_TURN = max(map(len, _TURNS))
_RELATIONS = frozenset(("next", "prev", "previous"))
# A NamedTuple's own constructor takes twice as long, and a page has hundreds of links.
_make = cast("Callable[..., Any]", tuple.__new__)  # pyright: ignore[reportUnknownMemberType]
_make_site: Callable[[tuple[Element, str, str, str, Region]], LinkSite] = partial(_make, LinkSite)


def gather_links(tree: Tree, classes: frozenset[str] | None = None) -> list[LinkSite]:
    """Every ``<a href>`` with its text and the region of the page it stands in.

    The region is ``content`` unless a menu, a footer or a pager holds the link; what the content
    engine removes becomes ``navigation`` later.

    Args:
        tree: the page, which is only read.
        classes: the class attributes in it, where somebody has collected them already.
    """
    by_region = _regions(tree, frozenset(class_attributes(tree)) if classes is None else classes)
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
        sites.append(_make_site((element, href, text, rel, region)))
    return sites


def _other_text(element: Element, text: str) -> str:
    """The text of a link that holds a story, or of one that holds a picture only."""
    if text:
        text = flat_text(element, _LONG)
    return text or _picture_text(element)


def _regions(tree: Tree, classes: frozenset[str]) -> dict[Element, Region]:
    """The region of every link that is not content, by the strongest ancestor."""
    found: dict[Element, Region] = {}
    selectors = list(_selectors(classes))
    # one search for all and a look at what it found is faster than a search for each
    holders = tree.select(",".join(selector for _, selector in selectors))
    for region, selector in selectors:
        for holder in _outermost([one for one in holders if one.matches(selector)]):
            if holder.tag == "a":
                found[holder] = region
            for link in holder.iter_elements("a"):
                found[link] = region
    return found


def _selectors(classes: frozenset[str]) -> Iterator[tuple[Region, str]]:
    """What to look for: of the classes only those on the page, for each costs a whole search."""
    used = f" {' '.join(classes)} "
    for space in "\t\n\f\r":
        used = used.replace(space, " ")
    for region, selector in _SELECTORS:
        by_class = [f".{name}" for name in _CLASSES[region] if f" {name} " in used]
        wanted = ",".join(filter(None, (selector, *by_class)))
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
    return text.lower() in _TURNS or (len(text) < 5 and text.isdecimal())


def _picture_text(element: Element) -> str:
    image = element.find("img")
    label = (
        element.attr("aria-label")
        or element.attr("title")
        or (image.attr("alt") if image is not None else "")
    )
    return " ".join((label or "").split())[:300]
