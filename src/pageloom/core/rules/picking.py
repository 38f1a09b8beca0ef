"""Selectors for an element that somebody pointed at, and what they find on other pages.

Runs in the sandbox: pages and selectors are other people's.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.core.dom import Element, SelectorError, parse
from pageloom.core.rules.names import NAME, is_generated, lasting_stem
from pageloom.core.rules.numbered import show_numbered
from pageloom.core.rules.selectors import Look, read_selector

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pageloom.core.dom import Tree

__all__ = ["Candidate", "Picked", "find_places", "number_texts", "pick", "show_numbered"]

MOST = 8
"""So many candidates are offered."""
_MOST_TRIED = 40
_LONGEST_VALUE = 60
_SHOWN_TEXT = 200
_COMPARED_WORDS = 400
_MOST_PLACES = 200
_LIKE = 0.3
"""Of two elements that are the same at different times, at least so much of the words."""
_SPEAKING = (
    "itemprop",
    "data-testid",
    "data-test",
    "data-test-id",
    "data-qa",
    "data-component",
    "data-module",
    "data-type",
    "role",
    "rel",
    "property",
    "name",
    "aria-label",
    "aria-labelledby",
    "typeof",
    "itemtype",
)
"""Attributes whose values say what an element is for, the most lasting first."""
_MEANING = frozenset(
    "main article h1 time header footer nav aside figure form table address blockquote".split()
)
_HEADINGS = ("h2", "h3", "h4", "h5", "h6", "summary", "legend", "caption")
_TOP = frozenset(("html", "body"))
_LOOKS = re.compile(r"-?[a-z]{1,4}(?:-[a-z]{1,3})?-(?:\d{1,3}|px|xs|sm|md|lg|xl|auto|full)")
_FAR = 3
"""So many neighbours are asked for a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A selector for an element, and what it finds."""

    selector: str
    places: tuple[int, ...]
    """The numbers of the elements that it finds on the page itself."""
    versions: tuple[int, ...] = ()
    """How many elements it finds on each other version of the page; -1 for one that is not it."""
    others: tuple[int, ...] = ()
    """How many it finds on each other page of the host."""

    @property
    def right(self) -> int:
        """On how many other versions it finds the one element."""
        return self.versions.count(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """An element that was pointed at, and how rules may call it."""

    number: int
    tag: str
    text: str
    candidates: tuple[Candidate, ...]


def pick(
    page: str, number: int, versions: Sequence[str] = (), others: Sequence[str] = ()
) -> Picked | None:
    """Selectors for an element of a page, the one that will last longest first.

    Args:
        page: its markup.
        number: the place of the element among all of the page; see ``show_numbered``.
        versions: the markup of other versions of the page.
        others: the markup of other pages of the host.
    """
    tree = parse(page)
    elements = list(tree.iter_elements())
    if not 0 <= number < len(elements) or elements[number].tag in _TOP:
        return None
    element = elements[number]
    numbers = {each: place for place, each in enumerate(elements)}
    past = [Look(parse(each)) for each in versions]
    beside = [Look(parse(each)) for each in others]
    found = [
        _tried(selector, element, Look(tree), numbers, past, beside)
        for selector in _unique(tree, element)
    ]
    order = sorted(enumerate(found), key=lambda one: (*_worth(one[1]), one[0]))
    text = " ".join(element.text.split())[:_SHOWN_TEXT]
    best = tuple(each for _, each in order[:MOST])
    return Picked(number=number, tag=element.tag, text=text, candidates=best)


def _worth(candidate: Candidate) -> tuple[int, int, int]:
    """What is right on most versions comes first, then what most pages of the host have once."""
    is_one = len(candidate.places) == 1
    return (not is_one, -candidate.right, -candidate.others.count(1))


def find_places(page: str, selectors: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """The numbers of the elements that selectors find; those that cannot be read are left out."""
    look = Look(parse(page))
    numbers = {each: place for place, each in enumerate(look.root.iter_elements())}
    found: dict[str, tuple[int, ...]] = {}
    for selector in selectors:
        with suppress(SelectorError):
            hits = look.select(read_selector(selector))
            found[selector] = tuple(numbers[each] for each in hits[:_MOST_PLACES])
    return found


def number_texts(page: str, texts: Sequence[str]) -> list[int]:
    """The number of the innermost element that says each text; -1 where there is none."""
    wanted = {" ".join(text.split()) for text in texts}
    longest = max(map(len, wanted), default=0)
    found: dict[str, int] = {}
    for number, element in enumerate(parse(page).iter_elements()):
        text = element.text
        if len(text) <= 4 * longest + 200:
            said = " ".join(text.split())
            if said in wanted:
                found[said] = number
    return [found.get(" ".join(text.split()), -1) for text in texts]


def _tried(
    selector: str,
    element: Element,
    look: Look,
    numbers: dict[Element, int],
    past: Sequence[Look],
    beside: Sequence[Look],
) -> Candidate:
    compiled = read_selector(selector)
    words = _words(element)
    places = tuple(numbers[each] for each in look.select(compiled)[:_MOST_PLACES])
    versions = tuple(_same(look.select(compiled), element.tag, words) for look in past)
    others = tuple(len(look.select(compiled)) for look in beside)
    return Candidate(selector=selector, places=places, versions=versions, others=others)


def _same(found: Sequence[Element], tag: str, words: frozenset[str]) -> int:
    """How many were found; -1 for one that has another tag and other words."""
    if len(found) != 1 or found[0].tag == tag:
        return len(found)
    other = _words(found[0])
    return 1 if len(words & other) >= _LIKE * min(len(words), len(other)) else -1


def _words(element: Element) -> frozenset[str]:
    return frozenset(element.text.casefold().split()[:_COMPARED_WORDS])


def _unique(tree: Tree, element: Element) -> list[str]:
    """Selectors that find the element: those that find no other, then the rest."""
    alone: list[str] = []
    shared: list[str] = []
    look = Look(tree)
    for tried, selector in enumerate(dict.fromkeys(_names_for(tree, element))):
        if tried >= _MOST_TRIED:
            break
        with suppress(SelectorError):
            found = look.select(read_selector(selector))
            if element in found:
                (alone if len(found) == 1 else shared).append(selector)
    return [*alone[: 2 * MOST], *shared[:3]]


def _names_for(tree: Tree, element: Element) -> Iterator[str]:
    """How the element may be called: by itself, by its neighbours, by its place, by its looks."""
    own = list(_own_names(element))
    yield from own
    anchor, steps = _anchor(tree, element)
    if anchor:
        yield from (f"{anchor} {name}" for name in own)
        yield f"{anchor} {element.tag}"
    yield from _by_heading(element)
    yield from _after_another(tree, element)
    yield " > ".join([anchor or "body", *steps])
    yield from (f"{element.tag}.{name}" for name in _classes(element) if _is_of_looks(name))


def _own_names(element: Element) -> Iterator[str]:
    """By what lasts longest: id, speaking attributes, meaning tag, classes, stems of classes."""
    tag, ident = element.tag, element.attr("id") or ""
    if NAME.fullmatch(ident) and not is_generated(ident):
        yield f"#{ident}"
    yield from _by_attributes(element)
    if tag in _MEANING:
        yield tag
    names = _classes(element)
    kept = [name for name in names if not is_generated(name) and not _is_of_looks(name)]
    yield from (f"{tag}.{name}" for name in kept)
    if len(kept) > 1:
        yield ".".join([tag, *kept[:4]])
    for attribute, name in (*(("class", name) for name in names), ("id", ident)):
        if name not in kept and (stem := lasting_stem(name)):
            yield f'{tag}[{attribute}*="{stem}"]'


def _classes(element: Element) -> list[str]:
    return [name for name in (element.attr("class") or "").split() if NAME.fullmatch(name)]


def _is_of_looks(name: str) -> bool:
    """Names of looks (``p-4``, ``mt-2``) and of two letters change with every new design."""
    return len(name) < 3 or bool(_LOOKS.fullmatch(name))


def _by_attributes(element: Element) -> Iterator[str]:
    for name in _SPEAKING:
        value = element.attr(name) or ""
        if value and len(value) <= _LONGEST_VALUE and not _is_odd(value):
            yield f'{element.tag}[{name}="{value}"]'


def _is_odd(value: str) -> bool:
    """Whether a value cannot stand in a selector, or was made up."""
    return any(char in '"\\\n\r]' for char in value) or any(map(is_generated, value.split()))


def _anchor(tree: Tree, element: Element) -> tuple[str, list[str]]:
    """The nearest element above that can be named, and the steps down from it."""
    steps = [_step(element)]
    above = element.parent
    while isinstance(above, Element) and above.tag not in _TOP:
        for name in (*_own_names(above), *_by_child(above)):
            if tree.select(name) == [above]:
                return name, steps
        steps.insert(0, _step(above))
        above = above.parent
    return "", steps


def _by_child(element: Element) -> Iterator[str]:
    """By a child whose tag says what it is: what holds the headline."""
    found = dict.fromkeys(each.tag for each in element if isinstance(each, Element))
    yield from (f"{element.tag}:has(> {tag})" for tag in found if tag in _MEANING)


def _after_another(tree: Tree, element: Element) -> Iterator[str]:
    """By what stands right before it, or before that."""
    steps, before = element.tag, _before(element)
    for _ in range(_FAR):
        if before is None:
            return
        for name in _own_names(before):
            if tree.select(name) == [before]:
                yield f"{name} + {steps}"
                return
        steps, before = f"{before.tag} + {steps}", _before(before)


def _before(element: Element) -> Element | None:
    node = element.previous_sibling
    while node is not None and not isinstance(node, Element):
        node = node.previous_sibling
    return node


def _step(element: Element) -> str:
    same = [each for each in element.parent or () if _is(each, element.tag)]
    if len(same) < 2:
        return element.tag
    if same[-1] == element:
        return f"{element.tag}:last-of-type"
    return f"{element.tag}:nth-of-type({same.index(element) + 1})"


def _is(node: object, tag: str) -> bool:
    return isinstance(node, Element) and node.tag == tag


def _by_heading(element: Element) -> Iterator[str]:
    """By the heading it begins with, or the one right before it."""
    heading = next(element.iter_elements(_HEADINGS), None)
    said = _quoted(heading)
    if heading is not None and said and heading != element:
        below = "" if heading.parent == element else "descendant::"
        yield f"xpath://{element.tag}[{below}{heading.tag}[normalize-space()={said}]]"
    before = _before(element)
    if before is not None and before.tag in _HEADINGS and (said := _quoted(before)):
        after = f"following-sibling::*[1][self::{element.tag}]"
        yield f"xpath://{before.tag}[normalize-space()={said}]/{after}"


def _quoted(heading: Element | None) -> str:
    text = " ".join(heading.text.split()) if heading is not None else ""
    is_short = 0 < len(text) <= _LONGEST_VALUE and '"' not in text
    return f'"{text}"' if is_short and not any(char.isdigit() for char in text) else ""
