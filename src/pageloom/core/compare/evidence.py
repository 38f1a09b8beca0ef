"""Gather the evidence on a difference: where it stands, what it says, how it moves.

Nothing decides alone here. Each fact is a figure with a name; ``weigh`` weighs them together.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pageloom.core.compare.align import common_ends, count_alike
from pageloom.core.compare.dates import find_dates
from pageloom.core.compare.lexicon import Group, is_lead_in
from pageloom.core.compare.masks import says_little
from pageloom.core.compare.sentences import SentenceEdit, compare_block
from pageloom.core.compare.tokens import CURRENCY_CODES, CURRENCY_SIGNS
from pageloom.core.compare.topics import topics_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.core.compare.masks import Masked
    from pageloom.core.compare.movement import Movement
    from pageloom.core.compare.pairs import Difference
    from pageloom.core.compare.side import Side
    from pageloom.core.compare.tokens import TextToken

_TIME = r"\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\.?|uhr|h)?"
_FIGURES = {
    "measure": re.compile(
        r"(\d[\d.,]*)\s?([mck]m|m²|m2|ha|sq\.? ?(?:ft|m)|[kmµ]?g|lbs?|oz|ft|inch(?:es)?"
        r"|[mc]?l|litres?|liters?|[km]?wh?|hp|ps|kva|[gmt]i?b|gb/s|mbit/s|mah|°[cf])(?!\w)",
        re.IGNORECASE,
    ),
    "telephone": re.compile(r"(?<!\d)(?:\+\d|\(?0)\d{0,4}[\d ()/.-]{5,16}\d(?!\d)"),
    "email": re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}"),
    "hours": re.compile(
        rf"({_TIME})\s?(?:[-–—]|to|bis|à|a|alle|tot|do|до)\s?({_TIME})(?!\w)", re.IGNORECASE
    ),
}
"""What people go by, and how it is written."""
_AROUND = 40
"""Characters around a difference that may belong to a figure."""
_READ = 4_000
"""Characters of a text that are looked at."""


def firm_kinds(before: str, after: str, masked: Masked | None, other: Masked | None) -> list[str]:
    """In what that people go by two texts differ: money, measures, telephone numbers, hours."""
    start, end = common_ends(before, after)
    start, end = max(0, start - _AROUND), max(0, end - _AROUND)
    one, two = (text[start : len(text) - end][:_READ] for text in (before, after))
    found = [
        name
        for name, pattern in _FIGURES.items()
        if _figures(pattern, one) != _figures(pattern, two)
    ]
    if _amounts(masked) != _amounts(other):
        found.append("money")
    if _states(masked) != _states(other):
        found.append("state")
    return found


def _states(masked: Masked | None) -> set[str]:
    """The words that tell of a state, or make a date matter."""
    return {
        token.fold
        for token in (masked.tokens if masked else ())
        if token.groups and (Group.BINDING in token.groups or Group.STATE in token.groups)
    }


def _amounts(masked: Masked | None) -> set[tuple[str, str]]:
    """The numbers beside the name or the sign of a currency."""
    tokens = masked.tokens if masked else ()
    pairs = [pair for one, two in pairwise(tokens) for pair in ((one, two), (two, one))]
    return {
        (number.fold, money.fold)
        for number, money in pairs
        if number.kind == "number"
        and (money.fold in CURRENCY_CODES or money.text in CURRENCY_SIGNS)
    }


def _figures(kind: re.Pattern[str], text: str) -> set[str]:
    return {found[0] for found in kind.finditer(text)}


_LISTS = ("listing", "collection", "feed", "other")
"""Kinds of page that may consist of links."""
_MONEY = re.compile(r"[$€£¥₹₽₺₴₩₪₫]\s?\d|\d\s?[$€£¥₹₽₺₴₩₪₫]|\b(?:USD|EUR|GBP|CHF|kr|zł|руб)\b")
_FIGURE = re.compile(r"\d[\d.,\u202f\u00a0]*")
_WHOLE = re.compile(r"\d+|\d{1,3}(?:[.,\u202f\u00a0 ]\d{3})+")
_SHOWN_DATE = re.compile(
    r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\d{4}年\d+月\d+日"
    r"|\b\d{1,2}\.?\s\w{3,12}\.?,?\s(?:de\s)?\d{4}\b|\b\w{3,12}\.?\s\d{1,2},?\s\d{4}\b"
)
_CLOCK = re.compile(r"(?<![\d:.])\d{1,2}[:.h]\d\d(?::\d\d)?(?![\d.])")
_SECONDS = re.compile(r"(?<!\d)\d{1,2}:\d\d:\d\d(?!\d)")
_GAUGED = re.compile(r"\d\s?(?:ms|s|sec|[KMG]i?B|kB|fps|[°%])(?!\w)")
"""Figures that machines take: milliseconds, megabytes, degrees, percent."""
_LONG_NUMBER = re.compile(r"(?<![\d.,])\d[\d ()/.-]{5,18}\d(?![\d.,])")
_DIALLED = range(7, 14)
"""Digits of a number that somebody may call."""
_SCORE = re.compile(r"(?<![\d:–-])\d{1,2}\s?[:–]\s?\d{1,2}(?![\d:–])")
_QUOTED = re.compile(r"^\W{0,2}[\"“”„«‹「『].{6,300}[\"“”»›」』]\W{0,5}.{0,60}$")
_WORD = re.compile(r"[^\W\d_]+")
_PART = re.compile(r"[^\W\d_]+|\d+")
_LABEL = re.compile(r"[^:：]{1,80}[:：]")
_DASHES = frozenset("–—·|•")
_LINKED = 70
"""Percent of a block that is links, from which on it leads somewhere and says little itself."""
_NEAR_CUT = 12
_REPLACED = 0.4
"""Two texts of one place less similar than this are two texts."""
_GROUP = 3
_FEW = 100
"""Below this a count is of few."""
_LONGEST_DATE = 8
"""Tokens of a date."""
_SPELLINGS = ("whitespace", "letter-case", "punctuation", "encoding")
_ROLES = {"m": "main", "s": "beside", "n": "navigation", "b": "bar", "f": "footer", "x": "box"}

Facts = dict[str, float]


class Judged(NamedTuple):
    """A difference, how its words differ, and the evidence on it."""

    difference: Difference
    edit: SentenceEdit
    facts: Facts


class Turnover(NamedTuple):
    """How many blocks of each group came and went."""

    old: dict[tuple[int, int], int]
    new: dict[tuple[int, int], int]
    edits: dict[tuple[str, str], int]
    """How often each edit was made on the page."""


def count_turnover(differences: list[Difference], one: Side, two: Side) -> Turnover:
    """Of each group of blocks alike, how many differ in more than times and counters."""
    turnover = Turnover({}, {}, {})
    for each in differences:
        if each.same or each.moved:
            continue
        if each.left >= 0:
            group = one.group(each.left)
            turnover.old[group] = turnover.old.get(group, 0) + 1
        if each.right >= 0:
            group = two.group(each.right)
            turnover.new[group] = turnover.new.get(group, 0) + 1
        if each.edited:
            edit = each.before, each.after
            turnover.edits[edit] = turnover.edits.get(edit, 0) + 1
    return turnover


def gather(
    each: Difference, one: Side, two: Side, turnover: Turnover, movement: Movement | None
) -> Judged:
    """All that is known of a difference."""
    edit = _compare(each, one, two)
    side, number = (two, each.right) if each.right >= 0 else (one, each.left)
    facts: Facts = {}
    _add_place(facts, each, one, two)
    _add_operation(facts, each, edit, one, two)
    _add_text(facts, each, edit, one, two)
    _add_structure(facts, each, one, two, turnover)
    hint = side.blocks.hints.get(number, "")
    if hint:
        facts[f"named_{hint}"] = 1.0
    _add_words(facts, each, side, number)
    facts.update((f"says_{topic}", 1.0) for topic in _topics(each))
    if movement is not None:
        movement.add_facts(facts, each, one, two)
    _add_shape(facts, each)
    return Judged(each, edit, facts)


def _compare(each: Difference, one: Side, two: Side) -> SentenceEdit:
    if each.same:
        return SentenceEdit()
    if each.moved:
        return SentenceEdit(reasons=("moved",))
    if each.edited:
        kinds = one.blocks.kinds[each.left] + two.blocks.kinds[each.right]
        return compare_block(
            each.before,
            each.after,
            (one.setting(each.left), two.setting(each.right)),
            language=two.document.language,
            heading="h" in kinds,
        )
    masked = each.masked or each.other
    sign, reason = ("+", "added") if each.left < 0 else ("-", "removed")
    numbers = [f"{sign}{t.fold}" for t in (masked.tokens if masked else ()) if t.kind == "number"]
    return SentenceEdit(reasons=(reason,), salient=tuple(numbers[:8]), similarity=0.0)


def _add_place(facts: Facts, each: Difference, one: Side, two: Side) -> None:
    roles = [
        side.blocks.roles[number]
        for side, number in ((one, each.left), (two, each.right))
        if number >= 0
    ]
    role = "m" if "m" in roles else max(roles)
    scores = [
        side.blocks.scores[number]
        for side, number in ((one, each.left), (two, each.right))
        if number >= 0
    ]
    facts[_ROLES[role]] = 1.0
    facts["score"] = max(scores) / 100
    if role != "m" and max(scores) >= _NEAR_CUT:
        facts["near_cut"] = 1.0
    kind = two.blocks.kinds[each.right] if each.right >= 0 else one.blocks.kinds[each.left]
    facts[f"kind_{kind}"] = 1.0
    labels = one.blocks.labels.get(each.left) or two.blocks.labels.get(each.right)
    if labels:
        facts["labelled"] = 1.0
    page = two.document.page_type
    if page in _LISTS:
        facts["list_page"] = 1.0


def _add_operation(
    facts: Facts, each: Difference, edit: SentenceEdit, one: Side, two: Side
) -> None:
    if each.moved:
        facts["moved"] = 1.0
        if each.left in one.ordered and each.right in two.ordered:
            facts["moved_in_order"] = 1.0
        label, other = one.blocks.labels.get(each.left, ""), two.blocks.labels.get(each.right, "")
        paths = one.blocks.paths[one.blocks.path_of[each.left]]
        headed = " · " in label and " · " in other  # in a table whose rows and columns have heads
        if label != other and (headed or paths.endswith("dd")):
            facts["moved_to_label"] = 1.0
    elif each.edited:
        facts["edited"] = 1.0
        if edit.similarity < _REPLACED:
            facts["replaced"] = 1.0
    else:
        facts["lone"] = 1.0


def _add_text(facts: Facts, each: Difference, edit: SentenceEdit, one: Side, two: Side) -> None:
    if each.same:
        facts["spelling" if each.same in _SPELLINGS else "masked"] = 1.0
        return
    text = (each.after or each.before)[:_READ]
    words = max(text.count(" ") + 1, len(text) // 12)
    facts["few_words" if words <= 3 else "line" if words <= 8 else "sentence"] = 1.0
    if _MONEY.search(each.before) or _MONEY.search(each.after):
        facts["money"] = 1.0
    if each.moved:
        return
    if each.edited:
        _add_edit(facts, each, edit)
    else:
        _add_lone(facts, each, edit, one if each.right >= 0 else two)


def _add_lone(facts: Facts, each: Difference, edit: SentenceEdit, other: Side) -> None:
    """What is known of a text that only one visit has."""
    text = each.after or each.before
    if edit.salient:
        facts["has_figure"] = 1.0
    if _SHOWN_DATE.fullmatch(text):
        facts["only_a_date"] = 1.0
    if text in other.known or text in other.links:
        facts["elsewhere"] = 1.0
    masked = each.masked or each.other
    if masked is None:
        return
    if not masked.key.strip("\ue000\ue001 "):
        facts["masked"] = 1.0
    elif says_little(masked):
        facts["nearly_masked"] = 1.0


def _add_edit(facts: Facts, each: Difference, edit: SentenceEdit) -> None:
    """How two texts of one place differ."""
    if edit.salient:
        digits = any(any(map(str.isdigit, key)) for key in edit.salient)
        facts["salient_figure" if digits else "salient_word"] = 1.0
    if not edit.reasons:
        facts["typo" if edit.typo_only else "wording"] = 1.0
    if {"added", "removed"} & set(edit.reasons):
        facts["clause"] = 1.0
    for kind in firm_kinds(each.before, each.after, each.masked, each.other):
        facts[f"firm_{kind}"] = 1.0
    if _is_put_right(each, edit):
        facts["put_right"] = 1.0
    if each.masked and each.other and set(each.masked.kinds) & set(each.other.kinds):
        facts["both_masked"] = 1.0
    _add_figures(facts, each)
    _add_stamps(facts, each.before[:_READ], each.after[:_READ])
    if edit.similarity < 1:
        facts["share_of_words"] = 1 - edit.similarity


def _is_put_right(each: Difference, edit: SentenceEdit) -> bool:
    """Whether a few words in a longer text are others: what rotates is replaced as a whole."""
    words = min(each.before.count(" "), each.after.count(" ")) + 1
    return words >= 5 and edit.similarity >= 0.6 and bool(edit.salient)


def _add_figures(facts: Facts, each: Difference) -> None:
    """The shape of what differs, where that is figures or dates alone."""
    if each.masked and each.other and _differ_in_dates(each.masked.tokens, each.other.tokens):
        facts["only_dates"] = 1.0
    if len(each.before) > 120 or _FIGURE.sub("0", each.before) != _FIGURE.sub("0", each.after):
        return
    facts["only_figures"] = 1.0
    pairs = zip(_FIGURE.findall(each.before), _FIGURE.findall(each.after), strict=True)
    differ = [(one, two) for one, two in pairs if one != two]
    if "%" in each.before:
        facts["percent"] = 1.0
    if _SCORE.search(each.before):
        facts["score_like"] = 1.0
    if "°" in each.before or "º" in each.before:
        facts["degrees"] = 1.0
    if len(differ) > 1:
        facts["many_figures"] = 1.0
    if _MONEY.search(each.before):
        return
    if all(map(_is_drift, differ)):
        facts["drift_of_count"] = 1.0
    if all(_WHOLE.fullmatch(figure) for pair in differ for figure in pair):
        _add_counts(facts, [_number(figure) for pair in differ for figure in pair])


def _number(figure: str) -> int:
    return int(re.sub(r"\D", "", figure))


def _add_counts(facts: Facts, numbers: list[int]) -> None:
    """Whether whole numbers look counted or decided: people choose round ones."""
    if max(numbers) < _FEW:
        facts["small_count"] = 1.0
    elif all(number % 5 == 0 for number in numbers):
        facts["round_figures"] = 1.0
    elif min(numbers) >= _FEW:
        facts["odd_figures"] = 1.0


def _add_stamps(facts: Facts, before: str, after: str) -> None:
    """Whether what differs was taken by a machine: a date with a clock, a duration, a size."""
    old, new = _FIGURE.findall(before), _FIGURE.findall(after)
    if len(old) == len(new) > 1:
        differ = sum(one != two for one, two in zip(old, new, strict=True))
        if differ == len(old):
            facts["all_figures_differ"] = 1.0
        elif differ == 1:
            facts["one_figure_differs"] = 1.0
    if _differs(_SECONDS, before, after):
        facts["clock_with_seconds"] = 1.0
    if _differs(_CLOCK, before, after) and _SHOWN_DATE.search(before):
        facts["date_and_clock"] = 1.0
    if _differs(_GAUGED, before, after, around=True):
        facts["gauged"] = 1.0
    if _is_dialled(before, after):
        facts["number_to_call"] = 1.0


def _differs(kind: re.Pattern[str], before: str, after: str, *, around: bool = False) -> bool:
    """Whether both texts have figures of a kind, and others."""
    old, new = kind.findall(before), kind.findall(after)
    return bool(old and new) and (old != new or (around and before != after))


def _is_dialled(before: str, after: str) -> bool:
    """Whether a long number without a meaning as an amount became another."""
    if _MONEY.search(before) or _SHOWN_DATE.search(before):
        return False
    old, new = (
        [
            digits
            for n in _LONG_NUMBER.findall(text)
            if len(digits := re.sub(r"\D", "", n)) in _DIALLED
        ]
        for text in (before, after)
    )
    return bool(old and new) and old != new


def _is_drift(pair: tuple[str, str]) -> bool:
    """Whether a large whole number moved by little, as counters do."""
    if not all(_WHOLE.fullmatch(figure) for figure in pair):
        return False
    one, two = map(_number, pair)
    return min(one, two) >= 100 and abs(one - two) <= 0.15 * max(one, two)


def _differ_in_dates(one: Sequence[TextToken], two: Sequence[TextToken]) -> bool:
    """Whether two texts are the same but for dates and times of day."""
    if abs(len(one) - len(two)) > _LONGEST_DATE:
        return False
    folds, others = [token.fold for token in one], [token.fold for token in two]
    start, end = count_alike(folds, others), count_alike(folds[::-1], others[::-1])
    start, end = max(0, start - _LONGEST_DATE), max(0, end - _LONGEST_DATE)
    if start + end > min(len(one), len(two)):
        start = end = 0
    return _without_dates(one[start : len(one) - end]) == _without_dates(
        two[start : len(two) - end]
    )


def _without_dates(tokens: Sequence[TextToken]) -> list[str]:
    dates = {place for date in find_dates(tokens) for place in range(date.start, date.end)}
    return [
        token.fold
        for place, token in enumerate(tokens)
        if place not in dates and token.kind not in ("clock", "date")
    ]


def _add_structure(
    facts: Facts, each: Difference, one: Side, two: Side, turnover: Turnover
) -> None:
    linked = [
        side.blocks.linked[number] >= _LINKED
        for side, number in ((one, each.left), (two, each.right))
        if number >= 0
    ]
    if all(linked):
        facts["linked"] = 1.0
        if each.edited:
            old, new = one.blocks.links.get(each.left), two.blocks.links.get(each.right)
            facts["leads_to_same" if old == new else "leads_elsewhere"] = 1.0
    sizes: list[tuple[int, int]] = []
    if each.left >= 0:
        group = one.group(each.left)
        sizes.append((one.group_sizes[group], turnover.old.get(group, 0)))
    if each.right >= 0:
        group = two.group(each.right)
        sizes.append((two.group_sizes[group], turnover.new.get(group, 0)))
    size, moved = max(sizes)
    if turnover.edits.get((each.before, each.after), 0) > 1:
        facts["same_edit_again"] = 1.0
    if size >= _GROUP:
        facts["among_alike"] = 1.0
        share = moved / size
        if share >= 0.5:
            facts["group_replaced"] = 1.0
        elif moved == 1:
            facts["one_of_group"] = 1.0


def _add_words(facts: Facts, each: Difference, side: Side, number: int) -> None:
    """What single words suggest: weak, because the same words stand in what matters."""
    text = (each.after or each.before)[:_READ]
    groups = _groups(each)
    found = {
        "exclaims": text.endswith(("!", "！")),
        "has_link": number in side.blocks.links,
        "lead_in": is_lead_in(text),
        "quoted": _QUOTED.match(text) is not None,
        "words_negation": Group.NEGATION in groups,
        "words_state": Group.STATE in groups,
    }
    facts.update((name, 1.0) for name, holds in found.items() if holds)
    words = {word for word in _WORD.findall(text.casefold()) if len(word) > 3}
    if words and not side.is_main(number):
        facts["about_page"] = len(words & side.main_words) / len(words)


def _topics(each: Difference) -> set[str]:
    """What both texts are about by their words."""
    if each.same or each.moved:
        return set()
    return topics_of(each.after) | topics_of(each.before)


def _groups(each: Difference) -> set[str]:
    """The groups of the words that came or went."""
    old = {token.fold: token.groups for token in (each.masked.tokens if each.masked else ())}
    new = {token.fold: token.groups for token in (each.other.tokens if each.other else ())}
    changed = [groups for fold, groups in old.items() if fold not in new]
    changed += [groups for fold, groups in new.items() if fold not in old]
    return set("".join(changed))


def _add_shape(facts: Facts, each: Difference) -> None:
    """How the texts are built, and how much of them differs."""
    old, new = (_PART.findall(text[:_READ].casefold()) for text in (each.before, each.after))
    start, end = (count_alike(old, new), 0) if each.edited else (0, 0)
    if each.edited:
        end = count_alike(old[start:][::-1], new[start:][::-1])
    middles = old[start : len(old) - end], new[start : len(new) - end]
    most = max(len(old), len(new), 1)
    text = max(each.before, each.after, key=lambda one: (len(one), one))[:_READ]
    shown = text.split()
    facts["words"] = min(most, 60)
    facts["begins_alike"], facts["ends_alike"] = start / most, end / most
    if each.edited:
        facts["differing_most"] = min(max(map(len, middles)), 30)
        facts["differing_least"] = min(*map(len, middles), 30)
    parts = [*middles[0], *middles[1]]
    facts["differing_figures"] = sum(map(str.isdigit, parts)) / max(len(parts), 1)
    facts["digits"] = sum(map(str.isdigit, text)) / max(len(text), 1)
    facts["capitals"] = sum(word[:1].isupper() for word in shown) / max(len(shown), 1)
    facts["full_stop"] = float(text.endswith((".", "。")))
    facts["commas"] = min(text.count(",") + text.count("、"), 5)
    facts["figures"] = min(sum(map(str.isdigit, _PART.findall(text))), 8)
    facts["dashes"] = float(not _DASHES.isdisjoint(text))
    label = _LABEL.match(each.before)
    facts["colon"] = float(":" in text or "：" in text)
    facts["label_stays"] = float(label is not None and each.after.startswith(label[0]))
