"""Two values of one short field: the same, differing without meaning, or changed."""

from __future__ import annotations

import re
from typing import NamedTuple

from pageloom.core.compare.masks import Setting, mask_line
from pageloom.core.compare.sentences import compare_block

_INSTANT = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?\s?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)?)?"
    r"|\d{10}(?:\d{3})?|\w{3}, \d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d \w{3}",
    re.IGNORECASE,
)
_PARAGRAPH = 0.9
_VALUE = Setting(is_value=True)


class ValueVerdict(NamedTuple):
    """Whether two values differ with a meaning, or of what trivial class they are."""

    changed: bool
    kind: str = ""


SAME = ValueVerdict(changed=False)
CHANGED = ValueVerdict(changed=True)


def compare_title(before: str, after: str, *, case_matters: bool = False) -> ValueVerdict:
    """Titles: white space, letter case, counters and marks make no other title."""
    if before == after:
        return SAME
    one, two = " ".join(before.split()), " ".join(after.split())
    if one == two:
        return ValueVerdict(changed=False, kind="whitespace")
    if one.casefold() == two.casefold():
        return CHANGED if case_matters else ValueVerdict(changed=False, kind="letter-case")
    # a number that stands alone is the value here, not a counter
    left, right = mask_line(one, _VALUE), mask_line(two, _VALUE)
    if left.key == right.key and left.key:
        kinds = left.kinds or right.kinds
        return ValueVerdict(changed=False, kind=kinds[0] if kinds else "punctuation")
    return CHANGED


def compare_paragraph(before: str, after: str, *, threshold: float = _PARAGRAPH) -> ValueVerdict:
    """Descriptions and the like: what decides the meaning, or a good part of the words."""
    verdict = compare_title(before, after)
    if not verdict.changed or not before or not after:
        return verdict
    edit = compare_block(before, after, (Setting(), Setting()), language="", heading=False)
    if edit.reasons or edit.similarity < threshold:
        return CHANGED
    return ValueVerdict(changed=False, kind="typo" if edit.typo_only else "wording")


def is_instant(value: str) -> bool:
    """Whether a value is a date or an instant, as machines write them."""
    return _INSTANT.fullmatch(value.strip()) is not None
