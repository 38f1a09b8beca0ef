"""What earlier visits teach: how often each place of a page moved by itself."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pageloom.core.compare.align import find_changes
from pageloom.core.compare.metadata import compare_metadata
from pageloom.core.compare.options import DEFAULTS
from pageloom.core.compare.pictures import compare_images
from pageloom.core.compare.side import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.core.compare.pairs import Difference
    from pageloom.model import Document

_PICTURES, _MENUS = "pictures", "menus"
ENOUGH = 4
"""Visits after which it is known what moves by itself."""
MOST_PLACES = 600
"""Places whose movements are remembered, those that moved last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """How often the places of a page have moved, over some visits."""

    visits: int = 0
    """How many steps from one visit to the next were looked at."""
    moved: dict[str, int] = field(default_factory=dict[str, int])
    """By place: in how many of these steps something came, went or was edited there."""

    def rate(self, places: Iterable[str]) -> float:
        """The share of the steps in which one of some places moved."""
        most = max((self.moved.get(place, 0) for place in places), default=0)
        return most / self.visits if self.visits else 0.0

    @property
    def moves_pictures(self) -> bool:
        """Whether pictures of the content came and went by themselves."""
        return self.moved.get(_PICTURES, 0) > 0

    def moves_metadata(self, name: str) -> bool:
        """Whether a value of metadata changed by itself."""
        return self.moved.get(_key(f"metadata {name}"), 0) > 0

    @property
    def moves_menus(self) -> bool:
        """Whether entries of menus or pagers came and went by themselves."""
        return self.moved.get(_MENUS, 0) > 0

    def moved_links(self, side: Side, number: int) -> bool:
        """Whether links of a place came, went or led elsewhere before."""
        return self.moved.get(f"links {place_key(side, number)}", 0) > 0

    def add_facts(self, facts: dict[str, float], each: Difference, one: Side, two: Side) -> None:
        """What is known of the place of a difference."""
        if not self.visits:
            return
        times = max(
            (self.moved.get(place, 0) for place in places_of(each.left, each.right, one, two)),
            default=0,
        )
        if times:
            facts["place_moved_before"] = 1.0
            facts["place_moves_often"] = times / self.visits * min(1.0, self.visits / ENOUGH)
        else:
            facts["place_was_still"] = min(1.0, self.visits / ENOUGH)


def place_key(side: Side, number: int) -> str:
    """A short name of a place: path, heading and label, whatever stands there."""
    blocks = side.blocks
    heading = blocks.heading_of[number]
    above = side.texts[heading] if heading >= 0 else ""
    path = blocks.paths[blocks.path_of[number]]
    # entries of a list come and go in any order; paragraphs of the content each stay where they are
    nth = side.ordinals[number] if side.is_main(number) and blocks.kinds[number] in "phqk" else ""
    return _key(f"{path}|{_without_digits(above)}|{blocks.labels.get(number, '')}|{nth}")


def _without_digits(text: str) -> str:
    return "".join(char for char in text[:60] if not char.isdigit())


def _key(spelling: str) -> str:
    return f"{zlib.crc32(spelling.encode('utf-8', 'replace')):08x}"


def places_of(left: int, right: int, one: Side, two: Side) -> Iterator[str]:
    """The places of a difference on both sides."""
    if left >= 0:
        yield place_key(one, left)
    if right >= 0:
        yield place_key(two, right)


def observe(known: Movement, before: Document, after: Document) -> Movement:
    """What is known after one more step, from one visit to the next."""
    places = moved_places(before, after)
    moved = {key: count for key, count in known.moved.items() if key not in places}
    moved |= {key: known.moved.get(key, 0) + 1 for key in places}
    kept = dict(list(moved.items())[-MOST_PLACES:])
    return Movement(visits=known.visits + 1, moved=kept)


def learn(visits: Iterable[Document]) -> Movement:
    """What some visits teach, oldest first."""
    known = Movement()
    previous: Document | None = None
    for document in visits:
        if previous is not None:
            known = observe(known, previous, document)
        previous = document
    return known


def moved_places(before: Document, after: Document) -> dict[str, None]:
    """The places where two visits differ, the pictures, links and metadata that do."""
    one, two = Side(before), Side(after)
    found: dict[str, None] = {}
    for gap in find_changes(one.texts, two.texts).gaps:
        found.update((place_key(one, number), None) for number in range(gap.start, gap.end))
        found.update(
            (place_key(two, number), None) for number in range(gap.other_start, gap.other_end)
        )
    if compare_images(one, two, None)[0].changed:
        found[_PICTURES] = None
    if _menu(before) != _menu(after):
        found[_MENUS] = None
    pairs = compare_metadata(before, after, DEFAULTS, None)[0].changes
    found.update((_key(f"metadata {name}"), None) for name in pairs)
    found.update(_moved_links(one, two))
    return found


def _menu(document: Document) -> set[str]:
    return {link.url for link in document.links if link.region in ("navigation", "pagination")}


def _moved_links(one: Side, two: Side) -> Iterator[tuple[str, None]]:
    """Places whose words stayed and whose links did not."""
    old = {one.texts[number]: links for number, links in one.blocks.links.items()}
    for number, links in two.blocks.links.items():
        before = old.get(two.texts[number])
        if before is not None and before != links:
            yield f"links {place_key(two, number)}", None


def place_texts(document: Document) -> dict[str, str]:
    """What stands in each place of a page, for people; of several texts the first."""
    side = Side(document)
    found: dict[str, str] = {}
    for number, text in enumerate(side.texts):
        found.setdefault(place_key(side, number), text[:300])
    return found
