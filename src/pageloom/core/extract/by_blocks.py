"""Choose the blocks that are the content, by their scores.

Score each block, temper the scores by the kind of page, and cut where the page is expected to come
out best.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.extract.asides import announced, asking
from pageloom.core.extract.blocks import OTHER_TAG, TAGS
from pageloom.core.extract.feature_matrix import AT_ONCE
from pageloom.core.extract.features import LONG
from pageloom.core.extract.forest import SCALE
from pageloom.core.extract.native_features import measure
from pageloom.core.extract.page_kind import judge_kind, kind_chances

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pageloom.core.extract.blocks import BlockPage
    from pageloom.core.extract.feature_matrix import FeatureMatrix
    from pageloom.core.extract.features import PageContext
    from pageloom.core.extract.forest import Forest, Weights
    from pageloom.model import PageType

    Scores = NDArray[np.int64]

CERTAIN = 10_000
"""Chances are whole numbers out of this many, so that they add up alike on every machine."""
FLOOR = 1_000
"""A block with less chance than this is never content, however little else there is."""
TEMPER = 90
"""Percent of a score that counts: blocks of one page are right or wrong together."""
LEANING = {
    "article": -40,
    "documentation": 40,
    "collection": 40,
    "service": 20,
    "listing": -60,
    "product": -40,
}
"""Percent of a logit by which a kind of page wants more, or less, of itself kept.

Chosen by cross-validation: related stories spoil articles, while what looks like clutter elsewhere
is what a collection consists of.
"""
UNLIKELY = 3
"""What the chance of a block is divided by where a heading announces something else."""
REPEATABLE = 8
"""Words: a text this long that is kept twice is a copy for another screen, or for no script."""
PROSE = ("article", "documentation")
"""Kinds of page whose lists of links are clutter."""
LINKED = 0.2
MOST_OF_SERIES = 0.4
LEAST_OF_SERIES = 0.15
"""Shares of a list or table by words, from and up to which it is kept or dropped as a whole."""
CONTINUED = 2_500
LONGEST_SERIES = 30
"""The least chance, and the most blocks, of a series that is kept because of what it follows."""
AMONG = 2_500
MOST_OF_SIBLINGS = 0.6
"""The least chance of a paragraph, and share of the words beside it that is kept, to keep it."""
_CONTINUING = frozenset(("ul", "ol", "dl", "table", "pre"))
_SERIES = frozenset(("ul", "ol", "dl", "table"))
_IS_SERIES = np.zeros(OTHER_TAG + 1, np.bool_)
_IS_SERIES[[TAGS["ul"], TAGS["table"], TAGS["pre"]]] = True
"""By kind of tag: whether it may be one of these."""
_STEP = SCALE // 64
_REACH = 8 * 64


@dataclass(frozen=True, slots=True)
class BlockVerdict:
    """What is kept of a page, block by block, and what kind of page it is."""

    sheet: FeatureMatrix
    words: NDArray[np.float64]
    chances: Scores
    keep: NDArray[np.bool_]
    expected: float
    """The F1 that the chances promise for this cut."""
    kind: tuple[PageType, float]
    doubtful: NDArray[np.bool_]
    """Blocks that a heading, or the names around them, say are not of the page."""


@cache
def _chance_table() -> Scores:
    steps = range(-_REACH, _REACH + 1)
    return np.array([round(CERTAIN / (1 + math.exp(-step / 64))) for step in steps], np.int64)


def choose_blocks(page: BlockPage, context: PageContext, weights: Weights) -> BlockVerdict:
    """Score and cut a page, which must have at least one block."""
    sheet = measure(page, context)
    kinds = kind_chances(sheet, weights.kinds)
    chances = _to_chances(_score(sheet, weights.blocks), kinds)
    words = sheet.read("own.words").astype(np.float64)
    prose = sum(kinds.get(kind, 0) for kind in PROSE)
    links = sheet.read("own.link_ratio")
    doubtful = _lower(chances, page, sheet, words, prose=prose >= 85)
    keep, expected = cut(chances, words)
    series = _series(page)
    _even_out(page, series, keep, words, links, prose=prose >= 50)
    _carry_on(page, series, keep, sheet, chances, links)
    _close_ranks(page, keep, words, links, chances)
    _drop_repeats(page, keep, words)
    kind = _name_kind(kinds, sheet, words, context)
    return BlockVerdict(sheet, words, chances, keep, expected, kind, doubtful)


def find_kind(page: BlockPage, context: PageContext, weights: Weights) -> tuple[PageType, float]:
    """The kind of a page alone, of which all blocks are kept."""
    sheet = measure(page, context)
    words = sheet.read("own.words").astype(np.float64)
    return _name_kind(kind_chances(sheet, weights.kinds), sheet, words, context)


def _name_kind(
    chances: dict[str, int], sheet: FeatureMatrix, words: NDArray[np.float64], context: PageContext
) -> tuple[PageType, float]:
    return judge_kind(chances, context, float(words.sum()), sheet.read_of_page("page.good"))


def _score(sheet: FeatureMatrix, trees: Forest) -> Scores:
    """The score of each block, for some of them at a time: so a long page needs little memory."""
    parts = [
        trees.score(sheet.between(low, low + AT_ONCE), sheet.page_start)[:, 0]
        for low in range(0, sheet.count, AT_ONCE)
    ]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _lower(
    chances: Scores,
    page: BlockPage,
    sheet: FeatureMatrix,
    words: NDArray[np.float64],
    *,
    prose: bool,
) -> NDArray[np.bool_]:
    """Believe what parts of the page say of themselves, and name the blocks they are said of.

    Few labelled pages have their advertisements and sign-up boxes in them, so the trees learn too
    little of these.
    """
    doubtful = announced(page, words)
    if prose:
        doubtful |= sheet.side
    chances[doubtful] //= UNLIKELY
    chances[sheet.unmistakable] = 0
    for box in asking(page.holders.elements[0], page, words):
        chances[box] = 0
    return doubtful | sheet.side | sheet.unmistakable


def _to_chances(scores: Scores, kinds: dict[str, int]) -> Scores:
    leaning = sum(LEANING.get(kind, 0) * percent for kind, percent in kinds.items())
    tempered = scores * TEMPER // 100 + leaning * SCALE // 10_000
    return _chance_table().take(tempered // _STEP + _REACH, mode="clip")


def cut(
    chances: Scores, words: NDArray[np.float64], floor: int = FLOOR
) -> tuple[NDArray[np.bool_], float]:
    """Keep the likeliest blocks, as many as give the highest expected F1 over words.

    With p the chances and w the words, keeping the set K promises 2·Σ_K pw / (Σ_K w + Σ pw).
    """
    order = (-chances).argsort(kind="stable")
    ranked = chances[order]
    size = words[order]
    gain = (ranked * size).cumsum()
    promised = 2 * gain / (size.cumsum() * CERTAIN + gain[-1])
    eligible = max(np.count_nonzero(ranked >= floor), 1)
    best = int(promised[:eligible].argmax())
    keep = np.zeros(len(chances), np.bool_)
    keep[order[: best + 1]] = True
    return keep, float(promised[best])


def _even_out(
    page: BlockPage,
    series: list[tuple[int, str]],
    keep: NDArray[np.bool_],
    words: NDArray[np.float64],
    ratios: NDArray[np.float32],
    *,
    prose: bool,
) -> None:
    """Keep lists and tables as a whole where most of one was kept, and drop the rest of a few.

    In prose only those with few links, for there lists of links are clutter; and never a
    table that holds most of the page, which is a layout.
    """
    links = ratios * words
    half = float(words.sum()) / 2
    kept_before = [0, *keep.cumsum().tolist()]
    for index, tag in series:
        if tag not in _SERIES:
            continue
        start, end = page.holders.starts[index], page.holders.ends[index]
        if kept_before[end] - kept_before[start] in (0, end - start):
            continue
        part = slice(start, end)
        size = float(words[part].sum())
        if tag == "table" and size > half:
            continue
        if prose and float(links[part].sum()) > size * LINKED:
            continue
        share = float(words[part][keep[part]].sum()) / size
        if share >= MOST_OF_SERIES:
            keep[part] = True
        elif share <= LEAST_OF_SERIES:
            keep[part] = False


def _series(page: BlockPage) -> list[tuple[int, str]]:
    """The holders that may be lists, tables or code, and their tags."""
    names = page.holders.names
    kinds = np.frombuffer(bytes(page.holders.tags), np.uint8)
    places = _IS_SERIES.take(kinds).nonzero()[0].tolist()
    return [(index, names[index].partition(" ")[0]) for index in places]


def _carry_on(
    page: BlockPage,
    series: list[tuple[int, str]],
    keep: NDArray[np.bool_],
    sheet: FeatureMatrix,
    chances: Scores,
    links: NDArray[np.float32],
) -> None:
    """Keep a list, a table or code that goes on directly from a kept paragraph beside it.

    A few short words at the end of an article look like clutter, unless one sees what they follow.
    """
    owners, parents = page.blocks.owners, page.holders.parents
    for index, tag in series:
        start, end = page.holders.starts[index], page.holders.ends[index]
        if tag not in _CONTINUING or start == 0 or end - start > LONGEST_SERIES:
            continue
        part = slice(start, end)
        if (
            parents[owners[start - 1]] == parents[index]
            and keep[start - 1]
            and not sheet.side[start]
            and not keep[part].any()
            and float(links[part].max()) < LINKED
            and int(chances[part].max()) >= CONTINUED
        ):
            keep[part] = True


def _close_ranks(
    page: BlockPage,
    keep: NDArray[np.bool_],
    words: NDArray[np.float64],
    links: NDArray[np.float32],
    chances: Scores,
) -> None:
    """Keep a paragraph that was dropped from among its siblings, most of which are kept."""
    eligible = ~keep & (words >= LONG) & (links < LINKED) & (chances >= AMONG)
    places = eligible.nonzero()[0].tolist()
    if not places:
        return
    all_before, kept_before = ([0.0, *each.cumsum().tolist()] for each in (words, words * keep))
    for place in places:
        parent = _parent(page, place)
        start, end = page.holders.starts[parent], page.holders.ends[parent]
        others = all_before[end] - all_before[start] - float(words[place])
        kept = kept_before[end] - kept_before[start]
        if kept >= MOST_OF_SIBLINGS * others and _is_beside_kept(page, keep, place):
            keep[place] = True


def _is_beside_kept(page: BlockPage, keep: NDArray[np.bool_], place: int) -> bool:
    """Whether the block before or after one is kept, and has the same parent."""
    parents = [
        _parent(page, near)
        for near in (place - 1, place + 1)
        if 0 <= near < len(keep) and keep[near]
    ]
    return _parent(page, place) in parents


def _parent(page: BlockPage, place: int) -> int:
    """The holder above the one that a block stands in."""
    return page.holders.parents[page.blocks.owners[place]]


def _drop_repeats(page: BlockPage, keep: NDArray[np.bool_], words: NDArray[np.float64]) -> None:
    """Keep only the first of each longer text that was kept twice, unless both stand side by side.

    A refrain comes again under the same parent; a copy for another screen has one of its own.
    """
    seen: dict[str, int] = {}
    for place in (keep & (words >= REPEATABLE)).nonzero()[0].tolist():
        parent = _parent(page, place)
        if seen.setdefault(page.blocks.texts[place], parent) != parent:
            keep[place] = False
