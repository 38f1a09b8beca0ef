"""What the elements above a block tell about it: their names, their repetition, the way to them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.core.extract.blocks import OTHER_TAG, TAGS
from pageloom.core.extract.vocabulary import CLASS_BIT, SIDE, UNMISTAKABLE

if TYPE_CHECKING:
    from pageloom.core.extract.blocks import Page

_TAG_NAMES = (
    "li",
    "td",
    "article",
    "section",
    "main",
    "aside",
    "header",
    "form",
    "ul",
    "table",
    "figure",
    "blockquote",
    "details",
    "button",
    "pre",
    "noscript",
    "dd",
)
_TAG_BITS = dict.fromkeys(range(OTHER_TAG + 1), 0) | {
    TAGS[name]: 1 << number for number, name in enumerate(_TAG_NAMES)
}
_MOST = 0.8
"""An element that holds this share of the page says nothing about a single block by its name."""
_SMALL = 0.3
"""Only a part with less of the page than this is judged by its name alone."""
_UNMISTAKABLE = sum(CLASS_BIT[group] for group in UNMISTAKABLE)
_REPEATED = 3
"""From this many siblings alike on, elements count as items of a series."""
_HEAVY = 0.35
"""The heaviest path goes on while the heaviest child has this share of its parent's weight."""


@dataclass(frozen=True, slots=True)
class Inherited:
    """Per holder: what it has from itself and from its ancestors."""

    own: list[int]
    """Class groups of itself."""
    far: list[int]
    """Class groups of itself and all above."""
    tags: list[int]
    item: list[int]
    """The nearest of itself and all above that is an item of a series; the first if none is."""
    alike: list[int]
    """How many siblings it has that are called like it, itself included; 1 for the first."""
    unmistakable: list[bool]
    """Whether it, or a small part of the page above it, has a name that nobody gives to content."""
    side: list[bool]
    """Likewise for a name that articles give to what stands beside them."""
    tag_names: tuple[str, ...] = _TAG_NAMES


def inherit(page: Page, shares: list[float]) -> Inherited:
    """Hand names, tags and repetition down from each holder to those below it."""
    holders = page.holders
    count = len(holders.tags)
    own, far, tags, item = [0] * count, [0] * count, [0] * count, [0] * count
    unmistakable, side = [False] * count, [False] * count
    parents, kinds, flags = holders.parents, holders.tags, holders.flags
    places = list(zip(parents, holders.names, strict=True))
    alike = list(map(Counter(places).__getitem__, places))
    for index in range(1, count):
        up = parents[index]
        far[index] = far[up]
        tags[index] = tags[up] | _TAG_BITS[kinds[index]]
        item[index] = index if alike[index] >= _REPEATED else item[up]
        unmistakable[index] = unmistakable[up]
        side[index] = side[up]
        flag = flags[index]
        if flag and shares[index] < _MOST:
            own[index] = flag
            far[index] |= flag
            if shares[index] < _SMALL:
                if flag & _UNMISTAKABLE:
                    unmistakable[index] = True
                if flag & SIDE:
                    side[index] = True
    return Inherited(own, far, tags, item, alike, unmistakable, side)


@dataclass(frozen=True, slots=True)
class HeavyPath:
    """The way from the body always into the heaviest child, and where each holder leaves it."""

    length: int
    last: int
    """The deepest holder on the path."""
    branch: list[int]
    """Per holder: the holder by which it left the path, or -1 where it did not."""
    left_at: list[int]
    """Per holder: the depth at which it left."""
    side: list[int]
    """Per holder: -1 before the path, 1 after it, 0 on it."""


def heavy_path(page: Page, weights: list[float]) -> HeavyPath:
    """Follow the weight of running text down the page."""
    parents, depths = page.holders.parents, page.holders.depths
    count = len(parents)
    heaviest = [-1] * count
    for index in range(1, count):
        up = parents[index]
        if heaviest[up] < 0 or weights[index] > weights[heaviest[up]]:
            heaviest[up] = index
    on_path = [False] * count
    last = length = 0
    on_path[0] = True
    while heaviest[last] >= 0 and weights[heaviest[last]] >= weights[last] * _HEAVY:
        last = heaviest[last]
        on_path[last] = True
        length += 1
    branch, left_at, side = [-1] * count, [length] * count, [0] * count
    for index in range(1, count):
        up = parents[index]
        if on_path[index] or up == last:
            continue
        if on_path[up]:
            branch[index] = index
            left_at[index] = depths[up]
            side[index] = 1 if index > heaviest[up] else -1
        else:
            branch[index], left_at[index], side[index] = branch[up], left_at[up], side[up]
    return HeavyPath(length, last, branch, left_at, side)
