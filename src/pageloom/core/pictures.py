"""Find the image an ``<img>`` shows: lazy loading, ``srcset``, ``<picture>``, noscript."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Final, NamedTuple

from pageloom.core.dom import Element
from pageloom.core.page_urls import absolute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.core.dom import Node

LAZY_SOURCES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-actualsrc",
    "data-hi-res-src",
    "data-runner-src",
)
LAZY_SETS = ("data-srcset", "data-lazy-srcset", "data-original-set")
LAST_SOURCES = (
    "data-img-src",
    "data-image",
    "data-orig-file",
    "data-large-file",
    "data-url",
)
"""Names that scripts also use for other things: believed only for want of anything better."""
_LAZY: Final = frozenset(LAZY_SOURCES + LAZY_SETS)
_SIGN: Final = 32
"""Pixels on either side up to which a picture without words is a bullet, a tick or an arrow."""
_DRAWN: Final = re.compile(r"^data:image/svg|\.svg(?:[?#]|$)", re.IGNORECASE)
TINY: Final = 2
"""Pixels: a picture declared no larger than this on a side is a counter, not a picture."""

_MAX_SRCSET: Final = 20_000
_DESCRIPTOR: Final = re.compile(r"(\d{1,7}(?:\.\d{1,4})?)([wxh])")
_SIZED: Final = re.compile(r"\s(?:\d{2,7}w|[1-9]\d{0,2}(?:\.\d{1,4})?x)(?:[,\s]|$)")
"""A set that says how large its pictures are: then the largest of them is the best there is."""
_BLANK_NAMES: Final = "blank|spacer|transparent|1x1|lazyload"
_STAND_IN_NAMES: Final = "placeholder|pixel|clear|loading|lqip|grey|empty|loader|trans"
_ENDS: Final = r"[/_\-.=?](?:{})(?:[_\-.]|\d|$)[^/]{{0,40}}$"
_TAIL: Final = 54
"""No more of the end of the last part of a URL can be such a name."""
_EMPTY_STARTS: Final = frozenset("dDaA#")
_BLANK: Final = re.compile(_ENDS.format(_BLANK_NAMES))
_STAND_IN: Final = re.compile(_ENDS.format(f"{_BLANK_NAMES}|{_STAND_IN_NAMES}"))
_COUNTER: Final = re.compile(
    r"//(?:[^/]{0,80}\.)?(?:doubleclick\.net|facebook\.com/tr|google-analytics\.com|"
    r"scorecardresearch\.com|quantserve\.com|pixel\.wp\.com|stats\.wordpress\.com|"
    r"b\.scorecardresearch|feedburner\.com/~|feeds\.feedburner\.com/~|feedsportal\.com|"
    r"bat\.bing\.com|analytics\.twitter\.com|px\.ads\.linkedin\.com|hubspot\.com/__ptq)"
)
"""In lower case."""
_SIZE_SUFFIX: Final = re.compile(r"-\d{1,5}x\d{1,5}(?=\.[A-Za-z]{2,5}$)")
_DIGITS: Final = 5
_NUMBER: Final = re.compile(r"\s{0,8}(\d{1,5})(?:\.\d{0,6})?\s{0,8}(?:px)?\s{0,8}$")
_STYLE_SIZE: Final = re.compile(
    r"(?:^|;)\s{0,8}(width|height)\s{0,8}:\s{0,8}(\d{1,5})(?:\.\d{0,6})?px"
)


class PictureFacts(NamedTuple):
    """What the markup says about a picture besides its URL."""

    alt: str
    title: str
    width: int | None
    height: int | None


class Picture(NamedTuple):
    """A picture that a reader should see."""

    url: str
    facts: PictureFacts


class Pictures:
    """The pictures of one tree, each looked at once, however many stages ask for it.

    Only for as long as nobody changes the tree.
    """

    __slots__ = ("_known", "base_url")

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self._known: dict[Element, Picture | None] = {}

    def of(self, img: Element) -> Picture | None:
        """What an ``<img>`` shows; None when it has no URL or only counts visitors."""
        known = self._known
        if img not in known:
            url = best_image_url(img, self.base_url)
            known[img] = picture_at(url, img) if url is not None else None
        return known[img]


def picture_at(url: str, img: Element) -> Picture | None:
    """The picture that an ``<img>`` shows; None when it only counts visitors.

    That is a dot by its declared size, or the URL is that of a known counter.
    """
    width, height = _pixels(img.attr("width")), _pixels(img.attr("height"))
    is_dot = (width is not None and width <= TINY) or (height is not None and height <= TINY)
    if is_dot or _COUNTER.search(url.lower()):
        return None
    return Picture(url, _facts(img, width, height))


def best_image_url(img: Element, base_url: str = "") -> str | None:
    """The absolute http(s) URL of the picture a reader should see, or None when there is none.

    Order: what a lazy loader would put in, the largest of a ``srcset`` that tells sizes, the plain
    ``src`` unless it is a stand-in, what ``srcset`` and the ``<picture>`` around it offer besides,
    the ``<img>`` of a ``<noscript>`` beside it.
    """
    for candidate in image_candidates(img):
        url = absolute(candidate, base_url)
        if url is not None:
            return url
    return None


def image_candidates(img: Element) -> Iterator[str]:
    """The URLs an ``<img>`` offers as the page spells them, best first."""
    names = set(img.attrs)
    src = (img.attr("src") or "").strip()
    if not _LAZY.isdisjoint(names):
        yield from _from_lazy(img, names)
    offered = img.attr("srcset") or "" if "srcset" in names else ""
    if offered and _SIZED.search(offered):
        yield from largest_first(offered)
    if src and not is_stand_in(src):
        yield src
    if offered:
        yield from largest_first(offered)
    yield from _from_picture(img)
    yield from _from_noscript(img)
    for name in LAST_SOURCES:
        if name in names:
            yield from _picture_like(img.attr(name) or "")
    if src and not is_blank(src):
        yield src  # a "loading-dock.jpg" is a picture after all when nothing else is on offer


def picture_facts(img: Element) -> PictureFacts:
    """Alternative text, title, and the size in pixels where the markup states it."""
    return _facts(img, _pixels(img.attr("width")), _pixels(img.attr("height")))


def _facts(img: Element, width: int | None, height: int | None) -> PictureFacts:
    """The same, where the size in the attributes is known."""
    style = img.attr("style") if width is None or height is None else None
    if style:
        stated = dict(_STYLE_SIZE.findall(style[:500]))
        width = _pixels(stated.get("width")) if width is None else width
        height = _pixels(stated.get("height")) if height is None else height
    return PictureFacts(_line(img.attr("alt")), _line(img.attr("title")), width, height)


def _line(text: str | None) -> str:
    if not text:
        return ""
    return " ".join((unescape(text) if "&" in text else text).split())  # some escape it twice


def is_sign(img: Element) -> bool:
    """Whether the picture only marks something: a small one without words, or one on a button.

    A photograph that opens when it is pressed stands in a button too, but is neither small nor
    drawn.
    """
    facts = picture_facts(img)
    known = [size for size in (facts.width, facts.height) if size is not None]
    if known and max(known) <= _SIGN and not facts.alt:
        return True
    if img.closest("button,[role=button]") is None:
        return False
    return (bool(known) and max(known) <= 2 * _SIGN) or _DRAWN.search(
        img.attr("src") or ""
    ) is not None


def is_stand_in(src: str) -> bool:
    """Whether a URL looks like what lazy loaders show until the real picture comes."""
    return _is_empty(src) or _STAND_IN.search(_end_of(src)) is not None


def is_blank(src: str) -> bool:
    """Whether a URL surely shows nothing."""
    return _is_empty(src) or _BLANK.search(_end_of(src)) is not None


def _is_empty(src: str) -> bool:
    return src[:1] in _EMPTY_STARTS and src[:6].lower().startswith(("data:", "about:", "#"))


def _end_of(src: str) -> str:
    return "/" + src[src.rfind("/") + 1 :][-_TAIL:].lower()


def largest_first(srcset: str) -> list[str]:
    """The URLs of a ``srcset``, largest first; URLs may hold commas."""
    sized = [
        (-size, place, url)
        for place, (url, size) in enumerate(_read_srcset(srcset[:_MAX_SRCSET]))
        if url[:5].lower() != "data:"
    ]
    return [url for _, _, url in sorted(sized)]


def has_noscript_twin(noscript: Element) -> bool:
    """Whether a ``<noscript>`` only repeats the ``<img>`` beside it."""
    inside = noscript.find("img")
    if inside is None:
        return False
    src = inside.attr("src") or ""
    return any(_is_twin(node, src) for node in _elements_beside(noscript))


def _is_twin(beside: Element, src: str) -> bool:
    if beside.tag in {"img", "picture"}:
        return True
    img = beside.find("img") if beside.tag != "noscript" else None
    if img is None:
        return False
    offered = [url for url in image_candidates(img) if url != src]
    return not offered or any(_file_name(url) == _file_name(src) for url in offered)


def _file_name(url: str) -> str:
    """The name of a picture's file without the size that image servers put at its end."""
    name = url.partition("?")[0].rpartition("/")[2]
    return _SIZE_SUFFIX.sub("", name)


def _read_srcset(srcset: str) -> Iterator[tuple[str, float]]:
    """Follow the standard: a URL runs to white space; only then do commas separate."""
    pending = ""
    for word in srcset.split():
        if not pending:
            if word[0].isdigit() and _DESCRIPTOR.fullmatch(word.rstrip(",")):
                continue  # a second descriptor of the URL before
            url = word.lstrip(",")
            if url.endswith(","):
                yield url.rstrip(","), 1.0
            else:
                pending = url
            continue
        descriptor, _, rest = word.partition(",")
        yield pending, _size(descriptor)
        pending = rest
    if pending:
        yield pending, 1.0


def _size(descriptor: str) -> float:
    found = _DESCRIPTOR.fullmatch(descriptor)
    if not found:
        return 1.0
    # a density is never compared with a width in one set, so both are just numbers
    return float(found[1])


def _picture_like(value: str) -> Iterator[str]:
    value = value.strip()
    if value and len(value) < 4_000 and value[0] not in "{[<" and not is_stand_in(value):
        yield value.split()[0] if " " in value and ", " in value else value


def _from_lazy(img: Element, names: set[str]) -> Iterator[str]:
    sets = [img.attr(name) or "" for name in LAZY_SETS if name in names]
    for offered in sets:
        if _SIZED.search(offered):
            yield from largest_first(offered)
    for name in LAZY_SOURCES:
        if name in names:
            yield from _picture_like(img.attr(name) or "")
    for offered in sets:
        yield from largest_first(offered)


def _from_picture(img: Element) -> Iterator[str]:
    parent = img.parent
    if not isinstance(parent, Element) or parent.tag != "picture":
        return
    for source in parent.find_all("source", limit=20):
        for name in ("data-srcset", "srcset"):
            value = source.attr(name)
            if value:
                yield from largest_first(value)


def _from_noscript(img: Element) -> Iterator[str]:
    outer = img.parent
    places: Iterable[Node] = (img,)
    if isinstance(outer, Element) and outer.tag in {"picture", "a", "span", "div"}:
        places = (img, outer)
    for place in places:
        for node in _elements_beside(place):
            if node.tag == "noscript":
                inside = node.find("img")
                src = inside.attr("src") if inside is not None else None
                if src and not is_stand_in(src):
                    yield src


def _elements_beside(node: Node) -> Iterator[Element]:
    """The nearest element before and after, with only white space between."""
    for step in ("next_sibling", "previous_sibling"):
        beside: Node | None = getattr(node, step)
        if beside is not None and not isinstance(beside, Element) and not beside.text.strip():
            beside = getattr(beside, step)
        if isinstance(beside, Element):
            yield beside


def _pixels(value: str | None) -> int | None:
    if not value:
        return None
    if len(value) <= _DIGITS and value.isascii() and value.isdigit():
        return int(value)
    found = _NUMBER.match(value)
    return int(found[1]) if found else None
