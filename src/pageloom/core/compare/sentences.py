"""An edited block, sentence by sentence and word by word."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from pageloom.core.compare.align import align
from pageloom.core.compare.boilerplate import chrome_kind
from pageloom.core.compare.masks import Masked, mask_line
from pageloom.core.compare.salience import compare_words
from pageloom.core.words import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.core.compare.masks import Setting
    from pageloom.core.compare.tokens import TextToken

_REWRITTEN = 0.6
"""A sentence less similar than this was written anew."""
_ALIKE = 0.5
_MOST = 400
"""Sentences times sentences that are all compared with each other."""
_FEWEST_WORDS = 2
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
    """What changed between two wordings of one block."""
    left, right = _masked(before, settings[0]), _masked(after, settings[1])
    edits = list(_edits(left, right, language=language, heading=heading))
    weight = sum(size for size, _ in edits)
    whole = max(_size(left), _size(right), 1)
    lost = sum(size * (1 - edit.similarity) for size, edit in edits)
    told = [edit for _, edit in edits]
    return SentenceEdit(
        reasons=tuple(dict.fromkeys(reason for edit in told for reason in edit.reasons)),
        salient=tuple(key for edit in told for key in edit.salient),
        typo_only=weight > 0 and all(edit.typo_only for edit in told),
        similarity=max(0.0, 1 - lost / whole),
    )


def _masked(text: str, setting: Setting) -> list[Masked]:
    sentences = split_sentences(text) or [text]
    if len(sentences) > 1:  # the 36 of ``Op. 36`` is no counter that stands alone
        setting = replace(setting, is_value=True)
    return [mask_line(sentence, setting) for sentence in sentences]


def _size(masked: Sequence[Masked]) -> int:
    return sum(len(each.tokens) for each in masked)


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
    if chrome_kind(text) or not masked.key.strip("\ue000\ue001 "):
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
