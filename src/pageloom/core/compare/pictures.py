"""Compare the pictures of the content: which are new, which are gone.

A picture is known by its name and folders; sizes, formats, hosts and cache numbers make no other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pageloom.core.compare.report import ImageChange, TrivialDifference
from pageloom.core.memoize import memoize
from pageloom.core.rotating import PICTURE_END, chooses

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
    moved = _moved(gone, fresh) | _resized(gone, fresh, *alts) | _redrawn(gone, fresh, *alts)
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


def _redrawn(
    gone: Set[str], fresh: Set[str], old: dict[str, str], new: dict[str, str]
) -> frozenset[str]:
    """Pictures named by codes that say the same: a token in place of another."""
    nameless = {old[key]: key for key in gone if old.get(key) and is_code(key)}
    return frozenset(
        key
        for other in fresh
        if is_code(other) and (partner := nameless.get(new.get(other, "")))
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


_SIZE_PART = re.compile(
    r"(?:[a-z]{1,4}[_=-][\w.:!%-]{1,40}(?:,[a-z]{1,4}[_=-][\w.:!%-]{1,40})*|\d{1,4}x\d{0,4}|x\d{1,4}|v\d{6,}"
    r"|[whcq]_[\w.]{1,20}(?:,[a-z]{1,8}_[\w.:!%-]{1,40})+|(?:max|min|square|fit)[_-]?\d{2,4}(?:x\d{2,4})?"
    r"|(?:w|h|q|s)\d{1,4}(?:-\w{1,10})*|fit-in|resize|crop|scale|thumbs?|thumbnails?|small|medium|large|xlarge|original|full|preview"
    r"|styles|image|images|img|cache|cdn-cgi|[a-z]{1,8}(?::[\w.-]{1,20}){1,6}|filters?:[^/]{1,80}|[0-9a-f]{32,64}|(?:auto|width|height|quality|format|fit)=[^/]{1,80})",
    re.IGNORECASE,
)
_SIZE_TAIL = re.compile(
    r"(?:[-_.@](?:\d{1,4}x\d{0,4}(?:[-_]?(?:crop_center|crop|c|nopad|pad|fill|fit))?|\d{1,4}[wh]|[wh]\d{2,4}|scaled|small|medium|large|thumb|thumbnail|grande|master|\d{2,4}-auto|compact|pico|icon|full|preview|mobile|desktop|q\d{1,3}))+$",
    re.IGNORECASE,
)
_SIZE_HEAD = re.compile(
    r"^(?:\d{2,4}px-|(?:extra_?|x)?(?:large|medium|small|thumb|mini|original|preview)[-_])",
    re.IGNORECASE,
)
_WIDTH_TAIL = re.compile(r"[-_]([1-9]\d{2,3})$|(?<=/)(?!19|20\d\d)([1-9]\d{2,3})(?=/[^/]+$)")
_SIZE_CODE = re.compile(r"\._[A-Z0-9_,-]{2,60}_$")
_SIZE_NAME = re.compile(
    r"(?:max|hq|mq|sd|hd|lq)?(?:res)?default|hq720|thumb(?:nail)?|small|medium|large|xlarge|original"
    r"|full|preview|[a-z]{1,2}-?[a-z]?\d{2,4}|\d{2,4}x\d{2,4}",
    re.IGNORECASE,
)
"""Names of files that only say how large a picture is; its folder says which."""
_HASH_TAIL = re.compile(
    r"[-_.](?=[0-9a-f]{0,40}\d)(?=[0-9a-f]{0,40}[a-f])[0-9a-f]{6,64}$|[-_.]\d{10,13}$"
)
_CODE = re.compile(r"(?<![^/])(?=[0-9a-z]*\d)(?=[0-9a-z]*[a-z])[0-9a-z]{4,64}(?=/)")
_NAMED = re.compile(r"[^\W\d_]{2}")
_TOKEN_NAME = re.compile(r"(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{12,}")
_LONGEST_TAIL = 200
_PARAMETERS = re.compile(r";[\w.=:,;-]{1,80}$|=(?:[swh]\d{1,4}|[a-z]{1,3})(?:-[a-z]{0,3}\d{0,5})*$")
_NESTED = ("url", "src", "u", "image", "img", "file", "path")
_STAND_IN = re.compile(
    r"//(?:ads?|adserver|adimg|banners?|pagead|adsystem)\d{0,4}[.-]|/banners?/|placeholder|spacer|blank\.|1x1|pixel|lazy|loading|loader|transparent|/ads?/|adserver|advert"
    r"|[/.-](?:hit-?)?counter[/.?_-]|\.cgi\?|doubleclick|googlesyndication|gravatar|/avatars?/|avatar[-_.]|/(?:site-?|header-?|brand-?)?logo(?:[-_][\w-]{0,30})?\.(?:svg|png|gif|webp)|beacon|tracking|/emoji/",
    re.IGNORECASE,
)


@memoize(2_048)
def picture_identity(url: str) -> str:
    """Which picture a URL shows, whatever its size, format, host and cache number."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url
    path = _PARAMETERS.sub("", unquote(parts.path))
    inner = _nested_picture(parts.query) if not PICTURE_END.search(path) else ""
    if inner:
        return picture_identity(inner)
    embedded = path.rfind("http", 8)
    if embedded > 0 and "/" in path[embedded + 4 : embedded + 9]:
        return picture_identity(path[embedded:].replace(":/", "://").replace(":////", "://"))
    *folders, name = path.split("/")
    stem = _SIZE_CODE.sub("", _SIZE_HEAD.sub("", PICTURE_END.sub("", name)))
    bare = _HASH_TAIL.sub("", _without_size(stem)) or stem
    bare = _without_size(bare) or bare
    kept = [folder for folder in folders if folder and not _SIZE_PART.fullmatch(folder)]
    if kept and _SIZE_NAME.fullmatch(bare):
        bare = "*"
    query = "" if PICTURE_END.search(name) else _picture_query(parts.query)
    return "/".join([*kept, bare]).lower() + (f"?{query}" if query else "")


def _without_size(stem: str) -> str:
    return stem[:-_LONGEST_TAIL] + _SIZE_TAIL.sub("", stem[-_LONGEST_TAIL:])


def without_codes(identity: str) -> str:
    """An identity without the folders that only machines name: another cut, another cache."""
    return _CODE.sub("*", identity)


def without_width(identity: str) -> str:
    """An identity without a last number that looks like the width of a picture."""
    bare = without_codes(identity)
    found = _WIDTH_TAIL.search(bare)
    width = int(found[1] or found[2]) if found else 1
    is_width = width % 10 == 0 or width % 8 == 0
    return _WIDTH_TAIL.sub("-*", bare) if is_width else bare


def has_name(identity: str) -> bool:
    """Whether a file has a name of its own, and not only a number."""
    return _NAMED.search(identity.rpartition("/")[2]) is not None


def is_code(identity: str) -> bool:
    """Whether a file is named by a code that only machines give: ``9f86d081884c``."""
    return _TOKEN_NAME.fullmatch(identity.rpartition("/")[2].partition("?")[0]) is not None


def _nested_picture(query: str) -> str:
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if name.lower() in _NESTED and PICTURE_END.search(unquote(value).partition("?")[0]):
            return unquote(value)
    return ""


_SIZES = frozenset(
    "w h width height q quality fit crop auto fm format f dpr s size v ver version t ts ixlib ixid "
    "cs bri".split()
)


def _picture_query(query: str) -> str:
    pairs = [pair for pair in query.split("&") if chooses(pair)]
    return "&".join(sorted(p for p in pairs if p.partition("=")[0].lower() not in _SIZES))


def is_stand_in(url: str) -> bool:
    """Whether a picture is a placeholder, an advertisement, a counter or a visitor's portrait."""
    return bool(_STAND_IN.search(url))
