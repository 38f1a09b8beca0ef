"""The picture of the story: one of the content that has evidence for it, else the declared one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.dom import Element, Text
from pageloom.core.lazy_regex import lazy_regex
from pageloom.core.picture_names import same_picture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.pictures import Pictures
    from pageloom.model import Image

SMALLEST = 50
"""Pixels on a side under which a picture is no hero."""
_PORTRAIT = 200
"""Pixels up to which a square picture is a portrait or a badge."""
_LARGE = 480
"""Pixels on the longer side from which a picture is large for certain."""
_LEAD = 400
"""Characters of text that may stand before a picture that leads the story."""
_LEVELS = 6
_MARKS = (
    r"icons?|avatars?|authors?|gravatar|logos?|badges?|shar(?:e|ing)|placeholders?|counters?|sprites?"
    r"|emojis?|smil(?:ey|ies)|headshots?|profile|arrows?|buttons?|btn|flags?|pinterest|facebook|twitter"
    r"|whatsapp|linkedin|instagram|youtube|adserver|ads|advert\w*|cta|qr-?code"
)
_UNFIT_ADDRESS = lazy_regex(rf"\.svg(?:[?#]|$)|(?<![a-z])(?:{_MARKS})(?![a-z])")
"""In the last part of a URL and the folder before it, in lower case."""
_UNFIT_PLACE = lazy_regex(
    r"author|avatar|byline|\bbio\b|profile|shar(?:e|ing)|social|related|teaser|promo|newsletter|sponsor"
    r"|advert|\bads?\b|logo|\bicon|badge|recommend|popular|sidebar|\bcta\b|comment|\bcards?\b|signup|subscribe"
)
_LEADING = lazy_regex(
    r"featured?(?:[-_ ]|$)|hero|lead|post-?thumbnail|wp-post-image|main-?image|cover|headline"
    r"|header|masthead|title|banner|opener|aufmacher|top-?(?:image|media)"
)
_PICTURE_FILE = lazy_regex(r"\.(?:jpe?g|png|webp|gif|avif)(?:[?#/]|$)")
_GENERIC = lazy_regex(
    r"(?<![a-z])(?:logos?|default|placeholder|favicon|no-?image|apple-touch-icon|site-?icon)(?![a-z])"
)
"""What a whole site declares for every page, by the name of its file."""


def hero_of(
    root: Element, images: tuple[Image, ...], declared: tuple[str, ...], pictures: Pictures
) -> str:
    """The URL of the picture that stands for the page; empty when there is none.

    A picture at the beginning of the content that is large or called the leading one goes before
    what the page declares. Where both are the same picture in two sizes, it is the declared one.

    Args:
        root: the content.
        images: its pictures.
        declared: absolute URLs such as og:image, the best first.
        pictures: those of the tree.
    """
    stated = declared[0] if declared else ""
    known = {image.url: image for image in images}
    generic = not stated or is_generic(stated)
    for element in _in_order(root, _LEAD if stated else None):
        picture = pictures.of(element)
        image = known.get(picture.url) if picture is not None else None
        if image is None or not is_fit(image) or _stands_aside(element, root):
            continue
        if stated and same_picture(image.url, stated):
            return stated
        if generic or _leads(element, image):
            return image.url
    return stated


def is_generic(url: str) -> bool:
    """Whether a declared picture is the one that its site declares for every page."""
    return _GENERIC.search(_end_of(url).rpartition("/")[2]) is not None


def is_fit(image: Image) -> bool:
    """Whether a picture may stand for a page: no icon, no portrait, no sign."""
    sides = [side for side in (image.width, image.height) if side is not None]
    if any(side < SMALLEST for side in sides):
        return False
    if len(sides) == 2 and max(sides) <= _PORTRAIT and 4 * min(sides) >= 3 * max(sides):
        return False
    return _UNFIT_ADDRESS.search(_end_of(image.url)) is None


def _end_of(url: str) -> str:
    """The last folder and the file of a URL, in lower case, without the query."""
    return "/" + "/".join(re.split(r"[?#]", url, maxsplit=1)[0].lower().split("/")[3:][-2:])


def _in_order(root: Element, limit: int | None) -> Iterator[Element]:
    """The pictures of the content; with a limit, those before which no more text stands."""
    if limit is None:
        yield from root.iter_elements("img")
        return
    before = 0
    for node in root.descendants:
        if isinstance(node, Text):
            before += len(node.data.strip())
            if before > limit:
                return
        elif isinstance(node, Element) and node.tag == "img":
            yield node


def _stands_aside(element: Element, root: Element) -> bool:
    """Whether a picture stands in a box about its author, other stories or somebody's offer."""
    for around in _around(element, root):
        if around.tag in {"button", "aside", "footer", "nav"}:
            return True
        if _UNFIT_PLACE.search(_names(around)):
            return True
    return False


def _leads(element: Element, image: Image) -> bool:
    """Whether a picture near the beginning is called the leading one, or is large for certain.

    One that leads to another page or shop is a teaser; to its own file, it is shown larger there.
    """
    link = next((one for one in _around(element) if one.tag == "a"), None)
    href = link.attr("href") if link is not None else ""
    if href and not href.startswith("#") and not _PICTURE_FILE.search(href.lower()):
        return False
    if max(image.width or 0, image.height or 0) >= _LARGE:
        return True
    return any(_LEADING.search(_names(one)) for one in (element, *_around(element))[:4])


def _around(element: Element, root: Element | None = None) -> list[Element]:
    """The elements around one, from the inside, as far as they say something about it."""
    found: list[Element] = []
    for node in element.ancestors:
        if len(found) >= _LEVELS or node is root or not isinstance(node, Element):
            break
        if node.tag in {"body", "article", "main"}:
            break
        found.append(node)
    return found


def _names(element: Element) -> str:
    return f"{element.attr('class') or ''} {element.attr('id') or ''}".lower()[:200]
