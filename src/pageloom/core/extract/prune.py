"""Reduce the tree to the kept blocks and their images."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.dom import Element, Text
from pageloom.core.extract.blocks import SKIPPED, TAGS
from pageloom.core.pictures import is_sign

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pageloom.core.dom import Node
    from pageloom.core.extract.blocks import BlockPage

_PLAYERS = frozenset("iframe object embed audio video source track param".split())
_CLUTTER = tuple(sorted(SKIPPED - _PLAYERS))
_ITEMS = frozenset((TAGS["li"], TAGS["td"], TAGS["th"], TAGS["dt"], TAGS["dd"]))
_CAPTION = TAGS["figcaption"]
_FIGURE = TAGS["figure"]
_VERBATIM = TAGS["pre"]


def render_text(page: BlockPage, keep: NDArray[np.bool_], *, alts: bool = False) -> str:
    """The kept blocks as plain text: items on lines of their own, all else in paragraphs.

    Args:
        page: the blocks.
        keep: which of them.
        alts: whether the descriptions of kept pictures stand where the pictures do.
    """
    parts: list[str] = []
    previous = None
    described = _descriptions(page, keep) if alts else {}
    tags, texts, owners = page.holders.tags, page.blocks.texts, page.blocks.owners
    for place in np.flatnonzero(keep).tolist():
        for description in described.pop(place, ()):
            parts.extend(("\n\n", description) if parts else (description,))
            previous = None
        tag = tags[owners[place]]
        if parts:
            parts.append("\n" if tag in _ITEMS and tag == previous else "\n\n")
        parts.append(_verbatim(page, place) if tag == _VERBATIM else texts[place])
        previous = tag
    return "".join(parts)


def _descriptions(page: BlockPage, keep: NDArray[np.bool_]) -> dict[int, list[str]]:
    """The alt texts of kept pictures, by the kept block they come before."""
    found: dict[int, list[str]] = {}
    kept = _kept_pictures(page, keep)
    places = np.flatnonzero(keep)
    for element, place in page.pictures:
        alt = " ".join((element.attr("alt") or "").split())
        after = int(np.searchsorted(places, place))
        if alt and element in kept and len(places):
            found.setdefault(int(places[min(after, len(places) - 1)]), []).append(alt)
    return found


def _verbatim(page: BlockPage, place: int) -> str:
    """A block of code as it stands, if its element holds nothing else."""
    owner = page.blocks.owners[place]
    if page.holders.starts[owner] != place or page.holders.ends[owner] != place + 1:
        return page.blocks.texts[place]
    element = page.holders.elements[owner]
    pieces = (
        node.data if type(node) is Text else "\n" if _is_break(node) else ""
        for node in element.descendants
    )
    return "".join(pieces).strip("\r\n").rstrip()


def _is_break(node: Node) -> bool:
    return type(node) is Element and node.tag == "br"


def prune(page: BlockPage, keep: NDArray[np.bool_]) -> Element:
    """Remove all from the tree but the kept blocks and what belongs to them; give their root.

    Text that is not kept goes, and every element that holds no kept block. Pictures and players
    stay where a neighbouring block stays, and the caption of a picture stays with it.
    """
    wanted = keep.tolist()
    before = [0, *accumulate(wanted)]
    spans = zip(page.holders.starts, page.holders.ends, strict=True)
    kept = [before[end] - before[start] for start, end in spans]
    root = _common_root(page, kept)
    pictures = _kept_pictures(page, keep)
    around = _all_around(pictures)
    captions = _captions_of(page, around)
    _drop_clutter(page.holders.elements[root])
    _drop_pictures(page, pictures)
    _drop_holders(page, kept, captions, around)
    blocks = page.blocks
    for owner, nodes, is_wanted in zip(blocks.owners, blocks.nodes, wanted, strict=True):
        if not is_wanted and kept[owner]:
            for node in nodes:
                node.extract()
    return page.holders.elements[root]


def _common_root(page: BlockPage, kept: list[int]) -> int:
    """The deepest holder with all kept blocks in it; never an inline or list-item level one."""
    every = kept[0]
    # those with all kept blocks in them lie in one another, the outer before the inner
    root = len(kept) - 1 - kept[::-1].index(every) if every else 0
    while root and page.holders.tags[root] in _ITEMS | {
        _VERBATIM,
        TAGS["p"],
        TAGS["h1"],
        TAGS["h2"],
    }:
        root = page.holders.parents[root]
    return root


def _kept_pictures(page: BlockPage, keep: NDArray[np.bool_]) -> set[Element]:
    """Pictures beside a kept block; captions between the two do not count as distance."""
    if not page.pictures:
        return set()
    wanted = after = before = keep.tolist()
    captions = _captions(page)
    if captions:
        after = _nearest(wanted, captions)
        before = _nearest(wanted[::-1], captions[::-1])[::-1]
    return {
        element
        for element, place in page.pictures
        if ((place > 0 and before[place - 1]) or (place < len(wanted) and after[place]))
        and not is_sign(element)
    }


def _captions(page: BlockPage) -> list[bool]:
    """For each block whether it is a caption; nothing where none is."""
    names = page.holders.names
    every = " ".join(names)
    if "caption" not in every and "Caption" not in every:  # the tag of a caption has it too
        return []
    is_caption = ["caption" in name or "Caption" in name for name in names]
    return [is_caption[owner] for owner in page.blocks.owners]


def _nearest(wanted: list[bool], captions: list[bool]) -> list[bool]:
    """For each place: whether the first block from there on that is no caption is kept."""
    answer = [False] * len(wanted)
    known = False
    for place in reversed(range(len(wanted))):
        if wanted[place] or not captions[place]:
            known = wanted[place]
        answer[place] = known
    return answer


def _all_around(pictures: set[Element]) -> set[Node]:
    """The elements that have a kept picture in them."""
    around: set[Node] = set()
    for picture in pictures:
        for ancestor in picture.ancestors:
            if ancestor in around:
                break
            around.add(ancestor)
    return around


def _captions_of(page: BlockPage, around: set[Node]) -> set[int]:
    """The caption holders, and all they hold, in figures whose picture is kept."""
    holders = page.holders
    saved: set[int] = set()
    if not around or _FIGURE not in holders.tags:
        return saved
    in_figure = [False] * len(holders.tags)
    for index, (up, tag) in enumerate(zip(holders.parents, holders.tags, strict=True)):
        in_figure[index] = (up >= 0 and in_figure[up]) or (
            tag == _FIGURE
            and holders.names[index].startswith("figure ")
            and holders.elements[index] in around
        )
        if in_figure[index] and (tag in (_CAPTION, _FIGURE) or up in saved):
            saved.add(index)
    return saved


def _drop_clutter(root: Element) -> None:
    """Remove what is never content; of fields the ticks of a task list are."""
    for element in list(root.iter_elements(_CLUTTER)):
        if element.tag != "input" or (element.attr("type") or "").lower() != "checkbox":
            element.decompose()


def _drop_pictures(page: BlockPage, pictures: set[Element]) -> None:
    for element, _ in page.pictures:
        if element not in pictures and element.parent is not None:
            element.decompose()


def _drop_holders(page: BlockPage, kept: list[int], captions: set[int], around: set[Node]) -> None:
    """Remove the topmost holders without a kept block or picture; all below goes with them."""
    elements, starts, ends = page.holders.elements, page.holders.starts, page.holders.ends
    index = 1
    while index < len(elements):
        element = elements[index]
        if kept[index] or index in captions or element in around:
            index += 1
            continue
        if element.parent is not None:
            element.decompose()
        index = bisect_left(starts, ends[index], index + 1)  # the first that is not below it
