"""The page as blocks, in one pass over the tree.

A block is a run of text between two block-level borders: a paragraph, a list item, a table cell, a
heading. Every element owns a contiguous range of blocks, so a sum over any subtree is a difference
of two prefix sums and no step is more than linear.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pageloom.core.dom import Element, Text
from pageloom.core.extract.vocabulary import HIDDEN, class_flags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.dom import Node

    Counts = tuple[int, int, int, int, int]
    Numbers = tuple[int, ...]

# Never content, whatever stands inside. Measured on labelled pages: header, form, button and hidden
# parts each hold some of the content and are therefore not here.
SKIPPED: Final = frozenset(
    "script style template nav footer select dialog iframe object embed svg canvas audio video "
    "head title link meta base input textarea option datalist map frameset frame applet progress "
    "meter param source track area colgroup col".split()
)
INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark math nobr q "
    "rb rp rt rtc ruby s samp small span strike strong sub sup time tt u var wbr "
    "semantics mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover "
    "munder munderover mtable mtr mtd mstyle mpadded mphantom menclose mmultiscripts".split()
)
_UNSEEN: Final = frozenset(("annotation", "annotation-xml"))
"""A formula once more, in another notation: it stays with the formula, but nobody sees it."""
LANDMARKS: Final = frozenset(("nav", "footer", "dialog"))
"""Of what is never content: the parts that a visitor reads all the same."""
_BOLD: Final = frozenset(("b", "strong"))
_CELLS: Final = frozenset(("td", "th"))
_PHRASE: Final = 0
_LINK: Final = 1
_STRONG: Final = 2
_CELL: Final = 3
_BREAK: Final = 4
_PICTURE: Final = 5
_SILENT: Final = 6
"""What an element is to the walk; any other begins a block. Up to a cell, they go on with a run."""
HIDING: Final = '[hidden],[aria-hidden="true"],[style*="display:none"],[style*="display: none"]'
"""Asked once for a page, in the parser's own code, because few elements are hidden."""
MANY: Final = 4_000
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
TAGS: Final = {name: kind for kind, names in enumerate(_TAG_KINDS, 1) for name in names.split()}
"""The kind of each block-level tag; the trained weights depend on these numbers."""
OTHER_TAG: Final = len(_TAG_KINDS) + 1


@dataclass(frozen=True, slots=True)
class BlockColumns:
    """Runs of text and what was seen inside them, column by column."""

    texts: tuple[str, ...]
    owners: Numbers
    """The holders they stand in directly, as indices."""
    nodes: tuple[list[Text], ...]
    link_chars: Numbers
    links: Numbers
    strong_chars: Numbers
    breaks: Numbers
    flags: Numbers
    """The class groups of their inline elements."""


@dataclass(frozen=True, slots=True)
class Holders:
    """The block-level elements with at least one block in them, column by column."""

    elements: tuple[Element, ...]
    parents: Numbers
    depths: Numbers
    tags: Numbers
    flags: Numbers
    names: tuple[str, ...]
    """Tag, class and id as written."""
    linked: tuple[bool, ...]
    starts: Numbers
    ends: list[int]
    """The blocks of each are those from its start up to its end."""


class BlockPicture(NamedTuple):
    """An image, or another element without blocks, and how many blocks come before it."""

    element: Element
    place: int


@dataclass(frozen=True, slots=True)
class BlockPage:
    """The blocks of a page, the elements that hold them, and the pictures between them.

    In columns, because most steps read a few fields of all of them at once, and an object for each
    would take longer to make than the walk that finds it.
    """

    blocks: BlockColumns
    holders: Holders
    pictures: list[BlockPicture]
    passed: list[BlockPicture] = field(default_factory=list[BlockPicture])
    """Menus, footers and dialogs that were passed over, and how many blocks come before each."""

    def __len__(self) -> int:
        """How many blocks there are."""
        return len(self.blocks.texts)


def segment(
    body: Element, skipped: frozenset[str] = SKIPPED, hidden: set[Element] | None = None
) -> BlockPage:
    """Cut the visible text below ``body`` into blocks.

    Args:
        body: what is read.
        skipped: the tags whose elements are passed over.
        hidden: the elements that ``HIDING`` finds, where somebody has looked for them already.
    """
    if hidden is None:
        hidden = set(body.select(HIDING))
    walk = _Walk(body, hidden)
    walk.hold(0)
    walk.read(body, skipped)
    return walk.page()


@cache
def _roles(skipped: frozenset[str]) -> dict[str, int]:
    """The roles of tags by name, so that the walk asks once for each element."""
    return (
        dict.fromkeys(skipped, _SILENT)
        | dict.fromkeys(_CELLS, _CELL)
        | {"img": _PICTURE, "br": _BREAK}
        | dict.fromkeys(INLINE, _PHRASE)
        | dict.fromkeys(_BOLD, _STRONG)
        | {"a": _LINK}
        | dict.fromkeys(_UNSEEN, _SILENT)
    )


class _Walk:
    """The state of one walk.

    An element is looked at closely only when the first text in it comes by: a third of all elements
    hold none, and this is the hottest loop of the whole package.
    """

    __slots__ = ("blocks", "ends", "hidden", "holders", "indices", "open", "passed", "pictures")

    def __init__(self, body: Element, hidden: set[Element]) -> None:
        self.blocks: list[tuple[str, int, list[Text], Counts]] = []
        self.holders: list[tuple[Element, int, int, int, int, str, bool, int]] = []
        self.ends: list[int] = []
        self.pictures: list[BlockPicture] = []
        self.passed: list[BlockPicture] = []
        self.open: list[tuple[Element, str, bool]] = [(body, "body", False)]
        """The block-level elements around the place, outermost first."""
        self.indices: list[int] = []
        """Their holders, as far as they have text; always the outer ones."""
        self.hidden = hidden

    def hold(self, depth: int) -> None:
        """Make holders of the open elements down to this depth."""
        indices, holders, hidden = self.indices, self.holders, self.hidden
        start = len(self.blocks)
        for level in range(len(indices), depth + 1):
            element, tag, linked = self.open[level]
            attributes = element.attrs
            name, flags = "", 0
            if attributes:  # asked whether one is there, they answer faster than asked for it
                name = element.attr("class") or ""
                if "id" in attributes and (identifier := element.attr("id")):
                    name = f"{name} {identifier}"
                if name:
                    flags = class_flags(name)
                if "role" in attributes and (role := element.attr("role")):
                    flags |= class_flags(f"role-{role}")
                if hidden and element in hidden:
                    flags |= HIDDEN
            parent = indices[level - 1] if level else -1
            kind = TAGS.get(tag, OTHER_TAG)
            indices.append(len(holders))
            holders.append((element, parent, level, kind, flags, f"{tag} {name}", linked, start))
            self.ends.append(start)

    def flush(self, depth: int, run: list[str], nodes: list[Text], counts: Counts) -> None:
        """Make a block at this depth of a run, which is never of white space alone."""
        if len(self.indices) <= depth:
            self.hold(depth)
        text = "".join(run).strip()
        if "  " in text or not text.isprintable():  # any other white space cannot be printed
            text = " ".join(text.split())
        self.blocks.append((text, self.indices[depth], nodes, counts))

    def page(self) -> BlockPage:
        """What the walk has found."""
        columns: list[Any] = [*zip(*self.holders, strict=True), self.ends]
        holders = Holders(*columns)
        if not self.blocks:
            return BlockPage(BlockColumns(*repeat((), 8)), holders, self.pictures, self.passed)
        texts, owners, nodes, counts = zip(*self.blocks, strict=True)
        blocks = BlockColumns(texts, owners, nodes, *zip(*counts, strict=True))
        return BlockPage(blocks, holders, self.pictures, self.passed)

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
        opened, indices, ends, blocks = self.open, self.indices, self.ends, self.blocks
        roles = _roles(skipped)
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
                    role = roles.get(tag)
                    if role is None or (role == _CELL and len(blocks) < MANY):
                        if run:
                            self.flush(
                                depth, run, nodes, (link_chars, links, strong_chars, breaks, flags)
                            )
                            run, nodes = [], []
                            link_chars = links = strong_chars = breaks = flags = 0
                        outer.append((place, linked, strong, is_block))
                        opened.append((child, tag, linked))
                        depth += 1
                        is_block = True
                        strong = after_break = False
                        place = iter(child)
                        break
                    if role <= _CELL:
                        outer.append((place, linked, strong, is_block))
                        if role == _CELL:
                            if run:
                                run.append(" ")
                        else:
                            name = child.attr("class")
                            if name:
                                flags |= class_flags(name)
                            if role == _LINK:
                                links += 1
                                linked = linked or child.attr("href") is not None
                            elif role == _STRONG:
                                strong = True
                        is_block = after_break = False
                        place = iter(child)
                        break
                    if role == _BREAK:
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
                    elif role == _PICTURE:
                        self.pictures.append(BlockPicture(child, len(blocks)))
                    elif tag in LANDMARKS:
                        self.passed.append(BlockPicture(child, len(blocks)))
            else:
                if is_block:
                    if run:
                        self.flush(
                            depth, run, nodes, (link_chars, links, strong_chars, breaks, flags)
                        )
                        run, nodes = [], []
                        link_chars = links = strong_chars = breaks = flags = 0
                    opened.pop()
                    if len(indices) > depth:
                        ends[indices.pop()] = len(blocks)
                    depth -= 1
                if not outer:
                    return
                place, linked, strong, is_block = outer.pop()
                after_break = False
