"""Join an article of several pages into one page.

Whoever fetched them puts each further page at the end of the first, as ``<pageloom-page>``. So the
joined page is a page like any other: it can be kept, and read again without any network. Joining
is done where the engine is not loaded, so this module loads it only when it is used.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Element, Tree
    from pageloom.core.parts import Content

TAG = "pageloom-page"
_END = f"</{TAG}>"
_LAST = 40
"""Characters at the end of a joined page, among which that is."""


def join_pages(body: bytes, further: Iterable[tuple[str, str]]) -> bytes:
    """The first page's bytes with the clean HTML of further pages (URL, HTML) behind them.

    What is added is ASCII, which is the same in nearly every encoding that a page may have.
    """
    pieces = [
        f'<{TAG} data-url="{escape(url)}">{html}{_END}\n'.encode("ascii", "xmlcharrefreplace")
        for url, html in further
    ]
    return b"".join((body, b"\n", *pieces))


def take_pages(tree: Tree, markup: str) -> list[Element]:
    """Take the further pages out of the tree, in order.

    Args:
        tree: the page.
        markup: the same as text, the end of which tells whether there are any.
    """
    if _END not in markup[-_LAST:]:
        return []
    from pageloom.core.dom import css

    pages = [page for page in css(tree, TAG) if page.closest(f"{TAG} {TAG}") is None]
    for page in pages:
        page.extract()
    return pages


def add_pages(content: Content, pages: list[Element], titles: set[str], *, alts: bool) -> Content:
    """The content with that of further pages; a headline that is printed on each comes once."""
    from pageloom.core.extract.content import recount

    known = titles | {_words(heading) for heading in content.root.select("h1, h2")}
    for page in pages:
        for heading in page.select("h1, h2")[:2]:
            if _words(heading) in known:
                heading.extract()
        for node in list(page.children):
            content.root.append(node.extract())
    return recount(content, content.root, alts=alts)


def headlines(tree: Tree) -> set[str]:
    """What the page's own headlines say, before anything is cut."""
    from pageloom.core.dom import css

    return {_words(heading) for heading in css(tree, "h1")}


def _words(element: Element) -> str:
    return " ".join(element.text.split()).casefold()
