"""Remove the volatile parts of URLs: sessions, campaigns, cache busters."""

from __future__ import annotations

import re

from pageloom.core.lazy_regex import lazy_regex
from pageloom.core.memoize import memoize
from pageloom.core.tracking import NAMES, PREFIXES

_SESSION = lazy_regex(
    r"(?:^|[_.-])(?:sid|sess(?:ion)?(?:[_-]?id)?|jsessionid|phpsessid|aspsessionid\w{0,20}|cfid|cftoken"
    r"|token|csrf\w{0,20}|xsrf\w{0,20}|nonce|authenticity_token|sig|signature|hash|hmac|expires?|exp|policy"
    r"|key-pair-id|x-amz-[\w-]{1,30}|t|ts|_|__|time(?:stamp)?|rnd|rand(?:om)?|cb|cachebuster|cache|nocache"
    r"|bust|rev|visitor(?:id)?|vid|uuid|guid|rid|request_?id|trace_?id|ray|return(?:_?(?:url|to))?|redirect(?:_?(?:url|to|uri))?"
    r"|next_?url|continue|referr?er|ref|from|src|source|origin|click_?id|impression\w{0,10}|pos|position|widget\w{0,10}"
    r"|variant_?test|ab|exp_?id|experiment\w{0,10})$",
    re.IGNORECASE,
)
_OPAQUE_LENGTH = 16
_OPAQUE = re.compile(
    rf"(?=[^\d]{{0,60}}\d)(?=[^a-zA-Z]{{0,60}}[a-zA-Z])[A-Za-z0-9_=.-]{{{_OPAQUE_LENGTH},}}"
)
SESSION_PATH = re.compile(r";jsessionid=[^/?#]{1,200}|/\([A-Z]\([^/)]{1,200}\)\)", re.IGNORECASE)
PICTURE_END = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|jxl|heic)$", re.IGNORECASE)


def steady_addresses(urls: set[str]) -> set[str]:
    """URLs without their volatile parts."""
    suspects = [url for url in urls if "?" in url or ";" in url or "(" in url]
    return urls.difference(suspects).union(map(steady_address, suspects))


def steady_address(url: str) -> str:
    """A URL without its volatile parts; for an image, without its query."""
    if "?" not in url and ";" not in url and "/(" not in url:
        return url
    place, hash_sign, fragment = url.partition("#")
    path, _, query = place.partition("?")
    if ";" in path or "(" in path:
        path = SESSION_PATH.sub("", path)
    kept = "" if PICTURE_END.search(path) else "&".join(filter(chooses, query.split("&")))
    return f"{path}{'?' if kept else ''}{kept}{hash_sign}{fragment}"


def chooses(pair: str) -> bool:
    """Whether a query parameter (``name=value``) selects what the URL shows."""
    name, _, value = pair.partition("=")
    if not name or _rotates(name.lower()):
        return False
    return len(value) < _OPAQUE_LENGTH or not _OPAQUE.fullmatch(value)


@memoize(1_024)
def _rotates(name: str) -> bool:
    """Whether it is the name of a parameter that shows nothing; sites use the same few for ever."""
    return name in NAMES or name.startswith(PREFIXES) or _SESSION.search(name) is not None
