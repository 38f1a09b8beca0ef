"""Two values of one short field: the same, differing without meaning, or changed."""

from __future__ import annotations

import re
from typing import NamedTuple

from pageloom.core.compare.links import link_identity
from pageloom.core.compare.masks import Setting, mask_line
from pageloom.core.compare.pictures import has_name, picture_identity, without_width
from pageloom.core.compare.sentences import compare_block

_MIRROR = re.compile(r"^([a-z]{1,12})-?\d{1,3}\.")
"""A host of several that hold the same: ``dl3.``"""
_ADDRESS = re.compile(r"https?://\S+|//[^\s/]+\.\S+", re.IGNORECASE)
_INSTANT = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?\s?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)?)?"
    r"|\d{10}(?:\d{3})?|\w{3}, \d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d \w{3}",
    re.IGNORECASE,
)
_MEDIA = re.compile(r"\.(?:mp3|m4a|mp4|m4v|webm|og[gv]|opus|wav|aac|m3u8)$", re.IGNORECASE)
_OPAQUE = re.compile(r"(?=\S{0,80}\d)(?=\S{0,80}[A-Za-z])[A-Za-z0-9+/=_.:-]{16,400}")
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


def compare_value(name: str, before: str, after: str) -> ValueVerdict:
    """Values of metadata, compared by what their names and shapes say they are."""
    if before == after:
        return SAME
    if not before or not after:
        return _lone(before or after)
    for applies, compare in _SHAPES:
        if applies(before) and applies(after):
            return compare(name, before, after)
    if "keyword" in name.lower() or name.lower().endswith("tags"):
        return _compare_sets(before, after)
    return (compare_paragraph if len(before) + len(after) > 120 else compare_title)(before, after)


def _lone(value: str) -> ValueVerdict:
    if is_instant(value):
        return ValueVerdict(changed=False, kind="timestamp")
    return ValueVerdict(changed=False, kind="session") if _is_opaque(value) else CHANGED


def is_instant(value: str) -> bool:
    """Whether a value is a date or an instant, as machines write them."""
    return _INSTANT.fullmatch(value.strip()) is not None


_BINDING = re.compile(
    r"start|end|expir|deadline|valid|door|departure|arrival|through|until|from|birth|death|founding"
    r"|check(?:in|out)|release|avail|time(?:zone)?$|opens|closes|begin|event",
    re.IGNORECASE,
)
_MADE = re.compile(
    r"publish|modif|updat|creat|upload|posted|revis|generat|build|crawl|index", re.IGNORECASE
)


def is_binding(name: str) -> bool:
    """Whether a date of that name is what a page is about, rather than when it was made."""
    last = name.rsplit(".", 1)[-1].rsplit(":", 1)[-1]
    return bool(_BINDING.search(last)) and not _MADE.search(last)


def _is_opaque(value: str) -> bool:
    return _OPAQUE.fullmatch(value) is not None and "://" not in value


def _compare_addresses(name: str, before: str, after: str) -> ValueVerdict:
    pictures = "image" in name.lower() or "logo" in name.lower() or "thumbnail" in name.lower()
    identity = picture_identity if pictures else link_identity
    one, two = (_MIRROR.sub(r"\1*.", identity(each)) for each in (before, after))
    if pictures and has_name(one) and without_width(one) == without_width(two):
        return ValueVerdict(changed=False, kind="cache-busting")
    if _MEDIA.search(one.partition("?")[0]) and one.partition("?")[0] == two.partition("?")[0]:
        return ValueVerdict(changed=False, kind="session")
    if one == two:
        return ValueVerdict(changed=False, kind="cache-busting" if pictures else "session")
    return CHANGED


def _compare_sets(before: str, after: str) -> ValueVerdict:
    one = {part.strip().casefold() for part in before.split(",")}
    two = {part.strip().casefold() for part in after.split(",")}
    return ValueVerdict(changed=False, kind="reordered") if one == two else CHANGED


def _compare_instants(name: str, before: str, after: str) -> ValueVerdict:
    return CHANGED if is_binding(name) else ValueVerdict(changed=False, kind="timestamp")


def _compare_tokens(name: str, before: str, after: str) -> ValueVerdict:
    return ValueVerdict(changed=False, kind="session")


def _is_address(value: str) -> bool:
    return _ADDRESS.fullmatch(value) is not None


_SHAPES = (
    (_is_address, _compare_addresses),
    (is_instant, _compare_instants),
    (_is_opaque, _compare_tokens),
)
"""What values look like, and how two that both look so are compared."""
