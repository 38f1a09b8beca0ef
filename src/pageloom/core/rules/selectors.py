"""Selectors of rules: CSS, or XPath after ``xpath:``, with a limit on their cost.

Most selectors take one look at each element. Some look at all others from each: these are run only
on pages small enough for it, so that no rule can hang on any page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.dom import Element, SelectorError, css, parse, read_names, xpath
from pageloom.core.rules.selector_index import selector_keys

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Names, Node, Tree
    from pageloom.core.rules.selector_index import Key

XPATH = "xpath:"
MAX_LENGTH = 8_000
MAX_RESULTS = 5_000
BUDGET = 20_000_000
"""Looks at an element that one selector may take on one page: about a second."""
_DEEPEST = 256
_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")
_SIBLING = re.compile(r"(?:following|preceding)-sibling\s*::")
_ELSEWHERE = re.compile(r"(?:following|preceding)\s*::")
_BELOW = re.compile(r"//|(?:descendant|descendant-or-self|ancestor|ancestor-or-self)\s*::")
_FROM_TOP = re.compile(r"(?:^|[\[(,|=<>+*-]|\b(?:and|or|div|mod)\b)\s*/")


class Reach(NamedTuple):
    """How far a selector looks from each element it looks at."""

    everywhere: int = 0
    """How many times it looks at the whole page from each."""
    siblings: int = 0
    """How many times at all its siblings."""
    line: int = 0
    """How many times at all above it or below it."""

    @property
    def is_wide(self) -> bool:
        """Whether the page has to be measured before such a selector is run."""
        return any(self)


@dataclass(frozen=True, slots=True)
class Selector:
    """A selector that has been checked."""

    text: str
    """As the rule has it."""
    query: str
    is_xpath: bool
    reach: Reach
    keys: frozenset[Key] | None
    """What a page needs one of for anything to be found; None where that cannot be told."""


class Look:
    """A tree under the eyes of selectors, with its size where a selector needs to know it.

    Args:
        root: the page, or the element that holds the content.
    """

    __slots__ = (
        "_elements",
        "_widest",
        "_words",
        "candidates",
        "names",
        "protected",
        "root",
        "skipped",
    )

    def __init__(self, root: Tree | Element) -> None:
        self.root = root
        self.protected: frozenset[Element] = frozenset()
        """Elements that no action may take away or move: the scope itself."""
        self.names: Names | None = None
        """The class attributes and ids, once words were asked for."""
        self._words: Words | None = None
        self.candidates: frozenset[int] | None = None
        """The rules of any host that may match, once a book has looked for them."""
        self.skipped: list[str] = []
        """Selectors that were too dear for this page, or failed on it."""
        self._elements = -1
        self._widest = -1

    def select(self, selector: Selector) -> list[Element]:
        """The elements that a selector finds, in document order."""
        return [found for found in self.find(selector) if isinstance(found, Element)]

    def find(self, selector: Selector) -> list[Node | str]:
        """The elements, attribute values and texts that a selector finds, in document order."""
        if selector.reach.is_wide and self._cost(selector.reach) > BUDGET:
            self.skipped.append(f"{selector.text}: too slow for a page of this size")
            return []
        if self._lacks(selector):
            return []
        try:
            if not selector.is_xpath:
                return list(css(self.root, selector.query)[:MAX_RESULTS])
            return xpath(self.root, selector.query)[:MAX_RESULTS]
        except SelectorError as error:
            self.skipped.append(f"{selector.text}: {error}")
            return []

    def has(self, selector: Selector) -> bool:
        """Whether a selector finds anything."""
        if selector.is_xpath or selector.reach.is_wide:
            return bool(self.find(selector))
        if self._lacks(selector):
            return False
        return self.root.select_one(selector.query) is not None

    def _lacks(self, selector: Selector) -> bool:
        """Whether the words tell without a search that nothing will be found."""
        if self._words is None or selector.keys is None or self.root.parent is not None:
            return False
        return not self._words.have_any(selector.keys)

    def holds(self, element: Element) -> bool:
        """Whether an edit may touch the element: it lies in the scope, if there is one."""
        if not self.protected or element in self.protected:
            return True
        return not self.protected.isdisjoint(element.ancestors)

    @property
    def words(self) -> Words:
        """The words of the class and id attributes, gathered when first asked for."""
        if self._words is None:
            self.names = read_names(self.root)
            self._words = read_words(self.root, self.names)
        return self._words

    def forget_words(self) -> None:
        """Read the words anew when they are next asked for: something may have brought new ones."""
        self._words = None

    def _cost(self, reach: Reach) -> int:
        if self._elements < 0:
            self._elements = len(xpath(self.root, ".//*"))
        cost = self._elements * min(_DEEPEST, self._elements) ** reach.line
        cost *= self._elements**reach.everywhere
        if reach.siblings and cost <= BUDGET:
            cost *= self._most_children() ** reach.siblings
        return cost

    def _most_children(self) -> int:
        if self._widest < 0:
            sizes = (len(element) for element in self.root.iter_elements())
            self._widest = max(sizes, default=0)
        return self._widest


@lru_cache(maxsize=20_000)
def read_selector(text: str) -> Selector:
    """A selector, checked by trying it on a small page.

    Raises:
        SelectorError: it cannot be understood, or could never be run in bounded time.
    """
    stripped = text.strip()
    is_xpath = stripped.startswith(XPATH)
    query = stripped.removeprefix(XPATH).strip()
    if len(query) > MAX_LENGTH:
        raise SelectorError(f"longer than {MAX_LENGTH} characters")
    reach = _xpath_reach(query) if is_xpath else _css_reach(query)
    if sum(reach) > 3:
        raise SelectorError("it searches the whole page again from every element")
    _try(query, is_xpath=is_xpath)
    return Selector(stripped, query, is_xpath, reach, selector_keys(stripped))


@lru_cache(maxsize=1)
def _probe() -> Tree:
    """A small page with something of everything, to try selectors on."""
    inner = "".join(
        f"<{tag} id=i class='c d' title=t href=/ name=n content=c property=p rel=r>x</{tag}>"
        for tag in "article section div span p a h1 h2 h3 ul li figure time b i em strong".split()
    )
    table = (
        "<table class=c><tr><td>x</td></tr></table><img src=s class=c><br><iframe src=s></iframe>"
    )
    body = f"<main class='c'>{inner}<div class=c>{inner}{table}</div></main>"
    return parse(f"<html><head><title>t</title><meta name=n content=c></head><body>{body}")


def _try(query: str, *, is_xpath: bool) -> None:
    if is_xpath:
        xpath(_probe(), query)
    else:
        css(_probe(), query)


def _xpath_reach(query: str) -> Reach:
    """Count, per level of predicates, the axes that look far; the top level looks far once free."""
    everywhere = siblings = line = 0
    for level, piece in _levels(_STRINGS.sub("''", query), "[", "]"):
        if (level and _FROM_TOP.search(f"[{piece}")) or _ELSEWHERE.search(piece):
            everywhere += 1
        elif _SIBLING.search(piece):
            siblings += 1
        elif level and _BELOW.search(piece):
            line += 1
    return Reach(everywhere, siblings, line)


def _css_reach(query: str) -> Reach:
    """What stands inside ``:has()`` and its kin is looked at from each element again."""
    siblings = line = 0
    for level, piece in _levels(_STRINGS.sub("''", query), "(", ")"):
        if level and piece.count("~") - piece.count("~=") > 1:
            siblings += 1
        if level > 1:
            line += 1
    return Reach(0, siblings, line)


def _levels(query: str, opening: str, closing: str) -> list[tuple[int, str]]:
    """The text on each level of brackets, joined; nothing for levels without any."""
    pieces: dict[int, list[str]] = {0: []}
    level = 0
    for char in query:
        if char == opening:
            level += 1
            pieces.setdefault(level, []).append(" ")
        elif char == closing:
            level = max(0, level - 1)
        else:
            pieces[level].append(char)
    return [(level, "".join(chars)) for level, chars in pieces.items()]


class Words(NamedTuple):
    """The words of the class and id attributes of a page, in lower case.

    They are gathered once a page. A rule whose words are not among them is never looked at, so that
    thousands of rules cost no more than the gathering.
    """

    single: frozenset[str]
    joined: str
    """Each of them once, to look for parts of words in."""
    generator: str
    """What the page says it was made with, in lower case."""

    def have_any(self, keys: Iterable[Key]) -> bool:
        """Whether one of the keys is among them."""
        for text, kind in keys:
            if kind == "word":
                if text in self.single:
                    return True
            elif text in (self.joined if kind == "part" else self.generator):
                return True
        return False


def read_words(root: Tree | Element, names: Names) -> Words:
    """Gather them.

    Args:
        root: the page, or a part of it.
        names: its class attributes and ids.
    """
    single = frozenset(" ".join([*names.spellings, *names.ids]).lower().split())
    generators = [meta.attr("content") or "" for meta in root.select("meta[name=generator i]")]
    return Words(single, " ".join(single), "\n".join(generators).lower())
