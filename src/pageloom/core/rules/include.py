"""Include: restore elements that a rule wants in the content, at their place.

The place is found in this order: next to the text that was next to it, among its former siblings,
after the nearest heading before it, at the end.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

from pageloom.core.dom import Element
from pageloom.core.rules.apply import outermost
from pageloom.core.rules.fields import visible_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pageloom.core.rules.compile import Rule
    from pageloom.core.rules.selectors import Look, Selector

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_ITEMS = frozenset(("li", "dt", "dd", "tr", "td", "th", "caption", "thead", "tbody", "tfoot"))
_NARROW = frozenset(
    "ul ol menu dl table thead tbody tfoot tr p h1 h2 h3 h4 h5 h6 a span em strong b i picture "
    "pre code".split()
)
"""Elements that a block cannot stand in."""
_RENAMED = frozenset(("nav", "footer", "dialog", "menu"))
"""Kinds of element that are no content anywhere else."""
_NEIGHBOURS = 3
_LEVELS = 6
_SURE = 20
"""Characters: a shorter text could stand beside anything."""
_MOST_HEADINGS = 12
_MOST_TEXT = 5_000_000
"""Characters of the content that are compared for finding one place."""
MAX_INCLUDED = 100


@dataclass(slots=True)
class WantedElement:
    """An element that a rule wants kept, as it was on the page, and what stood around it."""

    rule: Rule
    selector: Selector
    original: Element
    copy: Element
    text: str
    before: list[tuple[Element, str]] = field(default_factory=list[tuple[Element, str]])
    """What came before it, nearest first."""
    after: list[tuple[Element, str]] = field(default_factory=list[tuple[Element, str]])
    headings: list[tuple[Element, str]] = field(default_factory=list[tuple[Element, str]])
    """The headings before it in the page, nearest first."""


def set_aside(
    rules: Iterable[Rule], look: Look, removed: Collection[Element] = ()
) -> list[WantedElement]:
    """Copies of what the rules want kept, without what they remove, in the order of the page."""
    owners: dict[Element, tuple[Rule, Selector]] = {}
    for rule in rules:
        for selector in rule.include:
            for element in look.select(selector):
                owners.setdefault(element, (rule, selector))
    chosen = set(outermost(owners)[:MAX_INCLUDED])
    if not chosen:
        return []
    found: list[WantedElement] = []
    headings: list[Element] = []
    for element in look.root.iter_elements():
        if element in chosen:
            wanted = _wanted(element, *owners[element], removed)
            near = headings[: -_MOST_HEADINGS - 1 : -1]
            wanted.headings = [(heading, squeeze(heading.text)) for heading in near]
            found.append(wanted)
        elif element.tag in HEADINGS:
            headings.append(element)
    return found


def _wanted(
    element: Element, rule: Rule, selector: Selector, removed: Collection[Element]
) -> WantedElement:
    copy = _clean_copy(element, removed)
    return WantedElement(
        rule=rule,
        selector=selector,
        original=element,
        copy=copy,
        text=squeeze(visible_text(copy)),
        before=list(_around(element, forward=False)),
        after=list(_around(element, forward=True)),
    )


def _clean_copy(element: Element, removed: Collection[Element]) -> Element:
    copy = deepcopy(element)
    if removed:
        pairs = zip(element.iter_elements(), list(copy.iter_elements()), strict=True)
        for twin in [twin for original, twin in pairs if original in removed]:
            if twin.parent is not None:
                twin.extract()
    for each in (copy, *copy.iter_elements(_RENAMED)):
        if each.tag in _RENAMED:
            each.tag = "div"
    return copy


def squeeze(text: str) -> str:
    """A text for comparing: white space joined."""
    return " ".join(text.split())


def _around(element: Element, *, forward: bool) -> Iterator[tuple[Element, str]]:
    """The nearest elements with text on one side; where there are none, beside what is around."""
    found = 0
    level: Element | None = element
    for _ in range(_LEVELS):
        if level is None or level.tag in ("body", "html"):
            return
        for sibling in level.next_siblings if forward else level.previous_siblings:
            text = squeeze(visible_text(sibling)) if isinstance(sibling, Element) else ""
            if isinstance(sibling, Element) and text:
                yield sibling, text
                found += 1
            if found >= _NEIGHBOURS:
                return
        parent = level.parent
        level = parent if isinstance(parent, Element) else None


def put_back(root: Element, wanted: Sequence[WantedElement]) -> tuple[Element, list[WantedElement]]:
    """The content with all that was wanted in it, and what had to be put back.

    What extraction kept whole is left alone; what it kept in part is made whole where it stands.
    """
    said = squeeze(visible_text(root)) if wanted else ""
    missing = [each for each in wanted if not _is_kept(root, each, said)]
    around = next((each for each in missing if _holds(each, root, said)), None)
    done: list[WantedElement] = []
    if around is not None:  # more is wanted than the content has: all of it
        root, said = around.copy, around.text
        done = [around]
        missing = [each for each in missing if not _is_kept(root, each, said)]
    last: dict[Element, Element] = {}
    for each in missing:
        if each is around:
            continue
        if _is_in(each.original, root):
            each.original.replace_with(each.copy)
        else:
            _insert(root, each, last)
        done.append(each)
    return root, done


def _holds(wanted: WantedElement, root: Element, said: str) -> bool:
    """Whether all of the content lies in what is wanted."""
    return wanted.original in root.ancestors or (bool(said) and said in wanted.text)


def _is_in(element: Element, root: Element) -> bool:
    return element is root or root in element.ancestors


def _is_kept(root: Element, wanted: WantedElement, said: str) -> bool:
    if _is_in(wanted.original, root):
        return squeeze(visible_text(wanted.original)) == wanted.text and _pictures(
            wanted.original
        ) >= _pictures(wanted.copy)
    if wanted.text:
        return len(wanted.text) >= _SURE and wanted.text in said
    sources = {image.attr("src") for image in root.iter_elements("img")}
    images = [image.attr("src") for image in _self_and_below(wanted.copy, "img")]
    return bool(images) and sources.issuperset(images)


def _pictures(element: Element) -> int:
    return len(_self_and_below(element, "img"))


def _self_and_below(element: Element, tag: str) -> list[Element]:
    return list(element.iter_elements(tag, include_self=True))


def _insert(root: Element, wanted: WantedElement, last: dict[Element, Element]) -> None:
    """Put one back; several that belong after the same element keep their order."""
    place = _find_place(root, wanted)
    if place is None:
        root.append(wanted.copy)
        return
    anchor, after = place
    anchor = _widen(anchor, root, wanted.copy)
    if anchor is root:
        root.append(wanted.copy)
    elif after:
        last.get(anchor, anchor).insert_after(wanted.copy)
        last[anchor] = wanted.copy
    else:
        anchor.insert_before(wanted.copy)


Place = tuple[Element, bool]
"""An element of the content, and whether to stand after it."""


def _find_place(root: Element, wanted: WantedElement) -> Place | None:
    for look in (_beside_text, _among_siblings, _under_heading):
        place = look(root, wanted)
        if place is not None:
            return place
    return None


def _beside_text(root: Element, wanted: WantedElement) -> Place | None:
    """Beside the text that stood directly before it, or after it."""
    nearest = ((wanted.before[:1], True), (wanted.after[:1], False))
    return _beside([(*side[0], after) for side, after in nearest if side], root)


def _among_siblings(root: Element, wanted: WantedElement) -> Place | None:
    """Beside what is left of its siblings, the nearest first."""
    sides = ([(*each, True) for each in wanted.before], [(*each, False) for each in wanted.after])
    ordered = [each for pair in zip_longest(*sides) for each in pair if each is not None]
    for element, _, after in ordered:
        if element is not root and _is_in(element, root):
            return element, after
    return _beside(ordered, root)


def _beside(neighbours: Iterable[tuple[Element, str, bool]], root: Element) -> Place | None:
    known = [each for each in neighbours if len(each[1]) >= _SURE]
    texts = _texts(root) if known else {}
    for element, text, after in known:
        found = _same(element, text, root, texts)
        if found is not None:
            return found, after
    return None


def _texts(root: Element) -> dict[str, Element]:
    """The elements of the content by their text; of several with one text the outermost."""
    texts: dict[str, Element] = {}
    budget = _MOST_TEXT
    for element in root.iter_elements():
        text = squeeze(element.text)
        budget -= len(text)
        if budget < 0:
            break
        if len(text) >= _SURE:
            texts.setdefault(text, element)
    return texts


def _same(element: Element, text: str, root: Element, texts: dict[str, Element]) -> Element | None:
    if element is not root and _is_in(element, root) and squeeze(element.text) == text:
        return element
    return texts.get(text)


def _under_heading(root: Element, wanted: WantedElement) -> Place | None:
    by_text: dict[str, Element] = {}
    for heading in root.iter_elements(HEADINGS):
        by_text[squeeze(heading.text)] = heading
    for element, text in wanted.headings:
        found = element if _is_in(element, root) else by_text.get(text)
        if found is not None:
            return found, True
    return None


def _widen(anchor: Element, root: Element, copy: Element) -> Element:
    """Go up from where a block cannot stand, such as between the items of a list."""
    if copy.tag in _ITEMS and anchor.tag == copy.tag:
        return anchor
    parent = anchor.parent
    while isinstance(parent, Element) and parent.tag in _NARROW and anchor is not root:
        anchor = parent
        parent = anchor.parent
    return anchor
