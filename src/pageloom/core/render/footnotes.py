"""Footnotes: recognise references and notes."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.dom import Element, Text

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from pageloom.core.dom import Node

_REFERENCES = (
    "sup a[href*='#'], a[href*='#'] > sup, a.footnote-ref, a.footnote-reference, a.footnoteRef, "
    "a.fn, a[role=doc-noteref], a[rel=footnote], .footnote-ref > a, .reference > a[href*='#']"
)
REFERENCE_CLASSES = frozenset("footnote-ref footnote-reference footnoteref fn reference".split())
"""The classes above in lower case: a page in quirks mode may spell them as it likes."""
SIGNS_OF_REFERENCES = "sup, a[role=doc-noteref], a[rel=footnote]"
"""Without one of the classes, no reference is without one of these."""
_BACKLINKS = (
    "a.footnote-backref, a.footnote-back, a.footnoteBackLink, a[role=doc-backlink], "
    "a[rev=footnote], a.reversefootnote, .footnote-backref, a.fn-backref"
)
_NOTE_ID = re.compile(r"(?i)(?:^|[_\-:.])(?:fn|ftn|foot|note|cite|endnote|sdfootnote|ref\W?\d|r\d)")
_LABEL = re.compile(r"[\w*†‡§.\-]{1,20}")
_MAX_DEPTH = 300
_BODY_TAGS = frozenset({"li", "p", "div", "aside", "dd"})
_AROUND_BACK = frozenset({"span", "sup", "b", "strong"})
_BACK_SIGNS = frozenset({"↩", "↩\ufe0e", "↵", "⏎", "^", "↑", "⤴", "⬑", "←", "[↩]", "«"})


class Notes(NamedTuple):
    """The notes of a page."""

    references: dict[Node, str]
    bodies: dict[Node, str]
    backlinks: set[Node]


def find_notes(root: Element) -> Notes | None:
    """Pair references with the elements they point at; None when the page has no notes."""
    links = [_link_of(found) for found in root.select(_REFERENCES)]
    pointing = [(link, target) for link in links if link is not None and (target := _target(link))]
    if not pointing:
        return None
    wanted = {target for _, target in pointing}
    by_id = {
        name: found for found in root.select("[id], a[name]") if (name := _id(found)) in wanted
    }
    labels: dict[Node, str] = {}
    references: dict[Node, str] = {}
    origins: set[str] = set()
    taken: set[str] = set()
    for link, target in pointing:
        # what points at a reference met before is the note's way back, though it looks like one
        body = _body(by_id.get(target), link, target) if target not in origins else None
        if body is None:
            continue
        if body not in labels:
            labels[body] = _new_label(link.text, taken)
        references[link] = labels[body]
        origins.update(_origins(link))
    # a body inside another body cannot be written as a note of its own
    bodies = {body: label for body, label in labels.items() if not _within(body, labels)}
    kept = {link: label for link, label in references.items() if not _within(link, bodies)}
    used = set(kept.values())
    bodies = {body: label for body, label in bodies.items() if label in used}
    return Notes(kept, bodies, _backlinks(root, bodies, origins)) if bodies else None


def _link_of(found: Element) -> Element | None:
    if found.tag == "a":
        return found
    outer = found.parent
    return outer if isinstance(outer, Element) and outer.tag == "a" else None


def _target(link: Element) -> str:
    return (link.attr("href") or "").rpartition("#")[2]


def _id(element: Element) -> str:
    return element.attr("id") or element.attr("name") or ""


def _body(found: Element | None, link: Element, target: str) -> Element | None:
    """The block that holds the note: the element pointed at, or the nearest around its anchor."""
    if found is None or not _NOTE_ID.search(target):
        return None
    for element in (found, *islice(found.ancestors, 3)):
        if isinstance(element, Element) and element.tag in _BODY_TAGS:
            return None if _within(link, {element}) else element
    return None


def _new_label(text: str, taken: set[str]) -> str:
    wanted = text.strip().strip("[]()").strip()
    if not _LABEL.fullmatch(wanted) or wanted in taken:
        # "n-3" is nobody's own label as often as "3" is
        wanted = str(len(taken) + 1) if str(len(taken) + 1) not in taken else f"n-{len(taken) + 1}"
    taken.add(wanted)
    return wanted


def _origins(link: Element) -> Iterable[str]:
    """The names under which a note can point back at its reference."""
    parent = link.parent
    for element in (link, parent):
        if isinstance(element, Element):
            name = element.attr("id") or element.attr("name")
            if name:
                yield name


def _within(node: Node, bodies: Container[Node]) -> bool:
    return any(ancestor in bodies for ancestor in islice(node.ancestors, _MAX_DEPTH))


def _backlinks(root: Element, bodies: dict[Node, str], origins: set[str]) -> set[Node]:
    backlinks: set[Node] = set(root.select(_BACKLINKS))
    for body in bodies:
        for link in body.find_all("a", limit=500):
            if _target(link) in origins or link.text.strip() in _BACK_SIGNS:
                backlinks.add(link)
    backlinks.update([around for link in backlinks if (around := _only_back(link, backlinks))])
    return backlinks


def _only_back(link: Node, backlinks: set[Node]) -> Element | None:
    """What is around a way back, when it holds nothing but ways back and their sign."""
    around = link.parent
    if not isinstance(around, Element) or around.tag not in _AROUND_BACK:
        return None
    if any(isinstance(child, Element) and child not in backlinks for child in around):
        return None
    own = "".join(child.data for child in around if isinstance(child, Text)).strip()
    return around if not own or own in _BACK_SIGNS else None
