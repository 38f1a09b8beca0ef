"""An edited block, sentence by sentence and word by word: what decides its meaning.

Numbers, dates, names, negations and words for states decide; spelling and word order do not.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import OSA, Indel, Levenshtein

from pageloom.core.compare.align import align, common_ends, common_start
from pageloom.core.compare.lexicon import CJK, Group, is_boilerplate
from pageloom.core.compare.masks import Masked, mask_line
from pageloom.core.compare.tokens import CURRENCY_SIGNS
from pageloom.core.stopwords import STOP_WORDS
from pageloom.core.words import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pageloom.core.compare.masks import Setting
    from pageloom.core.compare.tokens import TextToken

_DECISIVE = Group.NEGATION + Group.MODAL + Group.STATE + Group.NUMBER_WORD
_SIGNS = frozenset("%‰°<>≤≥=+−±×÷#&@/")
_CLAUSE = 5
"""So many words put in or taken out in one place are a clause, and matter by themselves."""
_SHORT_LINE = 6
_LISTED = re.compile("# ?# ?#")
"""Three numbers with a word between two of them at most: 36, 38 and 40."""
_DOUBLED = re.compile(r"(.)\1")
_SHORTEST_CONTENT = 4
_STEM = 0.6
_NOUNS_IN_CAPITALS = frozenset(("de", "lb"))


class WordChange(NamedTuple):
    """How two sentences differ."""

    salient: tuple[str, ...]
    """``-old`` and ``+new``."""
    clause: str
    """``added`` or ``removed`` where a whole clause came or went."""
    typo_only: bool
    similarity: float


def compare_words(
    one: Sequence[TextToken], two: Sequence[TextToken], *, language: str = "", heading: bool = False
) -> WordChange:
    """How two sentences differ word by word, and what of it decides the meaning."""
    left, right = [token.fold for token in one], [token.fold for token in two]
    if swapped := _swapped(one, two):
        return WordChange(salient=swapped, clause="", typo_only=False, similarity=1.0)
    if len(left) <= _SHORT_LINE and sorted(left) == sorted(right):  # 12 €, €12
        return WordChange(salient=(), clause="", typo_only=False, similarity=1.0)
    short = heading or min(len(left), len(right)) <= _SHORT_LINE
    gone: list[str] = []
    come: list[str] = []
    clause, changed, repaired = "", 0, 0
    codes = [code for code in Levenshtein.opcodes(left, right) if code.tag != "equal"]
    for code in codes:
        start, end = code.src_start, code.src_end
        other_start, other_end = code.dest_start, code.dest_end
        changed += max(end - start, other_end - other_start)
        old, new = one[start:end], two[other_start:other_end]
        if _are_typos(old, new, language):
            repaired += len(old)
            continue
        if code.tag == "insert" and _count_words(new) >= _CLAUSE:
            clause = "added"
        if code.tag == "delete" and _count_words(old) >= _CLAUSE:
            clause = "removed"
        replaced = bool(old) and bool(new)
        went = _salient(one, start, end, short=short, replaced=replaced)
        came = _salient(two, other_start, other_end, short=short, replaced=replaced)
        exchanged = len(codes) == len(old) == len(new) == 1 and _is_exchanged(old[0], new[0])
        gone += went or ([old[0].fold] if exchanged else [])
        come += came or ([new[0].fold] if exchanged else [])
    salient = _difference(gone, come)
    longest = max(len(left), len(right), 1)
    return WordChange(
        salient=salient,
        clause=clause,
        typo_only=changed > 0 and repaired == changed,
        similarity=1 - (changed - repaired) / longest,
    )


def _swapped(one: Sequence[TextToken], two: Sequence[TextToken]) -> tuple[str, ...]:
    """What took each other's places among the same words: 2 to 1, 1 to 2; from A to B, B to A."""
    if len(one) != len(two):
        return ()
    places = [place for place, (a, b) in enumerate(zip(one, two, strict=True)) if a.fold != b.fold]
    if len(places) < 2 or not all(
        _is_place_bound(each, place) for each in (one, two) for place in places
    ):
        return ()
    gone, come = [one[place].fold for place in places], [two[place].fold for place in places]
    if sorted(gone) != sorted(come):
        return ()  # others came, which is told anyway
    return (*(f"-{fold}" for fold in gone), *(f"+{fold}" for fold in come))


def _is_place_bound(tokens: Sequence[TextToken], place: int) -> bool:
    """Whether a token says something else in another place: a number of no list, a letter."""
    token = tokens[place]
    if token.kind == "word":
        return Group.STATE in token.groups or (len(token.text) == 1 and token.text.isupper())
    if token.kind != "number":
        return False
    near = [each.kind == "number" for each in tokens[max(0, place - 4) : place + 5]]
    steps = "".join("#" if number else " " for number in near)
    return _LISTED.search(steps) is None


def _is_exchanged(one: TextToken, two: TextToken) -> bool:
    """Whether a word of substance gave way to another: what differs is what is told.

    ``naproxen`` to ``diclofenac``; but not another form of the same word, nor one of those that
    every text has. Where a sentence differs in more than that it was put in other words.
    """
    a, b = one.fold, two.fold
    if not all(map(_is_content_word, (one, two))):
        return False
    shared = common_start(a, b)
    return shared < _STEM * min(len(a), len(b))


def _is_content_word(token: TextToken) -> bool:
    letters = token.fold.replace("-", "")
    return (
        token.kind == "word"
        and letters.isalpha()
        and len(letters) >= _SHORTEST_CONTENT
        and token.fold not in _common_words()
    )


@cache
def _common_words() -> frozenset[str]:
    return frozenset(word for words in STOP_WORDS.values() for word in words)


def _difference(gone: Iterable[str], come: Iterable[str]) -> tuple[str, ...]:
    """What went and what came, without what only moved."""
    before, after = Counter(gone), Counter(come)
    minus = [f"-{key}" for key in (before - after).elements()]
    return (*minus, *(f"+{key}" for key in (after - before).elements()))


def _count_words(tokens: Iterable[TextToken]) -> int:
    return sum(token.kind != "mark" for token in tokens)


def _salient(
    tokens: Sequence[TextToken], start: int, end: int, *, short: bool, replaced: bool
) -> list[str]:
    found = [
        key
        for place in range(start, end)
        if (key := _key(tokens, place, short=short, replaced=replaced))
    ]
    run = "".join(token.text for token in tokens[start:end] if is_caseless(token.text))
    if replaced and not found and len(run) >= 2:
        return [run]
    return found


def _key(tokens: Sequence[TextToken], place: int, *, short: bool, replaced: bool) -> str:
    token = tokens[place]
    if token.kind == "mark":
        return token.fold if token.text in CURRENCY_SIGNS or token.groups else _sign(tokens, place)
    if token.kind != "word" or any(char.isdigit() for char in token.text):
        return token.fold
    if _is_decisive(tokens, place):
        return token.fold
    if _is_code(token.text) or _is_name(tokens, place):
        return token.text if token.text[0].isupper() and not token.text.isupper() else token.fold
    return token.fold if short and replaced and len(token.text) >= 3 else ""


def _is_decisive(tokens: Sequence[TextToken], place: int) -> bool:
    token = tokens[place]
    if any(letter in _DECISIVE for letter in token.groups):
        return True
    if Group.MONTH in token.groups or Group.WEEKDAY in token.groups:
        return _beside_number(tokens, place) or len(token.text) > 4
    return Group.MEASURE in token.groups and _beside_number(tokens, place)


def _sign(tokens: Sequence[TextToken], place: int) -> str:
    return (
        tokens[place].text if tokens[place].text in _SIGNS and _beside_number(tokens, place) else ""
    )


def _beside_number(tokens: Sequence[TextToken], place: int) -> bool:
    near = [*tokens[max(0, place - 1) : place], *tokens[place + 1 : place + 2]]
    return any(token.kind in ("number", "clock") for token in near)


def _is_code(text: str) -> bool:
    """Whether a word is an identifier, or spelt in capitals."""
    return "_" in text or (len(text) > 1 and not text[1:].islower() and not is_caseless(text))


def _is_name(tokens: Sequence[TextToken], place: int) -> bool:
    text = tokens[place].text
    if not text[0].isupper() or place == 0:
        return False
    return tokens[place - 1].text not in '.!?:…"“„«‹>*•-–—'


def is_caseless(text: str) -> bool:
    """Whether a word is of a script without capitals, where names cannot be told from words."""
    return text.isalpha() and text.lower() == text.upper()


def _are_typos(old: Sequence[TextToken], new: Sequence[TextToken], language: str) -> bool:
    """Whether each word became another spelling of itself."""
    if not old or len(old) != len(new):
        return False
    return all(_is_typo(a, b, language) for a, b in zip(old, new, strict=True))


def _is_typo(one: TextToken, two: TextToken, language: str) -> bool:
    if one.kind != "word" or two.kind != "word":
        return False
    letters = one.groups + two.groups
    if any(letter in _DECISIVE + Group.MONTH + Group.WEEKDAY for letter in letters):
        return False
    a, b = one.fold, two.fold
    if min(len(a), len(b)) < 4 or a[0] != b[0] or not (a + b).isalpha() or is_caseless(a):
        return False
    capital = one.text[0].isupper() and two.text[0].isupper()
    if capital and language[:2] not in _NOUNS_IN_CAPITALS:
        return False
    return OSA.distance(a, b) <= 1 or _DOUBLED.sub(r"\1", a) == _DOUBLED.sub(r"\1", b)


_REWRITTEN = 0.6
"""A sentence less similar than this was written anew."""
_ALIKE = 0.5
_MOST = 400
"""Sentences times sentences that are all compared with each other."""
_FEWEST_WORDS = 2
_LONGEST = 20_000
_LETTERS = 6
"""About how long a word is."""
_AROUND = 200
_PIECE = re.compile(rf"[{CJK}]|\d[\d.,]*|\w+|[^\w\s]")
"""About what a token is."""
_SILENT = frozenset(
    ",.;:!?'\"“”‘’«»„…()[]{}–—-|·•›‹`´*¶（）［］｛｝「」『』【】〈〉《》、。，．：；！？・～〜＂＇"
)


@dataclass(frozen=True, slots=True)
class SentenceEdit:
    """What an edited block comes to."""

    reasons: tuple[str, ...] = ()
    salient: tuple[str, ...] = ()
    typo_only: bool = False
    similarity: float = 1.0
    """Of the words, spelling mistakes put right left out."""


def compare_block(
    before: str, after: str, settings: tuple[Setting, Setting], *, language: str, heading: bool
) -> SentenceEdit:
    """What changed between two wordings of one block; of a very long one around the edit only."""
    same = done = 0
    if len(before) + len(after) > _LONGEST:
        start, end = common_ends(before, after)
        start, end = max(0, start - _AROUND), max(0, end - _AROUND)
        same = (start + end) // _LETTERS
        before, after = (t[start : len(t) - end][:_LONGEST] for t in (before, after))
    left, right = split_sentences(before) or [before], split_sentences(after) or [after]
    edits: list[tuple[int, SentenceEdit]] = []
    sizes = [0, 0]
    for gap in align(left, right):
        old = _masked(left, gap.start, gap.end, settings[0])
        new = _masked(right, gap.other_start, gap.other_end, settings[1])
        edits += _edits(old, new, language=language, heading=heading)
        sizes = [sizes[0] + _size(old), sizes[1] + _size(new)]
        same += _count_pieces(left[done : gap.start])
        done = gap.end
    same += _count_pieces(left[done:])
    weight = sum(size for size, _ in edits)
    lost = sum(size * (1 - edit.similarity) for size, edit in edits)
    whole = max(*sizes, 1 - same) + same
    told = [edit for _, edit in edits]
    return SentenceEdit(
        reasons=tuple(dict.fromkeys(reason for edit in told for reason in edit.reasons)),
        salient=tuple(key for edit in told for key in edit.salient),
        typo_only=weight > 0 and all(edit.typo_only for edit in told),
        similarity=max(0.0, 1 - lost / whole),
    )


def _size(masked: Sequence[Masked]) -> int:
    return sum(len(each.tokens) for each in masked)


def _count_pieces(sentences: Sequence[str]) -> int:
    """About how many tokens sentences have that need not be read."""
    return sum(len(_PIECE.findall(sentence)) for sentence in sentences)


def _masked(sentences: list[str], start: int, end: int, setting: Setting) -> list[Masked]:
    if len(sentences) > 1:  # the 36 of ``Op. 36`` is no counter that stands alone
        setting = replace(setting, is_value=True)
    return [mask_line(sentence, setting) for sentence in sentences[start:end]]


def _edits(
    left: list[Masked], right: list[Masked], *, language: str, heading: bool
) -> Iterator[tuple[int, SentenceEdit]]:
    """The size of each sentence that differs, and how it does."""
    for gap in align([each.key for each in left], [each.key for each in right]):
        old, new = left[gap.start : gap.end], right[gap.other_start : gap.other_end]
        pairs = _pairs(old, new)
        for one, two in pairs.items():
            size = max(len(old[one].tokens), len(new[two].tokens))
            yield size, _edit(old[one], new[two], language=language, heading=heading)
        for number, each in enumerate(old):
            if number not in pairs:
                yield len(each.tokens), _whole(each, "removed")
        for number, each in enumerate(new):
            if number not in pairs.values():
                yield len(each.tokens), _whole(each, "added")


def _pairs(old: list[Masked], new: list[Masked]) -> dict[int, int]:
    if len(old) == len(new) == 1:
        return {0: 0}
    if len(old) * len(new) > _MOST:
        return {number: number for number in range(min(len(old), len(new)))}
    words, others = [each.key.split() for each in old], [each.key.split() for each in new]
    scored = sorted(
        (-Indel.normalized_similarity(one, two), a, b)
        for a, one in enumerate(words)
        for b, two in enumerate(others)
    )
    pairs: dict[int, int] = {}
    for score, one, two in scored:
        if -score >= _ALIKE and one not in pairs and two not in pairs.values():
            pairs[one] = two
    return pairs


def _whole(masked: Masked, reason: str) -> SentenceEdit:
    text = " ".join(token.text for token in masked.tokens)
    words = sum(token.kind != "mark" for token in masked.tokens)
    if is_boilerplate(text) or not masked.key.strip("\ue000\ue001 "):
        return SentenceEdit(similarity=1.0)
    sign = "+" if reason == "added" else "-"
    numbers = tuple(f"{sign}{token.fold}" for token in _spoken(masked) if token.kind == "number")
    if words < _FEWEST_WORDS and not numbers:
        return SentenceEdit(similarity=0.0)
    return SentenceEdit(reasons=(reason,), salient=numbers[:8], similarity=0.0)


def _edit(old: Masked, new: Masked, *, language: str, heading: bool) -> SentenceEdit:
    found = compare_words(_spoken(old), _spoken(new), language=language, heading=heading)
    reasons: list[str] = []
    if found.salient:
        reasons.append("salient")
    if found.clause:
        reasons.append(found.clause)
    if found.similarity < _REWRITTEN and not found.typo_only:
        reasons.append("rewritten")
    return SentenceEdit(
        reasons=tuple(reasons),
        salient=found.salient,
        typo_only=found.typo_only,
        similarity=found.similarity,
    )


def _spoken(masked: Masked) -> list[TextToken]:
    """The tokens that mean something."""
    hidden = {place for span in masked.spans for place in range(span.start, span.end)}
    return [
        token
        for place, token in enumerate(masked.tokens)
        if place not in hidden and token.text not in _SILENT
    ]
