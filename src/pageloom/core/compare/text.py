"""How the texts of two Documents differ: blocks first, then sentences and words inside them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from pageloom.core.compare import vocabulary
from pageloom.core.compare.blocks import Block, find_blocks
from pageloom.core.compare.chrome import (
    chrome_kind,
    is_advert_label,
    is_daily,
    is_lead_in,
    is_quantity_label,
)
from pageloom.core.compare.dates import is_date
from pageloom.core.compare.large import CoarseMatch, CoarseSurvey, survey_large
from pageloom.core.compare.margin import find_margin_edits, find_times_moved, join_margin
from pageloom.core.compare.moves import Changes, find_changes
from pageloom.core.compare.patterns import spell_counters
from pageloom.core.compare.report import BlockChange, TextChange, TrivialDifference
from pageloom.core.compare.sentences import SentenceEdit, compare_block
from pageloom.core.compare.similarity import Figures, measure
from pageloom.core.compare.snippet import excerpt, make_snippet
from pageloom.core.compare.tallies import binds, decides, is_byline, only_names_counters, states
from pageloom.core.volatile import text_mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pageloom.core.compare.masks import Setting
    from pageloom.core.compare.options import DiffOptions
    from pageloom.core.compare.page import Side

MOST_BLOCKS = 200
"""Blocks that a report lists."""
_LARGE = 30_000
"""Characters of changed blocks above which they are not read word by word."""
_MANY = 600
"""Lines that differ, likewise."""
_LOOKED_AT = 500
"""Blocks of a text with very much changed in it that are looked at one by one."""
_OTHERS = 80
"""Blocks that came or went and are no boxes of the site: after so many nobody looks for boxes."""
_BOX = 200
"""Characters of a box of the site, at most, in such a text."""
_FEWEST_WORDS = 3
"""Words of a line that can be told to be the same line, edited."""
_FEW_SPACES = 2
_LETTERS = 3
"""Characters of a size such as ``XL`` or ``38``."""
_GREETING_SPACES = 4
_WORDED = ("account", "chat", "sharing", "prompt")
"""Boxes of a site that say the same in other words."""
_ROTATING_TYPES = ("article", "product", "documentation", "service", "job", "video", "forum")
_REPORTING = ("article", "forum", "documentation")
_TESTIMONIAL = re.compile(r"[\"“”„«»‹「『][^\n]{8,300}[\"“”»«›」』]\W{0,5}\w[^\n]{1,60}$")
"""A quotation and whose it is."""
_QUOTED = re.compile(r"[\"“”„«‹「『‘][^\n]{10,400}[\"“”»›」』’]\W{0,3}$")
_LONGEST_NAME = 5
_CALLS = frozenset(vocabulary.CALLS.split("|"))
_STOCK = (
    "stock|lager|verfügbar|lieferbar|vorrätig|disponib|agotad|esgotad|estoque|voorraad|magazyn|sklad"
    "|наличи|наявн|stokta|készlet|stoc|在庫|库存|庫存|재고|sold out|left|ausverkauft"
).split("|")


@dataclass(slots=True)
class Judged:
    """A block and what it comes to."""

    block: Block
    edit: SentenceEdit
    trivial: str = ""


def compare_text(
    before: Side, after: Side, options: DiffOptions
) -> tuple[TextChange, list[TrivialDifference]]:
    """How two texts differ; the same in both directions but for what is before and after."""
    same_margin = before.margin == after.margin and before.choices == after.choices
    if before.document.text == after.document.text and same_margin:
        return TextChange(), []
    if before.lines == after.lines and same_margin:
        return TextChange(), [TrivialDifference(field="text", kind="whitespace")]
    # One direction is worked out, and turned round for the other.
    swapped = _rank(after) < _rank(before)
    one, two = (after, before) if swapped else (before, after)
    judged, rest = _judge_all(one, two, options)
    figures = measure(one, judged, rest)
    changes = [_change(each, one, two, swapped=swapped) for each in _listed(judged)]
    reasons = _reasons(judged, figures, options, swapped=swapped)
    shown = [block for block in changes if not block.trivial] or (changes if reasons else [])
    salient = [key for each in judged if not each.trivial for key in each.edit.salient]
    change = TextChange(
        changed=bool(reasons),
        before=excerpt([block.before for block in shown], options.excerpt_length),
        after=excerpt([block.after for block in shown], options.excerpt_length),
        snippet=make_snippet([(block.before, block.after) for block in shown]),
        similarity=figures.lowest,
        levenshtein=figures.levenshtein,
        jaccard=figures.jaccard,
        reasons=reasons,
        salient=tuple(_turned(salient[:40], swapped=swapped)),
        blocks=tuple(changes),
        omitted=max(0, len(judged) - MOST_BLOCKS) + len(rest.removed) + len(rest.added),
    )
    return change, list(_trivials(changes))


def _listed(judged: list[Judged]) -> list[Judged]:
    """As many blocks as a report lists, in order: what is trivial only where there is room."""
    telling = [number for number, each in enumerate(judged) if not each.trivial][:MOST_BLOCKS]
    trivial = (number for number, each in enumerate(judged) if each.trivial)
    room = MOST_BLOCKS - len(telling)
    return [judged[number] for number in sorted((*telling, *islice(trivial, room)))]


def _rank(side: Side) -> tuple[int, str]:
    return len(side.document.text), side.document.text


def _reasons(
    judged: list[Judged], figures: Figures, options: DiffOptions, *, swapped: bool
) -> tuple[str, ...]:
    told = [reason for each in judged if not each.trivial for reason in each.edit.reasons]
    reasons = list(dict.fromkeys(_TURNED.get(r, r) if swapped else r for r in told))
    if figures.lowest < options.text_threshold:
        reasons.append("threshold")
    if options.wording_matters and any(each.trivial in ("wording", "typo") for each in judged):
        reasons.append("wording")
    return tuple(reasons)


def _judge_all(one: Side, two: Side, options: DiffOptions) -> tuple[list[Judged], CoarseSurvey]:
    changes = find_changes(one.lines, two.lines)
    if changes.size > _LARGE or changes.lines > _MANY:
        return _judge_large(one, two, changes, options)
    judged = [_judge(block, one, two) for block in find_blocks(one, two, changes)]
    _mark_respelt(judged)
    judged = _look_in_margins(judged, one, two)
    _mark_noise(judged, one, two, options)
    return judged, CoarseSurvey()


def _judge_large(
    one: Side, two: Side, changes: Changes, options: DiffOptions
) -> tuple[list[Judged], CoarseSurvey]:
    """As many blocks as tell whether something matters; all of them where the first do not."""
    most = _LOOKED_AT
    spelt = spell_counters(one, two, changes)
    while True:
        rest = survey_large(one, two, changes, spelt, most)
        judged = list(_judge_quickly(rest.found, one, two))
        _mark_noise(judged, one, two, options)
        tells = any(each.edit.reasons and not each.trivial for each in judged)
        if tells or not (rest.removed or rest.added):
            return judged, rest
        most *= 8


def _judge_quickly(found: Iterable[CoarseMatch], one: Side, two: Side) -> Iterator[Judged]:
    """Blocks that were not read closely; boxes of the site only until enough others are found."""
    others = 0
    for block, edit in found:
        if block.moved:
            yield _judge_moved(block, one, two)
            continue
        trivial = block.trivial
        if not block.edited and others < _OTHERS:
            line = block.before or block.after
            title = (one if block.left >= 0 else two).document.title
            trivial = chrome_kind(line, title) if len(line) <= _BOX else ""
            others += not trivial
        yield Judged(block, edit, trivial or ("" if edit.reasons else "wording"))


def _mark_noise(judged: list[Judged], one: Side, two: Side, options: DiffOptions) -> None:
    _mark_rotating(judged, one, two)
    _mark_beside(judged, one, two)
    _mark_adverts(judged, one, two)
    _mark_muted(judged, one, two, options)


def _mark_respelt(judged: list[Judged]) -> None:
    """A date that gave way to how long ago it was, or the reverse."""
    for one, two in pairwise(judged):
        if one.block.anchor != two.block.anchor or one.block.edited or two.block.edited:
            continue
        if bool(one.block.before) == bool(two.block.before):
            continue
        for moment, date in ((one, two), (two, one)):
            line = date.block.before or date.block.after
            if moment.trivial == "relative-time" and not date.trivial and is_date(line):
                date.trivial = "relative-time"


def _look_in_margins(judged: list[Judged], one: Side, two: Side) -> list[Judged]:
    """Blocks that extraction kept on one side only are on both pages, the same or edited."""
    for number, each in enumerate(judged):
        if each.trivial or each.block.edited or each.block.moved:
            continue
        if join_margin(each.block, one, two):
            joined = _judge_edited(each.block, one, two) if each.block.edited else each
            judged[number] = replace(joined, trivial=joined.trivial or each.block.trivial)
    found = [_judge_edited(block, one, two) for block in find_margin_edits(one, two)]
    told = [each for each in found if "salient" in each.edit.reasons]
    times = [
        Judged(Block(old, new), SentenceEdit(reasons=("salient",), salient=(f"-{old}", f"+{new}")))
        for old, new in find_times_moved(one, two)
    ]
    return judged + told + times + list(_judge_choices(one, two))


def _judge_choices(one: Side, two: Side) -> Iterator[Judged]:
    """Sizes, colours and the like that a product can no longer be had in, or can be had in again.

    Where most are others, another thing is being sold in that place, or suggested.
    """
    old, new = one.choices, two.choices
    if 2 * len(old.keys() & new.keys()) < max(len(old), len(new)):
        return
    for label in dict.fromkeys((*old, *new)):
        before, after = old.get(label, False), new.get(label, False)
        named_once = (label in old) != (label in new)
        if before == after or (named_once and (_says(one, label) or _says(two, label))):
            continue
        block = Block(before=label) if before else Block(after=label)
        edit = SentenceEdit(
            reasons=("removed" if before else "added",), salient=(f"{'-+'[after]}{label}",)
        )
        yield Judged(block, edit)


def _says(side: Side, label: str) -> bool:
    """Whether a choice is named in the text too; a letter or two is part of any text."""
    return label in side.known if len(label) <= _LETTERS else label in side.flat_text


def _judge(block: Block, one: Side, two: Side) -> Judged:
    if block.trivial and not block.moved:
        return Judged(block, SentenceEdit(), block.trivial)
    if block.moved:
        return _judge_moved(block, one, two)
    if block.edited:
        return _judge_edited(block, one, two)
    return _judge_single(block, one, two)


def _judge_moved(block: Block, one: Side, two: Side) -> Judged:
    line = block.after
    is_link = line in one.link_texts or line in two.link_texts
    prose = line.count(" ") >= 7 or (len(line) >= 40 and " " not in line)
    if prose and not is_link:
        return Judged(block, SentenceEdit(reasons=("moved",)))
    numbered = not is_link and line in one.ordered and line in two.ordered
    if numbered or line in one.exchanged(two):
        return Judged(block, SentenceEdit(reasons=("moved",), similarity=0.0))
    return Judged(block, SentenceEdit(), "reordered")


def _judge_edited(block: Block, one: Side, two: Side) -> Judged:
    if block.before.replace(" ", "") == block.after.replace(" ", ""):
        return Judged(block, SentenceEdit(), "whitespace")
    if (
        one.is_call(block.before)
        and two.is_call(block.after)
        and states(block.before) == states(block.after)
    ):
        return Judged(block, SentenceEdit(), "prompt")
    heading = one.is_heading(block.before) or two.is_heading(block.after)
    longest = max(block.before.count(" "), block.after.count(" "))
    short = longest <= _FEW_SPACES or (
        longest <= _GREETING_SPACES and not (decides(block.before) or decides(block.after))
    )
    chrome = chrome_kind(block.before, one.document.title) if short and not heading else ""
    if chrome in _WORDED and chrome == chrome_kind(block.after, two.document.title):
        return Judged(block, SentenceEdit(), chrome)
    edit = compare_block(
        block.before,
        block.after,
        (_setting(one, block.left, block.before), _setting(two, block.right, block.after)),
        language=two.document.language,
        heading=heading,
    )
    if edit.reasons:
        return Judged(block, edit)
    if edit.similarity == 1.0 and not edit.typo_only:
        return Judged(block, edit, "punctuation")
    return Judged(block, edit, "typo" if edit.typo_only else "wording")


def _setting(side: Side, number: int, text: str) -> Setting:
    return side.setting(number) if number >= 0 else side.aside(text)


def _judge_single(block: Block, one: Side, two: Side) -> Judged:
    side, other = (one, two) if block.left >= 0 else (two, one)
    line = block.before or block.after
    reason = "removed" if block.left >= 0 else "added"
    masked = block.masked or block.other
    trivial = chrome_kind(line, side.document.title)
    if not trivial and (_asks(line, side) or _calls_elsewise(line, side, other)):
        trivial = "prompt"
    if not trivial and line in side.advert_texts:
        trivial = "advertisement"
    if not trivial and line in other.link_texts:
        trivial = "placement"
    if not trivial and line in (other.document.title, other.document.description):
        trivial = "placement"
    if not trivial and line in one.outline.headings and line in two.outline.headings:
        trivial = "placement"  # a table of contents repeats it
    if not trivial and masked and not masked.key.strip("\ue000\ue001 "):
        trivial = masked.kinds[0] if masked.kinds else "punctuation"
    if not trivial and masked and masked.spans and only_names_counters(masked.key):
        trivial = masked.kinds[0]
    if not trivial and masked and is_byline(masked):
        trivial = "byline"
    if trivial:
        return Judged(block, SentenceEdit(), trivial)
    sign = "+" if reason == "added" else "-"
    numbers = [f"{sign}{t.fold}" for t in (masked.tokens if masked else ()) if t.kind == "number"]
    return Judged(
        block, SentenceEdit(reasons=(reason,), salient=tuple(numbers[:8]), similarity=0.0)
    )


def _asks(line: str, side: Side) -> bool:
    """Whether a line only asks something of a visitor."""
    return (side.is_call(line) and not states(line)) or is_quantity_label(line, side.document.title)


def _calls_elsewise(line: str, side: Side, other: Side) -> bool:
    """Whether a link calls upon a visitor to go where another, in other words, called before."""
    targets = side.targets.get(line)
    if not targets or line.partition(" ")[0].casefold() not in _CALLS:
        return False
    return any(
        states(line) == states(text) and not targets.isdisjoint(found)
        for text, found in other.targets.items()
    )


def _mark_rotating(judged: list[Judged], one: Side, two: Side) -> None:
    """Lines under ``You may also like``; links that take each other's places beside an article."""
    for each in judged:
        block = each.block
        if each.trivial or not each.edit.reasons:
            continue
        left = block.left < 0 or block.left in one.rotating or is_lead_in(block.before)
        right = block.right < 0 or block.right in two.rotating or is_lead_in(block.after)
        if (
            left
            and right
            and max(block.left, block.right) >= 0
            and (is_daily(block.before) or not _is_put_right(each, one, two))
        ):
            each.trivial = "rotating"
    _mark_testimonials(judged, one, two)
    if min(one.link_share, two.link_share) > 0.4 or two.document.page_type not in _ROTATING_TYPES:
        return
    links = [
        each
        for each in judged
        if not each.trivial
        and _is_link_line(each.block, one, two)
        and not _leads_to_same(each.block, one, two)
    ]
    came = sum(each.block.right >= 0 for each in links)
    went = sum(each.block.left >= 0 for each in links)
    if came and went:
        for each in links:
            each.trivial = "rotating"


def _mark_beside(judged: list[Judged], one: Side, two: Side) -> None:
    """What comes, goes or gives way to something else in a side box, and binds nobody."""
    if not (one.beside or two.beside):
        return
    for each in judged:
        block = each.block
        if each.trivial or block.moved or max(block.left, block.right) < 0:
            continue
        aside = (not block.before or text_mark(block.before) in one.beside) and (
            not block.after or text_mark(block.after) in two.beside
        )
        replaced = not block.edited or "rewritten" in each.edit.reasons
        if aside and replaced and not any(map(binds, (block.before, block.after))):
            each.trivial = "rotating"


def _is_put_right(each: Judged, one: Side, two: Side) -> bool:
    """Whether a line was edited where it stands, in a part that leads nowhere: no suggestion.

    ``Recommended dose`` and ``Keep only the newest`` are headings of what a page is about, and the
    lines under them are edited; those of a box are replaced.
    """
    block = each.block
    if not block.edited or block.left in one.suggesting or block.right in two.suggesting:
        return False
    if min(block.left, block.right) < 1:
        return False
    is_value = block.before in one.outline.values and block.after in two.outline.values
    if is_value and one.lines[block.left - 1] == two.lines[block.right - 1]:
        return True
    words = min(block.before.count(" "), block.after.count(" ")) + 1
    return words >= _FEWEST_WORDS and "rewritten" not in each.edit.reasons


def _mark_testimonials(judged: list[Judged], one: Side, two: Side) -> None:
    """Words of praise that come and go where nobody is reported on."""
    if two.document.page_type in _REPORTING:
        return
    spoken: set[tuple[bool, int]] = set()
    for each in judged:
        block = each.block
        if block.moved or not (block.before or block.after):
            continue
        places = ((True, block.left, block.before), (False, block.right, block.after))
        shown = [(first, place, line) for first, place, line in places if line]
        if all(_is_praise(line, one if first else two) for first, _, line in shown):
            spoken.update((first, place) for first, place, _ in shown)
            each.trivial = each.trivial or "rotating"
        elif all(
            (first, place - 1) in spoken and line.count(" ") < _LONGEST_NAME
            for first, place, line in shown
        ):
            each.trivial = each.trivial or "rotating"  # whose words they are


def _is_praise(line: str, side: Side) -> bool:
    """Whether a line is what somebody said of the page's subject."""
    if _TESTIMONIAL.match(line) or _QUOTED.match(line):
        return True
    return line in side.quotations


def _leads_to_same(block: Block, one: Side, two: Side) -> bool:
    """Whether a link was only given another name: an entry of a list that was put right."""
    targets = one.targets.get(block.before, set())
    return block.edited and not targets.isdisjoint(two.targets.get(block.after, ()))


def _is_link_line(block: Block, one: Side, two: Side) -> bool:
    left = block.left < 0 or (
        block.before in one.link_texts and block.before not in one.outline.values
    )
    right = block.right < 0 or (
        block.after in two.link_texts and block.after not in two.outline.values
    )
    return left and right and not block.moved and max(block.left, block.right) >= 0


def _mark_adverts(judged: list[Judged], one: Side, two: Side) -> None:
    """What comes right after a line that says ``Advertisement``, up to three lines."""
    since = 4
    place = (-9, -9)
    for each in judged:
        block = each.block
        follows = block.left - place[0] == 1 or block.right - place[1] == 1
        since = since + 1 if follows else 4
        if is_advert_label(block.anchor) and block.ordinal < 3 and not block.edited:
            since = 1
        if is_advert_label(block.before or block.after):
            since = 0
        elif since <= 3 and not each.trivial and len(block.before or block.after) <= 200:
            each.trivial = "advertisement"
        place = (block.left, block.right)


def _mark_muted(judged: list[Judged], one: Side, two: Side, options: DiffOptions) -> None:
    if options.scoped or not options.muted_blocks:
        return
    muted = frozenset(options.muted_blocks)
    for each in judged:
        if (
            not each.trivial
            and block_key(each.block) in muted
            and not _is_protected(each, one, two)
        ):
            each.trivial = "muted"


def block_key(block: Block) -> str:
    """A name for the place of a block: the line before it that both have, and its number after."""
    spelling = f"{block.anchor}\x00{block.ordinal}".encode("utf-8", "replace")
    return hashlib.sha1(spelling, usedforsecurity=False).hexdigest()[:12]


def _is_protected(each: Judged, one: Side, two: Side) -> bool:
    lines = [line for line in (each.block.before, each.block.after) if line]
    for side in (one, two):
        price = side.price
        if any(line == side.document.title or (price and price.raw in line) for line in lines):
            return True
    return any(_tells_price_or_stock(line) for line in lines)


def _tells_price_or_stock(line: str) -> bool:
    if len(line) > 200:
        return False
    folded = line.casefold()
    money = any(sign in line for sign in "$€£¥₹₽₺₴₩₪₫") and any(map(str.isdigit, line))
    return money or any(word in folded for word in _STOCK)


_TURNED = {"added": "removed", "removed": "added"}


def _turned(salient: Sequence[str], *, swapped: bool) -> list[str]:
    if not swapped:
        return list(salient)
    return [("-" if key[0] == "+" else "+") + key[1:] for key in salient]


def _change(each: Judged, one: Side, two: Side, *, swapped: bool) -> BlockChange:
    block = each.block
    before, after = (block.after, block.before) if swapped else (block.before, block.after)
    operation = (
        "moved" if block.moved else "edited" if block.edited else "added" if after else "removed"
    )
    return BlockChange(
        operation=operation,
        before=before,
        after=after,
        key=block_key(block),
        salient=tuple(_turned(each.edit.salient, swapped=swapped)),
        trivial=each.trivial,
        protected=_is_protected(each, one, two),
    )


def _trivials(blocks: Iterable[BlockChange]) -> Iterable[TrivialDifference]:
    for block in blocks:
        if block.trivial:
            yield TrivialDifference(
                field="text",
                kind=block.trivial,
                before=excerpt([block.before], 200),
                after=excerpt([block.after], 200),
            )
