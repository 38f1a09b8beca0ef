"""Pair the blocks of two visits: equal, edited, added, removed, moved.

All visible blocks take part, whether the engine kept them or not: a block near its cut is the same
block on both visits, whichever side it fell on.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from pageloom.core.compare.align import Gap, align
from pageloom.core.compare.masks import COUNT, TIME, Masked, mask_line
from pageloom.core.compare.side import FIGURE, Side
from pageloom.model import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pageloom.core.compare.align import Changes

_LOST = re.compile("\ufffd+")
_ALIKE = 0.5
"""Blocks at least this similar are one block that was edited."""
_SAME_PLACE = 0.25
"""What standing in the same place adds to that."""
_ALL_PAIRS = 2_500
"""Blocks times blocks of one gap that are all compared with each other."""
_NEARBY = 2
_LONGEST_GAP = 200
"""Blocks of a gap that are read in one go."""
_LARGEST_GAP = 40_000
"""Characters of such blocks."""
_MOST_MOVED = 300
"""Blocks that only moved and are looked at, where their order says nothing."""
_SHORT = 4
"""Words of a value: of two in one place, one took the place of the other."""


@dataclass(slots=True)
class Difference:
    """A block that one side has, or that both have in different words."""

    left: int = -1
    """The number of the block on the first side, or -1."""
    right: int = -1
    before: str = ""
    after: str = ""
    masked: Masked | None = None
    other: Masked | None = None
    moved: bool = False
    same: str = ""
    """The kind of what differs, where that is only times, counters or spelling."""

    @property
    def edited(self) -> bool:
        """Whether both sides have it."""
        return self.left >= 0 and self.right >= 0


def read_gaps(
    one: Side, two: Side, changes: Changes, moving: dict[str, set[int]]
) -> Iterator[list[Difference]]:
    """The blocks that differ, gap by gap, each read when it is asked for.

    Args:
        one: the first side.
        two: the second side.
        changes: where they differ.
        moving: by shape (a text without its figures), which figures move by themselves: a gap
            in which nothing else differs is passed over. The caller may add to them.
    """
    left, right = dict(changes.moved), dict(changes.moved)
    shown = dict.fromkeys(islice(changes.moved, _MOST_MOVED), 1)
    other_shown = dict(shown)
    only_moved = 2 * sum(changes.moved.values()) == changes.lines and not (one.placed or two.placed)
    gaps = islice(changes.gaps, _MOST_MOVED) if only_moved else changes.gaps
    for gap in _pieces(gaps, one, two):
        numbers, others = range(gap.start, gap.end), range(gap.other_start, gap.other_end)
        if moving:
            still = one.still_parts(gap.start, gap.end, moving)
            if still and still == two.still_parts(gap.other_start, gap.other_end, moving):
                continue
        old = [_block(one, number, left, shown) for number in numbers]
        new = [_block(two, number, right, other_shown, new=True) for number in others]
        yield [
            *(each for each in (*old, *new) if each and each.moved),
            *_pair_gap(
                [each for each in old if each and not each.moved],
                [each for each in new if each and not each.moved],
                one,
                two,
            ),
        ]


def _pieces(gaps: Iterable[Gap], one: Side, two: Side) -> Iterator[Gap]:
    """The gaps; very long ones in pieces that lie about as far from their beginnings."""
    for gap in gaps:
        size, other_size = gap.end - gap.start, gap.other_end - gap.other_start
        parts = -(-max(size, other_size) // _LONGEST_GAP)
        if size + other_size > _SHORT:
            texts = one.texts[gap.start : gap.end], two.texts[gap.other_start : gap.other_end]
            length = sum(sum(map(len, each)) for each in texts)
            parts = max(parts, min(length // _LARGEST_GAP, size, other_size))
        for part in range(parts):
            yield Gap(
                gap.start + size * part // parts,
                gap.start + size * (part + 1) // parts,
                gap.other_start + other_size * part // parts,
                gap.other_start + other_size * (part + 1) // parts,
            )


def _block(
    side: Side, number: int, moved: dict[str, int], shown: dict[str, int], *, new: bool = False
) -> Difference | None:
    """A block that only one side has in that place; None where it moved and that says nothing."""
    text = side.texts[number]
    each = Difference(right=number, after=text) if new else Difference(left=number, before=text)
    if _take(moved, text):
        each.moved = True
        return each if _take(shown, text) or number in side.placed else None
    masked = mask_line(text, side.setting(number))
    each.masked, each.other = (None, masked) if new else (masked, None)
    return each


def _take(moved: dict[str, int], text: str) -> bool:
    """Whether a text is one that moved, as often as it did."""
    times = moved.get(text, 0)
    if times:
        moved[text] = times - 1
    return times > 0


def _pair_gap(
    left: list[Difference], right: list[Difference], one: Side, two: Side
) -> Iterator[Difference]:
    if not left or not right:
        yield from left or right
        return
    start = other_start = 0
    keys, other_keys = [_key(each) for each in left], [_key(each) for each in right]
    for inner in [*align(keys, other_keys), Gap(len(left), len(left), len(right), len(right))]:
        # what lies between two inner gaps differs only in what means nothing
        for a, b in zip(
            left[start : inner.start], right[other_start : inner.other_start], strict=True
        ):
            yield _merge(a, b)
        yield from _pair(
            left[inner.start : inner.end],
            right[inner.other_start : inner.other_end],
            one,
            two,
        )
        start, other_start = inner.end, inner.other_end


def _key(each: Difference) -> str:
    masked = each.masked or each.other
    return masked.key if masked else each.before or each.after


def _merge(one: Difference, two: Difference) -> Difference:
    merged = Difference(
        before=one.before,
        after=two.after,
        left=one.left,
        right=two.right,
        masked=one.masked,
        other=two.other,
    )
    if one.masked and two.other and one.masked.key == two.other.key:
        kinds = one.masked.kinds or two.other.kinds
        merged.same = kinds[0] if kinds else _spelling_kind(one.before, two.after)
    elif _is_misread(one.before, two.after):
        merged.same = "encoding"
    return merged


def _is_misread(one: str, two: str) -> bool:
    """Whether two texts differ only in characters that were lost on the way."""
    if "\ufffd" not in one and "\ufffd" not in two:
        return False
    bare = one if "\ufffd" in one else two
    other = two if bare is one else one
    pattern = ".{0,3}".join(map(re.escape, _LOST.split(bare)))
    return re.fullmatch(pattern, other) is not None


def _spelling_kind(one: str, two: str) -> str:
    if "".join(one.split()) == "".join(two.split()):
        return "whitespace"
    return "letter-case" if one.casefold() == two.casefold() else "punctuation"


def _pair(
    left: list[Difference], right: list[Difference], one: Side, two: Side
) -> Iterator[Difference]:
    """Blocks that became each other, in order; the others as they are."""
    pairs = dict(_alike(left, right, one, two)) if left and right else {}
    done = 0
    for number, each in enumerate(left):
        partner = pairs.get(number)
        if partner is None:
            yield each
            continue
        yield from right[done:partner]
        yield _merge(each, right[partner])
        done = partner + 1
    yield from right[done:]


def _alike(
    left: list[Difference], right: list[Difference], one: Side, two: Side
) -> Iterator[tuple[int, int]]:
    """The most similar pairs that keep the order."""
    scored = sorted(_scores(left, right, one, two), key=lambda found: (-found[0], *found[1:]))
    taken: list[tuple[int, int]] = []
    for _, a, b in scored:
        if all((a < x and b < y) or (a > x and b > y) for x, y in taken[-64:]):
            taken.append((a, b))
    # with very many pairs only the last ones were looked at: keep those that rise
    last = -1
    for a, b in sorted(taken):
        if b > last:
            yield a, b
            last = b


def _scores(
    left: list[Difference], right: list[Difference], one: Side, two: Side
) -> Iterator[tuple[float, int, int]]:
    words, others = [_words(each) for each in left], [_words(each) for each in right]
    places = [_place(one, each.left) for each in left]
    other_places = [_place(two, each.right) for each in right]
    for a, b in _candidates(len(left), len(right)):
        same = places[a] == other_places[b]
        short = same and _are_values(words[a], others[b])
        alike = Indel.normalized_similarity(
            words[a], others[b], score_cutoff=_ALIKE - _SAME_PLACE if same else _ALIKE
        )
        if alike or short:
            yield alike + _SAME_PLACE * same, a, b


def _place(side: Side, number: int) -> tuple[str, str, str]:
    """Where a block stands: its path, its label, and the heading above it."""
    blocks = side.blocks
    heading = blocks.heading_of[number]
    return (
        blocks.paths[blocks.path_of[number]],
        blocks.labels.get(number, ""),
        side.texts[heading] if heading >= 0 else "",
    )


def _are_values(one: Sequence[str], two: Sequence[str]) -> bool:
    """Whether one short text took the place of another, as a value in a table does."""
    silent = {TIME, COUNT}
    short = len(one) <= _SHORT and len(two) <= _SHORT
    return short and silent.issuperset(one) == silent.issuperset(two)


def _candidates(left: int, right: int) -> Iterator[tuple[int, int]]:
    if left * right <= _ALL_PAIRS:
        yield from ((a, b) for a in range(left) for b in range(right))
        return
    for a in range(left):
        middle = a * right // left
        for b in range(max(0, middle - _NEARBY), min(right, middle + _NEARBY + 1)):
            yield a, b


def _words(each: Difference) -> list[str]:
    masked = each.masked or each.other
    return masked.key.split() if masked else (each.before or each.after).casefold().split()


def pair_lines(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    """Lines that became each other, in order; a line without a partner is paired with nothing."""
    one, two = (Side(Document(text="\n".join(lines))) for lines in (old, new))
    left = [Difference(left=number, before=line) for number, line in enumerate(one.texts)]
    right = [Difference(right=number, after=line) for number, line in enumerate(two.texts)]
    for each in _pair(left, right, one, two):
        yield each.before, each.after


def add_moving(moving: dict[str, set[int]], each: Difference, one: Side, two: Side) -> None:
    """Learn from a difference that means nothing which figures of such texts move."""
    shape = one.shapes[each.left] if each.edited and each.same else ""
    if shape and shape == two.shapes[each.right]:
        pairs = zip(FIGURE.findall(each.before), FIGURE.findall(each.after), strict=True)
        differ = {number for number, (old, new) in enumerate(pairs) if old != new}
        moving.setdefault(shape, set()).update(differ)


def join_moved(differences: list[Difference]) -> list[Difference]:
    """Blocks that went here and came there are blocks that moved."""
    gone: defaultdict[str, list[Difference]] = defaultdict(list)
    for each in differences:
        if each.left >= 0 and each.right < 0:
            gone[_key(each)].append(each)
    wanted = Counter(_key(each) for each in differences if each.left < 0)
    joined: list[Difference] = []
    taken: set[int] = set()
    for each in differences:
        partners = gone.get(_key(each), []) if each.left < 0 and wanted else []
        if partners:
            partner = partners.pop(0)
            taken.add(id(partner))
            merged = _merge(partner, each)
            merged.moved = True
            joined.append(merged)
        else:
            joined.append(each)
    return [each for each in joined if id(each) not in taken]
