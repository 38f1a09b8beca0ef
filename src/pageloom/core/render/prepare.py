"""What must be known of the whole tree before the walk: what to skip, whose note is where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

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
_REPEATED_CLASSES = frozenset(
    "katex-html MathJax_Preview MathJax mw-editsection mw-cite-backlink "
    "mwe-math-fallback-image-inline mwe-math-mathml-a11y mwe-math-mathml-inline "
    "mwe-math-mathml-display".split()
)
_DISPLAYED = ".katex-display math, mjx-container[display=true] math, .MathJax_Display math"
_TEX_SCRIPTS = "script[type^='math/tex']"
_ASSISTIVE = ".MathJax, .MathJax_Display, .MathJax_SVG, .MathJax_CHTML, .MJX_Assistive_MathML"
_CAPTION_CLASSES = frozenset(("wp-caption-text", "image-caption", "imageCaption", "caption-text"))
_TITLE_CLASSES = frozenset(TITLE_CLASSES)


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
    used = _classes(root)
    skipped: set[Node] = set(hidden_elements(root))
    if not _REPEATED_CLASSES.isdisjoint(used) or root.find("mjx-math") is not None:
        skipped.update(root.select(_REPEATED))
    if root.select_one(_TEX_SCRIPTS) is not None:
        skipped.update(root.select(_ASSISTIVE))
    notes = find_notes(root) or Notes({}, {}, set())
    skipped.update(notes.backlinks)
    if notes.bodies:
        skipped.update(root.select(".footnotes > hr, .footnote-area > hr, .footnotes-sep"))
    captions = _with_class(root, _CAPTION_CLASSES & used).difference(skipped)
    titles = _with_class(root, _TITLE_CLASSES & used).difference(skipped)
    return Plan(
        frozenset(skipped.union(notes.bodies, captions, titles)),
        notes.references,
        notes.bodies,
        frozenset(root.select(_DISPLAYED)),
        captions,
        titles,
    )


def _classes(root: Element) -> frozenset[str]:
    """All classes in the tree: to look for elements by a class costs a whole search for each."""
    spelt = cast("list[str]", root.xpath(".//@class"))
    return frozenset(" ".join(set(spelt)).split())


def _with_class(root: Element, names: frozenset[str]) -> frozenset[Node]:
    selector = ", ".join(f".{name}" for name in sorted(names))
    return frozenset(root.select(selector)) if selector else frozenset()
