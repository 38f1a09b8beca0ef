"""What was left out of the content, remembered so that two visits can be compared.

A block whose chances are near the cut may be kept today and dropped tomorrow because something
else on the page changed. It is no change of the page, and comparing must be able to know that.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.extract.blocks import TAGS
from pageloom.core.extract.fleeting import read_fleeting
from pageloom.core.extract.vocabulary import name_words
from pageloom.core.volatile import CLOCK, text_mark

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pageloom.core.extract.blocks import Page
    from pageloom.core.extract.by_blocks import Verdict

_LIKELY = 1_500
"""A chance, out of ten thousand, from which on a block may well be content."""
_LINKED = 0.5
_MOST_BLOCKS = 200
_MOST_TEXT = 400
_MOST_MARKS = 4_000
_MOST_HEADINGS = 50
_MOST_OF_BOX = 40
_LARGEST_BOX = 0.35
"""The share of a page, by characters, that the box of a heading may have."""
_SMALLEST_MAIN = 0.5
"""The share of the kept text from which on an element named so is the main part of a page."""
_BESIDE = frozenset("aside sidebar side rail secondary widget widgets footer foot ftr".split())
_NEARLY_BESIDE = re.compile("side|rail|secondary|widget|foot|ftr", re.IGNORECASE)
_FACTS = frozenset(
    "info infobox fact facts summary spec specs detail details note notes callout toc by main "
    "content article product price buy order hours opening contact job event key overview".split()
)
"""Words of names of boxes that stand at a side and are part of what the page says."""
_LEVELS = {TAGS["h1"]: 1, TAGS["h2"]: 2, TAGS["h3"]: 3, TAGS["h4"]: 4}


class Margin(NamedTuple):
    """What is remembered of the blocks that were left out."""

    texts: tuple[str, ...] = ()
    """Those that were nearly kept, in order."""
    headings: dict[str, str] | None = None
    """Headings that were left out though something under them was, or nearly was, kept; with
    the marks of that."""
    boxes: dict[str, str] | None = None
    """Headings that share a small element with little else, with the marks of that."""
    fleeting: dict[str, tuple[str, ...]] | None = None
    """By the marks of texts: what of each changes by itself, as the names around it say."""
    marks: str = ""
    """Eight hexadecimal digits for each block that was left out (see ``text_mark``)."""
    beside: str = ""
    """The same for each block that was kept though it stands beside the main part."""


def read_margin(page: Page, verdict: Verdict, keep: NDArray[np.bool_]) -> Margin:
    """Remember what was left out of a page."""
    left_out = [place for place, kept in enumerate(keep.tolist()) if not kept]
    links = verdict.sheet.read("own.link_ratio")
    near = (verdict.chances >= _LIKELY) & (links < _LINKED) & ~verdict.doubtful
    likely = verdict.chances >= _LIKELY
    texts = [
        page.blocks[place].text
        for place in left_out
        if near[place] or (likely[place] and CLOCK.fullmatch(page.blocks[place].text))
    ]
    marks = {text_mark(page.blocks[place].text): None for place in left_out[:_MOST_MARKS]}
    headings = _lost_headings(page, keep.tolist(), near.tolist())
    return Margin(
        fleeting=read_fleeting(page, keep.tolist(), verdict.kind[0]),
        texts=tuple(text for text in texts if len(text) <= _MOST_TEXT)[:_MOST_BLOCKS],
        headings=headings,
        boxes=_boxes(page, keep.tolist()),
        marks="".join(marks),
        beside="".join(
            text_mark(page.blocks[place].text) for place in sorted(_beside(page, keep.tolist()))
        ),
    )


def _beside(page: Page, keep: list[bool]) -> set[int]:
    """The kept blocks that stand in side boxes and footers, or outside of the main element."""
    sizes = (len(block.text) if kept else 0 for block, kept in zip(page.blocks, keep, strict=True))
    before = list(accumulate(sizes, initial=0))
    found: set[int] = set()
    mains: list[range] = []
    in_story: list[bool] = []
    for holder, end in zip(page.holders, page.ends, strict=True):
        inside = holder.parent >= 0 and in_story[holder.parent]
        in_story.append(inside or holder.tag == TAGS["article"])
        places = range(holder.start, end)
        if holder.tag == TAGS["main"]:
            mains.append(places)
        elif (
            not inside  # within a story an aside is a part of it
            and holder.start not in found
            and _stands_beside(holder.name)
            and _size(before, places) <= _LARGEST_BOX * before[-1]
        ):
            found.update(places)
    if len(mains) == 1 and _size(before, mains[0]) >= _SMALLEST_MAIN * before[-1]:
        found.update(place for place in range(len(keep)) if place not in mains[0])
    return {place for place in found if keep[place]}


def _size(before: list[int], places: range) -> int:
    return before[places.stop] - before[places.start]


def _stands_beside(name: str) -> bool:
    if not _NEARLY_BESIDE.search(name):  # spares most names the words
        return False
    words = name_words(name)
    return not _BESIDE.isdisjoint(words) and _FACTS.isdisjoint(words)


def _lost_headings(page: Page, keep: list[bool], near: list[bool]) -> dict[str, str]:
    found: dict[str, str] = {}
    heading, level, end = "", 0, 0
    for place, block in enumerate(page.blocks):
        own = _LEVELS.get(page.holders[block.owner].tag, 0)
        if place >= end or (own and own <= level):
            heading = ""
        if own and not heading and not keep[place]:
            heading, level, end = block.text[:100], own, _end_of_part(page, block.owner, place)
        elif heading and (keep[place] or near[place]) and len(found) < _MOST_HEADINGS:
            found[heading] = found.get(heading, "") + text_mark(block.text)
    return found


def _boxes(page: Page, keep: list[bool]) -> dict[str, str]:
    """What a heading speaks for, kept or lost, where it has a box of its own."""
    sizes = [len(block.text) if kept else 0 for block, kept in zip(page.blocks, keep, strict=True)]
    most = _LARGEST_BOX * sum(sizes)
    found: dict[str, str] = {}
    for place, block in enumerate(page.blocks):
        level = _LEVELS.get(page.holders[block.owner].tag, 0)
        if level < 2 or len(found) >= _MOST_HEADINGS:
            continue
        end = _end_of_part(page, block.owner, place)
        if end - place <= _MOST_OF_BOX and sum(sizes[place:end]) <= most:
            found[block.text[:100]] = "".join(
                text_mark(page.blocks[inner].text) for inner in range(place + 1, end)
            )
    return found


def _end_of_part(page: Page, owner: int, place: int) -> int:
    """Where the element ends that holds a heading together with something else."""
    while owner >= 0 and page.ends[owner] <= place + 1:
        owner = page.holders[owner].parent
    return page.ends[owner] if owner >= 0 else len(page.blocks)
