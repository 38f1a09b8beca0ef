"""Compare the pictures of the content: which are new, which are gone.

A picture is known by its name and folders; sizes, formats, hosts and cache numbers make no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.compare.report import ImageChange, TrivialDifference
from pageloom.core.identity import (
    has_name,
    is_stand_in,
    picture_identity,
    without_codes,
    without_width,
)

if TYPE_CHECKING:
    from collections.abc import Set  # noqa: PYI025  keys of a dict are one

    from pageloom.core.compare.movement import Movement
    from pageloom.core.compare.side import Side

_LINKED = 70


def compare_images(
    before: Side, after: Side, movement: Movement | None
) -> tuple[ImageChange, list[TrivialDifference]]:
    """Which pictures of the content are new or gone; sizes and cache numbers make no other."""
    old, new = _pictures(before), _pictures(after)
    gone, fresh = old.keys() - new.keys(), new.keys() - old.keys()
    alts = _alts(before), _alts(after)
    moved = _moved(gone, fresh) | _resized(gone, fresh, *alts)
    restless = movement is not None and movement.moves_pictures
    added = [url for key, url in new.items() if key not in old and key not in moved]
    removed = [url for key, url in old.items() if key not in new and key not in moved]
    heroes = before.document.hero_image, after.document.hero_image
    hero_changed = heroes[1] in added and heroes[0] in removed
    trivial = _renamed(before, after)
    if heroes[0] != heroes[1] and not hero_changed:
        trivial.append(_trivial("cache-busting", *heroes))
    if restless or len(added) + len(removed) > _MOST_AT_ONCE:
        trivial += [_trivial("rotating", "", url) for url in added]
        trivial += [_trivial("rotating", url, "") for url in removed]
        return ImageChange(hero_before=heroes[0], hero_after=heroes[1]), trivial
    change = ImageChange(
        added=tuple(added),
        removed=tuple(removed),
        hero_before=heroes[0],
        hero_after=heroes[1],
        hero_changed=hero_changed,
        changed=bool(added or removed or hero_changed),
    )
    return change, trivial


_MOST_AT_ONCE = 40
"""Pictures that came and went: more of them are a gallery that loads as it likes."""


def _pictures(side: Side) -> dict[str, str]:
    """URLs by identity, without those of cards, boxes and stand-ins."""
    aside = _aside(side)
    return {
        picture_identity(image.url): image.url
        for image in side.document.images
        if not is_stand_in(image.url) and image.url not in aside
    }


def _aside(side: Side) -> set[str]:
    """Pictures beside texts that lead elsewhere, named for something else, or shown nowhere."""
    blocks = side.blocks
    shown = {picture_identity(url) for urls in blocks.pictures.values() for url in urls}
    declared = side.document.declared_image
    story = side.document.page_type in ("article", "product", "documentation", "service", "job")
    aside = {
        url
        for number, urls in blocks.pictures.items()
        if number in blocks.hints
        or (story and blocks.roles[number] != "m" and blocks.scores[number] == 0)
        or (story and blocks.linked[number] >= _LINKED)
        for url in urls
    }
    # declared for those who share the page: a reader of the page does not see it
    return aside if picture_identity(declared) in shown else aside | {declared}


def _alts(side: Side) -> dict[str, str]:
    return {picture_identity(image.url): image.alt for image in side.document.images}


def _moved(gone: Set[str], fresh: Set[str]) -> frozenset[str]:
    """Pictures of one name, in folders that only machines name: another cut, another cache."""
    shared = {without_codes(key) for key in gone} & {without_codes(key) for key in fresh}
    return frozenset(key for key in gone | fresh if without_codes(key) in shared and has_name(key))


def _resized(
    gone: Set[str], fresh: Set[str], old: dict[str, str], new: dict[str, str]
) -> frozenset[str]:
    """Pictures that show the same by their words, and whose names differ in a width."""
    places = {
        (without_width(key), old.get(key, "")): key
        for key in sorted(gone)
        if old.get(key) or has_name(key)
    }
    return frozenset(
        key
        for other in fresh
        if (partner := places.get((without_width(other), new.get(other, ""))))
        for key in (partner, other)
    )


def _renamed(before: Side, after: Side) -> list[TrivialDifference]:
    """Pictures whose URLs alone differ."""
    old = {picture_identity(image.url): image.url for image in before.document.images}
    return [
        _trivial("cache-busting", old[key], image.url)
        for image in after.document.images
        if (key := picture_identity(image.url)) in old and old[key] != image.url
    ]


def _trivial(kind: str, before: str, after: str) -> TrivialDifference:
    return TrivialDifference(field="images", kind=kind, before=before, after=after)
