"""What the elements above a block tell about it: their names, their repetition, the way to them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.extract.blocks import OTHER_TAG, TAGS
from pageloom.core.extract.vocabulary import CLASS_BIT, SIDE, UNMISTAKABLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pageloom.core.extract.blocks import Page

    Ints = NDArray[np.intp]
    Sums = NDArray[np.float64]
    Masks = NDArray[np.uint64]
    Answers = NDArray[np.bool_]

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
_TAG_BITS = np.zeros(OTHER_TAG + 1, np.uint64)
_TAG_BITS[[TAGS[name] for name in _TAG_NAMES]] = [1 << number for number in range(len(_TAG_NAMES))]
_MOST = 0.8
"""An element that holds this share of the page says nothing about a single block by its name."""
_SMALL = 0.3
"""Only a part with less of the page than this is judged by its name alone."""
_UNMISTAKABLE = np.uint64(sum(CLASS_BIT[group] for group in UNMISTAKABLE))
_SIDE = np.uint64(SIDE)
_REPEATED = 3
"""From this many siblings alike on, elements count as items of a series."""
_HEAVY = 0.35
"""The heaviest path goes on while the heaviest child has this share of its parent's weight."""


NEAR, FAR, ABOVE = range(3)
"""The rows of what a holder is told: class groups from near, from all above, and tags."""


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
        up = self.parents
        for _ in range(int(depths.max()).bit_length()):
            self.ways.append(up)
            up = up[up]


@dataclass(frozen=True, slots=True)
class Inherited:
    """Per holder: what it has from itself and from its ancestors."""

    told: Masks
    """Class groups of itself and the two above it, of itself and all above it; tags likewise."""
    item: Ints
    """The nearest of itself and all above that is an item of a series; the first if none is."""
    alike: Ints
    """How many siblings it has that are called like it, itself included; 1 for the first."""
    unmistakable: Answers
    """Whether it, or a small part of the page above it, has a name that nobody gives to content."""
    side: Answers
    """Likewise for a name that articles give to what stands beside them."""
    tag_names: tuple[str, ...] = _TAG_NAMES


def inherit(page: Page, above: Above, named: Ints, shares: Sums) -> Inherited:
    """Hand names, tags and repetition down from each holder to those below it.

    Args:
        page: the holders.
        above: the ways up from them.
        named: a number for each name that they have.
        shares: how much of the page each holds.
    """
    flags = np.array(page.holders.flags, np.uint64)
    own = flags * (shares < _MOST)
    told = np.array((own, own, _TAG_BITS[above.tags], flags * (shares < _SMALL)))
    told[:, 0] = 0  # the first holds all of the page
    for up in above.ways:
        told[FAR:] |= told[FAR:, up]
    parents = above.parents
    told[NEAR] |= told[NEAR][parents] | told[NEAR][parents[parents]]
    small = told[-1]
    siblings: list[int] = (above.parents * len(named) + named).tolist()
    siblings[0] = -1  # the first has none
    alike = np.array(list(map(Counter(siblings).__getitem__, siblings)))
    item = np.arange(len(named)) * (alike >= _REPEATED)
    for up in above.ways:
        item = np.where(item, item, item[up])
    return Inherited(told[:-1], item, alike, (small & _UNMISTAKABLE) > 0, (small & _SIDE) > 0)


@dataclass(frozen=True, slots=True)
class HeavyPath:
    """The way from the body always into the heaviest child, and where each holder leaves it."""

    length: int
    last: int
    """The deepest holder on the path."""
    branch: Ints
    """Per holder: the holder by which it left the path, or -1 where it did not."""
    left_at: Ints
    """Per holder: the depth at which it left."""
    side: Ints
    """Per holder: -1 before the path, 1 after it, 0 on it."""


def heavy_path(above: Above, weights: Sums) -> HeavyPath:
    """Follow the weight of running text down the page."""
    parents = above.parents
    path = _heaviest_below(parents, weights)
    beyond = np.full(len(parents), -1)
    """The child on the path of each holder that is on it; the last has none."""
    beyond[path[:-1]] = path[1:]
    on_path = np.zeros(len(parents), np.bool_)
    on_path[path] = True
    leaves = (beyond[parents] >= 0) & ~on_path
    branch = np.arange(len(parents)) * leaves
    for up in above.ways:
        branch = np.where(branch, branch, branch[up])
    left = branch > 0
    from_here = parents[branch]
    return HeavyPath(
        length=len(path) - 1,
        last=path[-1],
        branch=np.where(left, branch, -1),
        left_at=np.where(left, above.depths[from_here], len(path) - 1),
        side=np.where(branch > beyond[from_here], 1, -1) * left,
    )


def _heaviest_below(parents: Ints, weights: Sums) -> list[int]:
    """The holders on the path, from the first one down."""
    # the heaviest child is written last, and of equals the first; the first holder has no parent
    rising = (-weights[1:]).argsort(kind="stable")[::-1] + 1
    heaviest = np.full(len(parents), -1)
    heaviest[parents[rising]] = rising
    path = [0]
    while (below := int(heaviest[path[-1]])) >= 0 and weights[below] >= weights[path[-1]] * _HEAVY:
        path.append(below)
    return path
