"""Record the blocks that were left out of the content, for comparing two visits.

A block whose chances are near the cut may be kept today and dropped tomorrow because something
else on the page changed. It is no change of the page, and comparing must be able to know that.
"""

from __future__ import annotations

from itertools import accumulate, compress, count
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pageloom.core.extract.blocks import TAGS
from pageloom.core.extract.fleeting import read_fleeting
from pageloom.core.extract.vocabulary import name_words
from pageloom.core.memoize import memoize
from pageloom.core.volatile import CLOCK, text_marks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pageloom.core.extract.blocks import BlockPage
    from pageloom.core.extract.by_blocks import BlockVerdict

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
_NEARLY_BESIDE = ("side", "rail", "secondary", "widget", "foot", "ftr")
_FACTS = frozenset(
    "info infobox fact facts summary spec specs detail details note notes callout toc by main "
    "content article product price buy order hours opening contact job event key overview".split()
)
"""Words of names of boxes that stand at a side and are part of what the page says."""
_LEVELS = {TAGS["h1"]: 1, TAGS["h2"]: 2, TAGS["h3"]: 3, TAGS["h4"]: 4}
_MAIN, _ARTICLE = TAGS["main"], TAGS["article"]


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


def read_margin(page: BlockPage, verdict: BlockVerdict, keep: NDArray[np.bool_]) -> Margin:
    """Remember what was left out of a page."""
    kept = keep.tolist()
    marks = text_marks(page.blocks.texts)
    likely = verdict.chances >= _LIKELY
    near = likely & (verdict.sheet.read("own.link_ratio") < _LINKED) & ~verdict.doubtful
    nearly_kept = near.tolist()
    texts = (
        page.blocks.texts[place]
        for place in np.flatnonzero(likely & ~keep).tolist()
        if nearly_kept[place] or CLOCK.fullmatch(page.blocks.texts[place])
    )
    left_out = [mark for mark, is_kept in zip(marks, kept, strict=True) if not is_kept]
    headings = _heading_levels(page)
    sizes = list(map(mul, map(len, page.blocks.texts), kept))
    return Margin(
        fleeting=read_fleeting(page, kept, marks, verdict.kind[0]),
        texts=tuple(text for text in texts if len(text) <= _MOST_TEXT)[:_MOST_BLOCKS],
        headings=_lost_headings(page, headings, kept, nearly_kept, marks),
        boxes=_boxes(page, headings, sizes, marks),
        marks="".join(dict.fromkeys(left_out[:_MOST_MARKS])),
        beside="".join(marks[place] for place in sorted(_beside(page, kept, sizes))),
    )


def _heading_levels(page: BlockPage) -> dict[int, int]:
    """The places of the headings, in order, each with its level."""
    tags = map(page.holders.tags.__getitem__, page.blocks.owners)
    return {place: _LEVELS[tag] for place, tag in enumerate(tags) if tag in _LEVELS}


def _beside(page: BlockPage, keep: list[bool], sizes: list[int]) -> set[int]:
    """The kept blocks that stand in side boxes and footers, or outside of the main element.

    Args:
        page: the blocks.
        keep: which of them are the content.
        sizes: the characters of each of these, and none for the others.
    """
    holders = page.holders
    parents, tags, starts, ends = holders.parents, holders.tags, holders.starts, holders.ends
    said = frozenset(filter(_stands_beside, set(holders.names)))
    named = list(compress(count(), map(said.__contains__, holders.names))) if said else []
    has_main = tags.count(_MAIN) == 1
    if not named and not has_main:
        return set()
    before = list(accumulate(sizes, initial=0))
    found: set[int] = set()
    in_story = _in_stories(parents, tags) if named and _ARTICLE in tags else None
    for index in named:
        places = range(starts[index], ends[index])
        if (
            tags[index] != _MAIN
            # within a story an aside is a part of it
            and not (in_story and in_story[max(parents[index], 0)])
            and places.start not in found
            and _size(before, places) <= _LARGEST_BOX * before[-1]
        ):
            found.update(places)
    if has_main:
        index = tags.index(_MAIN)
        main = range(starts[index], ends[index])
        if _size(before, main) >= _SMALLEST_MAIN * before[-1]:
            found.update(range(main.start))
            found.update(range(main.stop, len(keep)))
    return {place for place in found if keep[place]}


def _in_stories(parents: Sequence[int], tags: Sequence[int]) -> list[bool]:
    """For each holder whether it is an article, or stands in one."""
    inside = [tag == _ARTICLE for tag in tags]
    for index in range(1, len(inside)):
        if inside[parents[index]]:
            inside[index] = True
    return inside


def _size(before: list[int], places: range) -> int:
    return before[places.stop] - before[places.start]


@memoize(4_096)
def _stands_beside(name: str) -> bool:
    lowered = name.lower()
    if not any(map(lowered.__contains__, _NEARLY_BESIDE)):  # spares most names the words
        return False
    words = name_words(name)
    return not _BESIDE.isdisjoint(words) and _FACTS.isdisjoint(words)


def _lost_headings(
    page: BlockPage, levels: dict[int, int], keep: list[bool], near: list[bool], marks: list[str]
) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    after = 0
    for start, level in levels.items():
        if start < after or keep[start]:
            continue
        heading = page.blocks.texts[start][:100]
        after = start + 1
        end = _end_of_part(page, start)
        while after < end and levels.get(after, level + 1) > level:
            if (keep[after] or near[after]) and (heading in found or len(found) < _MOST_HEADINGS):
                # joined only at the end: one heading may speak for a hundred thousand blocks
                found.setdefault(heading, []).append(marks[after])
            after += 1
    return {heading: "".join(spoken) for heading, spoken in found.items()}


def _boxes(
    page: BlockPage, levels: dict[int, int], sizes: list[int], marks: list[str]
) -> dict[str, str]:
    """What a heading speaks for, kept or lost, where it has a box of its own."""
    lower = [place for place, level in levels.items() if level > 1]
    if not lower:
        return {}
    texts = page.blocks.texts
    most = _LARGEST_BOX * sum(sizes)
    found: dict[str, str] = {}
    for place in lower:
        if len(found) >= _MOST_HEADINGS:
            break
        end = _end_of_part(page, place)
        if end - place <= _MOST_OF_BOX and sum(sizes[place:end]) <= most:
            found[texts[place][:100]] = "".join(marks[place + 1 : end])
    return found


def _end_of_part(page: BlockPage, place: int) -> int:
    """Where the element ends that holds a heading together with something else."""
    owner, ends = page.blocks.owners[place], page.holders.ends
    while owner >= 0 and ends[owner] <= place + 1:
        owner = page.holders.parents[owner]
    return ends[owner] if owner >= 0 else len(page)
