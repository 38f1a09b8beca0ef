"""How the texts of two visits differ: blocks first, then the sentences and words in them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.compare.align import count_alike, find_changes
from pageloom.core.compare.evidence import Judged, count_turnover, gather
from pageloom.core.compare.movement import place_key
from pageloom.core.compare.pairs import Difference, add_moving, join_moved, read_gaps
from pageloom.core.compare.report import BlockChange, TextChange, TrivialDifference
from pageloom.core.compare.summary import excerpt, make_snippet
from pageloom.core.compare.weigh import explain, table, weigh

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pageloom.core.compare.masks import Masked
    from pageloom.core.compare.movement import Movement
    from pageloom.core.compare.options import DiffOptions
    from pageloom.core.compare.sentences import SentenceEdit
    from pageloom.core.compare.side import Side
    from pageloom.core.compare.weigh import Reasons

MOST_BLOCKS = 200
"""Blocks that a report lists."""
_READ = 40_000
"""Characters that came or went and are read closely; more only where none of these is told."""
_ROUNDS = 4
_MORE = 4
_LONG = 4_000
_KIND_OF_FACT = {
    pair.partition(":")[0]: pair.partition(":")[2]
    for pair in (
        "spelling:punctuation named_advert:advertisement named_related:rotating "
        "named_sliding:rotating named_daily:rotating named_praise:rotating named_ticker:rotating "
        "named_social:rotating named_poll:counter named_consent:consent "
        "named_newsletter:newsletter named_account:account named_popup:prompt named_share:sharing "
        "named_machine:session named_presence:visitors named_counter:counter "
        "named_moment:timestamp named_weather:weather moved:reordered typo:typo wording:wording "
        "elsewhere:placement drift_of_count:counter only_dates:timestamp place_moves_often:living "
        "group_replaced:rotating linked:rotating"
    ).split()
}
"""What a difference that does not matter is called, by the first fact that it has."""


class TextVerdict(NamedTuple):
    """How the texts differ, and the differences themselves for the other levels."""

    change: TextChange
    trivial: list[TrivialDifference]
    told: tuple[Difference, ...] = ()


class _Weighed(NamedTuple):
    judged: Judged
    total: int
    trivial: str
    strong: bool = False

    @property
    def difference(self) -> Difference:
        return self.judged.difference

    @property
    def edit(self) -> SentenceEdit:
        return self.judged.edit


def compare_text(
    one: Side, two: Side, options: DiffOptions, movement: Movement | None = None
) -> TextVerdict:
    """How two texts differ; the same in both directions but for what is before and after."""
    if one.texts == two.texts and one.blocks.choices == two.blocks.choices:
        same = one.document.text == two.document.text
        noise = [] if same else [TrivialDifference(field="text", kind="whitespace")]
        return TextVerdict(TextChange(), noise)
    # One direction is worked out, and turned round for the other.
    swapped = rank(two) < rank(one)
    first, second = (two, one) if swapped else (one, two)
    weighed, omitted, share = _weigh_all(first, second, options, movement)
    figures = _measure(first, weighed, share)
    listed = _listed(weighed)
    reasons = explain([each.judged.facts for each in listed], [each.total for each in listed])
    changes = [
        _change(each, why, first, second, swapped=swapped)
        for each, why in zip(listed, reasons, strict=True)
    ]
    changes += _choices(one, two)
    given = _reasons(weighed, changes, figures, options, swapped=swapped)
    shown = [block for block in changes if not block.trivial] or (changes if given else [])
    change = TextChange(
        changed=bool(given),
        before=excerpt([block.before for block in shown], options.excerpt_length),
        after=excerpt([block.after for block in shown], options.excerpt_length),
        snippet=make_snippet([(block.before, block.after) for block in shown]),
        similarity=figures.lowest,
        levenshtein=figures.levenshtein,
        jaccard=figures.jaccard,
        reasons=given,
        salient=tuple(dict.fromkeys(key for block in shown for key in block.salient))[:40],
        blocks=tuple(changes),
        omitted=max(0, len(weighed) - MOST_BLOCKS) + omitted,
    )
    told = tuple(_turn(each.difference, swapped=swapped) for each in weighed if not each.trivial)
    return TextVerdict(change, list(_trivials(changes)), told)


def rank(side: Side) -> tuple[int, str]:
    """Decides which of two visits is looked at first, whichever came first."""
    return len(side.document.text), side.document.text


def _turn(each: Difference, *, swapped: bool) -> Difference:
    if not swapped:
        return each
    turned = {"left": each.right, "right": each.left, "masked": each.other, "other": each.masked}
    return replace(each, before=each.after, after=each.before, **turned)  # type: ignore[arg-type]


def _weigh_all(
    one: Side, two: Side, options: DiffOptions, movement: Movement | None
) -> tuple[list[_Weighed], int, float]:
    """The differences that were looked at, how many lines were not, and what share of all was.

    A bounded part is read closely. Only where none of it is told, what has another shape is read.
    """
    changes = find_changes(one.texts, two.texts)
    moving: dict[str, set[int]] = {}
    pieces = read_gaps(one, two, changes, moving)
    weighed: list[_Weighed] = []
    for number in range(_ROUNDS):
        found = join_moved(list(_read(pieces, _READ * _MORE**number)))
        turnover = count_turnover(found, one, two)
        judged = [gather(each, one, two, turnover, movement) for each in found]
        totals = weigh([each.facts for each in judged])
        pairs = zip(judged, totals, strict=True)
        weighed += [_weigh(each, total, one, two, options) for each, total in pairs]
        if not found or any(not each.trivial for each in weighed):
            break
        for each in found:
            add_moving(moving, each, one, two)
    unmoved = [each.difference for each in weighed if not each.difference.moved]
    read = sum((each.left >= 0) + (each.right >= 0) for each in unmoved)
    share = read / max(read, changes.lines - 2 * sum(changes.moved.values()), 1)
    shown = read + 2 * (len(weighed) - len(unmoved))
    return weighed, max(0, changes.lines - shown), share


def _read(pieces: Iterator[list[Difference]], room: int) -> Iterator[Difference]:
    """So many differences as are read closely in one go."""
    for piece in pieces:
        yield from piece
        room -= sum(map(_effort, piece))
        if room <= 0:
            return


def _effort(each: Difference) -> int:
    """About how long a difference takes to read; where words are not written apart, longer."""
    text = each.before + each.after
    return 200 + min(len(text), _LONG) * (1 if text.isascii() else 3)


def _weigh(judged: Judged, total: int, one: Side, two: Side, options: DiffOptions) -> _Weighed:
    each = judged.difference
    trivial = ""
    if each.same or _says_the_same(judged) or total < table().told:
        trivial = _kind(judged, total)
    elif not options.scoped and _is_at(each, one, two, options.muted_blocks):
        trivial = "muted"
    if _is_at(each, one, two, options.always_blocks):
        return _Weighed(judged, total, "", strong=True)
    if trivial in ("wording", "typo") and options.wording_matters:
        trivial = ""
    asked_for = not judged.edit.reasons and options.wording_matters
    strong = bool(judged.edit.reasons) and total >= table().strong
    return _Weighed(judged, total, trivial, strong=not trivial and (strong or asked_for))


def _says_the_same(judged: Judged) -> bool:
    """Whether an edit left numbers, names, dates and negations alone: spelling, or rewording.

    A sentence of the content with other words is weighed all the same: its subject may have become
    another.
    """
    if not judged.difference.edited or judged.difference.moved or judged.edit.reasons:
        return False
    facts = judged.facts.keys()
    return not facts >= _REWORDED or "both_masked" in facts or _has_same_words(judged.difference)


_REWORDED = frozenset(("wording", "sentence", "main"))


def _has_same_words(each: Difference) -> bool:
    """Whether the words of an edited block only stand in another order."""
    folds = [sorted(t.fold for t in side.tokens) for side in (each.masked, each.other) if side]
    return len(folds) == 2 and folds[0] == folds[1]


def _kind(judged: Judged, total: int) -> str:
    """What a difference that does not matter is called."""
    if judged.difference.same:
        return judged.difference.same
    masked = judged.difference.masked or judged.difference.other
    if judged.facts.keys() & {"masked", "nearly_masked"} and masked and masked.kinds:
        return masked.kinds[0]
    found = next((kind for fact, kind in _KIND_OF_FACT.items() if fact in judged.facts), "")
    return found or ("boilerplate" if total < table().noise else "unlikely")


def _is_at(each: Difference, one: Side, two: Side, places: Sequence[str]) -> bool:
    """Whether a difference stands at one of some places."""
    return bool(places) and (
        (each.left >= 0 and place_key(one, each.left) in places)
        or (each.right >= 0 and place_key(two, each.right) in places)
    )


def _listed(weighed: list[_Weighed]) -> list[_Weighed]:
    """As many blocks as a report lists, in order: what is trivial only where there is room."""
    telling = [number for number, each in enumerate(weighed) if not each.trivial][:MOST_BLOCKS]
    trivial = (number for number, each in enumerate(weighed) if each.trivial)
    room = MOST_BLOCKS - len(telling)
    return [weighed[number] for number in sorted((*telling, *islice(trivial, room)))]


def _reasons(
    weighed: list[_Weighed],
    changes: list[BlockChange],
    figures: Figures,
    options: DiffOptions,
    *,
    swapped: bool,
) -> tuple[str, ...]:
    given = [reason for each in weighed if not each.trivial for reason in each.edit.reasons]
    reasons = list(dict.fromkeys(_TURNED.get(r, r) if swapped else r for r in given))
    if any(not each.trivial and not each.edit.reasons for each in weighed):
        reasons.append("wording")
    if figures.lowest < options.text_threshold:
        reasons.append("threshold")
    chosen = [block for block in changes if block.kind == "choice"]
    reasons += [block.operation for block in chosen if block.operation not in reasons]
    return tuple(reasons)


_TURNED = {"added": "removed", "removed": "added"}


def _turned(salient: Sequence[str], *, swapped: bool) -> list[str]:
    if not swapped:
        return list(salient)
    return [("-" if key[0] == "+" else "+") + key[1:] for key in salient]


def _change(
    each: _Weighed, reasons: Reasons, one: Side, two: Side, *, swapped: bool
) -> BlockChange:
    difference = each.difference
    before, after = difference.before, difference.after
    if swapped:
        before, after = after, before
    lone = "added" if after else "removed"
    operation = "moved" if difference.moved else "edited" if difference.edited else lone
    side, number = (two, difference.right) if difference.right >= 0 else (one, difference.left)
    block = side.blocks[number]
    return BlockChange(
        operation=operation,
        before=before,
        after=after,
        key=place_key(side, number),
        kind=block.kind,
        role="main" if "main" in each.judged.facts else block.role,
        heading=block.heading,
        label=block.label,
        salient=tuple(_turned(each.edit.salient, swapped=swapped)),
        trivial=each.trivial,
        chance=reasons.chance,
        strong=each.strong,
        why=reasons.against if each.trivial else reasons.for_it,
    )


def _choices(one: Side, two: Side) -> Iterator[BlockChange]:
    """Sizes, colours and the like that a product can no longer be had in, or can be had in again.

    Where most are others, another thing is being sold in that place, or suggested.
    """
    old, new = one.blocks.choices, two.blocks.choices
    if 2 * len(old.keys() & new.keys()) < max(len(old), len(new)):
        return
    for label in dict.fromkeys((*old, *new)):
        before, after = old.get(label, False), new.get(label, False)
        if before == after:
            continue
        yield BlockChange(
            operation="removed" if before else "added",
            before=label if before else "",
            after="" if before else label,
            key=hashlib.sha1(label.encode(), usedforsecurity=False).hexdigest()[:8],
            kind="choice",
            salient=(f"{'-+'[after]}{label}",),
            chance=1.0,
            strong=True,
            why=("a size, colour or the like that is available, or no longer is",),
        )


def _trivials(blocks: Iterable[BlockChange]) -> Iterator[TrivialDifference]:
    for block in blocks:
        if block.trivial:
            yield TrivialDifference(
                field="text",
                kind=block.trivial,
                before=excerpt([block.before], 200),
                after=excerpt([block.after], 200),
            )


_RUN = 3
_LOST = frozenset(("", "wording", "unlikely"))
"""What a difference is called that counts, or may."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Two measures from 0, nothing in common, to 1, the same."""

    levenshtein: float = 1.0
    jaccard: float = 1.0

    @property
    def lowest(self) -> float:
        """The lower of the two."""
        return min(self.levenshtein, self.jaccard)


def _measure(one: Side, weighed: Sequence[_Weighed], share: float) -> Figures:
    """How similar the contents of two pages are.

    Blocks that both have count by their words without being looked at, which is what makes this
    fast. What differs and means nothing counts as equal; what stands around the content does not
    count at all; what was not read counts as what was.
    """
    main = [text for text, role in zip(one.texts, one.blocks.roles, strict=True) if role == "m"]
    kept = gone = added = removed = edited = 0.0
    shingles: set[str] = set()
    others: set[str] = set()
    for each in weighed:
        difference = each.difference
        in_main = difference.left < 0 or one.is_main(difference.left)
        if difference.moved or each.trivial not in _LOST or not in_main:
            continue
        weight = max(_weight(difference.before), _weight(difference.after))
        gone += _weight(difference.before)
        if difference.edited:
            edited += weight
            kept += weight * each.edit.similarity
        else:
            removed += weight if difference.before else 0
            added += weight if difference.after else 0
        old, new = _words(difference.masked), _words(difference.other)
        if difference.edited and max(len(old), len(new)) > _LONG:
            same = count_alike(old, new)
            gone -= same
            old, new = old[same : same + _LONG], new[same : same + _LONG]
        shingles.update(_shingles(old))
        others.update(_shingles(new))
    equal = max(0.0, float(_weight_of(main)) * share - gone)
    whole = equal + edited + max(added, removed)
    shared, total = equal + len(shingles & others), equal + len(shingles | others)
    return Figures(
        levenshtein=round((equal + kept) / whole, 4) if whole else 1.0,
        jaccard=round(shared / total, 4) if total else 1.0,
    )


def _weight(line: str) -> int:
    """About how many words a line has; a script without spaces has one to three characters."""
    if not line:
        return 0
    return max(line.count(" ") + 1, len(line) // 12)


def _weight_of(lines: Sequence[str]) -> int:
    """About how many words lines have, all in one go."""
    whole = " ".join(lines)
    return max(whole.count(" ") + 1, len(whole) // 12) if whole else 0


def _words(masked: Masked | None) -> list[str]:
    return masked.key.split() if masked else []


def _shingles(words: list[str]) -> Iterable[str]:
    if len(words) <= _RUN:
        return [" ".join(words)] if words else []
    return (" ".join(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
