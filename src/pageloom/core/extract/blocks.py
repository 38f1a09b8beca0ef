"""The page as blocks, in one pass over the tree.

A block is a run of text between two block-level borders: a paragraph, a list item, a table cell, a
heading. Every element owns a contiguous range of blocks, so a sum over any subtree is a difference
of two prefix sums and no step is more than linear.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pageloom.core.dom import Element, Text
from pageloom.core.extract.vocabulary import HIDDEN, class_flags

# Never content, whatever stands inside. Measured on labelled pages: header, form, button and hidden
# parts each hold some of the content and are therefore not here.
SKIPPED = frozenset(
    "script style template nav footer select dialog iframe object embed svg canvas audio video "
    "head title link meta base input textarea option datalist map frameset frame applet progress "
    "meter param source track area colgroup col".split()
)
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark math nobr q "
    "rb rp rt rtc ruby s samp small span strike strong sub sup time tt u var wbr".split()
)
_BOLD = frozenset(("b", "strong"))
_TAG_KINDS = (
    "p",
    "div",
    "li",
    "td",
    "h1",
    "h2",
    "h3",
    "h4 h5 h6",
    "th",
    "dt",
    "dd",
    "blockquote",
    "pre",
    "figcaption caption",
    "button",
    "article",
    "section",
    "main",
    "aside",
    "header",
    "form fieldset legend",
    "ul ol menu dl",
    "table tbody thead tfoot tr",
    "figure picture",
    "address",
    "summary details",
    "body",
    "noscript",
)
TAGS = {name: kind for kind, names in enumerate(_TAG_KINDS, 1) for name in names.split()}
"""The kind of each block-level tag; the trained weights depend on these numbers."""
OTHER_TAG = len(_TAG_KINDS) + 1


class Block(NamedTuple):
    """A run of text and what was seen inside it."""

    text: str
    owner: int
    """The element it stands in directly, as an index."""
    nodes: list[Text]
    link_chars: int
    links: int
    strong_chars: int
    breaks: int
    flags: int
    """The class groups of its inline elements."""


class Holder(NamedTuple):
    """A block-level element with at least one block in it."""

    element: Element
    parent: int
    depth: int
    tag: int
    flags: int
    name: str
    """Tag, class and id as written."""
    linked: bool
    start: int
    """Its blocks are those from ``start`` up to its end in ``Page.ends``."""


class Picture(NamedTuple):
    """An image and the number of blocks that come before it."""

    element: Element
    place: int


@dataclass(frozen=True, slots=True)
class Page:
    """The blocks of a page, the elements that hold them, and the pictures between them."""

    blocks: list[Block]
    holders: list[Holder]
    ends: list[int]
    pictures: list[Picture]


def segment(body: Element, skipped: frozenset[str] = SKIPPED) -> Page:
    """Cut the visible text below ``body`` into blocks."""
    walk = _Walk(body, skipped)
    walk.hold(0)
    walk.enter(body, "body", 0, linked=False)
    return Page(walk.blocks, walk.holders, walk.ends, walk.pictures)


class _Walk:
    """The state of one walk.

    An element is looked at closely only when the first text in it comes by: a third of all elements
    hold none, and this is the hottest loop of the whole package.
    """

    __slots__ = (
        "blocks",
        "breaks",
        "ends",
        "flags",
        "hidden",
        "holders",
        "indices",
        "link_chars",
        "links",
        "nodes",
        "open",
        "pictures",
        "run",
        "skipped",
        "strong_chars",
    )

    def __init__(self, body: Element, skipped: frozenset[str]) -> None:
        self.skipped = skipped
        self.blocks: list[Block] = []
        self.holders: list[Holder] = []
        self.ends: list[int] = []
        self.pictures: list[Picture] = []
        self.open: list[tuple[Element, str, bool]] = [(body, "body", False)]
        """The block-level elements around the place, outermost first."""
        self.indices: list[int] = []
        """Their holders, as far as they have text; always the outer ones."""
        self.run: list[str] = []
        self.nodes: list[Text] = []
        self.link_chars = self.links = self.strong_chars = self.breaks = self.flags = 0
        # asked once for the page, in the parser's own code, because few elements are
        self.hidden = set(
            body.select(
                '[hidden],[aria-hidden="true"],[style*="display:none"],[style*="display: none"]'
            )
        )

    def flush(self, depth: int) -> None:
        """End the run at hand, which is never of white space alone, as a block at this depth."""
        if len(self.indices) <= depth:
            self.hold(depth)
        counts = (self.link_chars, self.links, self.strong_chars, self.breaks, self.flags)
        text = " ".join("".join(self.run).split())
        self.blocks.append(Block(text, self.indices[depth], self.nodes, *counts))
        self.run = []
        self.nodes = []
        self.link_chars = self.links = self.strong_chars = self.breaks = self.flags = 0

    def hold(self, depth: int) -> None:
        """Make holders of the open elements down to this depth."""
        indices, holders = self.indices, self.holders
        start = len(self.blocks)
        for level in range(len(indices), depth + 1):
            element, tag, linked = self.open[level]
            name = element.attr("class") or ""
            identifier = element.attr("id")
            if identifier:
                name = f"{name} {identifier}"
            flags = class_flags(name) if name else 0
            role = element.attr("role")
            if role:
                flags |= class_flags(f"role-{role}")
            if self.hidden and element in self.hidden:
                flags |= HIDDEN
            parent = indices[level - 1] if level else -1
            kind = TAGS.get(tag, OTHER_TAG)
            indices.append(len(holders))
            holders.append(
                Holder(element, parent, level, kind, flags, f"{tag} {name}", linked, start)
            )
            self.ends.append(start)

    def enter(self, element: Element, tag: str, depth: int, *, linked: bool) -> None:
        """Read a block-level element; one that holds no text leaves no trace."""
        if depth:
            self.open.append((element, tag, linked))
        self.read(element, depth, linked=linked, strong=False)
        if self.run:
            self.flush(depth)
        self.open.pop()
        if len(self.indices) > depth:
            self.ends[self.indices.pop()] = len(self.blocks)

    def read(  # noqa: C901, PLR0912  the hottest loop: a call a case would double its time
        self, element: Element, depth: int, *, linked: bool, strong: bool
    ) -> None:
        """Read the children of an element into the run at hand, or into blocks of their own."""
        after_break = False
        for child in element:
            if type(child) is Text:
                data = child.data
                if data.isspace():
                    if self.run:
                        self.run.append(" ")
                    continue
                self.run.append(data)
                self.nodes.append(child)
                after_break = False
                if linked:
                    self.link_chars += len(data)
                if strong:
                    self.strong_chars += len(data)
            elif type(child) is Element:
                tag = child.tag
                if tag in INLINE:
                    after_break = False
                    name = child.attr("class")
                    if name:
                        self.flags |= class_flags(name)
                    if tag == "a":
                        self.links += 1
                        inside = linked or child.attr("href") is not None
                        self.read(child, depth, linked=inside, strong=strong)
                    else:
                        bold = strong or tag in _BOLD
                        self.read(child, depth, linked=linked, strong=bold)
                elif tag == "br":
                    if self.run:
                        if after_break:
                            self.flush(depth)
                        else:
                            self.run.append(" ")
                            self.breaks += 1
                    after_break = True
                elif tag == "img":
                    self.pictures.append(Picture(child, len(self.blocks)))
                elif tag not in self.skipped:
                    if self.run:
                        self.flush(depth)
                    if len(child):
                        self.enter(child, tag, depth + 1, linked=linked)
                    after_break = False
