"""Prepare the tree for rendering: what to skip, footnotes, images."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pageloom.core.dom import class_attributes
from pageloom.core.render.callouts import BOX_CLASSES, TITLE_CLASSES
from pageloom.core.render.escape import signs_in
from pageloom.core.render.footnotes import (
    REFERENCE_CLASSES,
    SIGNS_OF_REFERENCES,
    Notes,
    find_notes,
)
from pageloom.core.visibility import hidden_elements

if TYPE_CHECKING:
    from pageloom.core.dom import Element, Node

_REPEATED = (
    ".mw-editsection, .mw-cite-backlink, math + img.mwe-math-fallback-image-inline, "
    ".mwe-math-mathml-a11y + img, .mwe-math-mathml-inline + img, .mwe-math-mathml-display + img"
)
_REPEATED_CLASSES = frozenset(
    "mw-editsection mw-cite-backlink "
    "mwe-math-fallback-image-inline mwe-math-mathml-a11y mwe-math-mathml-inline "
    "mwe-math-mathml-display".split()
)
_CAPTION_CLASSES = frozenset(("wp-caption-text", "image-caption", "imageCaption", "caption-text"))
_TITLE_CLASSES = frozenset(TITLE_CLASSES)
_TELLING = frozenset(name.lower() for name in _REPEATED_CLASSES | _CAPTION_CLASSES | _TITLE_CLASSES)


@dataclass(frozen=True, slots=True)
class WalkPlan:
    """What the walk looks up."""

    special: frozenset[Node] = frozenset["Node"]()
    """Everything the walk must not treat by its tag: hidden things, notes, captions."""
    notes: dict[Node, str] = field(default_factory=dict["Node", str])
    """The label of the note that a reference stands for."""
    bodies: dict[Node, str] = field(default_factory=dict["Node", str])
    """The label of the note whose text an element holds."""
    captions: frozenset[Node] = frozenset["Node"]()
    """Captions that are not marked up as ``<figcaption>``."""
    titles: frozenset[Node] = frozenset["Node"]()
    """The titles of callouts."""
    has_callouts: bool = False
    """Whether any class in the tree is one that boxes have."""
    signs: str = ""
    """The signs to escape that the text of the tree holds."""


def prepare(root: Element, *, revealed: bool = False) -> WalkPlan:
    """Look the tree over once; what is hidden only where ``reveal`` has not."""
    # to look for elements by a class costs a whole search for each
    spelt = " ".join(set(class_attributes(root)))
    folded = frozenset(spelt.lower().split())
    used = frozenset(spelt.split()) if not _TELLING.isdisjoint(folded) else frozenset[str]()
    skipped: set[Node] = set(() if revealed else hidden_elements(root))
    if not _REPEATED_CLASSES.isdisjoint(used):
        skipped.update(root.select(_REPEATED))
    notes = Notes({}, {}, set())
    may_refer = not REFERENCE_CLASSES.isdisjoint(folded) or root.closest("sup") is not None
    if may_refer or root.select_one(SIGNS_OF_REFERENCES) is not None:
        notes = find_notes(root) or notes
    skipped.update(notes.backlinks)
    if notes.bodies:
        skipped.update(root.select(".footnotes > hr, .footnote-area > hr, .footnotes-sep"))
    captions = _with_class(root, _CAPTION_CLASSES & used).difference(skipped)
    titles = _with_class(root, _TITLE_CLASSES & used).difference(skipped)
    return WalkPlan(
        frozenset(skipped.union(notes.bodies, captions, titles)),
        notes.references,
        notes.bodies,
        captions,
        titles,
        has_callouts=not BOX_CLASSES.isdisjoint(folded),
        signs=signs_in(root.text),
    )


def _with_class(root: Element, names: frozenset[str]) -> frozenset[Node]:
    selector = ", ".join(f".{name}" for name in sorted(names))
    return frozenset(root.select(selector)) if selector else frozenset()
