"""Normalize URLs: ``url_key`` for identity, clean links without tracking.

``clean_link`` is what is shown and kept: tracking parameters go, nothing else changes.
``url_key`` is for identity: two URLs of the same page have the same key.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256
from urllib.parse import unquote

import can_ada

from pageloom.core.memoize import memoize
from pageloom.core.page_urls import absolute
from pageloom.core.suffixes import registrable
from pageloom.core.tracking import BY_SITE, NAMES, PREFIXES
from pageloom.errors import InvalidUrl

_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]+)(?=[/?#]|$)")
_ESCAPE = re.compile("%[0-9a-f]{2}", re.IGNORECASE)
_ID_LENGTH = 32


def clean_link(url: str) -> str:
    """The URL without tracking parameters; all the rest, fragment and order too, as it was."""
    start = url.find("?")
    if start < 0:
        return url
    end = url.find("#", start)
    if 0 <= url.find("#") < start:
        return url
    fragment = url[end:] if end >= 0 else ""
    query = url[start + 1 : end] if end >= 0 else url[start + 1 :]
    kept = _drop_tracking(query, url)
    if kept == query:
        return url
    return url[:start] + (f"?{kept}" if kept else "") + fragment


def url_key(url: str) -> str:
    """The URL by which a page is known.

    Host in lower case and IDNA, no default port, no dot segments, no credentials, no tracking
    parameters, the rest of the query sorted, no fragment except a ``#!`` route.

    Raises:
        InvalidUrl: not an http(s) URL.
    """
    parsed = _parse(url)
    host = parsed.hostname.rstrip(".") or parsed.hostname
    port = f":{parsed.port}" if parsed.port else ""
    query = _drop_tracking(parsed.search.removeprefix("?"), url)
    pairs = sorted(pair for pair in query.split("&") if pair)
    key = f"{parsed.protocol}//{host}{port}{parsed.pathname}"
    if pairs:
        key += "?" + "&".join(pairs)
    if parsed.hash.startswith("#!"):
        key += parsed.hash
    return _ESCAPE.sub(lambda match: match[0].upper(), key)


def document_id(url: str) -> str:
    """The stable identifier of the page at a URL: a hash of its key.

    Raises:
        InvalidUrl: not an http(s) URL.
    """
    return sha256(url_key(url).encode()).hexdigest()[:_ID_LENGTH]


def resolve(href: str, base: str = "") -> str | None:
    """The absolute http(s) URL a link leads to, or None if it leads nowhere of that kind.

    Args:
        href: the link as the page spells it.
        base: the URL of the page, or what its ``<base>`` says.
    """
    try:
        found = absolute(href, base)
        return can_ada.parse(found).href if found and "\\" in found else found
    except (ValueError, TypeError):
        return None


def site_of(url: str) -> str:
    """The registrable domain, such as ``bbc.co.uk``; the host itself for an IP address.

    Raises:
        InvalidUrl: not an http(s) address.
    """
    return registrable(host_of(url))


def domain_of(url: str) -> str:
    """The host without ``www.``.

    Raises:
        InvalidUrl: not an http(s) URL.
    """
    return host_of(url).removeprefix("www.")


def host_of(url: str) -> str:
    """The host in lower case and ASCII.

    Raises:
        InvalidUrl: not an http(s) URL.
    """
    plain = _PLAIN_HOST.match(url)
    # Digits and xn-- may be spelt in more than one way; the parser knows.
    if plain and "xn--" not in plain[1] and plain[1][-1].isalpha():
        return plain[1]
    return _parse(url).hostname.rstrip(".")


def _parse(url: str) -> can_ada.URL:
    try:
        parsed = can_ada.parse(url)
    except (ValueError, TypeError):  # a TypeError is how the parser refuses lone surrogates
        parsed = None
    if (
        parsed is None
        or parsed.protocol not in {"http:", "https:"}
        or not parsed.hostname.strip(".")
    ):
        raise InvalidUrl.of(url, "This is not a valid web URL.", stage="normalize")
    return parsed


def _drop_tracking(query: str, url: str) -> str:
    pairs = query.split("&")
    tracks = [_tracks(pair.partition("=")[0]) for pair in pairs]
    if not any(tracks):
        return query
    local = _local_names(url) if _SOMEWHERE in tracks else frozenset[str]()
    kept = [
        pair
        for pair, where in zip(pairs, tracks, strict=True)
        if not where or (where == _SOMEWHERE and _name_of(pair) not in local)
    ]
    return "&".join(kept) if len(kept) < len(pairs) else query


@memoize(1_024)
def _tracks(spelt: str) -> int:
    """Whether a parameter of this name is for tracking: never, on some sites, or everywhere."""
    name = _name_of(spelt)
    if name in NAMES or name.startswith(PREFIXES):
        return _EVERYWHERE
    return _SOMEWHERE if name in _ALL_LOCAL else 0


def _name_of(pair: str) -> str:
    name = pair.partition("=")[0].lower()
    return unquote(name) if "%" in name else name


_SOMEWHERE, _EVERYWHERE = 1, 2
_ALL_LOCAL = frozenset[str]().union(*BY_SITE.values())


@lru_cache(maxsize=256)
def _names_by_host(host: str) -> frozenset[str]:
    site = registrable(host)
    return BY_SITE.get(site) or BY_SITE.get(site.partition(".")[0], frozenset())


def _local_names(url: str) -> frozenset[str]:
    try:
        return _names_by_host(host_of(url))
    except InvalidUrl:
        return frozenset()
