"""Choose the blocks that are the content, by their scores.

Score each block, temper the scores by the kind of page, and cut where the page is expected to come
out best.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.dom import Element
from pageloom.core.extract.blocks import TAGS
from pageloom.core.extract.label_features import headed
from pageloom.core.extract.native_features import measure
from pageloom.core.extract.page_kind import judge_kind, kind_chances
from pageloom.core.forest import SCALE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from pageloom.core.dom import Node
    from pageloom.core.extract.blocks import BlockPage
    from pageloom.core.extract.feature_matrix import FeatureMatrix
    from pageloom.core.extract.features import PageContext
    from pageloom.core.extract.weights import Weights
    from pageloom.model import PageType

    Scores = NDArray[np.int64]

CERTAIN = 10_000
"""Chances are whole numbers out of this many, so that they add up alike on every machine."""
FLOOR = 1_000
"""A block with less chance than this is never content, however little else there is."""
TEMPER = 90
"""Percent of a score that counts: blocks of one page are right or wrong together."""
LEANING = {
    "article": -60,
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
UNLIKELY = 4
"""What the chance of a block is divided by in a box that begins with "Related stories" or so, and
among the comments of an article."""
ARTICLE, DECLARED_ARTICLE = 60, 40
"""The least chance, in percent, of a page to be an article whose comments are judged so; less where
it declares to be one."""
MOST_BOXED = 0.4
"""The share of a page that may be in boxes of which nothing is kept."""
REPEATABLE = 8
"""Words: a text this long that is kept twice is a copy for another screen, or for no script."""
RETOLD = 40
MOST_RETOLD = 3
MOST_OF_RUN = 0.7
"""The least words of a run that may be made of other blocks, how many are looked at, and how much
of one must be found in others."""
MOST_OF_TABLE, LEAST_OF_TABLE = 0.5, 0.15
"""Shares of a table by words, from and up to which it is kept or dropped as a whole."""
MOST_ABOVE = 6
"""How many blocks above the first heading may be a declaration and what is said of it."""
FEWEST_ALIKE = 3
"""How many blocks of one look are a list of them."""
_SIGNATURE = re.compile(r"\b(?:sig|signature|declaration)\b")
_HEADINGS = frozenset((TAGS["h1"], TAGS["h2"], TAGS["h3"], TAGS["h4"]))
_CODE = TAGS["pre"]
_WHOLE = frozenset((_CODE, TAGS["table"], TAGS["dl"]))
"""Tags of what is kept or dropped as a whole."""
_TEX_START, _TEX_END = ("\\[", "$$"), ("\\]", "$$")
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


@cache
def _chance_table() -> Scores:
    steps = range(-_REACH, _REACH + 1)
    return np.array([round(CERTAIN / (1 + math.exp(-step / 64))) for step in steps], np.int64)


def choose_blocks(page: BlockPage, context: PageContext, weights: Weights) -> BlockVerdict:
    """Score and cut a page, which must have at least one block."""
    sheet = measure(page, context)
    kinds = kind_chances(sheet, weights.kinds)
    chances = _to_chances(weights.score(sheet), kinds)
    words = sheet.read("own.words").astype(np.float64)
    _empty_boxes(chances, sheet, words)
    chances[headed(page, sheet.announced)] //= UNLIKELY
    if kinds.get("article", 0) >= (DECLARED_ARTICLE if context.is_article else ARTICLE):
        chances[sheet.read("names.comment") > 0] //= UNLIKELY
    _judge_alike(page, chances, words)
    keep, expected = cut(chances, words)
    _keep_declaration(page, keep, chances)
    _keep_formulas(page, keep)
    _even_out(page, keep, words)
    _drop_repeats(page, keep, words)
    _drop_retold(page, keep, words)
    kind = _name_kind(kinds, sheet, words, context)
    return BlockVerdict(sheet, words, chances, keep, expected, kind)


def find_kind(page: BlockPage, context: PageContext, weights: Weights) -> tuple[PageType, float]:
    """The kind of a page alone, of which all blocks are kept."""
    sheet = measure(page, context)
    words = sheet.read("own.words").astype(np.float64)
    return _name_kind(kind_chances(sheet, weights.kinds), sheet, words, context)


def _name_kind(
    chances: dict[str, int], sheet: FeatureMatrix, words: NDArray[np.float64], context: PageContext
) -> tuple[PageType, float]:
    return judge_kind(chances, context, float(words.sum()), sheet.read_of_page("page.good"))


def _empty_boxes(chances: Scores, sheet: FeatureMatrix, words: NDArray[np.float64]) -> None:
    """Keep nothing of boxes that ask for an address, or are named as adverts or consent banners.

    Labelled pages have few of these in them, for scripts fill them in, so there is little to learn
    from; where such names are all over a page they mean something else.
    """
    boxed = sheet.asked | sheet.unmistakable
    if words[boxed].sum() <= MOST_BOXED * words.sum():
        chances[boxed] = 0


def _to_chances(scores: Scores, kinds: dict[str, int]) -> Scores:
    leaning = sum(LEANING.get(kind, 0) * percent for kind, percent in kinds.items())
    tempered = scores * TEMPER // 100 + leaning * SCALE // 10_000
    return _chance_table().take(tempered // _STEP + _REACH, mode="clip")


def _judge_alike(page: BlockPage, chances: Scores, words: NDArray[np.float64]) -> None:
    """Give the items of a list one chance, that of their better half, and so links side by side.

    They are content or not as a whole, but look less and less like it towards the end of a page,
    and the title of a tile looks less like it than the lines below.
    """
    known: list[int] = chances.tolist()
    sizes: list[float] = np.maximum(words, 1).tolist()
    for places in _alike(page):
        if len(places) >= FEWEST_ALIKE:
            places.sort(key=known.__getitem__, reverse=True)
            best = places[: (len(places) + 1) // 2]
            weight = sum(sizes[place] for place in best)
            chances[places] = int(sum(known[place] * sizes[place] for place in best) // weight)


def _alike(page: BlockPage) -> Iterable[list[int]]:
    """The items of each list, and the blocks of all links that stand in one box."""
    tags, names, linked = page.holders.tags, page.holders.names, page.holders.linked
    boxes: list[int] = []
    for parent in page.holders.parents:
        boxes.append(boxes[parent] if parent >= 0 and linked[parent] else parent)
    alike: dict[tuple[int, str], list[int]] = {}
    for place, owner in enumerate(page.blocks.owners):
        if tags[owner] == TAGS["li"]:
            key = (page.holders.parents[owner], names[owner])
            alike.setdefault(key, []).append(place)
        elif linked[owner]:
            alike.setdefault((boxes[owner], ""), []).append(place)
    return alike.values()


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


def _keep_declaration(page: BlockPage, keep: NDArray[np.bool_], chances: Scores) -> None:
    """Keep what comes from code on down to the first heading that is kept.

    Pages of reference begin with the declaration of what they are about and a line on it, in boxes
    with names of their own; labelled pages have too few of them to learn from.
    """
    kept: list[int] = keep.nonzero()[0].tolist()
    tags, owners = page.holders.tags, page.blocks.owners
    first = next((place for place in kept if tags[owners[place]] in _HEADINGS), kept[0])
    start = first
    for place in range(first - 1, max(first - 1 - MOST_ABOVE, -1), -1):
        if chances[place] < FLOOR:
            break
        if _is_code(page, place):
            start = place
    keep[start:first] = True


def _is_code(page: BlockPage, place: int) -> bool:
    """Whether a block is code as a whole, or is named as the signature of something."""
    text, owner = page.blocks.texts[place], page.blocks.owners[place]
    if page.holders.tags[owner] == TAGS["pre"]:
        return True
    if "(" in text and _SIGNATURE.search(page.holders.names[owner]):
        return True
    element = page.holders.elements[owner]
    return any(2 * len(code.text) > len(text) for code in element.find_all("code", limit=1))


def _keep_formulas(page: BlockPage, keep: NDArray[np.bool_]) -> None:
    """Keep formulas that stand alone behind what is kept: they are part of its sentence."""
    for place in (keep[:-1] & ~keep[1:]).nonzero()[0].tolist():
        after = place + 1
        while after < len(keep) and not keep[after] and _is_formula(page, after):
            keep[after] = True
            after += 1


def _is_formula(page: BlockPage, place: int) -> bool:
    text = page.blocks.texts[place]
    if text.startswith(_TEX_START) and text.endswith(_TEX_END):
        return True
    nodes = page.blocks.nodes[place]
    return all(_is_in_formula(node) for node in (nodes[0], nodes[-1]))


def _is_in_formula(node: Node) -> bool:
    parent = node.parent
    return isinstance(parent, Element) and parent.closest("math") is not None


def _even_out(page: BlockPage, keep: NDArray[np.bool_], words: NDArray[np.float64]) -> None:
    """Keep a table as a whole where most of it was kept, and drop the rest of a few cells.

    Never one that holds most of the page, which is a layout. Code of which a line is kept is whole.
    """
    holders = page.holders
    half = float(words.sum()) / 2
    kept_before = [0, *keep.cumsum().tolist()]
    for index in [index for index, tag in enumerate(holders.tags) if tag in _WHOLE]:
        start, end = holders.starts[index], holders.ends[index]
        if holders.tags[index] == _CODE and kept_before[end] > kept_before[start]:
            keep[start:end] = True
        if not holders.names[index].startswith(("table", "dl")):
            continue
        size = float(words[start:end].sum())
        if kept_before[end] - kept_before[start] in (0, end - start) or size > half:
            continue
        share = float(words[start:end][keep[start:end]].sum()) / size
        if share >= MOST_OF_TABLE:
            keep[start:end] = True
        elif share <= LEAST_OF_TABLE:
            keep[start:end] = False


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


def _drop_retold(page: BlockPage, keep: NDArray[np.bool_], words: NDArray[np.float64]) -> None:
    """Drop a long run that is made of other kept blocks: a story once as one run, once in parts."""
    texts = page.blocks.texts
    long = (keep & (words >= RETOLD)).nonzero()[0]
    if not len(long):
        return
    parts = (keep & (words >= REPEATABLE)).nonzero()[0].tolist()
    longest: list[int] = long[words[long].argsort(kind="stable")[::-1][:MOST_RETOLD]].tolist()
    for place in longest:
        run = texts[place]
        held = sum(len(texts[part]) for part in parts if part != place and texts[part] in run)
        if held >= len(run) * MOST_OF_RUN:
            keep[place] = False
