"""What the metadata readers want to look at, set aside in a few looks at the whole tree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress, islice
from typing import TYPE_CHECKING, Any, Literal

from pageloom.core.dom import Element, Text, class_attributes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Node, Tree

Place = tuple[int, Element]
"""An element and its number in document order, or how far from the headline it stands."""

_Standing = Literal["aside", "room", "within"]
Standings = dict[Element, _Standing]
"""What elements on the way up make of those in them, as far as was asked."""

MAX_PER_KIND = 120
"""Elements kept per kind; a page with more of them is a list of other things."""

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
"""One part of each kind's is in whatever its pattern finds, and is found in a tenth of the time."""
_HINT = re.compile(
    r"a(?:uth?or|vailab)|by-?line|writer|c(?:ontributor|rumb)|r(?:edakt|ating)|username|t(?:ime|ag|opic)"
    r"|p(?:oste|ubli|r(?:ic|ix|e(?:is|cio|mium-))|aywall)|dat(?:e|um)|fecha|keyword|-meta"
    r"|s(?:t(?:ar|o[ck])|old|ubscri)"
)
"""What every name of interest contains: one cheap look spares most names the patterns above.

One branch for each first letter: tried at every place of every name, that takes half the time.
"""
_ASIDE = re.compile(
    r"c(?:omment|arousel|ross-?sell)|re(?:lated|commend|ply|plies|sponses?\b|ad-?next)|footer|widget"
    r"|s(?:ide-?bar|lider|ee-?also|imilar)|m(?:enu|o(?:st-(?:read|popular)|re-(?:from|stories|news)))"
    r"|t(?:rending|easer)|promo|n(?:ewsletter|av(?:bar|(?<=\bnav)\b))|disqus|upsell|you-?may"
)
_ASIDE_TAGS = frozenset(("aside", "footer", "nav"))
_ASIDE_LEVELS = 14
_ROOMS = frozenset(("body", "article", "main"))
"""Where the way up ends: what stands around the article does not make its byline a side matter."""
_UNSEEN = frozenset(("script", "style", "template", "noscript", "option", "desc"))
_PARTING_TAGS = frozenset(("br", "div", "p", "li", "h1", "h2", "h3", "h4", "svg"))
_PARTING: list[Any] = [*sorted(_PARTING_TAGS), "script", "style", "noscript", "template"]
_NAME_LENGTH = 400
_FARTHEST = 601
"""Nodes walked from the headline in search of texts."""


@dataclass(slots=True)
class Survey:
    """What was set aside, each list in document order."""

    tree: Tree
    kinds: dict[str, list[Element]] = field(default_factory=dict[str, list[Element]])
    props: list[tuple[str, Element]] = field(default_factory=list[tuple[str, Element]])
    """Elements with an ``itemprop``, and its value."""
    classes: frozenset[str] = frozenset()
    """The class attributes of the page, each spelling once."""
    standings: Standings = field(default_factory=dict[Element, _Standing])
    _every: list[Element] = field(default_factory=list[Element])

    def tag(self, name: str) -> list[Element]:
        """The elements of one tag; the parser has them at hand."""
        return self.tree.find_all(name)[:_MOST_PER_TAG]

    def kind(self, name: str) -> list[Element]:
        """The elements whose class or id speaks of one kind."""
        return self.kinds.get(name, [])

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
        here = self.places([headline])[0][0] if headline is not None else 0
        return [(number - here, element) for number, element in self.places(elements)]

    def is_aside(self, element: Element) -> bool:
        """Whether an element stands in comments, related stories, a sidebar, a footer or a menu."""
        return is_aside(element, self.standings)


def survey(tree: Tree, classes: list[str] | None = None) -> Survey:
    """Set aside the few elements of which every later question is asked.

    What is looked for is asked of the parser, in its own code, for the whole page at once; only
    what it found is looked at here.

    Args:
        tree: the page, which is only read.
        classes: the class attributes in it, where somebody has read them already.
    """
    classes = class_attributes(tree) if classes is None else classes
    found = Survey(tree, classes=frozenset(classes))
    found.kinds = _by_kind(tree.select("[class]"), classes, found.classes)
    plain = tree.select("[id]:not([class])")
    ids = [element.attr("id") or "" for element in plain]
    for kind, elements in _by_kind(plain, ids, frozenset(ids)).items():
        found.kinds[kind] = _merged(found, found.kind(kind), elements)
    found.props = [
        (name.lower(), element)
        for element in tree.select("[itemprop]")[:1_000]
        if (name := element.attr("itemprop"))
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
    telling = {names: kinds for names in distinct if (kinds := kinds_of(names))}
    found: dict[str, list[Element]] = {}
    for element, names in compress(
        zip(elements, spelt, strict=False), map(telling.__contains__, spelt)
    ):
        for kind in telling[names]:
            kept = found.setdefault(kind, [])
            if len(kept) < MAX_PER_KIND:
                kept.append(element)
    return found


@lru_cache(maxsize=8_192)
def kinds_of(names: str) -> tuple[str, ...]:
    """What a class attribute speaks of: ``("author", "date")`` for ``byline post-date``."""
    folded = names[:_NAME_LENGTH].lower()
    if not _HINT.search(folded):
        return ()
    likely = dict.fromkeys([kind for part, kind in _PARTS if part in folded])
    return tuple([kind for kind in likely if _KINDS[kind].search(folded)])


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
    if tag in _ASIDE_TAGS or _is_aside_name(element.attr("class"), element.attr("id")):
        return "aside"
    return "within"


@lru_cache(maxsize=8_192)
def _is_aside_name(classes: str | None, name: str | None) -> bool:
    if not classes and not name:
        return False
    return _ASIDE.search(f"{classes or ''} {name or ''}"[:_NAME_LENGTH].lower()) is not None


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
    if not isinstance(parent, Element):
        return False
    if parent.tag == "title":  # the name of a drawing
        return parent.closest("svg") is not None
    return parent.tag in _UNSEEN
