"""Pictures that came and went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.compare.identity import is_stand_in, picture_identity
from pageloom.core.compare.report import ImageChange, TrivialDifference

if TYPE_CHECKING:
    from pageloom.core.compare.page import Side


def compare_images(before: Side, after: Side) -> tuple[ImageChange, list[TrivialDifference]]:
    """Which pictures of the content are new or gone; sizes and cache numbers make no other."""
    old, new = _pictures(before), _pictures(after)
    added = [url for key, url in new.items() if key not in old]
    removed = [url for key, url in old.items() if key not in new]
    heroes = before.document.hero_image, after.document.hero_image
    hero_changed = _is_other(*heroes) and bool(added or removed)
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


def _is_other(before: str, after: str) -> bool:
    return bool(before and after) and picture_identity(before) != picture_identity(after)


def _pictures(side: Side) -> dict[str, str]:
    """Addresses by identity, without what stands in suggestions or for something else."""
    aside = frozenset(side.suggestions)
    return {
        picture_identity(image.url): image.url
        for image in side.document.images
        if not is_stand_in(image.url) and not (image.alt and image.alt in aside)
    }


def _renamed(before: Side, after: Side) -> list[TrivialDifference]:
    """Pictures whose addresses alone differ."""
    old = {picture_identity(image.url): image.url for image in before.document.images}
    return [
        _trivial("cache-busting", old[key], image.url)
        for image in after.document.images
        if (key := picture_identity(image.url)) in old and old[key] != image.url
    ]


def _trivial(kind: str, before: str, after: str) -> TrivialDifference:
    return TrivialDifference(field="images", kind=kind, before=before, after=after)
