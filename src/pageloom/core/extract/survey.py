"""Find the elements that metadata readers need, in a few searches of the whole tree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import compress, islice
from typing import TYPE_CHECKING, Any, Final, Literal

from pageloom.core.dom import Element, Text, Tree
from pageloom.core.extract.naming import find_marked, kinds_of
from pageloom.core.extract.vocabulary import NAME_LENGTH
from pageloom.core.memoize import memoize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Node
    from pageloom.core.extract.naming import Named

Place = tuple[int, Element]
"""An element and its number in document order, or how far from the headline it stands."""

_Standing = Literal["aside", "room", "within"]
Standings = dict[Element, _Standing]
"""What elements on the way up make of those in them, as far as was asked."""

MAX_PER_KIND: Final = 120
"""Elements kept per kind; a page with more of them is a list of other things."""
HEADLINE_LIMIT: Final = 300
"""Characters read of a heading."""

_MOST_PER_TAG: Final = 2_000
_MOST_PROPS: Final = 1_000
_ASIDE: Final = re.compile(
    r"c(?:omment|arousel|ross-?sell)|re(?:lated|commend|ply|plies|sponses?\b|ad-?next)|footer|widget"
    r"|s(?:ide-?bar|lider|ee-?also|imilar)|m(?:enu|o(?:st-(?:read|popular)|re-(?:from|stories|news)))"
    r"|t(?:rending|easer)|promo|n(?:ewsletter|av(?:bar|(?<=\bnav)\b))|disqus|upsell|you-?may"
)
_ASIDE_TAGS: Final = frozenset(("aside", "footer", "nav"))
_ASIDE_LEVELS: Final = 14
_ROOMS: Final = frozenset(("body", "article", "main"))
"""Where the way up ends: what stands around the article does not make its byline a side matter."""
_UNSEEN: Final = frozenset(("script", "style", "template", "noscript", "option", "desc", "title"))
_PARTING_TAGS: Final = frozenset(("br", "div", "p", "li", "h1", "h2", "h3", "h4", "svg"))
_PARTING: Final[list[Any]] = [*sorted(_PARTING_TAGS), "script", "style", "noscript", "template"]
_FARTHEST: Final = 601
"""Nodes walked from the headline in search of texts."""


@dataclass(slots=True)
class Survey:
    """What was set aside, each list in document order."""

    tree: Tree
    marked: list[Element] = field(default_factory=list[Element])
    """The elements with a role, a property or the sign of an author."""
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
        """Elements with their numbers in document order, in which most of them are."""
        if not self._every:
            self._every = self.tree.select("*")
        found: list[Place] = []
        number = 0
        for element in elements:
            try:
                number = self._every.index(element, number) + 1
            except ValueError:  # it holds one that came before it
                number = self._every.index(element) + 1
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


def survey(tree: Tree) -> Survey:
    """Set aside what is known without the names of elements.

    What is looked for is asked of the parser, in its own code, for the whole page at once; only
    what it found is looked at here.
    """
    found = Survey(tree, find_marked(tree))
    found.signed = any("rel" in element.attrs for element in found.marked)
    props = (element for element in found.marked if "itemprop" in element.attrs)
    found.props = [
        (name.lower(), element)
        for element in islice(props, _MOST_PROPS)
        if (name := element.attr("itemprop"))
    ]
    return found


def add_kinds(found: Survey, named: Named) -> None:
    """Set aside the few elements whose names tell what they are for."""
    names, telling, elements, classes, _ = named
    found.kinds = _by_kind(zip(elements, classes, strict=True), telling)
    is_plain = ["class" not in bearer.attrs for bearer in names.bearers]
    ids = list(compress(names.ids, is_plain))
    telling = kinds_of(frozenset(ids))
    plain = zip(compress(names.bearers, is_plain), ids, strict=True)
    for kind, more in _by_kind(plain, telling).items():
        found.kinds[kind] = _merged(found, found.kind(kind), more)


def _merged(found: Survey, first: list[Element], more: list[Element]) -> list[Element]:
    """Two lists as one in document order; where there are too many, the first goes before."""
    more = more[: MAX_PER_KIND - len(first)]
    if not first or not more:
        return first or more
    return [element for _, element in sorted(found.places(first) + found.places(more))]


def _by_kind(
    named: Iterable[tuple[Element, str]], telling: dict[str, tuple[str, ...]]
) -> dict[str, list[Element]]:
    """The first elements of each kind, by the names they bear."""
    found: dict[str, list[Element]] = {}
    for element, names in named:
        for kind in telling.get(names, ()):
            kept = found.setdefault(kind, [])
            if len(kept) < MAX_PER_KIND:
                kept.append(element)
    return found


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


@memoize(8_192)
def _is_aside_name(names: str) -> bool:
    return _ASIDE.search(names[:NAME_LENGTH].lower()) is not None


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
