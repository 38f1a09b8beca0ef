"""Features of a block's ancestors: names, repetition, path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.extract.blocks import OTHER_TAG, TAGS
from pageloom.core.extract.vocabulary import CLASS_BIT, CLASS_GROUPS, SIDE, UNMISTAKABLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.intp]
    Sums = NDArray[np.float64]
    Masks = NDArray[np.uint64]

TAG_NAMES = (
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
NEAR, FAR = range(2)
"""The rows of what a holder is told: from itself and the two above it, and from all above it."""
NAME_GROUPS = (*CLASS_GROUPS, "hidden_attr")
WARNINGS = slice(len(NAME_GROUPS), len(NAME_GROUPS) + 2)
FIRST_TAG = 64 - len(TAG_NAMES)
"""What the bits of one number tell: the groups of names; whether a small part of the page has a
name that nobody gives to content, and one that articles give to what stands beside them; tags."""
GROUP_BITS = np.uint64((1 << len(NAME_GROUPS)) - 1)
UNMISTAKABLE_BIT = np.uint64(1 << WARNINGS.start)
SIDE_BIT = np.uint64(2 << WARNINGS.start)
TAG_BITS = np.zeros(OTHER_TAG + 1, np.uint64)
TAG_BITS[[TAGS[name] for name in TAG_NAMES]] = [1 << bit for bit in range(FIRST_TAG, 64)]
MOST = 0.8
"""An element that holds this share of the page says nothing about a single block by its name."""
SMALL = 0.3
"""Only a part with less of the page than this is judged by its name alone."""
UNMISTAKABLE_NAMES = np.uint64(sum(CLASS_BIT[group] for group in UNMISTAKABLE))
SIDE_NAMES = np.uint64(SIDE)
REPEATED = 3
"""From this many siblings alike on, elements count as items of a series."""
HEAVY = 0.35
"""The heaviest path goes on while the heaviest child has this share of its parent's weight."""


class Above:
    """The ways up from the holders of a page.

    What is handed down from each holder to all below it is handed over 1, 2, 4, 8 … levels in turn:
    a few steps for all holders at once, however deep they are.
    """

    __slots__ = ("depths", "parents", "tags", "ways")

    def __init__(self, parents: Ints, depths: Ints, tags: Ints) -> None:
        self.parents = np.maximum(parents, 0)
        self.depths = depths
        self.tags = tags
        self.ways: list[Ints] = []
        """Per step: the holder that many levels above each; the first for those less deep."""
        for _ in range(int(depths.max()).bit_length()):
            self.ways.append(self.ways[-1][self.ways[-1]] if self.ways else self.parents)


@dataclass(frozen=True, slots=True)
class Inherited:
    """Per holder: what it has from itself and from its ancestors."""

    told: Masks
    """A row of bits from near and one from far; only the latter has more than groups of names."""
    item: Ints
    """The nearest of itself and all above that is an item of a series; the first if none is."""
    alike: Ints
    """How many siblings it has that are called like it, itself included; 1 for the first."""


def inherit(flags: Masks, above: Above, named: Ints, shares: Sums) -> Inherited:
    """Hand names, tags and repetition down from each holder to those below it.

    Args:
        flags: the groups of their own names.
        above: the ways up from them.
        named: a number for each name that they have.
        shares: how much of the page each holds.
    """
    small = flags * (shares < SMALL)
    told = np.empty((2, len(flags)), np.uint64)
    near, far = told
    np.multiply(flags & GROUP_BITS, shares < MOST, out=near)
    far[:] = near | TAG_BITS[above.tags]
    far |= ((small & UNMISTAKABLE_NAMES) > 0) * UNMISTAKABLE_BIT
    far |= ((small & SIDE_NAMES) > 0) * SIDE_BIT
    told[:, 0] = 0  # the first holds all of the page
    parents = above.parents
    near |= near[parents] | near[parents[parents]]
    alike = _count_alike(above.parents * len(named) + named)
    item = np.arange(len(named)) * (alike >= REPEATED)
    for up in above.ways:
        far |= far[up]
        np.maximum(item, item[up], out=item)  # the nearest above is the last of them
    return Inherited(told, item, alike)


def _count_alike(numbers: Ints) -> Ints:
    """How often each of the numbers is there; the first is one of its own."""
    order = numbers[1:].argsort(kind="stable") + 1
    ranked = numbers[order]
    begins = np.ones(len(order) + 1, np.bool_)
    np.not_equal(ranked[1:], ranked[:-1], out=begins[1:-1])
    borders = begins.nonzero()[0]
    sizes = borders[1:] - borders[:-1]
    counts = np.ones(len(numbers), np.intp)
    counts[order] = sizes.repeat(sizes)
    return counts


@dataclass(frozen=True, slots=True)
class HeavyPath:
    """The way from the body always into the heaviest child, and where each holder leaves it."""

    length: int
    last: int
    """The deepest holder on the path."""
    beyond: Ints
    """Per holder: the child on the path of one that is on it; -1 for the last and all others."""
    branch: Ints
    """Per holder: the holder by which it left the path, or 0 where it did not."""


def heavy_path(above: Above, weights: Sums) -> HeavyPath:
    """Follow the weight of running text down the page."""
    parents = above.parents
    path = _heaviest_below(parents, weights)
    beyond = np.full(len(parents), -1)
    beyond[path[:-1]] = path[1:]
    branch = np.arange(len(parents)) * (beyond[parents] >= 0)
    branch[path] = 0
    for up in above.ways:
        np.maximum(branch, branch[up], out=branch)
    return HeavyPath(len(path) - 1, path[-1], beyond, branch)


def _heaviest_below(parents: Ints, weights: Sums) -> list[int]:
    """The holders on the path, from the first one down."""
    most = np.zeros(len(parents))
    np.maximum.at(most, parents[1:], weights[1:])  # the first holder has no parent
    heavy = (weights[1:] >= most[parents[1:]]).nonzero()[0][::-1] + 1
    heaviest = np.full(len(parents), -1)
    heaviest[parents[heavy]] = heavy  # of equals the first, which is written last
    path = [0]
    while (below := int(heaviest[path[-1]])) >= 0 and weights[below] >= weights[path[-1]] * HEAVY:
        path.append(below)
    return path
