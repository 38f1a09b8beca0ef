"""The HTML tree and the operations on it: the only module that imports the parser.

Trees are bounded: no element is deeper than ``max_depth``, and there are at most ``max_nodes``
nodes, so stages may walk them safely.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, cast

import turbohtml
from turbohtml import Comment, Document, Element, Node, Text, TokenType, XPath, escape, tokenize

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Comment",
    "Element",
    "Names",
    "Node",
    "ParsedTree",
    "SelectorError",
    "Text",
    "Tree",
    "class_attributes",
    "css",
    "escape",
    "parse",
    "parse_fragment",
    "parse_page",
    "read_names",
    "xpath",
]

Tree = Document

MAX_DEPTH = 256
MAX_NODES = 400_000

_LARGE = 50_000
"""Above this many nodes the XPath depth test loses to a walk: it sorts each level of the tree."""

_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)

_OWN_LINE = re.compile(r"(?:^|[;\s])display\s{0,8}:\s{0,8}block")
_MOST_LINES = 5_000

# The parser reopens formatting elements that were left open in every block that follows, up to 512
# at once, so that a page of 40 KB can make a million nodes and one of 10 MB fill any memory.
_REOPENED = 512
_FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u".split())
_FORMATTING_TAG = re.compile(
    rf"<(/?)(?:{'|'.join(sorted(_FORMATTING, reverse=True))})(?=[\s/>])", re.IGNORECASE
)
_SCOPES = frozenset("applet caption marquee math object select svg table td template th".split())


def _spelt(names: frozenset[str]) -> str:
    """A pattern for names in any case.

    One branch for each first letter, and no flag: so the search passes over other tags in half the
    time.
    """
    by_first: dict[str, list[str]] = {}
    for name in sorted(names, reverse=True):
        by_first.setdefault(name[0], []).append(_any_case(name[1:]))
    return "|".join(f"{_any_case(first)}(?:{'|'.join(by_first[first])})" for first in by_first)


def _any_case(letters: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" for letter in letters)


_TELLING_TAG = re.compile(rf"<(/?)({_spelt(_FORMATTING | _SCOPES)})(?=[\s/>])")


class ParsedTree(NamedTuple):
    """A tree, and notes on what was cut to keep it within its limits."""

    tree: Tree
    notes: tuple[str, ...] = ()


def parse(markup: str) -> Tree:
    """The bounded WHATWG tree of a page, without the notes on what was cut."""
    return parse_page(markup).tree


def parse_page(
    markup: str,
    *,
    packed: bytes | None = None,
    max_depth: int = MAX_DEPTH,
    max_nodes: int = MAX_NODES,
) -> ParsedTree:
    """The WHATWG tree of a page within its bounds.

    ``<noscript>`` content is parsed as markup, not hidden as text.

    Args:
        markup: the page.
        packed: the same in UTF-8, where it is at hand.
        max_depth: elements deeper than this are flattened; their text and order stay.
        max_nodes: what comes after this many nodes is cut.
    """
    notes: list[str] = []
    whole = len(markup)
    tags = _count_tags(markup, packed, max_nodes)
    if tags.all > max_nodes:
        markup = _cut_markup(markup, max_nodes)
    if _multiplies(markup, tags, max_nodes):
        markup = _FORMATTING_TAG.sub(r"<\1span", markup)
        notes.append("formatting ignored: too many formatting elements are never closed")
    tree = turbohtml.parse(markup, positions=False, allow_declarative_shadow_roots=False)
    _part_lines(tree)
    count = _count_nodes(tree)
    if count > max_nodes:
        _cut_after(tree, max_nodes)
    if count > max_nodes or len(markup) < whole:
        notes.append(f"page truncated after {max_nodes} nodes")
    if _is_deeper(tree, max_depth, count):
        flattened = _flatten_below(tree, max_depth)
        notes.append(f"{flattened} elements nested deeper than {max_depth} levels were flattened")
    return ParsedTree(tree, tuple(notes))


def _part_lines(tree: Tree) -> None:
    """Put a line break where a style makes a line of its own out of a ``<span>``."""
    styled = tree.select("span[style*='block']")
    lines = [
        one for one in styled[:_MOST_LINES] if _OWN_LINE.search((one.attr("style") or "")[:500])
    ]
    known = set(lines)
    for line in lines:
        before, after = _beside(line, "previous_sibling"), _beside(line, "next_sibling")
        if before is not None and not _is_break(before):
            line.insert_before(Element("br"))
        if after is not None and after not in known and not _is_break(after):
            line.insert_after(Element("br"))


def _beside(element: Element, step: str) -> Node | None:
    """The nearest sibling on one side that is not white space."""
    node: Node | None = getattr(element, step)
    while isinstance(node, Text) and not node.data.strip():
        node = getattr(node, step)
    return node


def _is_break(node: Node) -> bool:
    return isinstance(node, Element) and node.tag == "br"


def parse_fragment(markup: str) -> Element:
    """The tree of a piece of HTML, under a ``<div>`` of its own."""
    return turbohtml.parse_fragment(markup, positions=False)


class SelectorError(ValueError):
    """A selector that cannot be understood, or not on this page."""


def css(root: Tree | Element, selector: str) -> list[Element]:
    """The elements that a CSS selector finds.

    Raises:
        SelectorError: it cannot be understood.
    """
    try:
        return root.select(selector)
    except ValueError as error:
        raise SelectorError(str(error)) from None


def xpath(root: Tree | Element, expression: str) -> list[Node | str]:
    """What an XPath expression finds: nodes, attribute values, or the one text it makes.

    Raises:
        SelectorError: it cannot be understood, or fails on this page.
    """
    try:
        found = root.xpath(expression)
    except (ValueError, TypeError) as error:
        raise SelectorError(str(error).removeprefix("xpath: ")) from None
    if isinstance(found, list):
        return found
    if isinstance(found, bool):
        return ["true"] if found else []
    return [str(found)] if found else []


class _Tags(NamedTuple):
    """How many tags a page has."""

    all: int
    reopened: int
    """At most how often formatting elements would be reopened for them."""


def class_attributes(root: Tree | Element) -> list[str]:
    """The class attributes in a tree, in order: many times faster than asking each element."""
    found = cast("list[str]", root.xpath("descendant::*/@class"))
    own = root.attr("class") if isinstance(root, Element) else None
    return found if own is None else [own, *found]


class Names(NamedTuple):
    """The class attributes and ids in a tree, in order."""

    classed: list[Element]
    """The elements that have a class attribute."""
    classes: list[str]
    spellings: frozenset[str]
    """The class attributes, each spelling once."""
    bearers: list[Element]
    """The elements that have an id."""
    ids: list[str]


def read_names(root: Tree | Element) -> Names:
    """Read them once for all who ask by class or id, which is dear to ask the parser for."""
    classed = root.select("[class]")
    bearers = root.select("[id]")
    if isinstance(root, Element):
        if "class" in root.attrs:
            classed.insert(0, root)
        if "id" in root.attrs:
            bearers.insert(0, root)
    # the elements are wanted as well, and then asking each of them is faster than another search
    classes = [element.attr("class") or "" for element in classed]
    ids = [bearer.attr("id") or "" for bearer in bearers]
    return Names(classed, classes, frozenset(classes), bearers, ids)


def _count_tags(markup: str, packed: bytes | None, max_nodes: int) -> _Tags:
    """About how many; at most, where the page is too short for any to do harm."""
    most = len(markup) // 3
    if most * _REOPENED <= 4 * max_nodes:
        return _Tags(most, most * _REOPENED)
    import numpy as np  # the engine has it anyway, and counts in a third of the time with it

    codes = np.frombuffer(packed or markup.encode("utf-8", "surrogatepass"), np.uint8)
    is_tag = codes == ord("<")
    count = int(np.count_nonzero(is_tag))
    if count * _REOPENED <= 4 * max_nodes:
        return _Tags(count, count * _REOPENED)
    places = np.flatnonzero(is_tag[:-2])  # a tag has two characters more
    begun = codes[places + 1].astype(np.uint16) << 8 | codes[places + 2]
    before = np.cumsum(_formatting_pairs()[begun])
    return _Tags(count, int(np.minimum(before, _REOPENED).sum()))


@cache
def _formatting_pairs() -> NDArray[np.bool_]:
    """Which two bytes after ``<`` may be the beginning of a formatting element."""
    import numpy as np

    pairs = np.zeros((256, 256), np.bool_)
    after = [code for code in range(256) if not chr(code).isalpha() or code > ord("z")]
    for name in _FORMATTING:
        for first in name[0] + name[0].upper():
            seconds = (ord(char) for char in name[1:2] + name[1:2].upper())
            pairs[ord(first), list(seconds) or after] = True
    return pairs.ravel()


def _cut_markup(markup: str, max_nodes: int) -> str:
    """Spare the parser what is over the budget in any case: each tag makes a node."""
    start = next(islice(re.finditer("<", markup), max_nodes, None))
    return markup[: start.start() + 1]


def _multiplies(markup: str, tags: _Tags, max_nodes: int) -> bool:
    """Whether formatting elements left open would make the tree far larger than the page.

    Three tests, each dearer and more exact than the one before: one page in fifty needs the second,
    and hardly any but a hostile one the last.
    """
    limit = 4 * max_nodes
    if tags.reopened <= limit:
        return False
    return _may_exceed(markup, limit) and _exceeds_when_reopened(markup, limit)


class _StillOpen:
    """The formatting that may still be open at a place in the markup.

    An end tag closes nothing beyond the border of a table, a cell or an object, so a border makes
    what was open before it count as open for good.
    """

    def __init__(self) -> None:
        self._open: dict[str, int] = {}
        self._total = 0

    def meet(self, tag: str, *, closing: bool) -> None:
        """Pass a tag."""
        if closing:
            if self._open.get(tag):
                self._open[tag] -= 1
                self._total -= 1
        elif tag in _SCOPES:
            self._open.clear()
        elif tag in _FORMATTING:
            self._open[tag] = self._open.get(tag, 0) + 1
            self._total += 1

    def count(self) -> int:
        """How much of it the parser would reopen here."""
        return min(self._total, _REOPENED)


def _may_exceed(markup: str, limit: int) -> bool:
    """The test below, on whatever looks like a tag: scripts and comments are counted too."""
    still_open = _StillOpen()
    nodes = last = 0
    for match in _TELLING_TAG.finditer(markup):
        nodes += markup.count("<", last, match.start() + 1) * (1 + still_open.count())
        last = match.start() + 1
        still_open.meet(match[2].lower(), closing=bool(match[1]))
        if nodes > limit:
            return True
    return nodes + markup.count("<", last) * (1 + still_open.count()) > limit


def _exceeds_when_reopened(markup: str, limit: int) -> bool:
    """Count nodes as if every tag reopened all formatting that may still be open."""
    still_open = _StillOpen()
    nodes = 0
    for token in tokenize(markup, capture_attributes=False):
        closing = token.type is TokenType.END_TAG
        still_open.meet(token.tag or "", closing=closing)
        nodes += 0 if closing else 1 + still_open.count()
        if nodes > limit:
            return True
    return False


_COUNT = XPath("count(//node())")


def _count_nodes(tree: Tree) -> int:
    return int(_COUNT(tree))  # pyright: ignore[reportArgumentType]


def _cut_after(tree: Tree, max_nodes: int) -> None:
    first_out = next(islice(tree.descendants, max_nodes, None), None)
    if first_out is None:
        return
    for node in [first_out, *first_out.ancestors]:
        for sibling in list(node.next_siblings):
            sibling.decompose()
    first_out.decompose()


def _is_deeper(tree: Tree, max_depth: int, count: int) -> bool:
    if count <= max_depth:
        return False
    if count <= _LARGE:
        return bool(_path_down(max_depth + 1)(tree))
    return bool(_level(tree, max_depth + 1))


@lru_cache(maxsize=4)
def _path_down(depth: int) -> XPath:
    """The path to the elements at one depth; so long a one is read once, not for every page."""
    return XPath("/*" * depth)


def _level(tree: Tree, depth: int) -> list[Element]:
    """The elements at one depth; the root element is at depth 1."""
    level = _child_elements(tree)
    for _ in range(depth - 1):
        if not level:
            break
        level = [child for element in level for child in _child_elements(element)]
    return level


def _child_elements(node: Node) -> list[Element]:
    return [child for child in node if isinstance(child, Element)]


def _flatten_below(tree: Tree, max_depth: int) -> int:
    """Unwrap what is too deep, outermost first, so that each node moves only once.

    Elements without element children stay as they are: they are the images, line breaks and
    short paragraphs, and they end up at ``max_depth`` exactly.
    """
    flattened = 0
    for holder in _level(tree, max_depth - 1):
        for element in list(holder.iter_elements()):
            if _child_elements(element):
                _unwrap(element)
                flattened += 1
    return flattened


def _unwrap(element: Element) -> None:
    if element.tag not in _INLINE:
        element.insert_before(Text("\n"))  # the words on both sides stay apart
    element.unwrap()
