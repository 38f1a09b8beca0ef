"""The page as blocks, in one pass over the tree.

A block is a run of text between two block-level borders: a paragraph, a list item, a table cell, a
heading. Every element owns a contiguous range of blocks, so a sum over any subtree is a difference
of two prefix sums and no step is more than linear.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pageloom.core.dom import Element, Text
from pageloom.core.extract.vocabulary import HIDDEN, class_flags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pageloom.core.dom import Node

    Counts = tuple[int, int, int, int, int]
    Numbers = tuple[int, ...]
    Columns = tuple[
        tuple[Element, ...],
        Numbers,
        Numbers,
        Numbers,
        Numbers,
        tuple[str, ...],
        tuple[bool, ...],
        Numbers,
    ]

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
_CELLS = frozenset(("td", "th"))
MANY = 4_000
"""Blocks after which the rows of a table are read as one block each, which saves memory."""
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


# A NamedTuple's own constructor takes twice as long, and a page needs hundreds of these.
_make = cast("Callable[..., Any]", tuple.__new__)  # pyright: ignore[reportUnknownMemberType]
_make_block: Callable[[tuple[object, ...]], Block] = partial(_make, Block)
_make_holder: Callable[[tuple[object, ...]], Holder] = partial(_make, Holder)


class Picture(NamedTuple):
    """An image and the number of blocks that come before it."""

    element: Element
    place: int


@dataclass(frozen=True)
class Page:
    """The blocks of a page, the elements that hold them, and the pictures between them."""

    blocks: list[Block]
    holders: list[Holder]
    ends: list[int]
    pictures: list[Picture]

    @cached_property
    def columns(self) -> Columns:
        """The fields of all holders, field by field."""
        return cast("Columns", tuple(zip(*self.holders, strict=True)))


def segment(body: Element, skipped: frozenset[str] = SKIPPED) -> Page:
    """Cut the visible text below ``body`` into blocks."""
    walk = _Walk(body)
    walk.hold(0)
    walk.read(body, skipped)
    return Page(walk.blocks, walk.holders, walk.ends, walk.pictures)


class _Walk:
    """The state of one walk.

    An element is looked at closely only when the first text in it comes by: a third of all elements
    hold none, and this is the hottest loop of the whole package.
    """

    __slots__ = ("blocks", "ends", "hidden", "holders", "indices", "open", "pictures")

    def __init__(self, body: Element) -> None:
        self.blocks: list[Block] = []
        self.holders: list[Holder] = []
        self.ends: list[int] = []
        self.pictures: list[Picture] = []
        self.open: list[tuple[Element, str, bool]] = [(body, "body", False)]
        """The block-level elements around the place, outermost first."""
        self.indices: list[int] = []
        """Their holders, as far as they have text; always the outer ones."""
        # asked once for the page, in the parser's own code, because few elements are
        self.hidden = set(
            body.select(
                '[hidden],[aria-hidden="true"],[style*="display:none"],[style*="display: none"]'
            )
        )

    def hold(self, depth: int) -> None:
        """Make holders of the open elements down to this depth."""
        indices, holders, hidden = self.indices, self.holders, self.hidden
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
            if hidden and element in hidden:
                flags |= HIDDEN
            parent = indices[level - 1] if level else -1
            kind = TAGS.get(tag, OTHER_TAG)
            indices.append(len(holders))
            holders.append(
                _make_holder((element, parent, level, kind, flags, f"{tag} {name}", linked, start))
            )
            self.ends.append(start)

    def close(self, depth: int) -> None:
        """Leave the innermost open element, which lies at this depth."""
        self.open.pop()
        if len(self.indices) > depth:
            self.ends[self.indices.pop()] = len(self.blocks)

    def flush(self, depth: int, run: list[str], nodes: list[Text], counts: Counts) -> None:
        """Make a block at this depth of a run, which is never of white space alone."""
        if len(self.indices) <= depth:
            self.hold(depth)
        text = " ".join("".join(run).split())
        self.blocks.append(_make_block((text, self.indices[depth], nodes, *counts)))

    def read(  # noqa: C901, PLR0912, PLR0915  the hottest loop: a call a case would double its time
        self, body: Element, skipped: frozenset[str]
    ) -> None:
        """Read all below an element into blocks; one that holds no text leaves no trace."""
        run: list[str] = []
        nodes: list[Text] = []
        link_chars = links = strong_chars = breaks = flags = depth = 0
        linked = strong = after_break = False
        is_block = True
        outer: list[tuple[Iterator[Node], bool, bool, bool]] = []  # where to go on, and how
        place = iter(body)
        while True:
            for child in place:
                if type(child) is Text:
                    data = child.data
                    if data.isspace():
                        if run:
                            run.append(" ")
                        continue
                    run.append(data)
                    nodes.append(child)
                    after_break = False
                    if linked:
                        link_chars += len(data)
                    if strong:
                        strong_chars += len(data)
                elif type(child) is Element:
                    tag = child.tag
                    if tag in INLINE:
                        name = child.attr("class")
                        if name:
                            flags |= class_flags(name)
                        outer.append((place, linked, strong, is_block))
                        if tag == "a":
                            links += 1
                            linked = linked or child.attr("href") is not None
                        elif tag in _BOLD:
                            strong = True
                        is_block = after_break = False
                        place = iter(child)
                        break
                    if tag == "br":
                        if run and after_break:
                            self.flush(
                                depth, run, nodes, (link_chars, links, strong_chars, breaks, flags)
                            )
                            run, nodes = [], []
                            link_chars = links = strong_chars = breaks = flags = 0
                        elif run:
                            run.append(" ")
                            breaks += 1
                        after_break = True
                    elif tag == "img":
                        self.pictures.append(Picture(child, len(self.blocks)))
                    elif tag in _CELLS and len(self.blocks) >= MANY:
                        if run:
                            run.append(" ")
                        outer.append((place, linked, strong, is_block))
                        is_block = after_break = False
                        place = iter(child)
                        break
                    elif tag not in skipped:
                        if run:
                            self.flush(
                                depth, run, nodes, (link_chars, links, strong_chars, breaks, flags)
                            )
                            run, nodes = [], []
                            link_chars = links = strong_chars = breaks = flags = 0
                        outer.append((place, linked, strong, is_block))
                        self.open.append((child, tag, linked))
                        depth += 1
                        is_block = True
                        strong = after_break = False
                        place = iter(child)
                        break
            else:
                if is_block:
                    if run:
                        self.flush(
                            depth, run, nodes, (link_chars, links, strong_chars, breaks, flags)
                        )
                        run, nodes = [], []
                        link_chars = links = strong_chars = breaks = flags = 0
                    self.close(depth)
                    depth -= 1
                if not outer:
                    return
                place, linked, strong, is_block = outer.pop()
                after_break = False
