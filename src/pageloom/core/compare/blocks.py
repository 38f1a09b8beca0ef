"""The blocks of two texts that differ, each with what became of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import Indel

from pageloom.core.compare.align import align
from pageloom.core.compare.gaps import Gap
from pageloom.core.compare.masks import COUNT, TIME, Masked, mask_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pageloom.core.compare.moves import Changes
    from pageloom.core.compare.page import Side

_ALIKE = 0.5
"""Blocks at least this similar are one block that was edited."""
_ALL_PAIRS = 2_500
"""Blocks times blocks of one gap that are all compared with each other."""
_NEARBY = 2


@dataclass(slots=True)
class Block:
    """A block that one side has, or that both have in different words."""

    before: str = ""
    after: str = ""
    left: int = -1
    """The number of the line on the first side, or -1."""
    right: int = -1
    masked: Masked | None = None
    other: Masked | None = None
    moved: bool = False
    anchor: str = ""
    """The line both sides have before it."""
    ordinal: int = 0
    trivial: str = ""

    @property
    def edited(self) -> bool:
        """Whether both sides have it."""
        return bool(self.before) and bool(self.after)


class GapBlocks(NamedTuple):
    """The blocks of both sides between two lines that both have."""

    anchor: str
    old: list[Block]
    new: list[Block]


def iter_gaps(one: Side, two: Side, changes: Changes) -> Iterator[GapBlocks]:
    """What differs, gap by gap; a line that went here and came there has moved."""
    left, right = changes.count_moved(), changes.count_moved()
    for gap in changes.gaps:
        yield GapBlocks(
            one.lines[gap.start - 1] if gap.start else "",
            [
                Block(before=line, left=number, moved=moved)
                for number, line, moved in _take(one.lines, gap.start, gap.end, left)
            ],
            [
                Block(after=line, right=number, moved=moved)
                for number, line, moved in _take(two.lines, gap.other_start, gap.other_end, right)
            ],
        )


def _take(
    lines: list[str], start: int, end: int, moved: dict[str, int]
) -> Iterator[tuple[int, str, bool]]:
    """Lines with their numbers, and whether each is one that moved, as often as it did."""
    for number in range(start, end):
        line = lines[number]
        times = moved.get(line, 0)
        if times:
            moved[line] = times - 1
        yield number, line, times > 0


def find_blocks(one: Side, two: Side, changes: Changes) -> list[Block]:
    """All blocks that differ, in the order of the page, each read closely."""
    found: list[Block] = []
    for gap in iter_gaps(one, two, changes):
        for block in gap.old:
            if not block.moved:
                block.masked = mask_line(block.before, one.setting(block.left))
        for block in gap.new:
            if not block.moved:
                block.other = mask_line(block.after, two.setting(block.right))
        found += name_places(_blocks_of(gap.old, gap.new), gap.anchor)
    return join_moved(found)


def name_places(blocks: Iterable[Block], anchor: str) -> list[Block]:
    """Blocks of one gap, each with where it stands."""
    placed = list(blocks)
    for ordinal, block in enumerate(placed):
        block.anchor, block.ordinal = anchor, ordinal
    return placed


def _blocks_of(left: list[Block], right: list[Block]) -> Iterator[Block]:
    yield from (block for block in left if block.moved)
    yield from (block for block in right if block.moved)
    left = [block for block in left if not block.moved]
    right = [block for block in right if not block.moved]
    if not left or not right:
        yield from left or right
        return
    start = other_start = 0
    keys, other_keys = [_key(block) for block in left], [_key(block) for block in right]
    for inner in [*align(keys, other_keys), Gap(len(left), len(left), len(right), len(right))]:
        # what lies between two inner gaps differs only in what means nothing
        for a, b in zip(
            left[start : inner.start], right[other_start : inner.other_start], strict=True
        ):
            yield _merge(a, b)
        yield from pair_blocks(
            left[inner.start : inner.end], right[inner.other_start : inner.other_end]
        )
        start, other_start = inner.end, inner.other_end


def _key(block: Block) -> str:
    masked = block.masked or block.other
    return masked.key if masked else block.before or block.after


def _merge(one: Block, two: Block) -> Block:
    merged = Block(
        before=one.before,
        after=two.after,
        left=one.left,
        right=two.right,
        masked=one.masked,
        other=two.other,
    )
    if one.masked and two.other and one.masked.key == two.other.key:
        kinds = one.masked.kinds or two.other.kinds
        merged.trivial = kinds[0] if kinds else _spelling_kind(one.before, two.after)
    return merged


def _spelling_kind(one: str, two: str) -> str:
    return "letter-case" if one.casefold() == two.casefold() else "punctuation"


def pair_blocks(left: list[Block], right: list[Block]) -> Iterator[Block]:
    """Blocks that became each other, in order; the others as they are."""
    pairs = dict(_alike(left, right)) if left and right else {}
    done = 0
    for number, block in enumerate(left):
        partner = pairs.get(number)
        if partner is None:
            yield block
            continue
        yield from right[done:partner]
        yield _merge(block, right[partner])
        done = partner + 1
    yield from right[done:]


def _alike(left: list[Block], right: list[Block]) -> Iterator[tuple[int, int]]:
    """The most similar pairs that keep the order."""
    scored = sorted(_scores(left, right), key=lambda found: (-found[0], found[1], found[2]))
    taken: list[tuple[int, int]] = []
    for _, one, two in scored:
        if all((one < a and two < b) or (one > a and two > b) for a, b in taken[-64:]):
            taken.append((one, two))
    # with very many pairs only the last ones were looked at: keep those that rise
    last = -1
    for one, two in sorted(taken):
        if two > last:
            yield one, two
            last = two


def _scores(left: list[Block], right: list[Block]) -> Iterator[tuple[float, int, int]]:
    words = [_words(block) for block in left]
    others = [_words(block) for block in right]
    for one, two in _candidates(len(left), len(right)):
        alike = Indel.normalized_similarity(words[one], others[two], score_cutoff=_ALIKE)
        if alike or (len(left) == len(right) == 1 and _same_role(words[one], others[two])):
            yield alike, one, two


def _same_role(one: Sequence[str], two: Sequence[str]) -> bool:
    """Whether one short line took the place of another, as a value in a table does."""
    silent = {TIME, COUNT}
    return len(one) <= 4 and len(two) <= 4 and silent.issuperset(one) == silent.issuperset(two)


def _candidates(left: int, right: int) -> Iterator[tuple[int, int]]:
    if left * right <= _ALL_PAIRS:
        yield from ((one, two) for one in range(left) for two in range(right))
        return
    for one in range(left):
        middle = one * right // left
        for two in range(max(0, middle - _NEARBY), min(right, middle + _NEARBY + 1)):
            yield one, two


def _words(block: Block) -> list[str]:
    masked = block.masked or block.other
    return masked.key.split() if masked else (block.before or block.after).casefold().split()


def join_moved(blocks: list[Block]) -> list[Block]:
    """Blocks that went here and came there are blocks that moved."""
    gone: defaultdict[str, list[Block]] = defaultdict(list)
    for block in blocks:
        if block.left >= 0 and block.right < 0:
            gone[_key(block)].append(block)
    wanted = Counter(_key(block) for block in blocks if block.left < 0)
    joined: list[Block] = []
    taken: set[int] = set()
    for block in blocks:
        partners = gone.get(_key(block), []) if block.left < 0 and wanted else []
        if partners:
            partner = partners.pop(0)
            taken.add(id(partner))
            merged = _merge(partner, block)
            merged.moved, merged.anchor, merged.ordinal = True, block.anchor, block.ordinal
            joined.append(merged)
        else:
            joined.append(block)
    return [block for block in joined if id(block) not in taken]
