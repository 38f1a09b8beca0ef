"""Which page a link leads to and which picture a URL shows, whatever else is in them.

Sessions, campaigns, sizes, formats, hosts and cache numbers make no other page and no other picture.
"""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from pageloom.core.memoize import memoize
from pageloom.core.rotating import PICTURE_END, SESSION_PATH, chooses

_SCRAMBLED = "/cdn-cgi/l/email-protection"
_ADVERT = re.compile(
    r"//(?:[\w-]{1,40}\.)?(?:ads?|adserver|adclick|adsystem|pagead)\d{0,4}\.|doubleclick|googleadservices"
    r"|googlesyndication|taboola|outbrain|/(?:adclick|aclk|adserver|pagead)(?:[/.?_-]|$)",
    re.IGNORECASE,
)
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
_LONGEST_TAIL = 200
_PARAMETERS = re.compile(r";[\w.=:,;-]{1,80}$|=(?:[swh]\d{1,4}|[a-z]{1,3})(?:-[a-z]{0,3}\d{0,5})*$")
_NESTED = ("url", "src", "u", "image", "img", "file", "path")
_STAND_IN = re.compile(
    r"//(?:ads?|adserver|adimg|banners?|pagead|adsystem)\d{0,4}[.-]|/banners?/|placeholder|spacer|blank\.|1x1|pixel|lazy|loading|loader|transparent|/ads?/|adserver|advert"
    r"|[/.-](?:hit-?)?counter[/.?_-]|\.cgi\?|doubleclick|googlesyndication|gravatar|/avatars?/|avatar[-_.]|/(?:site-?|header-?|brand-?)?logo(?:[-_][\w-]{0,30})?\.(?:svg|png|gif|webp)|beacon|tracking|/emoji/",
    re.IGNORECASE,
)


@memoize(2_048)
def link_identity(url: str) -> str:
    """What a URL leads to: host without www, path, and the parameters that choose a page."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return url
    path = SESSION_PATH.sub("", unquote(parts.path)).rstrip("/") or "/"
    if path.startswith(_SCRAMBLED):
        return f"{host}{_SCRAMBLED}"
    route = f"#{parts.fragment}" if parts.fragment.startswith(("!", "/")) else ""
    query = "&".join(sorted(pair for pair in parts.query.split("&") if chooses(pair)))
    return f"{host}{path}{'?' + query if query else ''}{route}"


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


def is_advert(url: str) -> bool:
    """Whether a URL leads through a server of advertisements."""
    return bool(_ADVERT.search(url))
