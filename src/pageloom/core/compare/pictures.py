"""Compare images: added and removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.compare.chrome import announces_strongly
from pageloom.core.compare.identity import (
    has_name,
    is_stand_in,
    picture_identity,
    without_codes,
    without_width,
)
from pageloom.core.compare.report import ImageChange, TrivialDifference

if TYPE_CHECKING:
    from collections.abc import Set  # noqa: PYI025  keys of a dict are one

    from pageloom.core.compare.page import Side


def compare_images(before: Side, after: Side) -> tuple[ImageChange, list[TrivialDifference]]:
    """Which pictures of the content are new or gone; sizes and cache numbers make no other."""
    old, new = _pictures(before), _pictures(after)
    gone, fresh = old.keys() - new.keys(), new.keys() - old.keys()
    moved = _moved(gone, fresh) | _resized(gone, fresh, _captions(before), _captions(after))
    added = [url for key, url in new.items() if key not in old and key not in moved]
    removed = [url for key, url in old.items() if key not in new and key not in moved]
    heroes = before.document.hero_image, after.document.hero_image
    hero_changed = heroes[1] in added and heroes[0] in removed
    trivial = _renamed(before, after)
    if heroes[0] != heroes[1] and not hero_changed:
        trivial.append(_trivial("cache-busting", *heroes))
    change = ImageChange(
        added=tuple(added),
        removed=tuple(removed),
        hero_before=heroes[0],
        hero_after=heroes[1],
        hero_changed=hero_changed,
        changed=bool(added or removed or hero_changed),
    )
    return change, trivial


def _pictures(side: Side) -> dict[str, str]:
    """URLs by identity, without what stands in suggestions or for something else."""
    aside = frozenset(side.suggestions)
    return {
        picture_identity(image.url): image.url
        for image in side.document.images
        if not is_stand_in(image.url)
        and not (image.alt and (image.alt in aside or announces_strongly(image.alt)))
    }


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


def _captions(side: Side) -> dict[str, str]:
    return {picture_identity(image.url): image.alt for image in side.document.images}


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
