"""Read RSS (all versions), RDF and Atom feeds and their items.

The elements are looked up by their local names: prefixes are missing, undeclared or unusual in too
many feeds to be relied on. Only the names that mean something else under their prefix keep it.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Literal

from pageloom.core.decode.media_type import ATOM, RDF
from pageloom.core.decode.plain_text import has_markup, to_line, to_name, unique
from pageloom.core.decode.xml import XmlElement, parse_xml
from pageloom.core.page_urls import absolute
from pageloom.core.parts import FeedFacts, ItemFacts

if TYPE_CHECKING:
    from collections.abc import Iterable

_ITEMS = frozenset({"item", "entry"})
_HEADS = frozenset({"channel", "feed"})
_OWN_PREFIXES = frozenset(
    "media itunes googleplay feedburner slash thr wfw sy geo georss image podcast".split()
)
_MODULES = frozenset("content dc dcterms dct atom a10 atom10 xhtml xh html rss rss1 rdf".split())
"""Prefixes whose elements mean what those of RSS and Atom mean."""
_FOREIGN = "~"
"""Before the names of elements of other namespaces, which speak only for want of the feed's own."""
_CONTENTS = ("encoded", "content", "body", "fulltext", "description", "summary")
_SUMMARIES = ("summary", "description", "itunes:summary", "itunes:subtitle")
_MAX_ITEMS = 10_000
_FEED_DEPTH = 4

Children = dict[str, list[XmlElement]]


def read_feed(text: str, *, media_type: str = "", url: str = "") -> FeedFacts:
    """Read a feed in XML; whatever is broken in it, what can be read is read.

    Args:
        text: the decoded feed.
        media_type: ``application/rss+xml``, ``application/atom+xml`` or ``application/rdf+xml``.
        url: the URL of the feed, for relative links.
    """
    root = parse_xml(text)
    head, items = _find_parts(root)
    fields = _index(head)
    base = _base_of(head, url)
    site = _find_link(fields, base) or ""
    language = _read(fields, "language") or head.attributes.get("xml:lang", "")
    authors = _read_authors(fields)
    return FeedFacts(
        kind=_name_kind(media_type),
        title=_read_line(fields, "title"),
        description=_read_line(fields, "description", "subtitle", "tagline", "itunes:summary"),
        link=site,
        language=language,
        authors=authors,
        categories=_read_categories(fields),
        published=_read(fields, "pubdate", "published", "date"),
        modified=_read(fields, "lastbuilddate", "updated", "modified"),
        image=_find_feed_image(fields, base),
        items=tuple(_read_item(item, base or site, authors) for item in items[:_MAX_ITEMS]),
    )


def _name_kind(media_type: str) -> Literal["rss", "atom", "rdf"]:
    return "atom" if media_type == ATOM else "rdf" if media_type == RDF else "rss"


def _find_parts(root: XmlElement) -> tuple[XmlElement, list[XmlElement]]:
    """The element that describes the feed, and the items wherever they are."""
    head: XmlElement | None = None
    items: list[XmlElement] = []
    todo = [(root, 0)]
    while todo:
        element, depth = todo.pop()
        if element.local in _ITEMS:
            items.append(element)
        elif element.local in _HEADS and head is None:
            head = element
        if depth < _FEED_DEPTH or element.local in _ITEMS:
            # An item inside an item is one whose end tag is missing.
            wanted = [
                child
                for child in element.elements()
                if element.local not in _ITEMS or child.local in _ITEMS
            ]
            todo.extend((child, depth + 1) for child in reversed(wanted))
    return head or next(root.elements(), root), items


def _index(element: XmlElement) -> Children:
    """The child elements by name; those without a prefix first."""
    index: Children = {}
    later: list[XmlElement] = []
    _mend_links(element)
    for child in element.elements():
        prefix = child.name.rpartition(":")[0]
        if prefix in _OWN_PREFIXES:
            index.setdefault(child.name, []).append(child)
        elif prefix:
            later.append(child)
        else:
            index.setdefault(child.name, []).append(child)
    is_own = bool(index)
    for child in later:
        foreign = is_own and child.name.rpartition(":")[0] not in _MODULES
        index.setdefault(f"{_FOREIGN if foreign else ''}{child.local}", []).append(child)
    return index


def _mend_links(element: XmlElement) -> None:
    """Put back what a tool for HTML made of a link: ``<link/>https://a.example/1``."""
    pairs = zip(element.children, element.children[1:], strict=False)
    for link, after in pairs:
        if isinstance(link, XmlElement) and link.name == "link" and isinstance(after, str):
            is_bare = not link.attributes and not link.children
            if is_bare and after.lstrip().startswith("http"):
                link.children.append(after)


def _all(fields: Children, *names: str) -> Iterable[XmlElement]:
    keys = (*names, *(f"{_FOREIGN}{name}" for name in names))
    return (element for key in keys for element in fields.get(key, ()))


def _read(fields: Children, *names: str) -> str:
    """The text of the first element of these names that has any."""
    return next((text for element in _all(fields, *names) if (text := element.text().strip())), "")


def _read_line(fields: Children, *names: str) -> str:
    for element in _all(fields, *names):
        line = to_line(element.text(), markup=element.attributes.get("type") != "text")
        if line:
            return line
    return ""


def _base_of(element: XmlElement, base: str) -> str:
    own = element.attributes.get("xml:base", "")
    return (absolute(own, base) or base) if own else base


def _read_item(item: XmlElement, base: str, feed_authors: tuple[str, ...]) -> ItemFacts:
    fields = _index(item)
    base = _base_of(item, base)
    content = _find_content(fields)
    html, text = _write_content(content) if content else ("", "")
    shorter = [name for name in _SUMMARIES if not content or name != content.local]
    stated = _read(fields, "published", "pubdate", "issued", "date", "created", "available")
    modified = _read(fields, "updated", "modified")
    link = _find_link(fields, base)
    return ItemFacts(
        title=_read_line(fields, "title", "media:title", "itunes:title"),
        link=link,
        id=_read(fields, "guid", "id", "identifier")
        or item.attributes.get("rdf:about", "")
        or link,
        authors=_read_authors(fields) or feed_authors,
        published=stated or modified,
        modified=modified,
        html=html,
        text=text,
        summary=_read_line(fields, *shorter),
        categories=_read_categories(fields),
        image=_find_image(fields, base),
        language=item.attributes.get("xml:lang", "") or _read(fields, "language"),
        base=_content_base(content, base) or link or base,
    )


def _find_link(fields: Children, base: str) -> str:
    """The page an item or a feed stands for, absolute where that can be made."""
    for candidate in _links(fields):
        found = absolute(candidate, base)
        if found:
            return found
    return ""


def _links(fields: Children) -> Iterable[str]:
    yield _read(fields, "feedburner:origlink")
    links = fields.get("link", [])
    for element in links:
        if element.attributes.get("rel", "alternate") == "alternate":
            yield element.attributes.get("href", "") or element.text().strip()
    for element in fields.get("guid", []):
        if element.attributes.get("ispermalink", "true").lower() != "false":
            text = element.text().strip()
            yield text if text.startswith("http") else ""
    yield _read(fields, "url", "origlink")
    for element in links:
        if element.attributes.get("rel") not in {
            "self",
            "hub",
            "enclosure",
            "next",
            "prev",
            "edit",
        }:
            yield element.attributes.get("href", "")


def _find_content(fields: Children) -> XmlElement | None:
    """The element with the fullest content."""
    for element in _all(fields, *_CONTENTS):
        if not element.attributes.get("src") and element.text().strip():
            return element
    return None


def _content_base(content: XmlElement | None, base: str) -> str:
    return _base_of(content, base) if content and "xml:base" in content.attributes else ""


def _write_content(element: XmlElement) -> tuple[str, str]:
    """Content as HTML, or else as text."""
    content = (_write_children(element) if _holds_elements(element) else element.text()).strip()
    is_text = element.attributes.get("type", "") in {"text", "text/plain"}
    if is_text or not (has_markup(content) or "&" in content):
        return "", content
    return content, ""


def _holds_elements(element: XmlElement) -> bool:
    return next(element.elements(), None) is not None


def _write_children(element: XmlElement) -> str:
    """XHTML written out again as HTML."""
    pieces: list[str] = []
    todo: list[XmlElement | str | None] = list(reversed(element.children))
    closing: list[str] = []
    while todo:
        node = todo.pop()
        if node is None:
            pieces.append(closing.pop())
        elif isinstance(node, str):
            pieces.append(escape(node, quote=False))
        else:
            pieces.append(_start_tag(node))
            closing.append("" if node.local in _VOID else f"</{node.local}>")
            todo.append(None)
            todo.extend(reversed(node.children))
    return "".join(pieces)


_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())


def _start_tag(element: XmlElement) -> str:
    attributes = "".join(
        f' {name}="{escape(value)}"'
        for name, value in element.attributes.items()
        if not name.startswith("xmlns")
    )
    return f"<{element.local}{attributes}>"


def _read_authors(fields: Children) -> tuple[str, ...]:
    names: list[str] = []
    for element in _all(fields, "author", "creator", "itunes:author", "googleplay:author"):
        inner = _index(element)
        name = _read(inner, "name") if inner else element.text()
        names.append(to_name(name))
    return unique(names)


def _read_categories(fields: Children) -> tuple[str, ...]:
    names: list[str] = []
    for element in _all(fields, "category", "subject", "itunes:category", "media:category"):
        given = element.attributes
        names.append(to_line(given.get("label") or element.text().strip() or given.get("term", "")))
        names.append(to_line(given.get("text", "")))
    for keywords in _all(fields, "keywords", "media:keywords", "itunes:keywords", "tags"):
        names.extend(to_line(word) for word in keywords.text().split(","))
    return unique(names)


def _group(fields: Children, name: str) -> list[XmlElement]:
    groups = fields.get("media:group", [])
    return [element for group in groups for element in _all(_index(group), name)]


def _find_image(fields: Children, base: str) -> str:
    for element in [
        *_all(fields, "media:thumbnail", "itunes:image"),
        *_group(fields, "media:thumbnail"),
        *fields.get("media:content", []),
        *fields.get("enclosure", []),
    ]:
        given = element.attributes
        kind = given.get("medium") or given.get("type", "")
        if element.local in {"thumbnail", "image"} or kind.startswith("image"):
            found = absolute(given.get("url") or given.get("href") or "", base)
            if found:
                return found
    return ""


def _find_feed_image(fields: Children, base: str) -> str:
    for element in _all(fields, "image", "logo", "icon", "itunes:image"):
        inner = _read(_index(element), "url")
        given = element.attributes
        address = inner or given.get("href") or given.get("rdf:resource") or element.text().strip()
        found = absolute(address, base)
        if found:
            return found
    return ""
