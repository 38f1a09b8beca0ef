"""What class names, ids and roles say about the purpose of elements."""

from __future__ import annotations

import re
from bisect import bisect
from itertools import accumulate, compress, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from pageloom.core.dom import Names, read_names
from pageloom.core.extract.vocabulary import NAME_LENGTH
from pageloom.core.memoize import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Element, Tree
    from pageloom.model import Region

REGION_CLASSES: Final[dict[str, Region]] = {
    **dict.fromkeys("breadcrumb breadcrumbs menu nav navbar sidebar".split(), "navigation"),
    **dict.fromkeys("footer site-footer".split(), "footer"),
    **dict.fromkeys(
        "nav-links page-numbers pager pagination paginator paging".split(), "pagination"
    ),
}
"""Classes of what holds the links of one region of a page."""
_KINDS: Final[dict[str, re.Pattern[str]]] = {
    "author": re.compile(
        r"auth?or(?!i[zst])|byline|by-line|writer|contributor|redakt|posted-?by|username|poster\b"
    ),
    "date": re.compile(r"date|(?<!some)time(?!line)|publi(?!c)|posted|-meta\b|datum|fecha"),
    "tag": re.compile(
        r"(?:^|[\s_-])(?:tags?|keywords?|topics?)(?:$|[\s_-])|tags?-?links?|tag-?list"
    ),
    "crumb": re.compile(r"crumb"),
    "price": re.compile(r"pric|preis|prix|precio"),
    "rating": re.compile(r"rating|(?:^|[\s_-])stars?(?:$|[\s_-])"),
    "stock": re.compile(r"(?:^|[\s_-])(?:sto[ck]|availab)|in-?stock|sold-?out"),
    "paywall": re.compile(
        r"paywall|premium-(?:content|box|teaser)|subscri(?:ber-only|ption-(?:wall|required))"
    ),
}
"""Kinds of elements, by what their class or id says; a region is known by whole classes."""
_REGIONS: Final = frozenset(REGION_CLASSES)
_PARTS: Final = tuple(
    (part, kind)
    for kind, parts in {
        "author": "author autor byline by-line writer contributor redakt poste username",
        "date": "date time publi poste -meta datum fecha",
        "tag": "tag keyword topic",
        "crumb": "crumb",
        "price": "pric preis prix precio",
        "rating": "rating star",
        "stock": "stoc stok availab sold",
        "paywall": "paywall premium- subscri",
    }.items()
    for part in parts.split()
)
"""Of each kind, parts of which one is in whatever its pattern finds."""
_MEMORY_LIMIT: Final = 8_192
_remembered: dict[str, tuple[str, ...]] = {}


class Named(NamedTuple):
    """The names in a page, and the elements whose names may say what they are for, in order."""

    names: Names
    telling: dict[str, tuple[str, ...]]
    """The kinds that class attributes speak of; those that speak of none are not there."""
    elements: list[Element]
    """The elements whose class attributes do."""
    classes: list[str]
    """The class attributes of these."""
    marked: list[Element]
    """What ``find_marked`` finds."""


def find_marked(tree: Tree) -> list[Element]:
    """The elements with a role, a property or the sign of an author."""
    return tree.select('[role],[itemprop],[rel~="author"]')


def find_named(
    tree: Tree, names: Names | None = None, marked: list[Element] | None = None
) -> Named:
    """Find them: a page has hundreds of elements with classes, and few of them tell anything.

    Args:
        tree: the page, which is only read.
        names: the names in it, where somebody has read them already.
        marked: its marked elements, where somebody has found them already.
    """
    names = read_names(tree) if names is None else names
    telling = kinds_of(names.spellings)
    tells = list(map(telling.__contains__, names.classes))
    elements = list(compress(names.classed, tells))
    marked = find_marked(tree) if marked is None else marked
    return Named(names, telling, elements, list(compress(names.classes, tells)), marked)


def kinds_of(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The class attributes that speak of something: ``("author", "date")`` of ``byline post-date``.

    Remembered, because the pages of a site repeat them; the memory is emptied when full.
    """
    names = list(names)
    told = list(map(_remembered.get, names))
    telling = {name: kinds for name, kinds in zip(names, told, strict=True) if kinds}
    if None in told:
        new = [name for name, kinds in zip(names, told, strict=True) if kinds is None]
        read = _read_kinds(new)
        telling |= read
        if len(_remembered) + len(new) > _MEMORY_LIMIT:
            _remembered.clear()
        short = (name for name in new if len(name) <= LONGEST)
        _remembered.update((name, read.get(name, ())) for name in islice(short, _MEMORY_LIMIT))
    return telling


def _read_kinds(names: list[str]) -> dict[str, tuple[str, ...]]:
    """The same for names not seen before: their parts are looked for in all of them at once."""
    folded = [name[:NAME_LENGTH].lower() for name in names]
    joined = "\n".join(folded)
    ends = list(accumulate([len(name) + 1 for name in folded]))
    # of a long name, what makes a region is looked for in the whole of it, by those who ask for it
    found = {
        place: ["region"]
        for place, name in enumerate(folded)
        if not _REGIONS.isdisjoint(name.split()) or len(names[place]) > NAME_LENGTH
    }
    for part, kind in _PARTS:
        start = joined.find(part)
        while start >= 0:
            place = bisect(ends, start)
            kinds = found.setdefault(place, [])
            if kind not in kinds and _KINDS[kind].search(folded[place]):
                kinds.append(kind)
            start = joined.find(part, ends[place])
    return {names[place]: tuple(kinds) for place, kinds in found.items()}
