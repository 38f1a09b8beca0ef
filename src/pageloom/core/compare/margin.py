"""Blocks that extraction kept on only one of two visits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from pageloom.core.compare import lexicon as group
from pageloom.core.compare.align import align
from pageloom.core.compare.blocks import Block, pair_blocks
from pageloom.core.compare.chrome import chrome_kind, is_daily
from pageloom.core.compare.firm import is_firm
from pageloom.core.compare.masks import mask_line
from pageloom.core.compare.spans import has_group
from pageloom.core.compare.tallies import has_counters_beside, only_a_number_differs
from pageloom.core.compare.tokens import CURRENCY_CODES, CURRENCY_SIGNS
from pageloom.core.volatile import CLOCK, text_mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.compare.masks import Masked
    from pageloom.core.compare.page import Side

_ALIKE = 0.5
_FEWEST_TIMES = 3
_SENTENCE = 10
_EDITED = 0.8


def join_margin(block: Block, one: Side, two: Side) -> bool:
    """Find the other half of a block in what the other side left out.

    Returns:
        Whether it was found: the block is now trivial, or an edited one.
    """
    is_first = bool(block.before)
    line, other = (block.before, two) if is_first else (block.after, one)
    if text_mark(line) in other.left_out:
        block.trivial = "placement"
        return True
    own = one if is_first else two
    partner = _likeliest(block, [text for text in other.margin if text not in own.known], other)
    if not partner:
        return False
    masked = mask_line(partner, other.aside(partner))
    if is_first:
        block.after, block.other = partner, masked
    else:
        block.before, block.masked = partner, masked
    if block.masked and block.other and block.masked.key == block.other.key:
        kinds = block.masked.kinds or block.other.kinds
        block.trivial = kinds[0] if kinds else "punctuation"
    return True


def _likeliest(block: Block, texts: list[str], side: Side) -> str:
    masked = block.masked or block.other
    words = masked.key.split() if masked else []
    best, found = _ALIKE, ""
    for text in texts:
        score = Indel.normalized_similarity(words, mask_line(text, side.aside(text)).key.split())
        if score > best:
            best, found = score, text
    return found


def find_margin_edits(one: Side, two: Side) -> Iterator[Block]:
    """Blocks that neither side kept and that became each other, in order.

    What came or went there says nothing: it was never part of the page for certain. What became
    something else tells of the page only where people go by it.
    """
    old_lines, new_lines = frozenset(one.lines), frozenset(two.lines)
    left = [text for text in _own_margin(one) if text not in new_lines]
    right = [text for text in _own_margin(two) if text not in old_lines]
    for gap in align(left, right):
        old = [
            Block(before=text, masked=mask_line(text, one.aside(text)))
            for text in left[gap.start : gap.end]
        ]
        new = [
            Block(after=text, other=mask_line(text, two.aside(text)))
            for text in right[gap.other_start : gap.other_end]
        ]
        for block in pair_blocks(old, new):
            if not block.edited or block.trivial or _is_noise(block, one, two):
                continue
            if is_firm(block) or _is_prose(block):
                yield block


def _is_prose(block: Block) -> bool:
    """Whether a whole sentence was edited where it stands, as nothing that rotates is."""
    words, others = block.before.split(), block.after.split()
    if min(len(words), len(others)) < _SENTENCE or not block.after.endswith((".", "!", "?", "。")):
        return False
    return Indel.normalized_similarity(words, others) >= _EDITED


def find_times_moved(one: Side, two: Side) -> Iterator[tuple[str, str]]:
    """Times of a programme or a timetable that stands beside the text: old and new.

    One hour alone is that of the visit; of several, each in its place, few change at once.
    """
    old = [text for text in one.margin if CLOCK.fullmatch(text)]
    new = [text for text in two.margin if CLOCK.fullmatch(text)]
    if len(old) != len(new):
        return
    pairs = [(before, after) for before, after in zip(old, new, strict=True) if before != after]
    if len(old) >= _FEWEST_TIMES and 2 * len(pairs) <= len(old):
        yield from pairs


def _own_margin(side: Side) -> list[str]:
    """What was nearly kept and suggests no other page."""
    return [text for text in side.margin if text_mark(text) not in side.announced]


def _tells_of_visitors(masked: Masked | None) -> bool:
    """Whether a line beside the page counts what visitors do, and names no price and no term."""
    if masked is None or "counter" not in masked.kinds:
        return False
    return not has_group(masked.tokens, group.BINDING) and not any(
        token.text in CURRENCY_SIGNS or token.fold in CURRENCY_CODES for token in masked.tokens
    )


def _is_noise(block: Block, one: Side, two: Side) -> bool:
    if _tells_of_visitors(block.masked) and _tells_of_visitors(block.other):
        return True
    if (
        only_a_number_differs(block.before, block.after)
        and has_counters_beside(one.margin, one.margin.index(block.before))
        and has_counters_beside(two.margin, two.margin.index(block.after))
    ):
        return True
    if chrome_kind(block.before) or chrome_kind(block.after):
        return True
    if is_daily(block.before) and is_daily(block.after):
        return True
    return block.before in one.link_texts or block.after in two.link_texts
