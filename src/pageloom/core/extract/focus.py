"""Scope and ignore: reduce a page to the parts that the user's selectors choose.

Selectors are CSS, or XPath behind ``xpath:``. What is chosen is content as it stands: no block of
it is weighed. Outside of it only the title is kept, so that nothing else on the page can matter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pageloom.core.dom import Element
from pageloom.errors import NoContentFound, SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.core.dom import Tree
    from pageloom.core.parts import DecodedPage

_XPATH = "xpath:"
_SPEAKS_FOR_THE_PAGE = "meta, script, noscript, link[rel=canonical]"


def pass_over(source: DecodedPage, ignored: Sequence[str]) -> DecodedPage:
    """The page without what is to be ignored."""
    found = [element for selector in ignored for element in find(source.tree, selector)]
    for element in found:
        if element.tag not in ("html", "body"):
            element.decompose()
    if not ignored:
        return source
    return replace(source, notes=(*source.notes, f"ignored: {len(found)} elements"))


def focus(source: DecodedPage, scope: Sequence[str]) -> DecodedPage:
    """The page with nothing but its title and the chosen parts, in the order of the page.

    Raises:
        NoContentFound: nothing on the page was chosen.
    """
    found = [element for selector in scope for element in find(source.tree, selector)]
    chosen = _outermost(found, source.tree)
    body = source.tree.select_one("body")
    if not chosen or body is None:
        raise NoContentFound(
            "No element of the page matches the scope.",
            stage="extract",
            suggestions=("Check the scope's selectors: the page's markup may have changed.",),
        )
    for element in source.tree.select(_SPEAKS_FOR_THE_PAGE):
        element.decompose()
    if chosen[0].tag not in ("html", "body"):
        parts = [element.extract() for element in chosen]
        body.clear()
        body.extend(parts)
    return source


def find(tree: Tree, selector: str) -> list[Element]:
    """The elements that a selector means.

    Raises:
        SettingsError: it is no selector.
    """
    try:
        if selector.startswith(_XPATH):
            answer = tree.xpath(selector.removeprefix(_XPATH))
            found = answer if isinstance(answer, list) else []
        else:
            found = tree.select(selector)
    except ValueError as error:
        why = str(error)[:120]
        raise SettingsError(f"{selector[:80]!r} is not a valid selector: {why}.") from None
    return [element for element in found if isinstance(element, Element)]


def _outermost(elements: list[Element], tree: Tree) -> list[Element]:
    """Each once, without those that lie in another, in the order of the page."""
    chosen = set(elements)
    root = tree.root
    if root is None or not chosen:
        return []
    return [
        element
        for element in (root, *root.iter_elements())
        if element in chosen and chosen.isdisjoint(element.ancestors)
    ]
