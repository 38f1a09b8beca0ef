"""What the metadata readers want to look at, set aside in a few looks at the whole tree."""

from __future__ import annotations

import re
from bisect import bisect
from dataclasses import dataclass, field
from itertools import accumulate, compress, islice
from typing import TYPE_CHECKING, Any, Literal

from pageloom.core.dom import Element, Text, find_classed
from pageloom.core.memory import LONGEST, remember

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Classed, Node, Tree

Place = tuple[int, Element]
"""An element and its number in document order, or how far from the headline it stands."""

_Standing = Literal["aside", "room", "within"]
Standings = dict[Element, _Standing]
"""What elements on the way up make of those in them, as far as was asked."""

MAX_PER_KIND = 120
"""Elements kept per kind; a page with more of them is a list of other things."""
HEADLINE_LIMIT = 300
"""Characters read of a heading."""

_MOST_PER_TAG = 2_000
_KINDS: dict[str, re.Pattern[str]] = {
    "author": re.compile(
        r"auth?or(?!i[zst])|byline|by-line|writer|contributor|redakt|posted-?by|username|poster\b"
    ),
    "date": re.compile(r"date|(?<!some)time(?!line)|publi(?!c)|posted|-meta\b|datum|fecha"),
    "tag": re.compile(
        r"(?:^|[\s_-])(?:tags?|keywords?|topics?)(?:$|[\s_-])|tags?-?links?|tag-?list"
    ),
    "crumb": re.compile(r"crumb"),
    "price": re.compile(r"pric|preis|prix|precio"),
    "rating": re.compile(r"rating|(?:^|[\s_-])stars?(?:$|[\s_-])"),
    "stock": re.compile(r"(?:^|[\s_-])(?:sto[ck]|availab)|in-?stock|sold-?out"),
    "paywall": re.compile(
        r"paywall|premium-(?:content|box|teaser)|subscri(?:ber-only|ption-(?:wall|required))"
    ),
}
"""Kinds of elements, by what their class or id says."""
_PARTS = tuple(
    (part, kind)
    for kind, parts in {
        "author": "author autor byline by-line writer contributor redakt poste username",
        "date": "date time publi poste -meta datum fecha",
        "tag": "tag keyword topic",
        "crumb": "crumb",
        "price": "pric preis prix precio",
        "rating": "rating star",
        "stock": "stoc stok availab sold",
        "paywall": "paywall premium- subscri",
    }.items()
    for part in parts.split()
)
"""Of each kind, parts of which one is in whatever its pattern finds."""
_ASIDE = re.compile(
    r"c(?:omment|arousel|ross-?sell)|re(?:lated|commend|ply|plies|sponses?\b|ad-?next)|footer|widget"
    r"|s(?:ide-?bar|lider|ee-?also|imilar)|m(?:enu|o(?:st-(?:read|popular)|re-(?:from|stories|news)))"
    r"|t(?:rending|easer)|promo|n(?:ewsletter|av(?:bar|(?<=\bnav)\b))|disqus|upsell|you-?may"
)
_ASIDE_TAGS = frozenset(("aside", "footer", "nav"))
_ASIDE_LEVELS = 14
_ROOMS = frozenset(("body", "article", "main"))
"""Where the way up ends: what stands around the article does not make its byline a side matter."""
_UNSEEN = frozenset(("script", "style", "template", "noscript", "option", "desc", "title"))
_PARTING_TAGS = frozenset(("br", "div", "p", "li", "h1", "h2", "h3", "h4", "svg"))
_PARTING: list[Any] = [*sorted(_PARTING_TAGS), "script", "style", "noscript", "template"]
_NAME_LENGTH = 400
_MEMORY_LIMIT = 8_192
_remembered: dict[str, tuple[str, ...]] = {}
_FARTHEST = 601
"""Nodes walked from the headline in search of texts."""


@dataclass(slots=True)
class Survey:
    """What was set aside, each list in document order."""

    tree: Tree
    kinds: dict[str, list[Element]] = field(default_factory=dict[str, list[Element]])
    props: list[tuple[str, Element]] = field(default_factory=list[tuple[str, Element]])
    """Elements with an ``itemprop``, and its value."""
    signed: bool = False
    """Whether an element may have ``rel=author``."""
    standings: Standings = field(default_factory=dict[Element, _Standing])
    headings: dict[Element, str] = field(default_factory=dict[Element, str])
    _every: list[Element] = field(default_factory=list[Element])
    _here: int = 0
    """The number of the headline, once a distance to it was asked for."""

    def tag(self, name: str) -> list[Element]:
        """The elements of one tag; the parser has them at hand."""
        return self.tree.find_all(name)[:_MOST_PER_TAG]

    def kind(self, name: str) -> list[Element]:
        """The elements whose class or id speaks of one kind."""
        return self.kinds.get(name, [])

    def heading(self, element: Element) -> str:
        """The text of a heading, which is asked for as a title and in search of the headline."""
        if element not in self.headings:
            self.headings[element] = flat_text(element, HEADLINE_LIMIT)
        return self.headings[element]

    def places(self, elements: Iterable[Element]) -> list[Place]:
        """Elements that are in document order, with their numbers in it."""
        if not self._every:
            self._every = list(self.tree.iter_elements())
        found: list[Place] = []
        number = 0
        for element in elements:
            number = self._every.index(element, number) + 1
            found.append((number, element))
        return found

    def steps(self, elements: Iterable[Element], headline: Element | None) -> list[Place]:
        """How many elements after the headline each of them stands; pages without any are many."""
        elements = list(elements)
        if not elements:
            return []
        if headline is not None and not self._here:
            self._here = self.places([headline])[0][0]
        return [(number - self._here, element) for number, element in self.places(elements)]

    def is_aside(self, element: Element) -> bool:
        """Whether an element stands in comments, related stories, a sidebar, a footer or a menu."""
        return is_aside(element, self.standings)


def survey(tree: Tree, classed: Classed | None = None) -> Survey:
    """Set aside the few elements of which every later question is asked.

    What is looked for is asked of the parser, in its own code, for the whole page at once; only
    what it found is looked at here.

    Args:
        tree: the page, which is only read.
        classed: its elements that have classes, where somebody has found them already.
    """
    found = Survey(tree)
    elements, names = classed or find_classed(tree)
    found.kinds = _by_kind(elements, names.classes, names.spellings)
    is_plain = ["class" not in bearer.attrs for bearer in names.bearers]
    plain, ids = list(compress(names.bearers, is_plain)), list(compress(names.ids, is_plain))
    for kind, more in _by_kind(plain, ids, frozenset(ids)).items():
        found.kinds[kind] = _merged(found, found.kind(kind), more)
    marked = tree.select('[itemprop],[rel~="author"]')  # one look at the page for two questions
    found.signed = any(element.attr("rel") for element in marked)
    props = [element for element in marked if element.attr("itemprop") is not None]
    found.props = [
        (name.lower(), element) for element in props[:1_000] if (name := element.attr("itemprop"))
    ]
    return found


def _merged(found: Survey, first: list[Element], more: list[Element]) -> list[Element]:
    """Two lists as one in document order; where there are too many, the first goes before."""
    more = more[: MAX_PER_KIND - len(first)]
    if not first or not more:
        return first or more
    return [element for _, element in sorted(found.places(first) + found.places(more))]


def _by_kind(
    elements: list[Element], spelt: list[str], distinct: frozenset[str]
) -> dict[str, list[Element]]:
    """The first elements of each kind, by the names they bear."""
    telling = kinds_of(distinct)
    found: dict[str, list[Element]] = {}
    for element, names in compress(
        zip(elements, spelt, strict=False), map(telling.__contains__, spelt)
    ):
        for kind in telling[names]:
            kept = found.setdefault(kind, [])
            if len(kept) < MAX_PER_KIND:
                kept.append(element)
    return found


def kinds_of(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The class attributes that speak of something: ``("author", "date")`` of ``byline post-date``.

    Remembered, because the pages of a site repeat them; the memory is emptied when full.
    """
    names = list(names)
    told = list(map(_remembered.get, names))
    telling = {name: kinds for name, kinds in zip(names, told, strict=True) if kinds}
    if None in told:
        new = [name for name, kinds in zip(names, told, strict=True) if kinds is None]
        read = _read_kinds(new)
        telling |= read
        if len(_remembered) + len(new) > _MEMORY_LIMIT:
            _remembered.clear()
        short = (name for name in new if len(name) <= LONGEST)
        _remembered.update((name, read.get(name, ())) for name in islice(short, _MEMORY_LIMIT))
    return telling


def _read_kinds(names: list[str]) -> dict[str, tuple[str, ...]]:
    """The same for names not seen before: their parts are looked for in all of them at once."""
    folded = [name[:_NAME_LENGTH].lower() for name in names]
    joined = "\n".join(folded)
    ends = list(accumulate([len(name) + 1 for name in folded]))
    found: dict[int, list[str]] = {}
    for part, kind in _PARTS:
        start = joined.find(part)
        while start >= 0:
            place = bisect(ends, start)
            kinds = found.setdefault(place, [])
            if kind not in kinds and _KINDS[kind].search(folded[place]):
                kinds.append(kind)
            start = joined.find(part, ends[place])
    return {names[place]: tuple(kinds) for place, kinds in found.items()}


def is_aside(element: Element, known: Standings) -> bool:
    """The same with what is known of other elements: most ways up lead through the same few."""
    node: Node | None = element
    for _ in range(_ASIDE_LEVELS):
        if not isinstance(node, Element):
            return False
        standing = known.get(node)
        if standing is None:
            standing = known[node] = _standing(node)
        if standing != "within":
            return standing == "aside"
        node = node.parent
    return False


def _standing(element: Element) -> _Standing:
    """What an element by itself makes of those in it: nothing, where they are only within it."""
    tag = element.tag
    if tag in _ROOMS:
        return "room"
    classes, name = element.attr("class"), element.attr("id")
    if tag in _ASIDE_TAGS or (
        (classes or name) and _is_aside_name(f"{classes or ''} {name or ''}")
    ):
        return "aside"
    return "within"


@remember(8_192)
def _is_aside_name(names: str) -> bool:
    return _ASIDE.search(names[:_NAME_LENGTH].lower()) is not None


def joined_text(element: Element, limit: int = 400) -> str:
    """The texts of an element, one per line, without scripts and styles."""
    parts: list[str] = []
    length = 0
    for node in element.descendants:
        if isinstance(node, Text) and (words := node.data.split()) and not _is_unseen(node):
            text = " ".join(words)
            parts.append(text)
            length += len(text)
            if length > limit:
                break
    return "\n".join(parts)[:limit]


def flat_text(element: Element, limit: int = 400) -> str:
    """The text of an element on one line; what stands on lines of its own is parted."""
    if element.find(_PARTING) is None:
        return " ".join(element.text.split())[:limit]
    parts: list[str] = []
    for node in element.descendants:
        if isinstance(node, Text):
            if not _is_unseen(node):
                parts.append(node.data)
        elif isinstance(node, Element) and node.tag in _PARTING_TAGS:
            parts.append(" ")
    return " ".join("".join(parts).split())[:limit]


def texts_after(element: Element, count: int = 40, limit: int = 900) -> list[str]:
    """The texts that follow an element in document order."""
    return _collect(element.following, count, limit)


def texts_before(element: Element, count: int = 10, limit: int = 300) -> list[str]:
    """The texts that precede an element, in document order."""
    return _collect(element.preceding, count, limit)[::-1]


def _collect(nodes: Iterable[Node], count: int, limit: int) -> list[str]:
    parts: list[str] = []
    length = 0
    for node in islice(nodes, _FARTHEST):
        if isinstance(node, Text) and (words := node.data.split()) and not _is_unseen(node):
            text = " ".join(words)
            parts.append(text[:300])
            length += len(text)
            if len(parts) >= count or length > limit:
                break
    return parts


def _is_unseen(node: Text) -> bool:
    parent = node.parent
    if not isinstance(parent, Element) or parent.tag not in _UNSEEN:
        return False
    return parent.tag != "title" or parent.closest("svg") is not None  # the name of a drawing
