"""What must be known of the whole tree before the walk: what to skip, whose note is where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pageloom.core.render.callouts import TITLE_CLASSES
from pageloom.core.render.footnotes import Notes, find_notes
from pageloom.core.visibility import hidden_elements

if TYPE_CHECKING:
    from pageloom.core.dom import Element, Node

_REPEATED = (
    ".katex-html, .MathJax_Preview, .MathJax > nobr, .MathJax > svg, mjx-math, "
    ".mw-editsection, .mw-cite-backlink, math + img.mwe-math-fallback-image-inline, "
    ".mwe-math-mathml-a11y + img, .mwe-math-mathml-inline + img, .mwe-math-mathml-display + img"
)
_DISPLAYED = ".katex-display math, mjx-container[display=true] math, .MathJax_Display math"
_TEX_SCRIPTS = "script[type^='math/tex']"
_ASSISTIVE = ".MathJax, .MathJax_Display, .MathJax_SVG, .MathJax_CHTML, .MJX_Assistive_MathML"
_CAPTIONS = ".wp-caption-text, .image-caption, .imageCaption, .caption-text"
_TITLES = ", ".join(f".{name}" for name in TITLE_CLASSES)


@dataclass(frozen=True, slots=True)
class Plan:
    """What the walk looks up."""

    special: frozenset[Node] = frozenset["Node"]()
    """Everything the walk must not treat by its tag: hidden things, notes, captions."""
    notes: dict[Node, str] = field(default_factory=dict["Node", str])
    """The label of the note that a reference stands for."""
    bodies: dict[Node, str] = field(default_factory=dict["Node", str])
    """The label of the note whose text an element holds."""
    displayed: frozenset[Node] = frozenset["Node"]()
    """Formulas that stand on a line of their own."""
    captions: frozenset[Node] = frozenset["Node"]()
    """Captions that are not marked up as ``<figcaption>``."""
    titles: frozenset[Node] = frozenset["Node"]()
    """The titles of callouts."""


def prepare(root: Element) -> Plan:
    """Look the tree over once."""
    skipped: set[Node] = set(hidden_elements(root))
    skipped.update(root.select(_REPEATED))
    if root.select_one(_TEX_SCRIPTS) is not None:
        skipped.update(root.select(_ASSISTIVE))
    notes = find_notes(root) or Notes({}, {}, set())
    skipped.update(notes.backlinks)
    if notes.bodies:
        skipped.update(root.select(".footnotes > hr, .footnote-area > hr, .footnotes-sep"))
    captions = frozenset(root.select(_CAPTIONS)).difference(skipped)
    titles = frozenset(root.select(_TITLES)).difference(skipped)
    return Plan(
        frozenset(skipped.union(notes.bodies, captions, titles)),
        notes.references,
        notes.bodies,
        frozenset(root.select(_DISPLAYED)),
        captions,
        titles,
    )
